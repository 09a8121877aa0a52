"""What our own pass says of a definition, sentence by sentence."""

import pytest

from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.sources.definition_checks import check_definition, without_repeats
from hanpon.sources.definition_files import open_definition
from tests.trees import MemoryTree

HEADS = {
    "2.0": "swagger: '2.0'\ninfo: {title: T, version: '1'}\n",
    "3.0": "openapi: 3.0.3\ninfo: {title: T, version: '1'}\n",
    "3.1": "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n",
    "3.2": "openapi: 3.2.0\ninfo: {title: T, version: '1'}\n",
}
OK = "responses: {'200': {description: ok}}"


def said(body: str, dialect: str = "3.0", **files: str) -> list[str]:
    """The findings on a definition, without the file's name; what follows the head begins in line 3."""
    return said_of(HEADS[dialect] + body, **files)


def said_of(text: str, **files: str) -> list[str]:
    others = {name.replace("__", "/") + ".yaml": content for name, content in files.items()}
    opened = open_definition(MemoryTree({"a.yaml": text, **others}), "a.yaml")
    return [str(found).removeprefix("a.yaml:") for found in check_definition(opened)]


@pytest.mark.parametrize("dialect", ["3.0", "3.1", "3.2"])
def test_a_sound_definition_is_left_in_peace(dialect: str) -> None:
    body = """
paths:
  /a/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: a
      parameters: [{$ref: '#/components/parameters/P'}, {name: id, in: query, schema: {type: string}}]
      security: [{key: []}, {}]
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: 'b.yaml#/S'}}}}}
components:
  parameters: {P: {name: p, in: query, schema: {type: string}}}
  securitySchemes: {key: {type: apiKey, in: header, name: K}}
"""
    assert said(body, dialect, b="S: {type: object, properties: {next: {$ref: '#/S'}}}") == []


@pytest.mark.parametrize(
    ("operation", "sentence"),
    [
        ("{}", "#/paths/~1a/get: An operation needs `responses`, which is missing. [required-key-missing]"),
        ("{responses: {}}", "#/paths/~1a/get/responses: An operation needs at least one response: a status code or `default`. [required-key-missing]"),
        (
            "{responses: {'200': {description: ok}, ok: {description: ok}}}",
            '#/paths/~1a/get/responses/ok: `ok` stands where a status code such as "200" or "4XX", or `default`, is wanted. [unknown-key]',
        ),
        ("{responses: {'200': {}}}", "#/paths/~1a/get/responses/200: A response needs `description`, which is missing. [required-key-missing]"),
        (
            "{sumary: x, " + OK + "}",
            "#/paths/~1a/get/sumary: An operation has no key `sumary`; did you mean `summary`? [unknown-key]",
        ),
        (
            "{parameters: [{name: a, in: querry, schema: {type: string}}], " + OK + "}",
            "#/paths/~1a/get/parameters/0/in: `querry` stands where only `path`, `query`, `header` or `cookie` is allowed; did you mean `query`? [value-not-allowed]",
        ),
        (
            "{parameters: [{name: a, in: query, schema: {type: strng}}], " + OK + "}",
            "#/paths/~1a/get/parameters/0/schema/type: `strng` stands where only `array`, `boolean`, `integer`, `number`, `object` or `string` is allowed; did you mean `string`? [value-not-allowed]",
        ),
        (
            "{parameters: [{name: a, in: query}], " + OK + "}",
            "#/paths/~1a/get/parameters/0: A parameter or header needs `schema` or `content`. [required-key-missing]",
        ),
        (
            "{parameters: [{name: a, in: query, required: 'true', schema: {type: string}}], " + OK + "}",
            "#/paths/~1a/get/parameters/0/required: Text stands where true or false is wanted; write it without quotes. [wrong-type]",
        ),
        (
            "{deprecated: yes, " + OK + "}",
            "#/paths/~1a/get/deprecated: Text stands where true or false is wanted; YAML 1.2 reads `yes` as text, so write `true` or `false`. [wrong-type]",
        ),
        (
            "{tags: " + "\n" + "    , " + OK + "}",
            "#/paths/~1a/get/tags: `null` stands where a list is wanted; is a value missing, or indented wrongly? [wrong-type]",
        ),
        ("{summary: 1, " + OK + "}", "#/paths/~1a/get/summary: A number stands where text is wanted; quote it. [wrong-type]"),
        ("{$ref: '#/x-list'}", "#/paths/~1a/get/$ref: A reference may not stand in the place of an operation. [unknown-key]"),
    ],
)
def test_a_fault_of_form_is_one_sentence_at_its_place(operation: str, sentence: str) -> None:
    body = f"x-list: {{{OK}}}\npaths:\n  /a:\n    get: {operation}\n"
    assert [line.partition("#")[2] for line in said(body)] == [sentence.removeprefix("#")]


