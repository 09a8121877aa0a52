"""The double of the Discovery Engine: its stores, schemas, identity provider, operations and quotas."""

import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
import requests
from google.api_core import exceptions as refusals
from google.auth.exceptions import InvalidOperation, RefreshError
from google.cloud import discoveryengine_v1 as v1
from google.cloud import discoveryengine_v1beta as v1beta

from tests.cloud import faults
from tests.cloud.discovery_engine.examples import (
    SCHEMA,
    STORE,
    WAIT,
    create,
    data_store,
    failure,
    hold,
    imported,
    line,
    start_import,
)
from tests.cloud.discovery_engine.messages import Json
from tests.cloud.discovery_engine.project import Project
from tests.cloud.faults import Fault, FaultProxy, in_front_of


def schema_name(project: Project) -> str:
    return f"{project.store(STORE)}/schemas/default_schema"


def update_schema(project: Project, schema: Json) -> v1.Schema:
    message = v1.Schema(name=schema_name(project), json_schema=json.dumps(schema))
    operation = project.schemas.update_schema(v1.UpdateSchemaRequest(schema=message), timeout=WAIT)
    updated = operation.result(timeout=WAIT)
    assert isinstance(updated, v1.Schema)
    return updated


def with_field(name: str, field: Json) -> Json:
    return {**SCHEMA, "properties": {**SCHEMA["properties"], name: field}}


def test_a_store_is_read_back_as_it_was_made(project: Project) -> None:
    made = create(project)
    read = project.stores.get_data_store(name=project.store(STORE))
    assert read == made
    assert read.name == f"projects/412000000001/locations/global/collections/default_collection/dataStores/{STORE}"
    chunking = read.document_processing_config.chunking_config.layout_based_chunking_config
    assert (chunking.chunk_size, chunking.include_ancestor_headings) == (100, True)
    assert "layout_parsing_config" in read.document_processing_config.parsing_config_overrides["html"]
    assert not read.starting_schema.json_schema


def test_a_store_that_is_not_there_is_not_found(project: Project) -> None:
    with pytest.raises(refusals.NotFound):
        project.stores.get_data_store(name=project.store("none"))


def test_stores_are_listed(project: Project) -> None:
    create(project, "b")
    create(project, "a")
    listed = project.stores.list_data_stores(parent=f"{project.location}/collections/default_collection")
    assert [store.name.rsplit("/", 1)[-1] for store in listed] == ["a", "b"]


def test_an_id_of_a_store_is_given_once(project: Project) -> None:
    create(project)
    with pytest.raises(refusals.Conflict):
        create(project)


@pytest.mark.parametrize("store_id", ["", "Upper", "a.b", "a" * 64, "_a"])
def test_an_id_of_a_store_has_its_form(project: Project, store_id: str) -> None:
    with pytest.raises(refusals.BadRequest):
        create(project, store_id)


@pytest.mark.parametrize(
    "settings",
    [
        {"display_name": ""},
        {"display_name": "x" * 129},
        {"industry_vertical": v1.IndustryVertical.INDUSTRY_VERTICAL_UNSPECIFIED},
        {"acl_enabled": True, "industry_vertical": v1.IndustryVertical.MEDIA},
        {"acl_enabled": True, "content_config": v1.DataStore.ContentConfig.PUBLIC_WEBSITE},
        {"identity_mapping_store": "projects/p/locations/global/identityMappingStores/m"},
        {"advanced_site_search_config": {"disable_initial_index": True}},
        {"document_processing_config": {"chunking_config": {"layout_based_chunking_config": {"chunk_size": 99}}}},
        {"document_processing_config": {"chunking_config": {"layout_based_chunking_config": {"chunk_size": 501}}}},
        {"document_processing_config": {"parsing_config_overrides": {"txt": {"layout_parsing_config": {}}}}},
        {"document_processing_config": {"parsing_config_overrides": {"html": {"ocr_parsing_config": {}}}}},
        {"starting_schema": v1.Schema(json_schema="no schema")},
    ],
)
def test_settings_that_do_not_fit_make_no_store(project: Project, settings: dict[str, Any]) -> None:
    with pytest.raises(refusals.BadRequest):
        create(project, **settings)
    assert not project.state.stores


