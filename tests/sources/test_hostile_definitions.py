"""Definitions made to harm: they cost little time, touch nothing outside, and raise nothing but a refusal."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hanpon.contracts.digests import canonical_json
from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Finding
from hanpon.sources.definitions.checks import check_definition
from hanpon.sources.definitions.files import open_definition
from tests.hangs import must_end
from tests.trees import MemoryTree

HEAD = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\n"


def checked(text: str, **files: str) -> tuple[Finding, ...]:
    others = {f"{name}.yaml": content for name, content in files.items()}
    return check_definition(open_definition(MemoryTree({"a.yaml": text, **others}), "a.yaml"))


@pytest.fixture(autouse=True)
def _ends() -> Iterator[None]:
    with must_end():
        yield


def fan_out(levels: int, width: int) -> str:
    lines = [HEAD, "paths: {}\ncomponents:\n  schemas:\n    S0: {type: string}\n"]
    for level in range(1, levels + 1):
        parts = ", ".join([f"{{$ref: '#/components/schemas/S{level - 1}'}}"] * width)
        lines.append(f"    S{level}: {{allOf: [{parts}]}}\n")
    return "".join(lines)


def test_a_fan_out_of_references_is_walked_once() -> None:
    assert checked(fan_out(8, 8)) == ()


def test_a_fan_out_over_files_is_walked_once() -> None:
    files = {f"s{level}": f"allOf: [{', '.join([f'{{$ref: s{level - 1}.yaml}}'] * 8)}]" for level in range(1, 9)}
    text = HEAD + "paths: {}\ncomponents: {schemas: {S: {$ref: s8.yaml}}}\n"
    assert checked(text, s0="type: string", **files) == ()


def test_shared_aliases_below_the_limit_are_bearable() -> None:
    text = HEAD + "paths: {}\nx-a0: &a0 {type: object, properties: {a: {type: string}, b: {type: string}}}\n"
    for level in range(1, 6):
        parts = ", ".join([f"*a{level - 1}"] * 8)
        text += f"x-a{level}: &a{level} {{allOf: [{parts}]}}\n"
    assert checked(text + "components: {schemas: {A: *a5, B: *a4, C: *a4}}\n") == ()


def test_a_schema_that_holds_itself_is_sound() -> None:
    text = (
        HEAD
        + """paths: {}
components:
  schemas:
    A:
      type: object
      properties: {a: {$ref: '#/components/schemas/A'}, b: {$ref: '#/components/schemas/A/properties/b'}}
