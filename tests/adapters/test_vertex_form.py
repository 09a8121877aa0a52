"""The form of a store, with the real clients against a strict double of the service."""

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hanpon.adapters import vertex_form
from hanpon.adapters.vertex_form import StoreForms, create_store, describe_store, refuse_other_form
from hanpon.contracts.datastore_form import DatastoreForm, wanted_schema
from hanpon.contracts.errors import Unavailable, UsageError
from tests.cloud.discovery_engine.server import serving
from tests.cloud.discovery_engine.state import State

FORM = DatastoreForm.wanted("p", "global", "docs", access="filtered", chunk_size=500)
ENFORCED = replace(FORM, access_control=True)


@pytest.fixture
def state() -> State:
    return State()


@pytest.fixture
def endpoint(state: State) -> Iterator[str]:
    with serving(state) as url:
        yield url


def written(state: State) -> list[str]:
    return [call for call in state.calls if call.startswith(("Create", "Update", "Delete", "Purge", "Import"))]


def test_a_store_is_made_as_planned_and_its_schema_is_there_before_any_document(state: State, endpoint: str) -> None:
    made = create_store(FORM, endpoint)
    assert made.found == FORM
    assert (made.differences, made.steps) == ((), ())
    assert written(state) == ["CreateDataStore", "UpdateSchema"]
    assert state.stores["docs"].schema == wanted_schema()
    assert state.stores["docs"].settings["documentProcessingConfig"] == {
        "chunkingConfig": {"layoutBasedChunkingConfig": {"chunkSize": 500, "includeAncestorHeadings": True}},
        "defaultParsingConfig": {"digitalParsingConfig": {}},
        "parsingConfigOverrides": {"html": {"layoutParsingConfig": {}}},
    }


def test_a_plan_of_a_store_that_is_not_there_writes_nothing(state: State, endpoint: str) -> None:
    plan = describe_store(FORM, endpoint)
    assert (plan.found, plan.exit_code) == (None, 0)
    assert len(plan.steps) == 2
    assert written(state) == []


def test_making_a_store_again_does_nothing(state: State, endpoint: str) -> None:
    create_store(FORM, endpoint)
    before = written(state)
    assert create_store(FORM, endpoint).found == FORM
    assert written(state) == before


@pytest.mark.parametrize("form", ["struct", "json"])
def test_a_schema_is_read_in_both_of_its_forms(state: State, endpoint: str, form: str) -> None:
    state.conduct.schema_as = "json" if form == "json" else "struct"
    assert create_store(FORM, endpoint).differences == ()


def test_a_run_that_was_killed_before_it_pushed_the_schema_is_finished(state: State, endpoint: str) -> None:
    StoreForms(FORM, endpoint).make()
    assert describe_store(FORM, endpoint).steps == (
        "push what its schema lacks; every document in it is then indexed anew",
    )
    with pytest.raises(UsageError, match="datastore create` pushes what is missing"):
        refuse_other_form(FORM, endpoint)
    create_store(FORM, endpoint)
    refuse_other_form(FORM, endpoint)
    assert written(state) == ["CreateDataStore", "UpdateSchema"]


@pytest.mark.parametrize("method", ["CreateDataStore", "UpdateSchema"])
def test_an_answer_that_is_lost_makes_nothing_twice(state: State, endpoint: str, method: str) -> None:
    state.conduct.lost_answers = [method]
    try:
        create_store(FORM, endpoint)
    except Unavailable:
        # nobody asks for the operation whose name was lost; it ends by itself
        for operation in list(state.operations.all):
            state.operations.get(operation)
        create_store(FORM, endpoint)
    assert list(state.stores) == ["docs"]
    refuse_other_form(FORM, endpoint)


def test_a_store_that_takes_too_long_is_told_of_and_found_by_the_next_run(
    state: State, endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vertex_form, "MADE_IN", 0.01)
    state.conduct.operation_polls = math.inf
    with pytest.raises(Unavailable, match="run it again later"):
        create_store(FORM, endpoint)
    with pytest.raises(Unavailable, match="not there yet"):
        create_store(FORM, endpoint)
    assert written(state) == ["CreateDataStore", "CreateDataStore"]


def test_a_store_of_another_form_is_refused_with_all_that_differs_and_nothing_is_written(
    state: State, endpoint: str
) -> None:
    create_store(FORM, endpoint)
    before = written(state)
    other = replace(FORM, chunk_size=200, access_control=True, ancestor_headings=False)
    state.identity = {"idpType": "GSUITE"}
    for refused in (create_store, refuse_other_form):
        with pytest.raises(UsageError) as error:
            refused(other, endpoint)
        told = str(error.value)
        assert all(what in told for what in ("access control", "chunk size", "headings above each piece"))
        assert "--chunk-size 500" in told
    assert written(state) == before
    assert describe_store(other, endpoint).exit_code == 2


def test_a_store_that_is_not_there_is_refused_with_how_to_make_it(endpoint: str) -> None:
    with pytest.raises(UsageError, match="hanpon datastore create"):
        refuse_other_form(FORM, endpoint)


def test_no_store_with_access_control_is_made_before_an_identity_provider(state: State, endpoint: str) -> None:
    with pytest.raises(UsageError, match="no identity provider is set up"):
        create_store(ENFORCED, endpoint)
    assert written(state) == []
    pool = "locations/global/workforcePools/staff"
    state.identity = {"idpType": "THIRD_PARTY", "externalIdpConfig": {"workforcePoolName": pool}}
    assert create_store(ENFORCED, endpoint).identity_provider == f"workforce pool {pool}"
    assert state.stores["docs"].access_controlled


def test_a_store_that_says_nothing_of_parsers_and_pieces_has_none(state: State, endpoint: str) -> None:
    create_store(FORM, endpoint)
    del state.stores["docs"].settings["documentProcessingConfig"]
    found = StoreForms(FORM, endpoint).found()
    assert found is not None
    assert (found.html_parser, found.chunk_size, found.ancestor_headings) == ("digital", 0, False)


@pytest.mark.parametrize("method", ["GetDataStore", "GetSchema", "CreateDataStore"])
def test_what_is_not_permitted_is_told_in_words(state: State, endpoint: str, method: str) -> None:
    if method == "GetSchema":
        create_store(FORM, endpoint)
    state.conduct.denied = {method}
    with pytest.raises(UsageError, match="not permitted"):
        create_store(FORM, endpoint)


def test_an_operation_that_fails_is_told_with_its_reason(state: State, endpoint: str) -> None:
    state.conduct.operation_error = (9, "DataStore is being deleted, please wait")
    with pytest.raises(UsageError, match="being deleted"):
        create_store(FORM, endpoint)


def test_nothing_in_here_deletes() -> None:
    assert ".delete_" not in Path(vertex_form.__file__).read_text("utf-8")
