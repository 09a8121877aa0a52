"""What stands on an operation's page, where the golden cases do not already say it plainly."""

from dataclasses import replace

import pytest
from bs4 import Tag

from hanpon.contracts.operations import Example, MediaType
from renderers import operation
from renderers.operation import render
from tests.apis import Page, api_item, page_of, pages_of, source_of

HEAD = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\n"
HEAD_31 = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n"


def body_of(schema: str, components: str = "", head: str = HEAD) -> Page:
    """The page of an operation whose body is a schema."""
    return page_of(
        f"{head}paths: {{/probe: {{post: {{requestBody: {{content: {{application/json: {{schema: {schema}}}}}}}, "
        f"responses: {{'200': {{description: ok}}}}}}}}}}\ncomponents: {{schemas: {{{components}}}}}\n"
    )


def test_the_heading_is_one_piece_of_text_and_the_title_is_for_the_index() -> None:
    page = page_of(HEAD + "paths: {'/customers/{id}': {get: {summary: \"one\\ncustomer\", responses: {}}}}")
    h1 = page.soup.h1
    assert isinstance(h1, Tag)
    assert [str(child) for child in h1.children] == ["GET /customers/{id}"]
    assert page.document.metadata.title == "GET /customers/{id}: one customer"
    assert page.soup.title is not None
    assert page.soup.title.get_text() == "GET /customers/{id}: one customer | Probe API, version v1"
    meta = page.soup.find("meta", attrs={"name": "description"})
    assert isinstance(meta, Tag)
    assert meta["content"] == "one customer"


def test_metadata_carry_what_filters_need() -> None:
    page = page_of(HEAD + "paths: {/a: {get: {operationId: getA, deprecated: true, tags: [x, y], responses: {}}}}")
    metadata = page.document.metadata
    assert (metadata.doc_type, metadata.api, metadata.api_version) == ("api_spec", "probe", "v1")
    assert (metadata.method, metadata.path, metadata.section) == ("GET", "/a", "GET /a")
    assert (metadata.operation_id, metadata.tags, metadata.deprecated) == ("getA", ("x", "y"), "true")
    assert metadata.groups == page.document.readers == ("group:engineers@example.co.jp",)
    assert metadata.source == "openapi.yaml#/paths/~1a/get"


def test_errors_stand_in_a_section_of_their_own() -> None:
    page = page_of(
        HEAD + "paths: {/a: {get: {responses: {'200': {description: fine}, '404': {description: lost}, "
        "5XX: {description: broken}, default: {description: else}, '302': {description: there}}}}}"
    )
    assert [word in page.section("responses") for word in ("fine", "there", "lost", "broken", "else")] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert [word in page.section("errors") for word in ("fine", "there", "lost", "broken", "else")] == [
        False,
        False,
        True,
        True,
        True,
    ]


def test_a_property_may_be_called_like_a_keyword() -> None:
    page = body_of(
        "{type: object, properties: {default: {type: boolean}, type: {type: string}, enum: {type: array, items: "
        "{type: string}}, required: {type: boolean}, $ref: {type: string}, properties: {type: integer}}}"
    )
    assert page.paths() == ["default", "type", "enum", "required", "$ref", "properties"]


def test_only_the_same_branch_counts_as_recursion() -> None:
    page = body_of(
        "{$ref: '#/components/schemas/Box'}",
        "Box: {allOf: [{$ref: '#/components/schemas/Id'}, {type: object, properties: {parts: {type: array, "
        "items: {$ref: '#/components/schemas/Id'}}}}]}, Id: {type: object, properties: {id: {type: string}}}",
    )
    assert page.paths() == ["id", "parts", "parts[].id"]
    assert "recursive" not in page.text


def test_recursion_names_the_schema_and_where_its_fields_stand() -> None:
    page = body_of(
        "{type: object, properties: {root: {$ref: '#/components/schemas/Node'}}}",
        "Node: {type: object, properties: {name: {type: string}, next: {$ref: '#/components/schemas/Node'}}}",
    )
    assert page.row("root.next")[3] == "recursive: Node; its fields stand at root"


