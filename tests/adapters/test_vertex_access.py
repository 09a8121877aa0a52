"""A store with access control: nothing is listed, so rows are what was published and what an auditor sees."""

import math
from collections.abc import Iterator
from dataclasses import replace

import pytest

from hanpon.adapters.vertex_notes import digest_of_rows
from hanpon.contracts.digests import canonical_json
from hanpon.contracts.errors import InvalidInput, Unavailable
from hanpon.contracts.manifests import Entry
from hanpon.contracts.publications import Pointer
from tests.adapters.test_vertex_datastore import bring, entries_of, page_of, rows_of
from tests.adapters.vertex_world import LAG, ROOT, World, world
from tests.cloud import faults
from tests.cloud.discovery_engine.callers import member
from tests.editions import CUSTOMER, document, edition_of

ENTRIES = (
    *entries_of("a", readers=("group:a@x",)),
    *entries_of("b", readers=("group:b@x", "user:c@x")),
    *entries_of("c", readers=("all",)),
)
A, B, C = (entry.id for entry in ENTRIES)


@pytest.fixture
def made() -> Iterator[World]:
    with world(access=True) as new:
        new.project.state.tokens = {
            "all": member("auditor@x", "a@x", "b@x"),
            "some": member("auditor@x", "a@x"),
            "none": member("nobody@x"),
        }
        yield new


def announce(made: World, entries: tuple[Entry, ...], narrowed: dict[str, tuple[str, ...]] | None = None) -> None:
    """What a run does last."""
    manifest = replace(edition_of(document("GET /a")).manifest, entries=entries)
    made.objects.held[ROOT + manifest.key] = manifest.content
    pointer = Pointer(manifest=manifest.digest, published_at="", run="", origin="", ref="", narrowed=narrowed or {})
    made.objects.held[f"{ROOT}{CUSTOMER.folder}/current.json"] = canonical_json(pointer.as_record())


def test_rows_are_those_that_were_published(made: World) -> None:
    bring(made.open(), ENTRIES)
    announce(made, ENTRIES)
    assert made.open().rows(CUSTOMER) == rows_of(ENTRIES)
    assert made.open().editions() == [CUSTOMER]
    assert made.calls == ["GetDataStore", "ImportDocuments", "GetOperation", "GetDataStore", "GetDataStore"]


@pytest.mark.parametrize(("auditor", "unseen"), [("", [A, B, C]), ("all", []), ("some", [B]), ("none", [A, B])])
def test_what_an_auditor_cannot_see_is_unseen_and_not_missing(made: World, auditor: str, unseen: list[str]) -> None:
    bring(made.open(auditor=auditor), ENTRIES)
    announce(made, ENTRIES)
    datastore = made.open(auditor=auditor)
    assert datastore.rows(CUSTOMER) == rows_of(ENTRIES)
    assert datastore.unseen(CUSTOMER) == sorted(unseen)
    assert datastore.finds_its_rows()


def test_an_import_is_waited_for_until_the_auditor_sees_it(made: World) -> None:
    made.conduct.indexing_lag = 100
    began = made.clock()
    bring(made.open(auditor="all"), ENTRIES)
    assert 100 <= made.clock() - began < LAG
    assert made.calls.count("Search") > 2


def test_what_does_not_show_in_time_is_left_to_the_counts(made: World) -> None:
    made.conduct.indexing_lag = 5000
    bring(made.open(auditor="all"), ENTRIES)
    announce(made, ENTRIES)
    assert made.open(auditor="all").unseen(CUSTOMER) == sorted([A, B, C])


def test_what_shows_as_it_was_before_is_no_success(made: World) -> None:
    bring(made.open(auditor="all"), ENTRIES)
    announce(made, ENTRIES)
    made.conduct.indexing_lag = 5000
    changed = (*entries_of("a", text="other", readers=("group:a@x",)), *ENTRIES[1:])
    with made.open(auditor="all").change(CUSTOMER) as change:
        change.upsert(changed, page_of)
        with pytest.raises(Unavailable, match="do not show"):
            change.commit()
    assert made.notes[CUSTOMER]
    assert not any(row in rows_of(ENTRIES).values() for row in made.open().rows(CUSTOMER).values())


def test_what_somebody_changed_in_the_store_is_seen(made: World) -> None:
    bring(made.open(), ENTRIES)
    announce(made, ENTRIES)
    made.project.state.stores["docs"].documents[A].latest.struct["owner"] = "somebody"
    assert made.open().rows(CUSTOMER) == rows_of(ENTRIES)
    rows = made.open(auditor="some").rows(CUSTOMER)
    assert [key for key, row in rows.items() if row != rows_of(ENTRIES)[key]] == [A]


def test_a_document_that_was_left_behind_is_seen_and_removed(made: World) -> None:
    more = (*ENTRIES, *entries_of("d", readers=("group:a@x",)))
    bring(made.open(), more)
    made.notes[CUSTOMER]["vertex"]["rows"] = digest_of_rows(rows_of(ENTRIES))  # as one that forgot it would note
    announce(made, ENTRIES)
    datastore = made.open(auditor="some")
    rows = datastore.rows(CUSTOMER)
    assert rows == rows_of(more)
    bring(datastore, ENTRIES, remove=rows.keys() - rows_of(ENTRIES).keys())
    assert made.ids == rows_of(ENTRIES).keys()


