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


def test_references_of_other_files_are_warnings_where_nothing_leads_to_them() -> None:
    found = findings(
        "paths: {/a: {get: {responses: {'200': {$ref: 'r.yaml#/used'}}}}}\n",
        r="used: {description: ok}\nunused: {content: {a/b: {schema: {$ref: 's.yaml#/none'}}}}\n",
        s="a: {$ref: t.yaml}\n",
        t="$ref: none.yaml\n",
    )
    assert [(one.severity, f"{one.where} {one.rule}") for one in found] == [
        (Severity.WARNING, "r.yaml:2#/unused/content/a~1b/schema reference-dangling"),
        (Severity.WARNING, "t.yaml:1 reference-dangling"),
    ]


def test_a_file_that_cannot_be_read_is_a_warning_where_nothing_leads_to_it() -> None:
    body = "paths: {/a: {get: {responses: {'200': {$ref: 'r.yaml#/used'}}}}}\n"
    found = findings(body, r="used: {description: ok}\nunused: {$ref: s.yaml}\n", s="a: [")
    assert {one.rule for one in found} == {"reference-unreadable", "yaml-syntax"}
    assert {one.severity for one in found} == {Severity.WARNING}


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


def test_data_in_other_files_is_never_taken_for_references() -> None:
    media = "{application/json: {schema: {type: object}, examples: {e: {$ref: 'e.yaml'}}}}"
    body = f"""paths:
  /a:
    get:
      operationId: a
      responses:
        '200': {{description: ok, content: {media}, links: {{l: {{$ref: 'l.yaml#/l'}}}}}}
"""
    example = "value: {$ref: nothing, more: [{$ref: '#/x'}]}"
    link = "l: {operationId: a, requestBody: {$ref: nothing}, parameters: {x: {$ref: y}}}"
    assert told(body, e=example, l=link) == []
    in_2_0 = "paths: {/a: {get: {responses: {'200': {$ref: r.yaml}}}}}\n"
    assert told(in_2_0, "2.0", r="description: ok\nexamples: {application/json: {$ref: nothing}}\n") == []


def test_every_reference_to_something_of_another_kind_is_told() -> None:
    body = """paths:
  /a: {get: {responses: {'200': {$ref: '#/paths/~1a/get'}, '400': {$ref: '#/paths/~1a/get'}}}}
"""
    found = findings(body)
    assert [one.where.pointer.rpartition("/")[2] for one in found] == ["200", "400"]
    assert found[0].message == "`#/paths/~1a/get` leads to an operation, but a response is wanted here."


@pytest.mark.parametrize(
    "draft", ["http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-04/schema#"]
)
def test_a_schema_that_names_another_dialect_is_its_own_affair(draft: str) -> None:
    inner = f"A: {{$schema: '{draft}', minimum: 1, exclusiveMinimum: true, items: [{{type: string}}]}}"
    assert told(f"components: {{schemas: {{{inner}}}}}\n", "3.1") == []
    assert told(f"components: {{schemas: {{O: {{properties: {{{inner}}}}}}}}}\n", "3.1") == []
    beside = f"components: {{schemas: {{{inner}, B: {{minimum: x}}}}}}\n"
    assert told(beside, "3.1") == ["3#/components/schemas/B/minimum wrong-type"]
    other = f"$schema: '{draft}'\ndefinitions: {{P: {{items: [{{type: string}}]}}}}\n"
    assert told("components: {schemas: {A: {$ref: 's.yaml#/definitions/P'}}}\n", "3.1", s=other) == []


@pytest.mark.parametrize("dialect", ["3.1", "3.2"])
def test_an_extension_of_a_callback_is_no_path_item(dialect: str) -> None:
    assert told("components: {callbacks: {C: {x-a: 1, x-b: {c: 2}, '{$url}': {}}}}\n", dialect) == []


@pytest.mark.parametrize("dialect", ["2.0", "3.0", "3.1", "3.2"])
def test_parameters_beside_the_reference_of_a_path_item_count_too(dialect: str) -> None:
    kind = "type: string" if dialect == "2.0" else "schema: {type: string}"
    parameters = f"parameters: [{{name: id, in: path, required: true, {kind}}}]"
    item = f"get: {{{OK}}}\n"
    assert told(f"paths:\n  /a/{{id}}: {{$ref: p.yaml, {parameters}}}\n", dialect, p=item) == []
    both = f"paths:\n  /a/{{id}}:\n    $ref: p.yaml\n    put: {{{OK}}}\n"
    assert told(both, dialect, p=f"{parameters}\n{item}") == []
    assert [one.rule for one in findings(both, dialect, p=item)] == ["path-parameter-undeclared"] * 2


def test_headers_that_differ_in_case_are_left_in_peace() -> None:
    headers = ", ".join(f"{{name: {name}, in: header, schema: {{type: string}}}}" for name in ("X-A", "x-a"))
    assert told(f"paths: {{/a: {{get: {{parameters: [{headers}], {OK}}}}}}}\n") == []


def test_a_discriminator_may_list_an_address_elsewhere() -> None:
    mapping = "{a: 'https://example.com/a.json', b: '#/components/schemas/None'}"
    schema = f"{{discriminator: {{propertyName: t, mapping: {mapping}}}}}"
    body = f"paths: {{}}\ncomponents: {{schemas: {{A: {schema}}}}}\n"
    assert [(one.rule, one.severity) for one in findings(body)] == [
        ("reference-remote", Severity.WARNING),
        ("reference-dangling", Severity.ERROR),
    ]


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
    def finding(
        rule: str, pointer: str, file: str = "a.yaml", severity: Severity = Severity.ERROR, line: int = 0
    ) -> Finding:
        return Finding(rule, severity, Place(file, pointer, line), "…")

    own = [
        finding("wrong-type", "/info", line=2),
        finding("paths-alike", "/paths/~1c", severity=Severity.WARNING),
        finding("path-parameter-unused", "/paths/~1a/parameters/0"),
        finding("parameter-twice", "/paths/~1b/get/parameters/1"),
    ]
    kept = [
        finding("default-does-not-fit", "/components/schemas/A/default"),
        finding("wrong-type", "/info", "b.yaml"),
        finding("path-parameters-disagree", "/paths/~1b/get"),
        finding("path-parameters-disagree", "/paths/~1/get"),
        finding("value-not-allowed", "/paths/~1c"),
    ]
    verdict = [
        finding("value-not-allowed", "/info"),
        finding("schema-dialect-unknown", "/info", severity=Severity.WARNING),
        finding("path-parameters-disagree", "/paths/~1a/get"),
        finding("parameter-twice", "/paths/~1b/get/parameters"),
        *kept,
    ]
    assert list(without_repeats(own, verdict)) == kept