def test_siblings_of_a_reference_count_from_3_1_on_and_are_reported_before() -> None:
    schema = "{type: object, properties: {from: {$ref: '#/components/schemas/P', description: departure}}}"
    components = "P: {type: string, description: a point, maxLength: 9}"
    assert body_of(schema, components, HEAD_31).row("from")[3:] == ("departure", "maximum length 9")
    assert body_of(schema, components).row("from")[3:] == ("a point", "maximum length 9")
    source = source_of(
        HEAD + "paths: {/a: {get: {responses: {'200': {$ref: '#/components/responses/R', description: lost}}}}}\n"
        "components: {responses: {R: {description: kept}}}"
    )
    assert [finding.rule for finding in source.findings] == ["ignored-beside-ref"]


def test_falsy_values_are_values() -> None:
    page = body_of(
        "{type: object, properties: {a: {type: integer, default: 0}, b: {type: boolean, default: false}, "
        "c: {type: string, default: ''}, d: {enum: [0, false, null]}, e: {type: integer, example: 0}}}"
    )
    assert [row[4] for row in page.rows()] == [
        "default: 0",
        "default: false",
        'default: ""',
        "one of: 0 , false",
        "example: 0",
    ]
    assert page.row("d")[1] == "integer or boolean or null"


def test_numbers_as_text_are_told_from_numbers() -> None:
    page = body_of("{type: object, properties: {a: {enum: ['1', 1, 'null', 'true', plain, ' padded ']}}}")
    assert page.row("a")[4] == 'one of: "1" , 1 , "null" , "true" , plain , " padded "'


def test_presence_alternatives_become_a_sentence() -> None:
    page = body_of(
        "{type: object, properties: {ids: {type: string}, seds: {type: string}}, anyOf: [{required: [ids]}, "
        "{required: [seds]}], not: {required: [ids, seds]}}"
    )
    assert page.paths() == ["ids", "seds"]
    assert "at least one of: ids ; seds must be present" in page.text
    assert "ids + seds must not be present together" in page.text


def test_exclusive_bounds_of_both_spellings_read_alike() -> None:
    old = body_of("{type: object, properties: {a: {type: number, minimum: 3, exclusiveMinimum: true}}}")
    new = body_of("{type: object, properties: {a: {type: number, exclusiveMinimum: 3}}}", head=HEAD_31)
    assert old.row("a") == new.row("a") == ("a", "number", "optional", "", "greater than 3")


def test_media_types_of_one_schema_share_a_table_and_others_do_not() -> None:
    page = page_of(
        HEAD + "paths: {/a: {get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: "
        "'#/components/schemas/A'}}, application/yaml: {schema: {$ref: '#/components/schemas/A'}}, text/plain: "
        "{schema: {type: string}}}}}}}}\ncomponents: {schemas: {A: {type: object, properties: {a: {type: string}}}}}"
    )
    headings = [tag.get_text() for tag in page.soup.find_all("h3")]
    assert headings == ["Response 200 — application/json, application/yaml", "Response 200 — text/plain"]
    assert page.paths() == ["a"]


def test_a_wide_and_deep_schema_is_cut_in_words_that_name_it() -> None:
    schema = "{type: object, properties: {end: {type: string}}}"
    for level in range(12):
        schema = f"{{type: object, title: Level{level}, properties: {{next: {schema}}}}}"
    page = body_of(schema)
    assert len(page.rows()) == 8
    assert page.row("next" + ".next" * 7)[3] == "the fields of Level3 are not listed here"
    assert "This table is cut at 300 rows and 8 levels. Not listed: fields of Level3." in page.text


def test_every_property_of_a_schema_is_listed_however_many_there_are() -> None:
    properties = ", ".join(f"p{number}: {{type: string}}" for number in range(900))
    assert len(body_of(f"{{type: object, properties: {{{properties}}}}}").rows()) == 900


def test_a_page_that_would_be_too_large_gets_smaller_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    nested = (
        "{type: object, properties: {"
        + ", ".join(
            f"p{number}: {{type: object, properties: {{a: {{type: string}}, b: {{type: string}}}}}}"
            for number in range(90)
        )
        + "}}"
    )
    whole = body_of(nested)
    assert len(whole.rows()) == 270
    monkeypatch.setattr(operation, "MAX_BYTES", len(whole.document.content) - 1)
    cut = body_of(nested)
    assert len(cut.document.content) < len(whole.document.content)
    assert "This table is cut at 100 rows and 5 levels." in cut.text


