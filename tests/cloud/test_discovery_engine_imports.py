"""The double of the Discovery Engine: what imports refuse, change and leave as it was."""

import json
from typing import Any

import pytest
from google.api_core import exceptions as refusals
from google.cloud import discoveryengine_v1 as v1
from google.cloud.storage import Bucket

from tests.cloud.discovery_engine.examples import (
    PROCESSING,
    STORE,
    WAIT,
    create,
    failure,
    found,
    hold,
    imported,
    line,
    page,
    readers,
    start_import,
)
from tests.cloud.discovery_engine.messages import Json
from tests.cloud.discovery_engine.objects import ObjectsInMemory
from tests.cloud.discovery_engine.project import Project

FULL = v1.ImportDocumentsRequest.ReconciliationMode.FULL
GSUITE = {"idpType": "GSUITE"}


def ids(project: Project) -> list[str]:
    return [document.id for document in project.documents.list_documents(parent=project.branch(STORE))]


def test_what_is_imported_is_there_with_its_metadata_and_content(project: Project) -> None:
    create(project)
    assert imported(project, [line(project, "a", {"title": "A", "rank": 3}), line(project, "b")]) == (2, 0, 2)
    name = f"{project.branch(STORE)}/documents/a"
    document = project.documents.get_document(name=name)
    assert dict(document.struct_data) == {"title": "A", "rank": 3.0}
    assert (document.content.mime_type, document.content.uri) == ("text/html", "gs://bucket/a.html")
    assert document.name.endswith("/branches/0/documents/a")


@pytest.mark.parametrize("bad", ["a.b", "a/b", "a b", "{a}", "あ"])
def test_an_id_has_its_letters(project: Project, bad: str) -> None:
    create(project)
    said = failure(project, line(project, bad))
    assert 'Field "document_id" must match the pattern: [a-zA-Z0-9-_]*' in said


def test_an_id_has_its_length(project: Project) -> None:
    create(project)
    assert imported(project, [line(project, "a" * 128)]) == (1, 0, 1)
    assert "128 characters" in failure(project, line(project, "a" * 129))
    assert "required" in failure(project, line(project, ""))


def test_a_document_without_content_needs_a_store_without(project: Project) -> None:
    create(project)
    assert "content config of data store must be NO_CONTENT" in failure(project, line(project, "a", content=None))
    create(project, "bare", content_config=v1.DataStore.ContentConfig.NO_CONTENT, document_processing_config=None)
    assert imported(project, [line(project, "a", content=None)], "bare") == (1, 0, 1)
    assert "CONTENT_REQUIRED" in failure(project, line(project, "b"), "bare")


def test_metadata_is_given_once_and_not_left_out(project: Project) -> None:
    create(project)
    assert "oneof" in failure(project, line(project, "a", jsonData="{}"))
    assert "struct_data is required" in failure(project, line(project, "a", structData=None))
    assert imported(project, [line(project, "a", structData=None, jsonData='{"title": "A"}')]) == (1, 0, 1)
    assert "json_data" in failure(project, line(project, "a", structData=None, jsonData="[]"))


@pytest.mark.parametrize("text", ["{", "[]", '"a"', "nothing", '{"id": 1}'])
def test_a_line_is_the_json_of_a_document(project: Project, text: str) -> None:
    create(project)
    assert "Invalid JSON payload" in failure(project, text)


def test_a_line_has_no_unknown_field(project: Project) -> None:
    create(project)
    assert 'no field named "acl"' in failure(project, line(project, "a", acl={}))


@pytest.mark.parametrize(
    "struct",
    [
        {"title": 1},
        {"rank": "1"},
        {"rank": 1.5},
        {"rank": True},
        {"latest": "true"},
        {"groups": "one"},
        {"groups": ["one", 2]},
        {"released": "yesterday"},
        {"office": "here"},
        {"title": None},
    ],
)
def test_metadata_fits_the_schema(project: Project, struct: Json) -> None:
    create(project)
    assert "does not conform to the schema" in failure(project, line(project, "a", struct))


def test_fields_the_schema_does_not_know_are_dropped_in_silence(project: Project) -> None:
    create(project)
    assert imported(project, [line(project, "a", {"title": "A", "unknown": 1})]) == (1, 0, 1)
    document = project.documents.get_document(name=f"{project.branch(STORE)}/documents/a")
    assert dict(document.struct_data) == {"title": "A"}


