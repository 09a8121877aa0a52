"""What our own pass finds in a definition, and what it leaves in peace; test_broken_definitions has the words."""

import pytest

from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.sources.definitions.checks import check_definition, without_repeats
from hanpon.sources.definitions.files import open_definition
from tests.trees import MemoryTree

HEADS = {
    "2.0": "swagger: '2.0'\ninfo: {title: T, version: '1'}\n",
    "3.0": "openapi: 3.0.3\ninfo: {title: T, version: '1'}\n",
    "3.1": "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n",
    "3.2": "openapi: 3.2.0\ninfo: {title: T, version: '1'}\n",
}
OK = "responses: {'200': {description: ok}}"


def findings(body: str, dialect: str = "3.0", **files: str) -> tuple[Finding, ...]:
    others = {f"{name}.yaml": content for name, content in files.items()}
    return check_definition(open_definition(MemoryTree({"a.yaml": HEADS[dialect] + body, **others}), "a.yaml"))


def told(body: str, dialect: str = "3.0", **files: str) -> list[str]:
    """Place and rule of each finding; the root's name is left out, and its body begins in line 3."""
    found = findings(body, dialect, **files)
    return [f"{one.where} {one.rule}".removeprefix("a.yaml:") for one in found]


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
    assert told(body, dialect, b="S: {type: object, properties: {next: {$ref: '#/S'}}}") == []


@pytest.mark.parametrize("dialect", ["3.1", "3.2"])
def test_since_3_1_schemas_are_checked_as_json_schema(dialect: str) -> None:
    body = "components: {schemas: {A: {type: [strng, 'null'], properties: {b: {minimum: x}}}, B: true}}\n"
    assert told(body, dialect) == [
        "3#/components/schemas/A/properties/b/minimum wrong-type",
        "3#/components/schemas/A/type/0 value-not-allowed",
    ]


def test_a_dialect_of_its_own_makes_schemas_its_own_affair() -> None:
    body = "jsonSchemaDialect: https://example.com/dialect\ncomponents: {schemas: {A: {minimum: x}}}\n"
    assert told(body, "3.1") == []


def test_integer_response_keys_are_no_fault() -> None:
    assert told("paths: {/a: {get: {responses: {200: {description: ok}, 404: {description: no}}}}}") == []


def test_no_value_of_an_example_default_or_enum_is_ever_quoted() -> None:
    body = """paths: {}
components:
  schemas:
    A: {type: object, default: s3cret, example: s3cret, enum: s3cret, required: s3cret, maxLength: s3cret}
  examples: {E: {value: s3cret, summary: [s3cret]}}
  parameters: {P: {name: p, in: query, example: s3cret, examples: s3cret, schema: {type: string}}}
"""
    for dialect in ("3.0", "3.1"):
        found = findings(body, dialect)
        assert len(found) > 3
        assert "s3cret" not in str(found)