@pytest.mark.parametrize(
    ("body", "sentences"),
    [
        (
            "paths: {}\ncomponents: {securitySchemes: {a: {type: apikey}, b: {type: apiKey, in: bdy, name: x}, c: {type: http}}}\n",
            [
                "4#/components/securitySchemes/a/type: `apikey` stands where only `apiKey`, `http`, `oauth2` or `openIdConnect` is allowed; did you mean `apiKey`? [value-not-allowed]",
                "4#/components/securitySchemes/b/in: `bdy` stands where only `header`, `query` or `cookie` is allowed. [value-not-allowed]",
                "4#/components/securitySchemes/c: A security scheme needs `scheme`, which is missing. [required-key-missing]",
            ],
        ),
        (
            "paths: {a: {}}\n",
            ["3#/paths/a: `a` stands where a path that begins with `/` is wanted. [unknown-key]"],
        ),
    ],
)
def test_faults_of_form_in_components_and_paths_are_told(body: str, sentences: list[str]) -> None:
    assert said(body) == sentences


@pytest.mark.parametrize("dialect", ["3.1", "3.2"])
def test_since_3_1_schemas_are_checked_as_json_schema(dialect: str) -> None:
    body = "components: {schemas: {A: {type: [strng, 'null'], properties: {b: {minimum: x}}}, B: true}}\n"
    first, second = said(body, dialect)
    assert first.endswith("/properties/b/minimum: Text stands where a number is wanted. [wrong-type]")
    assert "#/components/schemas/A/type/0: `strng` stands where only" in second


def test_a_dialect_of_its_own_makes_schemas_its_own_affair() -> None:
    body = "jsonSchemaDialect: https://example.com/dialect\ncomponents: {schemas: {A: {minimum: x}}}\n"
    assert said(body, "3.1") == []


def test_faults_of_form_in_2_0_are_told_in_the_branch_that_was_meant() -> None:
    body = f"""paths:
  /a:
    get:
      parameters:
      - {{name: a, in: querry, type: string}}
      - {{name: b, in: query}}
      - {{name: c, in: body}}
      - {{name: d, in: header, type: strng}}
      {OK}
"""
    at = "#/paths/~1a/get/parameters/"
    assert said(body, "2.0") == [
        f"7{at}0/in: `querry` stands where only `body`, `header`, `formData`, `query` or `path` is allowed; did you mean `query`? [value-not-allowed]",
        f"8{at}1: A parameter needs `type`, which is missing. [required-key-missing]",
        f"9{at}2: A body parameter needs `schema`, which is missing. [required-key-missing]",
        f"10{at}3/type: `strng` stands where only `string`, `number`, `boolean`, `integer` or `array` is allowed; did you mean `string`? [value-not-allowed]",
    ]


def test_unquoted_versions_are_told_once_with_what_to_write() -> None:
    assert said_of("openapi: 3.0\ninfo: {title: T, version: 1.0}\npaths: {}\n") == [
        '1#/openapi: A version is text, and this is a number; write it as "3.0.0". [version-not-text]',
        '2#/info/version: A version is text, and this is a number; quote it: "1.0". [version-not-text]',
    ]