def test_a_dynamic_schema_learns_fields_and_dates_for_good(project: Project) -> None:
    create(project, starting_schema=None)
    assert imported(project, [line(project, "a", {"title": "A", "version": "2024-08-05"})]) == (1, 0, 1)
    assert "expected datetime" in failure(project, line(project, "b", {"title": "B", "version": "v1"}))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"mimeType": "text/html", "uri": "https://example.com/a.html"}, "not a Cloud Storage URI"),
        ({"mimeType": "text/markdown", "uri": "gs://bucket/a.html"}, "Unsupported mime type"),
        ({"uri": "gs://bucket/a.html"}, "Unsupported mime type"),
        ({"mimeType": "text/html", "uri": "gs://bucket/none.html"}, "does not exist"),
        ({"mimeType": "text/html", "uri": "gs://bucket/" + "a" * 2000}, "too long"),
    ],
)
def test_content_is_an_object_of_a_type_that_is_taken(project: Project, content: Json, said: str) -> None:
    create(project)
    page(project, "a")
    assert said in failure(project, line(project, "a", content=content))


@pytest.mark.parametrize(("processing", "limit"), [(None, 2_500_000), (PROCESSING, 10_000_000)])
def test_content_has_its_size(project: Project, processing: Any, limit: int) -> None:
    create(project, document_processing_config=processing)
    assert "bytes" in failure(project, line(project, "a", content=page(project, "a", " " * (limit + 1))))
    assert imported(project, [line(project, "a", content=page(project, "a", " " * limit))]) == (1, 0, 1)


def test_a_line_has_its_size(project: Project) -> None:
    create(project)
    project.conduct.row_limit = 1000
    assert "bytes" in failure(project, line(project, "a", {"title": "x" * 1000}))


def test_a_failure_names_the_uri_and_not_the_id(project: Project) -> None:
    create(project)
    said = failure(project, line(project, "orders", {"rank": "x"}, content=page(project, "some-page")))
    assert "gs://bucket/some-page.html" in said
    assert "orders" not in said


def test_five_failures_are_shown_and_all_are_counted_and_written(project: Project) -> None:
    create(project)
    project.conduct.failing = {f"d{number}": "It could not be read." for number in range(150)}
    lines = [line(project, f"d{number}") for number in range(151)]
    operation = start_import(project, lines, error_config={"gcs_prefix": "gs://bucket/errors/1"})
    response = operation.result(timeout=WAIT)
    counts = operation.metadata
    assert (counts.success_count, counts.failure_count, counts.total_count) == (1, 150, 151)
    assert len(response.error_samples) == 5
    assert response.error_config.gcs_prefix == "gs://bucket/errors/1"
    shards = project.state.objects.below("gs://bucket/errors/1/")
    assert len(shards) == 2
    written = b"".join(project.state.objects.read(uri) or b"" for uri in shards).splitlines()
    assert [json.loads(each)["code"] for each in written] == [3] * 150
    assert ids(project) == ["d150"]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ({"input_uris": ["/tmp/a.jsonl"]}, "not a Cloud Storage URI"),
        ({"input_uris": []}, "required"),
        ({"input_uris": ["gs://bucket/none/*.jsonl"]}, "No files matched"),
        ({"input_uris": ["gs://bucket/imports/lines.jsonl"] * 101}, "at most 100 files"),
        ({"input_uris": ["gs://bucket/imports/lines.jsonl"], "data_schema": "pages"}, "data_schema"),
        ({"input_uris": ["gs://bucket/" + "a" * 2000]}, "2000 characters"),
    ],
)
def test_files_that_are_not_there_or_too_many_are_refused(project: Project, source: Json, said: str) -> None:
    create(project)
    with pytest.raises(refusals.BadRequest, match=said):
        start_import(project, [], gcs_source=source)


def test_a_pattern_that_names_over_100_files_is_refused(project: Project) -> None:
    create(project)
    for number in range(101):
        hold(project, f"gs://bucket/many/{number}.jsonl", "")
    with pytest.raises(refusals.BadRequest, match="at most 100 files"):
        start_import(project, [], gcs_source={"input_uris": ["gs://bucket/many/*.jsonl"]})


def test_a_pattern_does_not_reach_into_folders(project: Project) -> None:
    create(project)
    hold(project, "gs://bucket/many/a/b.jsonl", "")
    with pytest.raises(refusals.BadRequest, match="No files matched"):
        start_import(project, [], gcs_source={"input_uris": ["gs://bucket/many/*.jsonl"]})