"""
    )
    assert [found.rule for found in checked(text)] == ["reference-loop"]


def test_thousands_of_faults_are_listed_in_bearable_time() -> None:
    schemas = "".join(f"    S{i}: {{type: strng{i}, x: {{$ref: '#/no/{i}'}}}}\n" for i in range(5000))
    schemas += "".join(f"    T{i}: {{items: {{$ref: '#/components/schemas/none{i}'}}}}\n" for i in range(3000))
    rules = [found.rule for found in checked(HEAD + "paths: {}\ncomponents:\n  schemas:\n" + schemas)]
    assert rules.count("too-many-problems") == 1
    assert rules.count("reference-dangling") == 3000


def of_paths(paths: dict[str, Any], **more: Any) -> str:
    head = {"openapi": "3.2.0", "info": {"title": "T", "version": "1"}, "paths": paths, **more}
    return canonical_json(head).decode()


def parameters(count: int, prefix: str = "p", place: str = "path") -> list[dict[str, Any]]:
    schema = {"type": "string"}
    return [{"name": f"{prefix}{i}", "in": place, "required": True, "schema": schema} for i in range(count)]


OPERATION = {"responses": {"default": {"description": ""}}}


def test_a_path_item_that_thousands_of_paths_share_is_read_once() -> None:
    item = {"parameters": parameters(3000, place="query"), "get": OPERATION}
    shared = {f"/a{i}": {"$ref": "#/x-item"} for i in range(3000)}
    assert checked(of_paths(shared, **{"x-item": item})) == ()


def test_thousands_of_disagreements_between_paths_and_parameters_are_counted_not_listed() -> None:
    template = "/" + "/".join(f"{{q{i}}}" for i in range(1500))
    methods = {"additionalOperations": {f"M{i}": OPERATION for i in range(1500)}, "parameters": parameters(1500)}
    rules = [found.rule for found in checked(of_paths({template: methods}))]
    assert rules.count("too-many-problems") == 1
    assert rules.count("path-parameter-unused") == 1000


def test_names_by_the_thousand_that_are_not_there_are_compared_for_a_while_only() -> None:
    schemes = {f"scheme{i:05}": {"type": "http", "scheme": "basic"} for i in range(2000)}
    asked: list[dict[str, list[str]]] = [{f"shceme{i:05}": []} for i in range(2000)]
    found = checked(of_paths({}, components={"securitySchemes": schemes}, security=asked))
    assert {one.rule for one in found} == {"security-scheme-undefined"}
    assert "did you mean" in found[0].message


def test_files_by_the_thousand_that_name_their_parts_cost_linear_time() -> None:
    files = {f"f{i}": f"{{$id: 'https://x.example/f{i}', items: {{$ref: f{i - 1}.yaml}}}}" for i in range(1, 2000)}
    schemas = {f"S{i}": {"$ref": f"f{i}.yaml"} for i in range(2000)}
    text = of_paths({}, components={"schemas": schemas})
    assert {found.rule for found in checked(text, f0="{}", **files)} <= {"reference-dangling", "reference-remote"}


def test_very_long_names_are_neither_compared_nor_quoted_at_length() -> None:
    name = "n" * 200_000
    schemas = {"A": {"$ref": f"#/components/schemas/{name}"}, "m" * 200_000: {}}
    head = {"openapi": "3.0.3", "info": {"title": "T", "version": "1"}, "paths": {}}
    root = {**head, name: 1, "components": {"schemas": schemas}}
    found = checked(canonical_json(root).decode())
    assert {one.rule for one in found} == {"unknown-key", "reference-dangling"}
    assert all(len(one.message) < 500 for one in found)


def test_no_reference_makes_a_connection() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        port = server.getsockname()[1]
        text = HEAD + f"paths: {{/a: {{$ref: 'http://127.0.0.1:{port}/p.json#/a'}}}}\n"
        assert [found.rule for found in checked(text)] == ["reference-remote"]
        with pytest.raises(TimeoutError):
            server.accept()


KEYWORDS = """
openapi info title version paths /a/{b} get post parameters in name schema $ref responses 200 default content
application/json components schemas A B allOf oneOf items properties required type discriminator mapping security
securitySchemes callbacks x-a examples example enum $id $anchor operationId tags headers
"""
keys = st.sampled_from(KEYWORDS.split())
leaves = (
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.sampled_from(["", "#", "#/", "#/components/schemas/A", "#/paths/~1a~1{b}", "b.yaml", "../..", "A"])
    | st.sampled_from(["path", "get", "3.1.0"])
    | st.text(max_size=5)
)
bodies = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=6), max_leaves=40
)


@given(
    st.dictionaries(keys, bodies, max_size=8), bodies, st.sampled_from(["swagger: '2.0'", "3.0.3", "3.1.0", "3.2.0"])
)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_definition_makes_anything_else_than_findings(root: dict[str, Any], other: Any, version: str) -> None:
    root = {**root, "swagger": "2.0"} if version.startswith("swagger") else {**root, "openapi": version}
    root.pop("openapi", None) if version.startswith("swagger") else None
    tree = MemoryTree({"a.json": canonical_json(root), "b.yaml": canonical_json(other)})
    try:
        found = check_definition(open_definition(tree, "a.json"))
    except InvalidInput as refused:
        found = refused.problems
    assert all(one.where.file in {"a.json", "b.yaml"} and len(one.message) < 500 for one in found)
    assert all(one.where.line for one in found)