def test_integer_response_keys_are_no_fault() -> None:
    assert said("paths: {/a: {get: {responses: {200: {description: ok}, 404: {description: no}}}}}") == []


def test_no_value_of_an_example_default_or_enum_is_ever_quoted() -> None:
    body = """paths: {}
components:
  schemas:
    A: {type: object, default: s3cret, example: s3cret, enum: s3cret, required: s3cret, maxLength: s3cret}
  examples: {E: {value: s3cret, summary: [s3cret]}}
  parameters: {P: {name: p, in: query, example: s3cret, examples: s3cret, schema: {type: string}}}
"""
    for dialect in ("3.0", "3.1"):
        lines = said(body, dialect)
        assert lines
        assert "s3cret" not in "".join(lines)


def test_the_pieces_of_other_files_are_checked_as_what_refers_to_them() -> None:
    lines = said(
        "paths: {/a: {$ref: 'p.yaml#/a'}}\n",
        p="a:\n  get:\n    responses:\n      '200': {$ref: 'r.yaml'}\n    sumary: x\n",
        r="content: {}\n",
    )
    assert lines == [
        "p.yaml:5#/a/get/sumary: An operation has no key `sumary`; did you mean `summary`? [unknown-key]",
        "r.yaml:1: A response needs `description`, which is missing. [required-key-missing]",
    ]


def test_a_reference_to_another_kind_of_object_is_told() -> None:
    body = "paths: {/a: {get: {responses: {'200': {$ref: '#/components/schemas/A'}}}}}\ncomponents: {schemas: {A: {}}}\n"
    assert said(body) == [
        "3#/paths/~1a/get/responses/200: `#/components/schemas/A` leads to a schema, but a response is wanted here. [reference-of-wrong-kind]"
    ]


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        ("#/components/schemas/B", "reference-dangling"),
        ("http://example.com/a.json", "reference-remote"),
        ("../../x.yaml", "reference-outside-bundle"),
        ("#/components/schemas/A", "reference-loop"),
    ],
)
def test_every_reference_that_leads_nowhere_is_told_where_it_stands(value: str, rule: str) -> None:
    [line] = said(f"paths: {{}}\ncomponents:\n  schemas:\n    A:\n      $ref: '{value}'\n")
    assert line.startswith(f"6#/components/schemas/A: `$ref: {value}` cannot be followed: ")
    assert line.endswith(f" [{rule}]")


def test_references_of_other_files_are_checked_even_where_nothing_leads_to_them() -> None:
    lines = said(
        "paths: {/a: {get: {responses: {'200': {$ref: 'r.yaml#/used'}}}}}\n",
        r="used: {description: ok}\nunused: {content: {a/b: {schema: {$ref: 's.yaml#/none'}}}}\n",
        s="a: {$ref: t.yaml}\n",
        t="$ref: none.yaml\n",
    )
    assert [line.partition(":")[0] + " " + line.rpartition(" ")[2] for line in lines] == [
        "r.yaml [reference-dangling]",
        "t.yaml [reference-dangling]",
    ]


def test_a_file_that_cannot_be_read_is_told_of_itself_and_where_it_is_wanted() -> None:
    lines = said("paths: {/a: {$ref: p.yaml}, /b: {$ref: p.yaml}}\n", p="get: [")
    assert [line.rpartition(" ")[2] for line in lines] == ["[reference-unreadable]", "[reference-unreadable]", "[yaml-syntax]"]