def test_refusals_of_files_can_come_late(project: Project) -> None:
    create(project)
    project.conduct.late_refusals = True
    operation = start_import(project, [], gcs_source={"input_uris": ["gs://bucket/none.jsonl"]})
    with pytest.raises(refusals.GoogleAPICallError, match="No files matched"):
        operation.result(timeout=WAIT)


@pytest.mark.parametrize("request_", [{"auto_generate_ids": True}, {"id_field": "key"}])
def test_ids_are_not_made_up(project: Project, request_: dict[str, Any]) -> None:
    create(project)
    with pytest.raises(refusals.BadRequest):
        start_import(project, [line(project, "a")], **request_)


def test_a_source_is_needed(project: Project) -> None:
    create(project)
    with pytest.raises(refusals.BadRequest, match="source"):
        project.documents.import_documents(v1.ImportDocumentsRequest(parent=project.branch(STORE)))


def test_errors_go_where_nothing_lies(project: Project) -> None:
    create(project)
    hold(project, "gs://bucket/errors/1/old.jsonl", "")
    with pytest.raises(refusals.BadRequest, match="must be an empty"):
        start_import(project, [line(project, "a")], error_config={"gcs_prefix": "gs://bucket/errors/1"})
    with pytest.raises(refusals.BadRequest, match="not a Cloud Storage URI"):
        start_import(project, [line(project, "a")], error_config={"gcs_prefix": "errors/1"})


def test_a_store_or_branch_that_is_not_there_takes_nothing(project: Project) -> None:
    with pytest.raises(refusals.NotFound):
        start_import(project, [])
    create(project)
    with pytest.raises(refusals.NotFound):
        start_import(project, [], parent=project.branch(STORE).replace("default_branch", "2"))


def test_an_incremental_import_removes_nothing_and_a_full_one_what_is_absent(project: Project) -> None:
    create(project)
    imported(project, [line(project, "a"), line(project, "b")])
    imported(project, [line(project, "c")])
    assert ids(project) == ["a", "b", "c"]
    imported(project, [line(project, "b")], reconciliation_mode=FULL)
    assert ids(project) == ["b"]


def test_metadata_alone_is_updated_only_under_its_mask(project: Project) -> None:
    create(project)
    imported(project, [line(project, "a", {"title": "A", "api": "old"})])
    bare = line(project, "a", {"title": "A", "api": "new"}, content=None)
    assert "without content" in failure(project, bare)
    assert imported(project, [bare], update_mask={"paths": ["struct_data"]}) == (1, 0, 1)
    document = project.documents.get_document(name=f"{project.branch(STORE)}/documents/a")
    assert (document.struct_data["api"], document.content.uri) == ("new", "gs://bucket/a.html")
    assert found(project, 'api: ANY("new")', "lists") == ["a"]


def test_metadata_alone_makes_no_new_document(project: Project) -> None:
    create(project)
    bare = line(project, "a", content=None)
    assert "without content" in failure(project, bare, update_mask={"paths": ["struct_data"]})


def test_a_mask_names_fields_of_documents(project: Project) -> None:
    create(project)
    with pytest.raises(refusals.BadRequest, match="update_mask"):
        start_import(project, [line(project, "a")], update_mask={"paths": ["title"]})


@pytest.mark.parametrize("takes", [True, False])
def test_whether_a_mask_takes_access_is_not_known(project: Project, takes: bool) -> None:
    create(project)
    imported(project, [line(project, "a")])
    project.conduct.mask_takes_access = takes
    lines = [{"id": "a", "aclInfo": readers(["g"])}]
    if not takes:
        with pytest.raises(refusals.BadRequest, match="update_mask"):
            start_import(project, lines, update_mask={"paths": ["acl_info"]})
        return
    assert imported(project, lines, update_mask={"paths": ["acl_info"]}) == (1, 0, 1)
    document = project.documents.get_document(name=f"{project.branch(STORE)}/documents/a")
    assert document.acl_info.readers[0].principals[0].group_id == "g"
    assert document.struct_data["title"] == "a"


def test_content_under_the_same_uri_is_read_again_only_by_force(project: Project) -> None:
    create(project)
    imported(project, [line(project, "a", content=page(project, "one", "<p>before"))])
    again = line(project, "a", content=page(project, "one", "<p>after"))
    imported(project, [again])
    assert (found(project, query="before"), found(project, query="after")) == (["a"], [])
    imported(project, [again], force_refresh_content=True)
    assert (found(project, query="before"), found(project, query="after")) == ([], ["a"])