def test_a_schema_is_not_both_given_and_skipped(project: Project) -> None:
    request = v1.CreateDataStoreRequest(
        parent=project.location, data_store_id=STORE, data_store=data_store(), skip_default_schema_creation=True
    )
    with pytest.raises(refusals.BadRequest, match="skip_default_schema_creation"):
        project.stores.create_data_store(request)


def test_a_store_without_a_schema_takes_nothing_until_it_is_given_one(project: Project) -> None:
    create(project, starting_schema=None)
    request = v1.CreateDataStoreRequest(
        parent=project.location,
        data_store_id="bare",
        data_store=data_store(starting_schema=None),
        skip_default_schema_creation=True,
    )
    made = project.stores.create_data_store(request).result(timeout=WAIT)
    assert (made.default_schema_id, project.state.stores[STORE].schema is None) == ("", False)
    name = schema_name(project).replace(STORE, "bare")
    with pytest.raises(refusals.NotFound):
        project.schemas.get_schema(name=name)
    assert "no schema" in failure(project, line(project, "a"), "bare")
    message = v1.Schema(name=name, json_schema=json.dumps(SCHEMA))
    with pytest.raises(refusals.NotFound):
        project.schemas.update_schema(v1.UpdateSchemaRequest(schema=message))
    project.schemas.update_schema(v1.UpdateSchemaRequest(schema=message, allow_missing=True)).result(timeout=WAIT)
    assert imported(project, [line(project, "a")], "bare") == (1, 0, 1)


def test_a_chunk_size_not_said_is_500(project: Project) -> None:
    processing: Json = {"chunking_config": {"layout_based_chunking_config": {}}}
    made = create(project, document_processing_config=processing)
    assert made.document_processing_config.chunking_config.layout_based_chunking_config.chunk_size == 500


@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("document_processing_config", {"document_processing_config": {}}),
        ("acl_enabled", {"acl_enabled": True}),
        ("content_config", {"content_config": v1.DataStore.ContentConfig.NO_CONTENT}),
        ("industry_vertical", {"industry_vertical": v1.IndustryVertical.MEDIA}),
    ],
)
@pytest.mark.parametrize("masked", [True, False])
def test_a_setting_that_cannot_change_is_refused(
    project: Project, path: str, change: dict[str, Any], masked: bool
) -> None:
    create(project)
    request: dict[str, Any] = {"data_store": {"name": project.store(STORE), **change}}
    if masked:
        request["update_mask"] = {"paths": [path]}
    if not masked and path == "document_processing_config":
        change[path] = {"chunking_config": {"layout_based_chunking_config": {"chunk_size": 200}}}
        request["data_store"] |= change
    with pytest.raises(refusals.BadRequest, match=f'immutable path "{path}"'):
        project.stores.update_data_store(v1.UpdateDataStoreRequest(**request))


def test_a_display_name_can_change(project: Project) -> None:
    create(project)
    store = {"name": project.store(STORE), "display_name": "Other"}
    project.stores.update_data_store(
        v1.UpdateDataStoreRequest(data_store=store, update_mask={"paths": ["display_name"]})
    )
    assert project.stores.get_data_store(name=project.store(STORE)).display_name == "Other"


def test_another_location_is_told_where_it_asks(project: Project) -> None:
    with pytest.raises(refusals.BadRequest, match="Incorrect API endpoint"):
        project.stores.get_data_store(name=project.store(STORE).replace("/global/", "/eu/"))


def test_another_project_is_forbidden(project: Project) -> None:
    with pytest.raises(refusals.Forbidden):
        project.stores.get_data_store(name=project.store(STORE).replace("projects/p/", "projects/q/"))