def test_the_pieces_of_other_files_are_checked_as_what_refers_to_them() -> None:
    lines = told(
        "paths: {/a: {$ref: 'p.yaml#/a'}}\n",
        p="a:\n  get:\n    responses:\n      '200': {$ref: 'r.yaml'}\n    sumary: x\n",
        r="content: {}\n",
    )
    assert lines == [
        "p.yaml:5#/a/get/sumary unknown-key",
        "r.yaml:1 required-key-missing",
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
    body = f"paths: {{}}\ncomponents:\n  schemas:\n    A:\n      $ref: '{value}'\n"
    assert told(body) == [f"6#/components/schemas/A {rule}"]


def test_references_of_other_files_are_checked_even_where_nothing_leads_to_them() -> None:
    lines = told(
        "paths: {/a: {get: {responses: {'200': {$ref: 'r.yaml#/used'}}}}}\n",
        r="used: {description: ok}\nunused: {content: {a/b: {schema: {$ref: 's.yaml#/none'}}}}\n",
        s="a: {$ref: t.yaml}\n",
        t="$ref: none.yaml\n",
    )
    assert lines == [
        "r.yaml:2#/unused/content/a~1b/schema reference-dangling",
        "t.yaml:1 reference-dangling",
    ]


def test_a_file_that_cannot_be_read_is_told_of_itself_and_where_it_is_wanted() -> None:
    assert told("paths: {/a: {$ref: p.yaml}, /b: {$ref: p.yaml}}\n", p="get: [") == [
        "3#/paths/~1a reference-unreadable",
        "3#/paths/~1b reference-unreadable",
        "p.yaml:2 yaml-syntax",
    ]


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
    assert told(body) == []
    as_name = "paths: {}\ncomponents: {schemas: {A: {properties: {default: {$ref: '#/no'}}}}}\n"
    assert told(as_name) == ["4#/components/schemas/A/properties/default reference-dangling"]
    assert told("components: {schemas: {A: {const: {$ref: no.yaml}, examples: [{$ref: no.yaml}]}}}\n", "3.1") == []


@pytest.mark.parametrize("dialect", ["2.0", "3.0", "3.1"])
def test_an_operation_id_that_occurs_twice_names_both_places(dialect: str) -> None:
    body = f"paths:\n  /a: {{get: {{operationId: x, {OK}}}}}\n  /b: {{get: {{operationId: x, {OK}}}}}\n"
    found = findings(body, dialect)
    assert [(one.rule, one.where.line) for one in found] == [("operation-id-twice", 4), ("operation-id-twice", 5)]
    assert "`x` is also that of a.yaml#/paths/~1b/get." in found[0].message
    assert "`x` is also that of a.yaml#/paths/~1a/get." in found[1].message


def test_an_operation_that_two_paths_share_is_one_operation() -> None:
    body = "paths: {/a: {$ref: 'p.yaml#/a'}, /b: {$ref: 'p.yaml#/a'}}\n"
    assert told(body, p=f"a: {{get: {{operationId: x, {OK}}}}}") == []


def test_a_callback_has_an_operation_id_too() -> None:
    body = f"""paths:
  /a:
    get:
      operationId: x
      callbacks: {{c: {{'{{$url}}': {{post: {{operationId: x, {OK}}}}}}}}}
      {OK}
"""
    assert [one.rule for one in findings(body)] == ["operation-id-twice"] * 2


def test_paths_and_parameters_of_2_0_must_agree_too() -> None:
    body = f"paths:\n  /a/{{id}}:\n    get:\n      {OK}\n"
    assert told(body, "2.0") == ["5#/paths/~1a~1{id}/get path-parameter-undeclared"]


def test_a_parameter_that_cannot_be_followed_is_not_missed_a_second_time() -> None:
    body = f"paths:\n  /a/{{id}}: {{get: {{parameters: [{{$ref: no.yaml}}], {OK}}}}}\n"
    assert [one.rule for one in findings(body)] == ["reference-dangling"]


def test_paths_that_differ_in_parameter_names_alone_are_a_warning() -> None:
    [found] = findings("paths: {'/a/{b}': {}, '/a/{c}': {}}\n")
    assert (found.rule, found.severity, found.where.pointer) == ("paths-alike", Severity.WARNING, "/paths/~1a~1{c}")


@pytest.mark.parametrize("dialect", ["2.0", "3.0", "3.1", "3.2"])
def test_a_security_scheme_that_does_not_exist_is_told(dialect: str) -> None:
    body = f"security: [{{ghost: []}}]\npaths: {{/a: {{get: {{security: [{{}}, {{ghost: []}}], {OK}}}}}}}\n"
    assert told(body, dialect) == [
        "3#/security/0/ghost security-scheme-undefined",
        "4#/paths/~1a/get/security/1/ghost security-scheme-undefined",
    ]


def test_since_3_2_a_security_scheme_may_be_named_by_its_address() -> None:
    body = "security: [{'s.yaml#/key': []}]\npaths: {}\n"
    assert told(body, "3.2", s="key: {type: http, scheme: basic}") == []


def test_findings_come_in_an_order_of_their_own_without_repetition() -> None:
    body = "tags: x\npaths: {/a: {get: {}}}\nservers: x\n"
    lines = told(body)
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
