"""The datastore in Vertex AI Search without access control: what it asks of the service, and what it makes of it."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest

from hanpon.adapters import vertex_imports, vertex_purges
from hanpon.contracts.digests import canonical_json
from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.errors import InvalidInput, Unavailable, UsageError
from hanpon.contracts.manifests import Entry, Row
from hanpon.contracts.publications import Pointer
from tests.adapters.vertex_world import NAMES, ROOT, HeldVertex, World, world
from tests.cloud.discovery_engine import purges
from tests.editions import CUSTOMER, ENGINEERS, document, edition_of

ORDER = Edition(Kind.API, "order", "v1")


@pytest.fixture
def made() -> Iterator[World]:
    with world() as new:
        yield new


def entries_of(*sections: str, edition: Edition = CUSTOMER, **fields: Any) -> tuple[Entry, ...]:
    pages = [document(f"GET /{section}", edition=edition, **fields) for section in sections]
    return edition_of(*pages, edition=edition).manifest.entries


def page_of(entry: Entry) -> bytes:
    return f"<h1>{entry.metadata['section']}</h1><p>text</p>".encode()


def rows_of(entries: Iterable[Entry]) -> dict[str, Row]:
    return {entry.id: entry.row for entry in entries}


def bring(
    datastore: HeldVertex, entries: Sequence[Entry], remove: Iterable[str] = (), edition: Edition = CUSTOMER
) -> None:
    """What a run does with a datastore."""
    with datastore.change(edition) as change:
        change.upsert(entries, page_of)
        change.remove(remove)
        assert change.rows() == rows_of(entries)
        change.commit()


AB = entries_of("a", "b")
LISTED = ["GetDataStore", "ListDocuments"]
IMPORTED = ["ImportDocuments", "GetOperation", "ListDocuments"]
PURGED = ["PurgeDocuments", "GetOperation", "ListDocuments"]


def test_a_first_fill_is_one_import(made: World) -> None:
    bring(made.open(), AB)
    assert made.calls == [*LISTED, *IMPORTED]
    assert made.open().rows(CUSTOMER) == rows_of(AB)


def test_what_is_there_already_is_not_imported_again(made: World) -> None:
    bring(made.open(), AB)
    made.calls.clear()
    bring(made.open(), AB)
    assert made.calls == LISTED


def test_one_changed_document_is_one_line(made: World) -> None:
    bring(made.open(), AB)
    made.calls.clear()
    lines: list[bytes] = []
    changed = (*entries_of("a"), *entries_of("b", text="other"))
    watch_lines(made, lines)
    bring(made.open(), changed)
    assert made.calls == [*LISTED, *IMPORTED]
    assert [line.count(b"\n") for line in lines] == [1]


def watch_lines(made: World, lines: list[bytes]) -> None:
    read = made.objects.read

    def watched(uri: str) -> bytes | None:
        data = read(uri)
        if uri.startswith(f"{ROOT}imports/") and data is not None and data not in lines:
            lines.append(data)
        return data

    made.objects.read = watched  # type: ignore[method-assign]


def test_metadata_alone_goes_without_the_address_of_the_page(made: World) -> None:
    bring(made.open(), AB)
    made.calls.clear()
    lines: list[bytes] = []
    watch_lines(made, lines)
    changed = entries_of("a", "b", owner="other-team")
    bring(made.open(), changed)
    assert made.calls == [*LISTED, *IMPORTED]
    assert b'"content":' not in lines[0]
    assert made.open().rows(CUSTOMER) == rows_of(changed)


def test_readers_alone_go_as_metadata(made: World) -> None:
    bring(made.open(), AB)
    lines: list[bytes] = []
    watch_lines(made, lines)
    changed = entries_of("a", "b", readers=("user:a@x",))
    bring(made.open(), changed)
    assert b'"content":' not in lines[0]
    assert made.open().rows(CUSTOMER) == rows_of(changed)


def test_content_and_metadata_are_two_imports(made: World) -> None:
    bring(made.open(), AB)
    made.calls.clear()
    changed = (*entries_of("a", owner="other-team"), *entries_of("b", text="other"))
    bring(made.open(), changed)
    assert made.calls == [*LISTED, *IMPORTED[:2], *IMPORTED]


def test_removal_comes_after_the_import_and_names_ids(made: World) -> None:
    bring(made.open(), AB)
    made.calls.clear()
    bring(made.open(), entries_of("a", "c"), remove=[AB[1].id])
    assert made.calls == [*LISTED, *IMPORTED, *PURGED]
    assert made.ids == rows_of(entries_of("a", "c")).keys()


def test_nothing_is_left_in_the_bucket_or_the_notes_when_a_change_ends_well(made: World) -> None:
    bring(made.open(), AB)
    bring(made.open(), entries_of("a"), remove=[AB[1].id])
    assert not [uri for uri in made.objects.held if "/imports/" in uri]
    assert not any(made.notes.values())


def test_many_removals_are_named_in_a_file(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vertex_purges, "MOST_INLINE", 2)
    many = entries_of(*"abcdef")
    bring(made.open(), many)
    bring(made.open(), many[:1], remove=[entry.id for entry in many[1:]])
    assert made.ids == {many[0].id}
    assert not [uri for uri in made.objects.held if "/imports/" in uri]


def test_ids_of_other_editions_are_never_touched(made: World) -> None:
    other = entries_of("a", "b", edition=ORDER)
    bring(made.open(), AB)
    bring(made.open(), other, edition=ORDER)
    with made.open().change(CUSTOMER) as change:
        change.remove(rows_of(other))
        change.erase(rows_of(other))
        change.restrict({other[0].id: ()})
        change.commit()
    assert made.open().rows(ORDER) == rows_of(other)
    bring(made.open(), (), remove=rows_of(AB))
    assert made.open().rows(ORDER) == rows_of(other)
    assert made.open().editions() == [ORDER]


def test_the_whole_store_is_listed_once_for_several_editions(made: World) -> None:
    bring(made.open(), AB)
    bring(made.open(), entries_of("a", edition=ORDER), edition=ORDER)
    made.calls.clear()
    datastore = made.open()
    assert datastore.editions() == [CUSTOMER, ORDER]
    assert (len(datastore.rows(CUSTOMER)), len(datastore.rows(ORDER))) == (2, 1)
    assert made.calls == LISTED
    datastore.rows(CUSTOMER)  # who asks again wants to know what is there now
    assert made.calls == [*LISTED, "ListDocuments"]


def test_a_store_of_several_pages_is_listed_whole(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hanpon.adapters.vertex_rows.PAGE", 2)
    many = entries_of(*"abcde")
    bring(made.open(), many)
    assert made.open().rows(CUSTOMER) == rows_of(many)


def test_lines_are_laid_into_several_files_and_these_into_several_requests(
    made: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vertex_imports, "MOST_BYTES", 1)
    monkeypatch.setattr(vertex_imports, "MOST_FILES", 2)
    many = entries_of(*"abcde")
    bring(made.open(), many)
    assert made.calls.count("ImportDocuments") == 3
    assert made.open().rows(CUSTOMER) == rows_of(many)


def test_own_imports_are_spaced_so_that_the_quota_is_kept(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vertex_imports, "MOST_BYTES", 1)
    monkeypatch.setattr(vertex_imports, "MOST_FILES", 1)
    many = entries_of(*"abcdefg")
    began = made.clock()
    bring(made.open(), many)
    assert made.calls.count("ImportDocuments") == 7  # none was refused
    assert 60 <= made.clock() - began < 90


def test_quota_that_others_have_used_up_is_waited_for(made: World) -> None:
    for _ in range(5):
        made.project.state.quotas.count("imports")
    bring(made.open(), AB)
    assert made.open().rows(CUSTOMER) == rows_of(AB)


def test_a_document_that_fails_is_named_with_the_reason(made: World) -> None:
    made.conduct.failing = {AB[0].id: "The page is too odd."}
    with pytest.raises(InvalidInput) as told:
        bring(made.open(), AB)
    [problem] = told.value.problems
    assert f"{AB[0].id} was not taken: " in problem.message
    assert "The page is too odd." in problem.message
    assert (problem.rule, problem.where.file) == ("document-not-imported", "openapi.yaml")
    made.conduct.failing = {}
    bring(made.open(), AB)
    assert made.open().rows(CUSTOMER) == rows_of(AB)
    assert not [uri for uri in made.objects.held if "/imports/" in uri]


def test_every_document_that_fails_is_named_though_the_answer_shows_five(made: World) -> None:
    many = entries_of(*(f"p{number}" for number in range(120)))
    made.conduct.failing = {entry.id: "No." for entry in many}
    with pytest.raises(InvalidInput) as told:
        bring(made.open(), many)
    named = {problem.message.split(" was not taken")[0].rpartition(" ")[2] for problem in told.value.problems}
    assert named == {entry.id for entry in many}


def test_failures_of_metadata_alone_are_told_too(made: World) -> None:
    bring(made.open(), AB)
    made.conduct.failing = {AB[0].id: "No."}
    with pytest.raises(InvalidInput, match=r"was not taken: .*No\."):
        bring(made.open(), entries_of("a", "b", owner="other-team"))


def test_an_operation_that_ends_with_an_error_is_told(made: World) -> None:
    made.conduct.operation_error = (13, "Something broke.")
    with pytest.raises(Unavailable, match="Something broke"):
        bring(made.open(), AB)
    made.conduct.operation_error = (3, "The file is odd.")
    with pytest.raises(UsageError, match="The file is odd"):
        bring(made.open(), AB)
    bring(made.open(), AB)
    assert made.open().rows(CUSTOMER) == rows_of(AB)


def test_files_that_the_service_refuses_late_are_told_as_those_refused_at_once(made: World) -> None:
    made.conduct.late_refusals = True
    made.conduct.file_limit = 10
    with pytest.raises(UsageError, match="at most 10"):
        bring(made.open(), AB)


def test_an_operation_that_does_not_end_is_given_up_and_waited_for_by_the_next_run(made: World) -> None:
    made.conduct.operation_polls = math.inf
    with pytest.raises(Unavailable, match="has not ended after 3,600 seconds"):
        bring(made.open(), AB)
    [(_, notes)] = made.notes.items()
    assert notes["vertex"]["operations"]
    assert made.open().rows(CUSTOMER) == {}
    for operation in made.project.state.operations.all.values():
        operation.polls_left = 3
    made.calls.clear()
    made.conduct.operation_polls = 0
    bring(made.open(), AB)
    assert "ImportDocuments" not in made.calls  # what was under way has brought it all
    assert not any(made.notes.values())


def test_rows_are_in_doubt_while_an_import_that_was_left_is_under_way(made: World) -> None:
    bring(made.open(), AB)
    made.conduct.operation_polls = math.inf
    with pytest.raises(Unavailable):
        bring(made.open(), entries_of("a", "b", text="other"))
    rows = made.open().rows(CUSTOMER)
    assert rows.keys() == rows_of(AB).keys()
    assert not any(rows[key] == row for key, row in rows_of(AB).items())


def test_what_shows_late_is_waited_for(made: World) -> None:
    made.conduct.operation_polls = 4
    made.conduct.indexing_lag = 100
    bring(made.open(), AB)
    assert made.open().rows(CUSTOMER) == rows_of(AB)


def test_a_document_that_is_not_indexed_yet_is_removed_for_good(made: World) -> None:
    made.conduct.indexing_lag = 100
    bring(made.open(), AB)
    bring(made.open(), AB[:1], remove=[AB[1].id])
    made.clock.pass_by(1000)
    assert made.open().rows(CUSTOMER) == rows_of(AB[:1])


def test_of_several_removals_those_that_the_service_did_not_find_are_repeated(made: World) -> None:
    bring(made.open(), AB)
    made.conduct.indexing_lag = 100
    more = (*AB, *entries_of("c"))
    bring(made.open(), more)
    bring(made.open(), AB[:1], remove=[AB[1].id, more[2].id])
    made.clock.pass_by(1000)
    assert made.open().rows(CUSTOMER) == rows_of(AB[:1])


def test_a_document_that_shows_for_a_while_after_its_removal_is_waited_for(made: World) -> None:
    bring(made.open(), AB)
    made.conduct.removal_lag = 50
    bring(made.open(), AB[:1], remove=[AB[1].id])
    assert made.open().rows(CUSTOMER) == rows_of(AB[:1])


def test_a_removal_that_shows_for_hours_does_not_fail(made: World) -> None:
    bring(made.open(), AB)
    made.conduct.removal_lag = 3600
    bring(made.open(), AB[:1], remove=[AB[1].id])
    made.clock.pass_by(4000)
    assert made.open().rows(CUSTOMER) == rows_of(AB[:1])


def test_a_purge_that_wants_a_filter_is_tried_without_force_first(made: World) -> None:
    made.conduct.purge_wants_filter = True
    bring(made.open(), AB)
    made.calls.clear()
    bring(made.open(), AB[:1], remove=[AB[1].id])
    assert made.calls.count("PurgeDocuments") == 3
    assert made.ids == {AB[0].id}


def test_a_purge_that_would_remove_more_is_not_made(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(made.open(), entries_of("a", "b", "c"))
    made.conduct.purge_wants_filter = True
    monkeypatch.setattr(purges, "_named", lambda *_: iter(made.ids))  # takes the filter for all that is meant
    with pytest.raises(UsageError, match="would remove 3; nothing was removed"):
        bring(made.open(), entries_of("a", "b"), remove=[entries_of("c")[0].id])
    assert len(made.ids) == 3


def test_what_nobody_may_read_is_removed_and_stays_a_row_without_readers(made: World) -> None:
    datastore = made.open()
    bring(datastore, AB)
    manifest = edition_of(document("GET /a"), document("GET /b")).manifest
    made.objects.held[ROOT + manifest.key] = manifest.content
    pointer = Pointer(manifest=manifest.digest, published_at="", run="", origin="", ref="", narrowed={AB[0].id: ()})
    made.objects.held[f"{ROOT}{CUSTOMER.folder}/current.json"] = canonical_json(pointer.as_record())
    with made.open().change(CUSTOMER) as change:
        change.restrict({AB[0].id: ()})
        change.commit()
    assert made.ids == {AB[1].id}
    wanted = rows_of([AB[0].with_readers(()), AB[1]])
    assert made.open().rows(CUSTOMER) == wanted
    made.calls.clear()
    bring(made.open(), [AB[0].with_readers(()), AB[1]])
    assert made.calls == LISTED
    bring(made.open(), AB)  # let in again
    assert made.open().rows(CUSTOMER) == rows_of(AB)


@pytest.mark.parametrize("is_wanted", [True, False])
def test_a_document_that_lost_its_readers_in_the_store_is_put_right_or_removed(
    made: World, *, is_wanted: bool
) -> None:
    bring(made.open(), AB)
    made.project.state.stores["docs"].documents[AB[0].id].latest.struct["groups"] = []
    assert made.open().rows(CUSTOMER)[AB[0].id].content == ""
    wanted = AB if is_wanted else AB[1:]
    bring(made.open(), wanted, remove=rows_of(AB).keys() - rows_of(wanted).keys())
    assert made.open().rows(CUSTOMER) == rows_of(wanted)
    assert made.ids == rows_of(wanted).keys()


def test_what_the_service_would_refuse_is_refused_before_anything_is_sent(made: World) -> None:
    odd = [*entries_of("a", readers=tuple(f"user:{n}" for n in range(3001)))]
    with pytest.raises(InvalidInput, match="3,001 readers"):
        bring(made.open(), odd)
    assert made.calls == LISTED
    assert not any(made.notes.values())


def test_a_store_whose_access_control_is_not_as_was_said_is_refused() -> None:
    with world(access=True) as controlled:
        controlled.access = False
        with pytest.raises(UsageError, match="access control is on in this data store"):
            controlled.open().rows(CUSTOMER)
        with pytest.raises(UsageError, match="HANPON_ACCESS says filtered"):
            controlled.open().editions()


def test_a_store_that_is_not_there_is_told(made: World) -> None:
    made.project.state.stores.clear()
    with pytest.raises(UsageError, match="does not exist"):
        made.open().editions()


@pytest.mark.parametrize("method", ["ListDocuments", "ImportDocuments", "GetOperation", "GetDataStore"])
def test_a_permission_that_is_missing_is_told(made: World, method: str) -> None:
    made.conduct.denied = {method}
    with pytest.raises(UsageError, match="not permitted"):
        bring(made.open(), AB)


def test_documents_that_were_not_indexed_are_not_found(made: World) -> None:
    bring(made.open(), AB)
    assert made.open().finds_its_rows()
    made.conduct.chunk_limit = 0
    bring(made.open(), entries_of("a", "b", text="other"))
    assert not made.open().finds_its_rows()


def test_a_store_is_never_emptied_to_be_renewed(made: World) -> None:
    bring(made.open(), AB)
    assert not made.open().renew()
    assert made.open().rows(CUSTOMER) == rows_of(AB)
    assert made.open().unseen(CUSTOMER) == []
    assert made.open().address == NAMES.address == "vertex://p/global/docs"


def test_a_change_that_is_left_is_finished_by_the_next(made: World) -> None:
    bring(made.open(), AB)
    with made.open().change(CUSTOMER) as change:
        change.upsert(entries_of("a", "b", text="other"), page_of)
        change.rows()  # imported, and then something else fails
    bring(made.open(), AB)
    assert made.open().rows(CUSTOMER) == rows_of(AB)
    assert not any(made.notes.values())


def test_what_somebody_else_keeps_in_the_store_is_left_alone(made: World) -> None:
    bring(made.open(), AB)
    made.objects.held["gs://other/page.html"] = b"<p>text</p>"
    inline = {
        "documents": [
            {"id": "foreign", "struct_data": {}, "content": {"mime_type": "text/html", "uri": "gs://other/page.html"}}
        ]
    }
    request = {"parent": made.project.branch("docs"), "inline_source": inline}
    made.project.documents.import_documents(request=request)
    bring(made.open(), (), remove=[*rows_of(AB), "foreign"])
    assert made.ids == {"foreign"}
    assert made.open().editions() == []


def test_readers_are_engineers() -> None:
    assert AB[0].readers == ENGINEERS  # what other tests take for given