def test_content_is_kept_though_its_object_is_gone(project: Project) -> None:
    create(project)
    imported(project, [line(project, "a")])
    assert isinstance(project.state.objects, ObjectsInMemory)
    project.state.objects.held.clear()
    assert found(project, query="orders") == ["a"]


@pytest.mark.parametrize(("which", "counts"), [("last", (2, 0, 2)), ("fails", (1, 1, 2))])
def test_what_becomes_of_an_id_given_twice_is_not_known(
    project: Project, which: Any, counts: tuple[int, ...]
) -> None:
    create(project)
    project.conduct.duplicate_ids = which
    assert imported(project, [line(project, "a"), line(project, "a")]) == counts


def test_documents_inside_of_the_request_are_taken(project: Project) -> None:
    create(project)
    content = {"mime_type": "text/html", "raw_bytes": b"<p>inline"}
    documents = [v1.Document(id="a", struct_data={"title": "A"}, content=content)]
    assert imported(project, [], gcs_source=None, inline_source={"documents": documents}) == (1, 0, 1)
    assert found(project, query="inline") == ["a"]


def test_a_document_of_over_1000_chunks_is_imported_and_never_found(project: Project) -> None:
    create(project)
    html = "".join(f"<h2>Part {number}</h2><p>giant" for number in range(1001))
    assert imported(project, [line(project, "a", content=page(project, "giant", html))]) == (1, 0, 1)
    project.clock.pass_by(10**7)
    assert found(project, query="giant") == []
    document = project.documents.get_document(name=f"{project.branch(STORE)}/documents/a")
    assert "Number of chunks: 1001, while threshold is 1000" in document.index_status.error_samples[0].message


def test_without_readers_a_document_fails_or_is_seen_by_nobody(project: Project) -> None:
    project.state.identity = GSUITE
    create(project, acl_enabled=True)
    assert "acl_info is required" in failure(project, line(project, "a"))
    project.conduct.without_readers = "invisible"
    assert imported(project, [line(project, "a")]) == (1, 0, 1)


def test_a_document_has_3000_readers_at_most(project: Project) -> None:
    create(project)
    groups = [f"g{number}@example.com" for number in range(3001)]
    assert imported(project, [line(project, "a", aclInfo=readers(groups[:3000]))]) == (1, 0, 1)
    assert "3000" in failure(project, line(project, "a", aclInfo=readers(groups)))
    assert "3000" in failure(project, line(project, "a", aclInfo=readers(groups[:2000], groups[1000:2001])))


def test_external_entities_need_a_mapping_store(project: Project) -> None:
    create(project)
    access = {"readers": [{"principals": [{"externalEntityId": "e"}]}]}
    assert "identity mapping store" in failure(project, line(project, "a", aclInfo=access))


def test_with_access_control_pages_lie_in_the_bucket_of_their_lines(project: Project) -> None:
    project.state.identity = GSUITE
    create(project, acl_enabled=True)
    hold(project, "gs://other/a.html", "<p>a")
    content = {"mimeType": "text/html", "uri": "gs://other/a.html"}
    assert "bucket" in failure(project, line(project, "a", content=content, aclInfo=readers("everyone")))


def test_lines_and_pages_are_read_from_cloud_storage(cloud_project: Project, bucket: Bucket) -> None:
    create(cloud_project)
    uri = f"gs://{bucket.name}/ページ/a.html"
    bucket.blob("ページ/a.html").upload_from_string("<p>注文の一覧", content_type="text/html")
    text = json.dumps({"id": "a", "structData": {"title": "A"}, "content": {"mimeType": "text/html", "uri": uri}})
    bad = text.replace('"id": "a"', '"id": "b.c"')
    bucket.blob("imports/1.jsonl").upload_from_string(f"{text}\n{bad}\n")
    source = {"input_uris": [f"gs://{bucket.name}/imports/*.jsonl"]}
    request = v1.ImportDocumentsRequest(
        parent=cloud_project.branch(STORE),
        gcs_source=source,
        error_config={"gcs_prefix": f"gs://{bucket.name}/errors/1"},
    )
    operation = cloud_project.documents.import_documents(request)
    operation.result(timeout=WAIT)
    assert (operation.metadata.success_count, operation.metadata.failure_count) == (1, 1)
    assert found(cloud_project, query="一覧") == ["a"]
    assert [blob.name for blob in bucket.list_blobs(prefix="errors/")] == ["errors/1/errors-00000-of-00001.jsonl"]
    with pytest.raises(refusals.BadRequest, match="must be an empty"):
        cloud_project.documents.import_documents(request)