def test_names_without_a_collection_and_with_the_number_are_the_same(project: Project) -> None:
    made = create(project)
    short = f"projects/412000000001/locations/global/dataStores/{STORE}"
    assert project.stores.get_data_store(name=short) == made


@pytest.mark.parametrize("form", ["struct", "json"])
def test_a_schema_is_read_back(project: Project, form: Any) -> None:
    project.conduct.schema_as = form
    create(project)
    read = project.schemas.get_schema(name=schema_name(project))
    whole = json.loads(read.json_schema) if form == "json" else json.loads(v1.Schema.to_json(read))["structSchema"]
    assert whole == SCHEMA


def test_a_schema_takes_new_fields_and_marks(project: Project) -> None:
    create(project)
    schema = with_field("note", {"type": "string", "indexable": True})
    update_schema(project, schema)
    update_schema(project, {**schema, "properties": {**schema["properties"], "more": {"type": "number"}}})


def test_a_schema_loses_no_field(project: Project) -> None:
    create(project)
    fields = {name: field for name, field in SCHEMA["properties"].items() if name != "note"}
    with pytest.raises(refusals.BadRequest, match="Schema update doesn't support removing fields"):
        update_schema(project, {**SCHEMA, "properties": fields})


@pytest.mark.parametrize(
    ("name", "field"),
    [("rank", {"type": "number"}), ("groups", {"type": "array", "items": {"type": "integer"}})],
)
def test_a_field_keeps_its_type(project: Project, name: str, field: Json) -> None:
    create(project)
    with pytest.raises(refusals.BadRequest, match="not backward compatible"):
        update_schema(project, with_field(name, field))


@pytest.mark.parametrize(
    "field",
    [
        {"type": "text"},
        {"indexable": True},
        {"type": "string", "filterable": True},
        {"type": "string", "indexable": "true"},
        {"type": "string", "dynamicFacetable": True},
        {"type": "string", "keyPropertyMapping": "name"},
        {"type": "integer", "searchable": True},
        {"type": "object", "indexable": True},
        {"type": "array", "indexable": True, "items": {"type": "string"}},
        {"type": "array"},
    ],
)
def test_a_field_that_is_not_described_so_is_refused(project: Project, field: Json) -> None:
    create(project)
    with pytest.raises(refusals.BadRequest):
        update_schema(project, with_field("more", field))


@pytest.mark.parametrize("change", [{"dynamic": False}, {"datetime_detection": "false"}, {"more": 1}, {"type": "x"}])
def test_a_root_that_is_not_described_so_is_refused(project: Project, change: Json) -> None:
    create(project)
    with pytest.raises(refusals.BadRequest):
        update_schema(project, {**SCHEMA, **change})


@pytest.mark.parametrize("mark", ["indexable", "searchable", "retrievable"])
def test_no_more_than_50_fields_are_marked(project: Project, mark: str) -> None:
    create(project)
    fields = {f"f{number}": {"type": "string", mark: True} for number in range(51)}
    with pytest.raises(refusals.BadRequest, match=f"fields are {mark}"):
        update_schema(project, {**SCHEMA, "properties": {**SCHEMA["properties"], **fields}})


def test_no_identity_provider_is_set_at_first_and_one_can_be(project: Project) -> None:
    name = f"{project.location}/aclConfig"
    kinds = v1beta.IdpConfig.IdpType
    assert project.acl_config.get_acl_config(name=name).idp_config.idp_type == kinds.IDP_TYPE_UNSPECIFIED
    config = v1beta.AclConfig(name=name, idp_config={"idp_type": kinds.GSUITE})
    project.acl_config.update_acl_config(v1beta.UpdateAclConfigRequest(acl_config=config))
    assert project.acl_config.get_acl_config(name=name).idp_config.idp_type == kinds.GSUITE