def test_data_and_names_are_never_taken_for_references() -> None:
    body = """paths: {}
x-data: {$ref: none.yaml}
components:
  schemas:
    A:
      type: object
      properties:
        $ref: {type: string}
        default: {$ref: '#/components/schemas/B'}
        example: {type: string}
      default: {$ref: none.yaml}
      example: {$ref: none.yaml}
      enum: [{$ref: none.yaml}]
      x-more: {$ref: none.yaml}
    B: {type: string}
    default: {$ref: '#/components/schemas/B'}
  examples:
    E: {value: {$ref: none.yaml}}
  responses:
    x-r: {description: ok}
"""
    assert said(body) == []
    assert said("paths: {}\ncomponents: {schemas: {A: {properties: {default: {$ref: '#/no'}}}}}\n")[0].endswith("[reference-dangling]")
    assert said("components: {schemas: {A: {const: {$ref: no.yaml}, examples: [{$ref: no.yaml}]}}}\n", "3.1") == []


@pytest.mark.parametrize("dialect", ["2.0", "3.0", "3.1"])
def test_an_operation_id_that_occurs_twice_names_both_places(dialect: str) -> None:
    body = f"paths:\n  /a: {{get: {{operationId: x, {OK}}}}}\n  /b: {{get: {{operationId: x, {OK}}}}}\n"
    assert said(body, dialect) == [
        "4#/paths/~1a/get/operationId: The operationId `x` is also that of a.yaml#/paths/~1b/get. [operation-id-twice]",
        "5#/paths/~1b/get/operationId: The operationId `x` is also that of a.yaml#/paths/~1a/get. [operation-id-twice]",
    ]


def test_an_operation_that_two_paths_share_is_one_operation() -> None:
    body = "paths: {/a: {$ref: 'p.yaml#/a'}, /b: {$ref: 'p.yaml#/a'}}\n"
    assert said(body, p=f"a: {{get: {{operationId: x, {OK}}}}}") == []


def test_a_callback_has_an_operation_id_too() -> None:
    body = f"""paths:
  /a:
    get:
      operationId: x
      callbacks: {{c: {{'{{$url}}': {{post: {{operationId: x, {OK}}}}}}}}}
      {OK}
"""
    assert [line.rpartition(" ")[2] for line in said(body)] == ["[operation-id-twice]"] * 2


def test_a_path_and_its_parameters_must_agree() -> None:
    body = f"""paths:
  /a/{{id}}/{{part}}:
    parameters: [{{name: id, in: path, required: true, schema: {{type: string}}}}]
    get:
      parameters:
      - {{name: prt, in: path, required: true, schema: {{type: string}}}}
      - {{name: part, in: query, schema: {{type: string}}}}
      {OK}
    post:
      parameters: [{{$ref: '#/components/parameters/Part'}}]
      {OK}
components: {{parameters: {{Part: {{name: part, in: path, required: true, schema: {{type: string}}}}}}}}
"""
    assert said(body) == [
        "6#/paths/~1a~1{id}~1{part}/get: `{part}` stands in the path, but no path parameter of that name is declared; there is one with `in: query`. [path-parameter-undeclared]",
        "8#/paths/~1a~1{id}~1{part}/get/parameters/0: The path parameter `prt` does not stand in `/a/{id}/{part}`; did you mean `part`? [path-parameter-unused]",
    ]


def test_paths_and_parameters_of_2_0_must_agree_too() -> None:
    body = f"paths:\n  /a/{{id}}:\n    get:\n      {OK}\n"
    assert said(body, "2.0") == [
        "5#/paths/~1a~1{id}/get: `{id}` stands in the path, but no path parameter of that name is declared. [path-parameter-undeclared]"
    ]


def test_a_parameter_that_cannot_be_followed_is_not_missed_a_second_time() -> None:
    body = f"paths: {{/a/{{id}}: {{get: {{parameters: [{{$ref: no.yaml}}], {OK}}}}}}}\n"
    assert [line.rpartition(" ")[2] for line in said(body.replace("/a/{id}", "'/a/{id}'"))] == ["[reference-dangling]"]


