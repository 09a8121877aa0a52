"""What stands on an operation's page, where the golden cases do not already say it plainly."""

from dataclasses import replace

import pytest
from bs4 import Tag

from hanpon.contracts.operations import Example, MediaType
from renderers.markdown_text import html_of
from renderers.operation import render
from tests.apis import Page, api_item, page_of, pages_of, source_of
from tests.hangs import must_end

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


def test_an_example_never_lost_to_its_media_type() -> None:
    source = source_of(HEAD + "paths: {/a: {get: {responses: {'200': {description: ok}}}}}")
    (found,) = source.operations
    media = MediaType(name="text/csv", examples=(Example(name="two", text="a,b\n1,2", is_json=False),))
    response = replace(found.responses[0], content=(media,))
    (document,) = render(replace(source, operations=(replace(found, responses=(response,)),))).documents
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


def test_a_required_property_of_one_direction_is_required_in_that_direction_alone() -> None:
    page = body_of(
        "{type: object, required: [id, pin, name, both], properties: {id: {type: string, readOnly: true}, "
        "pin: {type: string, writeOnly: true}, name: {type: string}, both: {type: string, readOnly: true, "
        "writeOnly: true}, seen: {type: string, readOnly: true}}}"
    )
    assert [row[2] for row in page.rows()] == [
        "required in responses",
        "required in requests",
        "required",
        "required",
        "optional",
    ]


def test_a_default_response_is_an_error_only_beside_a_success() -> None:
    alone = page_of(HEAD + "paths: {/a: {get: {responses: {default: {description: all}}}}}")
    assert "Any response (default) all" in alone.section("responses")
    assert alone.section("errors") == ""
    failing = page_of(
        HEAD + "paths: {/a: {get: {responses: {default: {description: rest}, '404': {description: lost}}}}}"
    )
    assert "Any other response (default) rest" in failing.section("responses")
    assert "rest" not in failing.section("errors")


def test_a_shared_response_of_2_0_has_the_media_types_of_each_operation() -> None:
    pages = pages_of(
        "swagger: '2.0'\ninfo: {title: T, version: '1'}\nresponses: {R: {description: r, schema: {type: string}}}\n"
        "paths: {/a: {get: {produces: [text/csv], responses: {'200': {$ref: '#/responses/R'}}}, put: {produces: "
        "[text/html], responses: {'200': {$ref: '#/responses/R'}}}}}"
    )
    headings = {name: [tag.get_text() for tag in page.soup.find_all("h3")] for name, page in pages.items()}
    assert headings == {"GET /a": ["Response 200 — text/csv"], "PUT /a": ["Response 200 — text/html"]}


def test_an_operation_of_2_0_that_two_paths_share_keeps_the_form_of_each() -> None:
    pages = pages_of(
        "swagger: '2.0'\ninfo: {title: T, version: '1'}\nx-item: {post: {responses: {}}}\npaths:\n"
        "  /a: {$ref: '#/x-item', parameters: [{name: one, in: formData, type: string}]}\n"
        "  /b: {$ref: '#/x-item', parameters: [{name: two, in: formData, type: string}]}\n"
    )
    assert {name: page.paths() for name, page in pages.items()} == {"POST /a": ["one"], "POST /b": ["two"]}


def test_what_stands_below_a_property_called_schemas_has_no_name_from_it() -> None:
    page = body_of("{type: object, properties: {schemas: {type: array, items: {type: string}}}}")
    assert page.row("schemas")[1] == "array of string"


def test_words_beside_a_reference_leave_its_title_and_its_deprecation() -> None:
    page = body_of(
        "{type: object, properties: {a: {$ref: '#/components/schemas/Old', description: near}, b: {allOf: [{$ref: "
        "'#/components/schemas/Old'}], description: near}, c: {allOf: [{$ref: '#/components/schemas/Old'}], "
        "properties: {d: {type: string}}}}}",
        "Old: {type: string, title: Long ago, deprecated: true}",
        HEAD_31,
    )
    assert [page.row(name)[3] for name in "ab"] == ["deprecated Long ago near"] * 2
    assert page.row("c")[3] == ""


def test_null_is_not_allowed_where_a_schema_itself_states_another_type() -> None:
    old = body_of(
        "{type: object, properties: {a: {type: object, allOf: [{$ref: '#/components/schemas/N'}]}}}",
        "N: {type: object, nullable: true}",
    )
    new = body_of(
        "{type: object, properties: {a: {type: object, allOf: [{$ref: '#/components/schemas/N'}]}}}",
        "N: {type: [object, 'null']}",
        HEAD_31,
    )
    assert old.row("a")[1] == new.row("a")[1] == "N (object)"