def test_many_documents_are_looked_for_by_pages(made: World) -> None:
    many = entries_of(*(f"p{number}" for number in range(250)), readers=("group:a@x",))
    bring(made.open(auditor="some"), many)
    announce(made, many)
    made.calls.clear()
    assert made.open(auditor="some").rows(CUSTOMER) == rows_of(many)
    assert made.calls.count("Search") == 3


def test_a_search_of_the_auditor_that_stops_half_way_is_no_answer(made: World) -> None:
    many = entries_of(*(f"p{number}" for number in range(150)), readers=("group:a@x",))
    bring(made.open(), many)
    announce(made, many)
    made.proxy.plan(faults.reset("POST", ":search", first=2, times=math.inf))
    with pytest.raises(Unavailable, match="searching as the auditor"):
        made.open(auditor="some").rows(CUSTOMER)


@pytest.mark.parametrize("auditor", ["", "all", "some", "none"])
def test_readers_alone_go_as_whole_lines_and_content_is_not_read_again(made: World, auditor: str) -> None:
    bring(made.open(auditor=auditor), ENTRIES)
    announce(made, ENTRIES)
    made.calls.clear()
    del made.objects.held[ROOT + ENTRIES[0].key]  # the service has it
    with made.open(auditor=auditor).change(CUSTOMER) as change:
        change.restrict({A: ("user:c@x",), B: ("user:c@x",)})
        change.commit()
    held = made.project.state.stores["docs"].documents
    assert held[A].latest.access == held[B].latest.access == {"readers": [{"principals": [{"userId": "c@x"}]}]}
    assert held[A].latest.struct["groups"] == ["user:c@x"]
    assert made.calls.count("ImportDocuments") == 1
    assert "ListDocuments" not in made.calls


def test_what_storage_says_of_narrowed_readers_is_not_taken_for_done(made: World) -> None:
    bring(made.open(), ENTRIES)
    announce(made, ENTRIES)
    announce(made, ENTRIES, narrowed={B: ("user:c@x",)})  # and then the run is killed
    assert made.open().rows(CUSTOMER) == rows_of(ENTRIES)
    with made.open().change(CUSTOMER) as change:
        change.restrict({B: ("user:c@x",)})
        change.commit()
    assert made.open().rows(CUSTOMER) == rows_of([ENTRIES[0], ENTRIES[1].with_readers(("user:c@x",)), ENTRIES[2]])


def test_of_a_store_that_was_never_filled_nothing_is_taken_for_granted(made: World) -> None:
    bring(made.open(), ENTRIES)
    announce(made, ENTRIES, narrowed={B: ("user:c@x",)})
    made.project.state.stores["docs"].documents.clear()
    made.notes[CUSTOMER]["vertex"]["store"] = "another"
    rows = made.open().rows(CUSTOMER)
    assert rows[B].readers == ENTRIES[1].readers
    assert not any(row in rows_of(ENTRIES).values() for row in rows.values())
    assert made.open().editions() == [CUSTOMER]
    bring(made.open(), ENTRIES)
    assert made.ids == {A, B, C}


def test_rows_are_in_doubt_from_an_import_until_it_is_announced(made: World) -> None:
    bring(made.open(), ENTRIES)
    announce(made, ENTRIES)
    changed = (*entries_of("a", text="other", readers=("group:a@x",)), *ENTRIES[1:])
    bring(made.open(), changed)  # and then the run is killed
    rows = made.open().rows(CUSTOMER)
    assert rows.keys() == rows_of(ENTRIES).keys()
    assert not any(row in rows_of(ENTRIES).values() for row in rows.values())
    bring(made.open(), ENTRIES)
    assert made.open().rows(CUSTOMER) == rows_of(ENTRIES)
    assert made.project.state.stores["docs"].documents[A].latest.struct["content_sha256"] == ENTRIES[0].content_digest


def test_an_import_that_failed_leaves_the_rows_in_doubt(made: World) -> None:
    made.conduct.failing = {A: "No."}
    with pytest.raises(InvalidInput, match=r"No\."):
        bring(made.open(), ENTRIES)
    announce(made, ENTRIES)
    assert not any(row in rows_of(ENTRIES).values() for row in made.open().rows(CUSTOMER).values())


def test_a_removal_is_repeated_until_the_service_has_found_them_all(made: World) -> None:
    made.conduct.indexing_lag = 100
    bring(made.open(), ENTRIES)
    announce(made, ENTRIES)
    bring(made.open(), ENTRIES[:1], remove=[B, C])
    made.clock.pass_by(1000)
    assert made.ids == {A}


def test_a_change_of_nothing_asks_nothing(made: World) -> None:
    bring(made.open(), ENTRIES)
    announce(made, ENTRIES)
    made.calls.clear()
    bring(made.open(), ENTRIES)
    assert made.calls == ["GetDataStore"]
