"""The double of the Discovery Engine: purging documents, and reading them one by one and in pages."""

import json
import math
from typing import Any

import pytest
from google.api_core import exceptions as refusals
from google.cloud import discoveryengine_v1 as v1

from tests.cloud.discovery_engine.examples import (
    STORE,
    WAIT,
    create,
    found,
    hold,
    imported,
    line,
    readers,
    start_import,
)
from tests.cloud.discovery_engine.project import Project

Counts = tuple[int, int, int, int]


@pytest.fixture
def filled(project: Project) -> Project:
    """A store with the documents a, b and c."""
    create(project)
    assert imported(project, [line(project, each) for each in "abc"]) == (3, 0, 3)
    return project


def ids(project: Project) -> list[str]:
    return [document.id for document in project.documents.list_documents(parent=project.branch(STORE))]


def names(project: Project, *documents: str) -> dict[str, list[str]]:
    return {"documents": [f"{project.branch(STORE)}/documents/{each}" for each in documents]}


def purged(project: Project, **request: Any) -> tuple[Counts, v1.PurgeDocumentsResponse]:
    """Successes, failures, ignored and the count of the answer; and the answer."""
    whole = v1.PurgeDocumentsRequest(parent=project.branch(STORE), **request)
    operation = project.documents.purge_documents(whole, timeout=WAIT)
    answer = operation.result(timeout=WAIT)
    counts = operation.metadata
    return (counts.success_count, counts.failure_count, counts.ignored_count, answer.purge_count), answer


def test_documents_are_purged_by_a_file_of_ids(filled: Project) -> None:
    hold(filled, "gs://bucket/ids.txt", "a\nc\nnone\n")
    source = {"input_uris": ["gs://bucket/ids.txt"], "data_schema": "document_id"}
    assert purged(filled, gcs_source=source, force=True)[0] == (2, 0, 1, 2)
    assert ids(filled) == ["b"]


def test_documents_are_purged_by_name(filled: Project) -> None:
    source = names(filled, "a", "none")
    source["documents"].append(f"{filled.branch('other')}/documents/b")
    assert purged(filled, inline_source=source, force=True)[0] == (1, 1, 1, 1)
    assert ids(filled) == ["b", "c"]


def test_everything_is_purged_by_the_only_filter_there_is(filled: Project) -> None:
    assert purged(filled, filter="*", force=True)[0] == (3, 0, 0, 3)
    assert ids(filled) == found(filled) == []


def test_without_force_nothing_is_purged_but_told(filled: Project) -> None:
    counts, answer = purged(filled, inline_source=names(filled, "a", "none"))
    assert counts == (0, 0, 0, 1)
    assert [name.rsplit("/", 1)[-1] for name in answer.purge_sample] == ["a"]
    assert ids(filled) == ["a", "b", "c"]


@pytest.mark.parametrize("filter_", ["", 'api: ANY("orders")', "title: *"])
def test_another_filter_purges_nothing(filled: Project, filter_: str) -> None:
    with pytest.raises(refusals.BadRequest, match="filter"):
        purged(filled, filter=filter_, force=True)
    assert ids(filled) == ["a", "b", "c"]


def test_ids_with_another_filter_purge_nothing(filled: Project) -> None:
    with pytest.raises(refusals.BadRequest, match="filter"):
        purged(filled, filter='api: ANY("x")', inline_source=names(filled, "a"), force=True)


def test_whether_ids_need_the_filter_too_is_not_known(filled: Project) -> None:
    filled.conduct.purge_wants_filter = True
    with pytest.raises(refusals.BadRequest, match="filter"):
        purged(filled, inline_source=names(filled, "a"), force=True)
    assert purged(filled, filter="*", inline_source=names(filled, "a"), force=True)[0] == (1, 0, 0, 1)
    assert ids(filled) == ["b", "c"]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ({"input_uris": ["gs://bucket/ids.txt"]}, "document_id"),
        ({"input_uris": ["gs://bucket/ids.txt"], "data_schema": "document"}, "document_id"),
        ({"input_uris": ["gs://bucket/none.txt"], "data_schema": "document_id"}, "No files matched"),
        ({"input_uris": ["ids.txt"], "data_schema": "document_id"}, "not a Cloud Storage URI"),
    ],
)
def test_a_file_of_ids_is_said_to_be_one_and_is_there(filled: Project, source: dict[str, Any], said: str) -> None:
    hold(filled, "gs://bucket/ids.txt", "a\n")
    with pytest.raises(refusals.BadRequest, match=said):
        purged(filled, gcs_source=source, force=True)