def test_text_and_deprecation_of_an_alternative_are_never_folded_away() -> None:
    page = body_of(
        "{type: object, properties: {a: {type: string}, b: {oneOf: [{const: x}, {const: y, deprecated: true}]}}, "
        "anyOf: [{required: [a], description: by name}, {required: [b]}]}",
        head=HEAD_31,
    )
    assert "by name" in page.text
    assert "deprecated" in page.text


def test_a_single_property_that_must_not_be_there_is_said_to_be_one() -> None:
    page = body_of("{type: object, properties: {a: {type: string}}, not: {required: [a]}}")
    assert "a must not be present" in page.text
    assert "together" not in page.text


def test_the_schema_for_any_other_value_of_a_discriminator_is_named() -> None:
    page = body_of(
        "{oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}], discriminator: {propertyName: "
        "kind, mapping: {a: A}, defaultMapping: B}}",
        "A: {type: object, properties: {kind: {type: string}}}, B: {type: object}",
        "openapi: 3.2.0\ninfo: {title: T, version: '1'}\n",
    )
    assert "selected by kind : a → A, any other value → B" in page.text


def test_enums_that_hold_together_allow_what_all_of_them_allow() -> None:
    page = body_of(
        "{type: object, properties: {a: {allOf: [{enum: [1, true, {b: 1, c: 2}, x]}, {enum: [1.0, {c: 2, b: 1}]}]}}}"
    )
    assert page.row("a")[4] == 'one of: 1 , {"b": 1, "c": 2}'


def test_a_deep_object_is_not_called_exploded_and_a_form_part_repeats_its_name() -> None:
    page = page_of(
        HEAD
        + "paths: {/a: {post: {parameters: [{name: f, in: query, style: deepObject, explode: true, schema: {type: "
        "object}}], requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {p: {type: "
        "array, items: {type: string}}}}, encoding: {p: {style: form, allowReserved: true}, q: {explode: false}}}}}, "
        "responses: {}}}}"
    )
    assert page.row("f")[4] == "properties as name[property]=value"
    assert [row[2] for row in page.rows("How the parts")] == [
        "name repeated for each value; reserved characters are not escaped",
        "not exploded",
    ]


def test_what_the_api_sends_has_neither_its_servers_nor_its_keys() -> None:
    pages = pages_of(
        HEAD_31 + "servers: [{url: https://api.example}]\nsecurity: [{key: []}]\ncomponents: {securitySchemes: {key: "
        "{type: apiKey, in: header, name: K}, sign: {type: apiKey, in: header, name: S}}}\n"
        "webhooks: {w: {post: {responses: {}}}}\npaths: {/a: {get: {responses: {}, callbacks: {c: {'{$url}': "
        "{summary: how, post: {deprecated: true, operationId: called, security: [{sign: []}], responses: {}}}}}}}}"
    )
    assert "api.example" in pages["GET /a"].section("servers")
    assert pages["POST w"].section("servers") == pages["POST w"].section("security") == ""
    callback = pages["GET /a"].section("callbacks")
    for words in ("how", "Deprecated:", "called", "Authentication (c)", "in the header S"):
        assert words in callback
    assert "api.example" not in callback


def test_an_example_that_leads_nowhere_says_so() -> None:
    page = page_of(
        HEAD + "paths: {/a: {get: {responses: {'200': {description: ok, content: {text/plain: {examples: {e: {$ref: "
        "'#/components/examples/*no*'}}}}}}}}}"
    )
    assert "unresolved reference: #/components/examples/*no*" in page.text


def test_the_address_of_oauth_metadata_is_shown() -> None:
    page = page_of(
        "openapi: 3.2.0\ninfo: {title: T, version: '1'}\npaths: {/a: {get: {security: [{o: []}], responses: {}}}}\n"
        "components: {securitySchemes: {o: {type: oauth2, oauth2MetadataUrl: 'https://a.example/m', flows: {}}}}"
    )
    assert "metadata URL https://a.example/m" in page.section("security")


def test_the_line_about_a_page_holds_no_markup() -> None:
    page = page_of(
        HEAD + 'paths: {/a: {get: {description: "**Bold** [words](https://a.example) & `code`", responses: {}}}}'
    )
    meta = page.soup.find("meta", attrs={"name": "description"})
    assert isinstance(meta, Tag)
    assert meta["content"] == "Bold words & code"


def test_every_table_of_ours_has_a_caption_that_names_the_operation() -> None:
    page = page_of(
        HEAD + "paths: {/a: {get: {parameters: [{name: q, in: query}], security: [{k: []}], responses: {}}}}\n"
        "components: {securitySchemes: {k: {type: http, scheme: basic}}}"
    )
    captions = [table.caption.get_text() if table.caption else "" for table in page.soup.find_all("table")]
    assert captions == ["GET /a · Query parameters", "GET /a · Authentication"]


