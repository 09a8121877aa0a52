"""The names of an API version."""

from hanpon.inventory.api_names import names_of
from renderers.operation import render
from tests.apis import api_item, source_of

DEFINITION = """
openapi: 3.1.0
info: {title: T, version: '1'}
paths:
  /b:
    summary: no method
    post: {operationId: makeB, responses: {}, callbacks: {done: {'{$url}': {post: {responses: {}}}}}}
    get: {deprecated: true, responses: {}}
  /a:
    get: {x-internal: true, responses: {}, callbacks: {done: {'{$other}': {post: {responses: {}}}}}}
webhooks:
  newPet: {post: {responses: {}}}
"""


def test_every_operation_webhook_and_callback_is_a_name_in_order() -> None:
    names = names_of(source_of(DEFINITION)).names
    assert [(name.kind, name.name) for name in names] == [
        ("callback", "POST {$other}"),
        ("callback", "POST {$url}"),
        ("path", "GET /a"),
        ("path", "GET /b"),
        ("path", "POST /b"),
        ("webhook", "POST newPet"),
    ]
    assert [name.deprecated for name in names] == [False, False, False, True, False, False]
    assert [name.operation_id for name in names if name.operation_id] == ["makeB"]


def test_names_and_pages_agree() -> None:
    source = source_of(DEFINITION)
    pages = {document.id: document.metadata.section for document in render(source).documents}
    named = {name.document: name.name for name in names_of(source).names if name.document}
    assert named == pages


def test_a_hidden_internal_operation_is_on_no_page_and_in_no_inventory() -> None:
    source = source_of(DEFINITION, api_item(internal="hide"))
    assert "GET /a" not in {document.metadata.section for document in render(source).documents}
    names = {name.name for name in names_of(source).names}
    assert "GET /a" not in names
    assert "POST {$other}" not in names


def test_a_shown_internal_operation_is_marked() -> None:
    (page,) = [d for d in render(source_of(DEFINITION)).documents if d.metadata.section == "GET /a"]
    assert b"Internal: not meant for the public." in page.content


def test_a_definition_without_paths_has_no_names() -> None:
    source = source_of("openapi: 3.1.0\ninfo: {title: T, version: '1'}\ncomponents: {}\n")
    assert names_of(source).names == ()
    assert list(render(source).documents) == []


def test_paths_that_only_look_alike_are_two_operations_with_two_pages() -> None:
    source = source_of(
        'openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths: {"/\\0": {get: {responses: {}}}, "/\\ufffe": {get: '
        '{responses: {}}}, "/\\ufffd": {get: {responses: {}}}}'
    )
    assert source.findings == ()
    assert [operation.heading for operation in source.operations] == ["GET /\ufffd"] * 3
    documents = render(source).documents
    assert len({document.id for document in documents}) == 3
    assert sorted(name.document for name in names_of(source).names) == sorted(document.id for document in documents)