def test_errors_of_a_purge_go_where_nothing_lies(filled: Project) -> None:
    config = {"gcs_prefix": "gs://bucket/errors/1"}
    source = {"documents": [f"{filled.branch('other')}/documents/b"]}
    assert purged(filled, inline_source=source, force=True, error_config=config)[0] == (0, 1, 0, 0)
    written = filled.state.objects.read("gs://bucket/errors/1/errors-00000-of-00001.jsonl")
    assert json.loads(written or b"")["code"] == 3
    with pytest.raises(refusals.BadRequest, match="must be an empty"):
        purged(filled, inline_source=source, force=True, error_config=config)


def test_a_purge_before_indexing_is_lost_and_the_document_surfaces(project: Project) -> None:
    create(project)
    project.conduct.indexing_lag = 60
    imported(project, [line(project, "a")])
    assert purged(project, inline_source=names(project, "a"), force=True)[0] == (0, 0, 1, 0)
    project.clock.pass_by(60)
    assert found(project) == ["a"]
    assert purged(project, inline_source=names(project, "a"), force=True)[0] == (1, 0, 0, 1)


def test_a_purge_during_an_import_does_not_see_its_documents(project: Project) -> None:
    create(project)
    project.conduct.operation_polls = math.inf
    project.conduct.operation_seconds = 60
    start_import(project, [line(project, "a")])
    project.conduct.operation_polls = 0
    assert purged(project, inline_source=names(project, "a"), force=True)[0] == (0, 0, 1, 0)
    project.clock.pass_by(60)
    assert ids(project) == ["a"]


def test_what_was_purged_can_be_shown_for_a_while(filled: Project) -> None:
    filled.conduct.removal_lag = 60
    purged(filled, inline_source=names(filled, "a"), force=True)
    assert ids(filled) == found(filled) == ["a", "b", "c"]
    assert purged(filled, inline_source=names(filled, "a"), force=True)[0] == (0, 0, 1, 0)
    filled.clock.pass_by(60)
    assert ids(filled) == found(filled) == ["b", "c"]


def test_what_was_purged_can_be_imported_again(filled: Project) -> None:
    purged(filled, inline_source=names(filled, "a"), force=True)
    assert imported(filled, [line(filled, "a")]) == (1, 0, 1)
    assert ids(filled) == found(filled) == ["a", "b", "c"]


def test_a_document_that_is_not_there_is_not_found(filled: Project) -> None:
    with pytest.raises(refusals.NotFound):
        filled.documents.get_document(name=f"{filled.branch(STORE)}/documents/none")


def test_a_list_comes_in_pages(filled: Project) -> None:
    request = v1.ListDocumentsRequest(parent=filled.branch(STORE), page_size=2)
    pages = [[document.id for document in page.documents] for page in filled.documents.list_documents(request).pages]
    assert pages == [["a", "b"], ["c"]]
    assert filled.state.calls.count("ListDocuments") == 2


def test_a_page_of_documents_has_100_unless_said_and_1000_at_most(project: Project) -> None:
    create(project)
    content = {"mime_type": "text/html", "raw_bytes": b"<p>x"}
    documents = [v1.Document(id=f"d{n}", struct_data={"title": "x"}, content=content) for n in range(1001)]
    imported(project, [], gcs_source=None, inline_source={"documents": documents})
    for asked, given in ((0, 100), (500, 500), (5000, 1000)):
        request = v1.ListDocumentsRequest(parent=project.branch(STORE), page_size=asked)
        assert len(next(project.documents.list_documents(request).pages).documents) == given


def test_a_token_of_a_page_belongs_to_its_list(filled: Project) -> None:
    request = v1.ListDocumentsRequest(parent=filled.branch(STORE), page_size=2)
    token = next(filled.documents.list_documents(request).pages).next_page_token
    with pytest.raises(refusals.BadRequest, match="page_token"):
        filled.documents.list_documents(
            v1.ListDocumentsRequest(parent=filled.branch(STORE), page_size=1, page_token=token)
        )
    with pytest.raises(refusals.BadRequest, match="page_size"):
        filled.documents.list_documents(v1.ListDocumentsRequest(parent=filled.branch(STORE), page_size=-1))


@pytest.mark.parametrize(("how", "refusal"), [("denied", refusals.Forbidden), ("invalid", refusals.BadRequest)])
def test_with_access_control_documents_are_neither_got_nor_listed(
    project: Project, how: Any, refusal: type[Exception]
) -> None:
    project.state.identity = {"idpType": "GSUITE"}
    project.conduct.documents_hidden = how
    create(project, acl_enabled=True)
    imported(project, [line(project, "a", aclInfo=readers("everyone"))])
    with pytest.raises(refusal):
        project.documents.get_document(name=f"{project.branch(STORE)}/documents/a")
    with pytest.raises(refusal):
        project.documents.list_documents(parent=project.branch(STORE))