def test_what_is_cut_and_has_no_name_is_told_by_its_place() -> None:
    schema = "{type: object, properties: {end: {type: string}}}"
    for _ in range(12):
        schema = f"{{type: object, properties: {{next: {schema}}}}}"
    assert f"Not listed: fields of {'next.' * 7}next." in body_of(schema).text


def test_a_sentence_about_a_cut_names_ten_and_counts_the_others() -> None:
    schema = "{type: object, properties: {x: {type: object, properties: {end: {type: string}}}}}"
    wide = ", ".join(f"p{number:02}: {schema}" for number in range(290))
    text = body_of(f"{{type: object, properties: {{{wide}}}}}").text
    listed = ", ".join(f"p{number:02}" for number in range(10, 20))
    assert f"Not listed: fields of {listed} and 280 more." in text


def test_everything_beside_a_reference_that_is_ignored_is_reported() -> None:
    source = source_of(
        HEAD
        + "paths: {/a: {get: {parameters: [{name: q, in: query, schema: {$ref: '#/components/schemas/S', default: "
        "x}}], responses: {}}}}\ncomponents: {schemas: {S: {type: string}}}"
    )
    assert [finding.rule for finding in source.findings] == ["ignored-beside-ref"]


def test_what_no_page_shows_of_tags_discriminators_and_the_root_is_reported() -> None:
    source = source_of(
        HEAD
        + "externalDocs: {url: 'https://a.example'}\ntags: [{name: t, externalDocs: {url: 'https://a.example'}}]\n"
        "paths: {/a: {get: {responses: {'200': {description: ok, content: {text/plain: {schema: {oneOf: [{type: "
        "string}, {type: integer}], discriminator: {propertyName: p, other: 1}}}}}}}}}"
    )
    told = sorted(finding.message.split(" is not")[0] for finding in source.findings)
    assert told == ["`externalDocs` of tags", "`externalDocs` of the definition", "`other` of discriminators"]


def test_many_closing_tags_take_no_longer_than_their_number() -> None:
    with must_end():
        html_of("a </x> " * 50_000)


def test_a_property_that_only_an_alternative_requires_is_listed_there() -> None:
    page = body_of(
        "{type: object, required: [c], properties: {a: {$ref: '#/components/schemas/X'}, c: {$ref: "
        "'#/components/schemas/X'}}, oneOf: [{title: One, required: [a], properties: {a: {$ref: "
        "'#/components/schemas/X'}, c: {$ref: '#/components/schemas/X'}}}, {title: Two, properties: {b: {type: "
        "string}}}]}",
        "X: {type: string}",
    )
    assert [row[0] + " " + row[2] for row in page.rows() if row[2]] == [
        "a optional",
        "c required",
        "a in One required",
        "b in Two optional",
    ]


def test_two_choices_that_hold_together_are_not_mixed() -> None:
    page = body_of(
        "{allOf: [{oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}]}, {oneOf: [{$ref: "
        "'#/components/schemas/C'}, {$ref: '#/components/schemas/D'}]}]}",
        ", ".join(f"{name}: {{type: object, properties: {{{name.lower()}: {{type: string}}}}}}" for name in "ABCD"),
    )
    assert "Type: (A or B) and (C or D)" in page.text
    assert "exactly one of: A, B; exactly one of: C, D" in page.text


def test_a_mapping_does_not_take_away_the_kinds_that_it_does_not_name() -> None:
    heir = "{allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {%s: {type: string}}}]}"
    page = body_of(
        "{$ref: '#/components/schemas/Pet'}",
        "Pet: {type: object, required: [kind], properties: {kind: {type: string}}, discriminator: {propertyName: "
        f"kind, mapping: {{cat: Cat}}}}}}, Cat: {heir % 'm'}, Dog: {heir % 'd'}",
    )
    assert page.paths() == ["kind", "kind Cat (kind = cat)", "m in Cat", "kind Dog (kind = Dog)", "d in Dog"]


def test_texts_of_constants_stand_beside_an_enum() -> None:
    page = body_of(
        "{type: object, properties: {a: {enum: [x, y, z], oneOf: [{const: x, title: Ex}, {const: y, title: Why}]}}}",
        head=HEAD_31,
    )
    assert page.row("a")[3:] == ("x : Ex y : Why", "one of: x , y")


def test_an_alternative_that_requires_nothing_is_no_gap_in_a_sentence() -> None:
    page = body_of("{type: object, properties: {a: {type: string}}, anyOf: [{required: []}, {required: [a]}]}")
    assert "of: ;" not in page.text
    assert "alternative 2 of 2" in page.text