def test_a_third_party_needs_its_pool(project: Project) -> None:
    kinds = v1beta.IdpConfig.IdpType
    config = v1beta.AclConfig(name=f"{project.location}/aclConfig", idp_config={"idp_type": kinds.THIRD_PARTY})
    with pytest.raises(refusals.BadRequest):
        project.acl_config.update_acl_config(v1beta.UpdateAclConfigRequest(acl_config=config))


def test_an_operation_ends_after_so_many_polls(project: Project) -> None:
    create(project)
    project.conduct.operation_polls = 2
    operation = start_import(project, [line(project, "a")])
    name = operation.operation.name
    asked = [project.documents.get_operation({"name": name}).done for _ in range(3)]
    assert asked == [False, False, True]


def test_an_operation_is_known_to_who_comes_later(project: Project) -> None:
    create(project)
    project.conduct.operation_polls = math.inf
    name = start_import(project, [line(project, "a")]).operation.name
    project.conduct.operation_polls = 0
    later = project.seen_by("")
    assert not later.documents.get_operation({"name": name}).done
    assert not project.state.stores[STORE].documents
    listed = later.documents.list_operations({"name": project.branch(STORE)})
    assert [each.name for each in listed.operations] == [name]


def test_an_operation_ends_by_the_clock_though_nobody_asks(project: Project) -> None:
    create(project)
    project.conduct.operation_polls, project.conduct.operation_seconds = math.inf, 60
    name = start_import(project, [line(project, "a")]).operation.name
    project.clock.pass_by(61)
    assert [each.id for each in project.documents.list_documents(parent=project.branch(STORE))] == ["a"]
    assert project.documents.get_operation({"name": name}).done


def test_an_operation_that_fails_raises_and_still_shows_its_counts(project: Project) -> None:
    create(project)
    project.conduct.operation_error = (13, "Internal error encountered.")
    operation = start_import(project, [line(project, "a")])
    with pytest.raises(refusals.InternalServerError):
        operation.result(timeout=WAIT)
    assert operation.metadata.success_count == 0
    assert not project.state.stores[STORE].documents


def test_an_operation_nobody_began_is_not_found(project: Project) -> None:
    with pytest.raises(refusals.NotFound):
        project.documents.get_operation({"name": f"{project.branch(STORE)}/operations/none"})


def test_an_answer_can_be_lost_though_the_work_is_done(project: Project) -> None:
    create(project)
    project.conduct.lost_answers.append("ImportDocuments")
    with pytest.raises(requests.ConnectionError):
        start_import(project, [line(project, "a")])
    assert project.state.stores[STORE].documents.keys() == {"a"}
    assert imported(project, [line(project, "a")]) == (1, 0, 1)


@pytest.fixture
def failing(project: Project) -> Iterator[tuple[FaultProxy, Project]]:
    """A proxy before the double, and the project seen through it."""
    with in_front_of(project.endpoint) as proxy:
        yield proxy, Project(project.state, proxy.endpoint)


@pytest.mark.parametrize(
    ("fault", "refusal"),
    [
        (faults.status(401, "POST", "documents:import"), InvalidOperation),  # no credentials that could be renewed
        (faults.status(403, "POST", "documents:import"), refusals.Forbidden),
        (faults.status(429, "POST", "documents:import"), refusals.TooManyRequests),
        (faults.status(500, "POST", "documents:import"), refusals.InternalServerError),
        (faults.status(503, "POST", "documents:import"), refusals.ServiceUnavailable),
        (faults.reset("POST", "documents:import"), requests.ConnectionError),
        (faults.lost("POST", "documents:import"), requests.ConnectionError),
        (faults.cut("POST", "documents:import"), requests.exceptions.ChunkedEncodingError),
    ],
)
def test_an_import_meets_planned_faults(
    failing: tuple[FaultProxy, Project], fault: Fault, refusal: type[Exception]
) -> None:
    proxy, project = failing
    create(project)
    proxy.plan(fault)
    with pytest.raises(refusal):
        start_import(project, [line(project, "a")])
    assert bool(project.state.stores[STORE].documents) == (fault.way in {"lost", "cut"})
    assert imported(project, [line(project, "a")]) == (1, 0, 1)
    assert len(proxy.calls("POST", "documents:import")) == 2


