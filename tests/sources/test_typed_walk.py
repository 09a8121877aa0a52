"""What a walk through a definition comes by, and what it counts as walked."""

from typing import Any

from hanpon.sources.definitions.keyword_walk import pointer_of_chain
from hanpon.sources.definitions.positions import grammar_of
from hanpon.sources.definitions.typed_walk import TypedWalk

GRAMMAR = grammar_of("3.1")


def test_every_reference_is_found_with_its_kind_and_place() -> None:
    root = {
        "paths": {"/a": {"get": {"responses": {"200": {"$ref": "#/r"}, "x-note": {"$ref": "#/none"}}}}},
        "components": {"schemas": {"A": {"properties": {"b": {"$ref": "#/b"}, "c": {"type": "string"}}}}},
    }
    found = TypedWalk(GRAMMAR).walk("document", root).references
    assert {(kind, pointer_of_chain(chain)) for kind, _, chain in found} == {
        ("response", "/paths/~1a/get/responses/200"),
        ("schema", "/components/schemas/A/properties/b"),
    }


def test_operations_are_told_of_though_nothing_stands_in_them_and_below_every_expression_of_a_callback() -> None:
    empty: dict[str, Any] = {}
    root = {"paths": {"/a": {"get": {"callbacks": {"c": {"{$url}": {"post": {"summary": "x"}}}}, "x": 1}}}}
    root["paths"]["/b"] = {"additionalOperations": {"COPY": empty}}
    found = TypedWalk(grammar_of("3.2")).walk("document", root).operations
    assert {pointer_of_chain(chain) for _, _, chain in found} == {
        "/paths/~1a/get",
        "/paths/~1a/get/callbacks/c/{$url}/post",
        "/paths/~1b/additionalOperations/COPY",
    }


def test_an_object_that_leads_nowhere_counts_as_walked_but_not_what_no_keyword_leads_to() -> None:
    leaf, beside = {"type": "string"}, {"type": "string"}
    schema = {"properties": {"a": leaf}, "x-more": {"b": beside}}
    walk = TypedWalk(GRAMMAR)
    walk.walk("schema", schema)
    assert {id(schema), id(leaf)} <= walk.seen()
    assert id(beside) not in walk.seen()


def test_an_object_is_walked_once_as_one_kind_however_often_it_is_met() -> None:
    shared = {"$ref": "#/a"}
    found = TypedWalk(GRAMMAR).walk("schema", {"allOf": [shared, shared]}).references
    assert len(found) == 1