def test_a_parameter_s_example_is_one_line_and_a_part_s_header_has_its_type() -> None:
    page = page_of(
        HEAD + "paths: {/a: {post: {parameters: [{name: q, in: query, example: [a, b]}], requestBody: {content: "
        "{multipart/form-data: {schema: {type: object}, encoding: {f: {headers: {X: {schema: {type: integer, "
        "minimum: 1}}}}}}}}, responses: {}}}}"
    )
    assert page.row("q")[4] == 'example: ["a", "b"]'
    assert page.row("f")[3] == "X integer; minimum 1"


def test_items_of_a_stream_are_told_from_the_whole() -> None:
    page = page_of(
        "openapi: 3.2.0\ninfo: {title: T, version: '1'}\npaths: {/a: {get: {responses: {'200': {description: ok, "
        "content: {application/jsonl: {itemSchema: {type: integer}}}}}}}}"
    )
    assert "each item of the stream: integer" in page.section("responses")


def test_a_title_that_says_what_the_description_says_is_said_once() -> None:
    page = body_of("{type: object, properties: {a: {type: string, title: A tree, description: A tree}}}")
    assert page.row("a")[3] == "A tree"


def test_a_long_description_of_a_tag_stands_below_everything_else() -> None:
    page = page_of(
        HEAD + 'tags: [{name: long, description: "one\\n\\ntwo"}, {name: short, description: brief}]\n'
        "paths: {/a: {get: {tags: [long, short], responses: {}}}}"
    )
    assert "Tags: long Tags: short — brief" in page.text
    assert page.section("tags") == "About the tags long one two"
    assert [tag.get_text() for tag in page.soup.find_all("h2")][-1] == "About the tags"


def test_an_alternative_does_not_repeat_what_tells_it_from_its_brothers() -> None:
    page = body_of(
        "{$ref: '#/components/schemas/P'}",
        "P: {discriminator: {propertyName: k}, oneOf: [{$ref: '#/components/schemas/A'}, {$ref: "
        "'#/components/schemas/B'}]}, A: {allOf: [{$ref: '#/components/schemas/P'}, {properties: {a: {type: "
        "string}}}]}, B: {properties: {b: {type: string}}}",
    )
    assert page.text.count("selected by k") == 1
    assert page.row("alternative 1 of 2: A (k = A)")[4] == ""


def test_a_tag_says_what_it_is_part_of_and_what_it_is_for_and_earlier_versions_report_it() -> None:
    rest = (
        "info: {title: T, version: '1'}\ntags: [{name: cats, parent: pets, kind: nav}, {name: pets}]\n"
        "paths: {/a: {get: {tags: [cats], responses: {}}}}"
    )
    assert "Tags: cats (part of pets; kind: nav)" in page_of("openapi: 3.2.0\n" + rest).text
    old = source_of("openapi: 3.1.0\n" + rest)
    told = sorted(finding.message.split(" is not")[0] for finding in old.findings)
    assert told == ["`kind` of tags", "`parent` of tags"]
    assert "part of" not in page_of("openapi: 3.1.0\n" + rest).text


SECRET = "https://user:SECRETPW@host.example/x.yaml"


def test_no_page_finding_or_metadata_shows_the_password_of_a_reference() -> None:
    reference = f"{{$ref: '{SECRET}#/a'}}"
    examples = f"{{e: {reference}, f: {{externalValue: '{SECRET}'}}}}"
    content = f"{{application/json: {{schema: {reference}, examples: {examples}}}}}"
    links = f"{{L: {{operationRef: '{SECRET}'}}, M: {reference}}}"
    responses = f"{{'200': {reference}, '201': {{description: d, headers: {{H: {reference}}}, links: {links}}}}}"
    source = source_of(
        HEAD_31 + f"paths: {{/lost: {reference}, /a: {{put: {{requestBody: {reference}, responses: {{}}}}, post: "
        f"{{parameters: [{reference}], requestBody: {{content: {content}}}, responses: {responses}, callbacks: "
        f"{{c: {reference}}}}}}}}}"
    )
    rendered = render(source)
    shown = " ".join(document.content.decode() + str(document.metadata) for document in rendered.documents)
    shown += " ".join(map(str, (*source.findings, *rendered.findings)))
    assert "SECRETPW" not in shown
    assert shown.count("***@host.example/x.yaml") >= 9


def test_parameters_and_properties_that_only_look_alike_are_two() -> None:
    page = page_of(
        HEAD_31 + 'paths: {/a: {get: {parameters: [{name: "q\\u0085", in: query}, {name: "q\\ufffe", in: query}], '
        'responses: {"200": {description: d, content: {a/json: {schema: {type: object, properties: {"p\\u0085": {}, '
        '"p\\ufffe": {}}}}}}}}}}'
    )
    assert page.paths() == ["q\ufffd", "q\ufffd", "p\ufffd", "p\ufffd"]