def test_polls_and_pages_meet_planned_faults(failing: tuple[FaultProxy, Project]) -> None:
    proxy, project = failing
    create(project)
    operation = start_import(project, [line(project, "a"), line(project, "b")])
    proxy.plan(faults.reset("GET", "/operations/"), faults.status(503, "GET", "/documents", first=2))
    with pytest.raises(requests.ConnectionError):
        operation.result(timeout=WAIT)
    pages = project.documents.list_documents(v1.ListDocumentsRequest(parent=project.branch(STORE), page_size=1))
    with pytest.raises(refusals.ServiceUnavailable):
        list(pages)
    assert operation.result(timeout=WAIT) is not None


def test_a_permission_can_be_missing(project: Project) -> None:
    project.conduct.denied.add("GetDataStore")
    with pytest.raises(refusals.Forbidden):
        project.stores.get_data_store(name=project.store(STORE))
    assert project.state.calls == ["GetDataStore"]


def test_a_token_nobody_gave_out_is_refused(project: Project) -> None:
    with pytest.raises(RefreshError):
        project.seen_by("stolen").stores.get_data_store(name=project.store(STORE))


def test_a_sixth_import_in_a_minute_is_too_many(project: Project) -> None:
    create(project)
    for _ in range(5):
        assert imported(project, [line(project, "a")]) == (1, 0, 1)
    with pytest.raises(refusals.TooManyRequests, match="Quota exceeded"):
        start_import(project, [line(project, "a")])
    project.clock.pass_by(60)
    assert imported(project, [line(project, "a")]) == (1, 0, 1)


@pytest.mark.parametrize(("kind", "most"), [("purges", 100), ("batch requests", 100)])
def test_so_many_purges_in_a_minute_are_too_many(project: Project, kind: str, most: int) -> None:
    create(project)
    assert project.state.quotas.per_minute[kind] == most
    project.state.quotas.per_minute[kind] = 1
    request = v1.PurgeDocumentsRequest(parent=project.branch(STORE), filter="*")
    project.documents.purge_documents(request)
    with pytest.raises(refusals.TooManyRequests):
        project.documents.purge_documents(request)


def test_300_reads_in_a_minute_are_the_most(project: Project) -> None:
    create(project)
    for _ in range(300):
        list(project.documents.list_documents(parent=project.branch(STORE)))
    with pytest.raises(refusals.TooManyRequests):
        project.documents.list_documents(parent=project.branch(STORE))


def test_300_searches_in_a_minute_are_the_most(project: Project) -> None:
    create(project)
    request = v1.SearchRequest(serving_config=project.serving_config(STORE), query="orders")
    for _ in range(300):
        project.search.search(request)
    with pytest.raises(refusals.TooManyRequests):
        project.search.search(request)


def test_only_so_many_operations_are_under_way(project: Project) -> None:
    create(project)
    assert project.state.quotas.pending == {"imports": 300, "purges": 100}
    project.state.quotas.pending["imports"] = 1
    project.conduct.operation_polls = math.inf
    start_import(project, [line(project, "a")])
    with pytest.raises(refusals.TooManyRequests, match="pending"):
        start_import(project, [line(project, "a")])


def test_what_the_double_does_not_do_is_not_passed_over(project: Project) -> None:
    create(project)
    hold(project, "gs://bucket/a.csv", "id\na\n")
    source = {"input_uris": ["gs://bucket/a.csv"], "data_schema": "csv"}
    with pytest.raises(refusals.MethodNotImplemented):
        start_import(project, [], gcs_source=source)
    with pytest.raises(refusals.MethodNotImplemented):
        project.stores.delete_data_store(name=project.store(STORE))