def test_an_example_never_lost_to_its_media_type() -> None:
    source = source_of(HEAD + "paths: {/a: {get: {responses: {'200': {description: ok}}}}}")
    (found,) = source.operations
    media = MediaType(name="text/csv", examples=(Example(name="two", text="a,b\n1,2", is_json=False),))
    response = replace(found.responses[0], content=(media,))
    (document,) = render(replace(source, operations=(replace(found, responses=(response,)),)))
    page = Page(document)
    assert page.soup.pre is not None
    assert page.soup.pre.get_text() == "a,b\n1,2"
    assert [tag.get_text() for tag in page.soup.find_all("h4")] == ["Example two — Response 200 — text/csv"]


def test_path_items_by_reference_keep_what_stands_beside_them() -> None:
    pages = pages_of(
        HEAD_31 + "paths: {/a: {$ref: '#/components/pathItems/A', post: {responses: {}}, parameters: "
        "[{name: near, in: query}]}}\ncomponents: {pathItems: {A: {get: {responses: {}}, parameters: "
        "[{name: far, in: query}]}}}"
    )
    assert sorted(pages) == ["GET /a", "POST /a"]
    assert pages["GET /a"].paths() == ["far", "near"]


def test_keys_that_are_no_methods_are_never_operations() -> None:
    source = source_of(
        HEAD + "paths: {/a: {summary: s, servers: [], x-thing: {}, query: {responses: {}}, GET: {}, get: "
        "{responses: {}}}}"
    )
    assert [found.heading for found in source.operations] == ["GET /a"]
    assert [finding.rule for finding in source.findings] == ["not-rendered"] * 3


def test_japanese_pages_have_japanese_words() -> None:
    item = api_item(language="ja")
    page = page_of(
        HEAD + "paths: {/a: {get: {parameters: [{name: q, in: query, required: true, schema: "
        "{type: string}}], responses: {}}}}",
        item,
    )
    assert page.soup.html is not None
    assert page.soup.html["lang"] == "ja"
    assert page.rows()[0][:3] == ("q", "string", "必須")
    assert "クエリパラメーター" in page.text


@pytest.mark.parametrize("language", ["en", "ja"])
def test_each_piece_of_a_page_names_its_part(language: str) -> None:
    item = api_item(language="ja" if language == "ja" else "en")
    page = page_of(
        HEAD + "paths: {/a: {post: {requestBody: {content: {application/json: {schema: {type: object, properties: "
        "{a: {type: string}}}}}}, responses: {'200': {description: ok, content: {application/json: {schema: {type: "
        "object, properties: {b: {type: string}}}}}}}}}}",
        item,
    )
    captions = [tag.get_text() for tag in page.soup.find_all("caption")]
    assert len(captions) == 2
    assert all(caption.startswith("POST /a · ") and "application/json" in caption for caption in captions)


def test_a_page_never_exceeds_its_limit_whatever_a_text_holds() -> None:
    page = page_of(
        HEAD
        + f"paths: {{/a: {{get: {{description: {'word ' * 600_000}, responses: {{'200': {{description: fine}}}}}}}}}}"
    )
    assert len(page.document.content) < operation.MAX_BYTES
    assert page.section("description") == "Description This section is left out: the page would be too large."
    assert "fine" in page.section("responses")


@pytest.mark.parametrize(
    "link",
    [
        "{allOf: [{$ref: '#/components/schemas/S%d'}], properties: {p%d: {type: string}}}",
        "{anyOf: [{$ref: '#/components/schemas/S%d'}, {type: 'null'}], title: t%d}",
        "{oneOf: [{$ref: '#/components/schemas/S%d'}, {type: object, properties: {q%d: {type: string}}}]}",
        "{type: object, properties: {next: {$ref: '#/components/schemas/S%d'}, p%d: {type: string}}}",
        "{type: array, items: {$ref: '#/components/schemas/S%d'}, title: t%d}",
        "{$ref: '#/components/schemas/S%d', description: d%d}",
    ],
)
def test_long_chains_of_schemas_neither_overflow_nor_last(link: str) -> None:
    length = 1500
    components = ", ".join(f"S{number}: {link % (number + 1, number)}" for number in range(length))
    page = body_of("{$ref: '#/components/schemas/S0'}", f"{components}, S{length}: {{type: string}}", HEAD_31)
    assert len(page.rows()) <= 300