def test_a_parameter_that_stands_twice_in_a_list_is_told() -> None:
    body = f"""paths:
  /a:
    parameters: [{{name: p, in: query, schema: {{type: string}}}}]
    get:
      parameters:
      - {{name: p, in: query, schema: {{type: integer}}}}
      - {{$ref: '#/components/parameters/P'}}
      - {{name: H, in: header, schema: {{type: string}}}}
      - {{name: h, in: header, schema: {{type: integer}}}}
      {OK}
components: {{parameters: {{P: {{name: p, in: query, schema: {{type: string}}}}}}}}
"""
    assert said(body) == [
        "9#/paths/~1a/get/parameters/1: The query parameter `p` stands in this list a second time. [parameter-twice]",
        "11#/paths/~1a/get/parameters/3: The header parameter `h` stands in this list a second time. [parameter-twice]",
    ]


def test_paths_that_differ_in_parameter_names_alone_are_a_warning() -> None:
    body = "paths: {'/a/{b}': {}, '/a/{c}': {}}\n"
    opened = open_definition(MemoryTree({"a.yaml": HEADS["3.0"] + body}), "a.yaml")
    [found] = check_definition(opened)
    assert (found.rule, found.severity, found.where.pointer) == ("paths-alike", Severity.WARNING, "/paths/~1a~1{c}")


@pytest.mark.parametrize("dialect", ["2.0", "3.0", "3.1", "3.2"])
def test_a_security_scheme_that_does_not_exist_is_told(dialect: str) -> None:
    body = f"security: [{{ghost: []}}]\npaths: {{/a: {{get: {{security: [{{}}, {{ghost: []}}], {OK}}}}}}}\n"
    assert said(body, dialect) == [
        "3#/security/0/ghost: There is no security scheme `ghost`. [security-scheme-undefined]",
        "4#/paths/~1a/get/security/1/ghost: There is no security scheme `ghost`. [security-scheme-undefined]",
    ]


def test_since_3_2_a_security_scheme_may_be_named_by_its_address() -> None:
    body = "security: [{'s.yaml#/key': []}]\npaths: {}\n"
    assert said(body, "3.2", s="key: {type: http, scheme: basic}") == []


def test_a_discriminator_leads_to_schemas_by_name_or_reference() -> None:
    body = """paths: {}
components:
  schemas:
    A:
      oneOf: [{$ref: '#/components/schemas/B'}]
      discriminator:
        propertyName: t
        mapping: {a: B, b: '#/components/schemas/B', c: 's.yaml#/S', d: '#/components/schemas/No', e: Bb}
    B: {type: object}
"""
    found = said(body, s="S: {type: object}")
    at = "#/components/schemas/A/discriminator/mapping/"
    assert found == [
        f"10{at}d: `#/components/schemas/No` cannot be followed: there is no `No` at `/components/schemas`. [reference-dangling]",
        f"10{at}e: There is no schema `Bb`; did you mean `B`? [mapping-undefined]",
    ]


def test_findings_come_in_an_order_of_their_own_without_repetition() -> None:
    body = "tags: x\npaths: {/a: {get: {}}}\nservers: x\n"
    lines = said(body)
    assert lines == sorted(lines, key=lambda line: int(line.partition("#")[0]))
    assert len(set(lines)) == len(lines) == 3


def test_what_the_full_validator_says_again_is_left_out() -> None:
    def finding(rule: str, pointer: str, file: str = "a.yaml") -> Finding:
        return Finding(rule, Severity.ERROR, Place(file, pointer), "…")

    own = [
        finding("wrong-type", "/info"),
        finding("path-parameter-unused", "/paths/~1a/parameters/0"),
        finding("parameter-twice", "/paths/~1b/get/parameters/1"),
    ]
    kept = [
        finding("default-does-not-fit", "/components/schemas/A/default"),
        finding("wrong-type", "/info", "b.yaml"),
        finding("path-parameters-disagree", "/paths/~1b/get"),
    ]
    verdict = [
        finding("value-not-allowed", "/info"),
        finding("path-parameters-disagree", "/paths/~1a/get"),
        finding("parameter-twice", "/paths/~1b/get/parameters"),
        *kept,
    ]
    assert list(without_repeats(own, verdict)) == kept
