"""Whatever fails at whatever call, or kills the run: what is there is old or new, and the next run ends it."""

import contextlib
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from hanpon.contracts.errors import Conflict, HanponError, InvalidInput, Unavailable, UsageError
from hanpon.contracts.manifests import Entry
from tests.adapters.test_vertex_datastore import bring, entries_of, rows_of
from tests.adapters.vertex_world import ROOT, Fuse, Killed, World, world
from tests.cloud import faults
from tests.editions import CUSTOMER, document, edition_of

OLD = entries_of("a", "b", "c")
NEW = (*entries_of("a", text="other"), *entries_of("b", owner="other-team"), *entries_of("d"))
"""One changed, one with other metadata, one removed and one added: every call that a change makes is made."""

IMPORT, PURGE, POLL, LIST, STORE = (
    ("POST", "documents:import"),
    ("POST", "documents:purge"),
    ("GET", "/operations/"),
    ("GET", r"/documents\?"),
    ("GET", r"/dataStores/docs\?"),
)
CALLS = {"import": IMPORT, "purge": PURGE, "poll": POLL, "list": LIST, "settings": STORE}
Way = Callable[..., faults.Fault]
WAYS: dict[str, Way] = {
    "429": lambda *call, **times: faults.status(429, *call, **times),
    "500": lambda *call, **times: faults.status(500, *call, **times),
    "503": lambda *call, **times: faults.status(503, *call, **times),
    "reset": faults.reset,
    "answer lost": faults.lost,
    "answer cut": faults.cut,
}


@pytest.fixture
def made() -> Iterator[World]:
    with world() as new:
        bring(new.open(), OLD)
        yield new


def to(made: World, wanted: tuple[Entry, ...], fuse: Fuse | None = None) -> None:
    """A run that brings the edition to what is wanted."""
    datastore = made.open(fuse=fuse)
    lay_manifest(made, wanted)
    leaving = sorted(made.open().rows(CUSTOMER).keys() - rows_of(wanted).keys())
    bring(datastore, wanted, remove=leaving)


def lay_manifest(made: World, wanted: tuple[Entry, ...]) -> None:
    """What a run does before it imports."""
    manifest = replace(edition_of(document("GET /a")).manifest, entries=wanted)
    made.objects.held[ROOT + manifest.key] = manifest.content


def is_at(made: World, wanted: tuple[Entry, ...]) -> None:
    """Exactly what is wanted is there, and nothing is left behind."""
    assert made.open().rows(CUSTOMER) == rows_of(wanted)
    assert made.ids == rows_of(wanted).keys()
    assert not [uri for uri in made.objects.held if "/imports/" in uri]
    assert not any(made.notes.values())


def is_old_or_new(made: World) -> None:
    """Every row is one of the old or of the new, and of those that both have none is missing."""
    rows, old, new = made.open().rows(CUSTOMER), rows_of(OLD), rows_of(NEW)
    assert rows.keys() >= old.keys() & new.keys()
    # in doubt, a row has no content; what it holds besides is still old or new
    assert all(row.key in {old.get(key, row).key, new.get(key, row).key} for key, row in rows.items())


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("first", [1, 2])
def test_what_fails_once_is_tried_again(made: World, call: str, way: str, first: int) -> None:
    made.proxy.plan(WAYS[way](*CALLS[call], first=first))
    to(made, NEW)
    made.proxy.plan()
    is_at(made, NEW)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("call", CALLS)
def test_what_fails_for_long_leaves_the_edition_to_the_next_run(made: World, call: str, way: str) -> None:
    made.proxy.plan(WAYS[way](*CALLS[call], times=math.inf))
    with pytest.raises(Unavailable):
        to(made, NEW)
    made.proxy.plan()
    is_old_or_new(made)
    to(made, NEW)
    is_at(made, NEW)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("call", CALLS)
def test_a_run_that_failed_may_be_followed_by_one_that_goes_back(made: World, call: str, way: str) -> None:
    made.conduct.operation_polls = 2
    made.proxy.plan(WAYS[way](*CALLS[call], times=math.inf))
    with pytest.raises(Unavailable):
        to(made, NEW)
    made.proxy.plan()
    to(made, OLD)
    is_at(made, OLD)


@pytest.mark.parametrize("code", [400, 401, 403])
@pytest.mark.parametrize("call", CALLS)
def test_what_is_refused_is_not_tried_again(made: World, call: str, code: int) -> None:
    made.proxy.plan(faults.status(code, *CALLS[call], times=math.inf))
    made.proxy.forget()
    with pytest.raises(UsageError):
        to(made, NEW)
    most = 3 if call == "purge" else 2 if code == 401 else 1  # google-auth asks for a new token once
    assert len(made.proxy.calls(*CALLS[call])) <= most
    made.proxy.plan()
    to(made, NEW)
    is_at(made, NEW)


def test_a_listing_that_stops_half_way_is_no_listing(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hanpon.adapters.vertex_rows.PAGE", 2)
    made.proxy.plan(faults.reset("GET", r"pageToken=", times=math.inf))
    with pytest.raises(Unavailable, match="listing documents"):
        made.open().rows(CUSTOMER)
    made.proxy.plan(faults.cut("GET", r"pageToken="))
    assert made.open().rows(CUSTOMER) == rows_of(OLD)


def test_an_import_whose_answer_was_lost_is_not_left_under_way(made: World) -> None:
    made.conduct.operation_polls = 3
    made.conduct.lost_answers = ["ImportDocuments"]
    to(made, NEW)
    assert all(operation.done for operation in made.project.state.operations.all.values())
    is_at(made, NEW)


def test_an_import_of_a_run_that_was_killed_before_it_knew_its_name_is_waited_for(made: World) -> None:
    made.conduct.operation_polls = 3
    steps = Fuse()
    with contextlib.suppress(Killed):
        fuse = Fuse(_step_of_import(made, steps), after=True)
        to(made, NEW, fuse)
    assert not all(operation.done for operation in made.project.state.operations.all.values())
    to(made, OLD)
    assert all(operation.done for operation in made.project.state.operations.all.values())
    is_at(made, OLD)


def _step_of_import(made: World, steps: Fuse) -> int:
    """The step at which a change of the old state sends its import: after settings, listing, note and lines."""
    with world() as other:
        bring(other.open(), OLD)
        other.calls.clear()
        seen: list[int] = []
        original = steps.guard

        def guard(method: Callable[..., object]) -> Callable[..., object]:
            guarded = original(method)

            def watched(*args: object, **kwargs: object) -> object:
                given = guarded(*args, **kwargs)
                if other.calls and other.calls[-1] == "ImportDocuments" and not seen:
                    seen.append(steps.steps)
                return given

            return watched

        steps.guard = guard  # type: ignore[method-assign]
        to(other, NEW, steps)
        return seen[0]


def _steps() -> int:
    with world() as other:
        bring(other.open(), OLD)
        other.conduct.operation_polls = 1
        fuse = Fuse()
        to(other, NEW, fuse)
        return fuse.steps


STEPS = 29
"""More than a change takes; those beyond its end are a run that is not killed."""


def test_every_step_of_a_change_is_among_those_it_is_killed_at() -> None:
    assert 15 < _steps() < STEPS


@pytest.mark.parametrize("then", ["new", "old"])
@pytest.mark.parametrize("after", [False, True], ids=["before it is taken", "after it was taken"])
@pytest.mark.parametrize("step", range(1, STEPS))
def test_a_run_that_is_killed_at_a_step_is_finished_or_taken_back_by_the_next(
    made: World, step: int, *, after: bool, then: str
) -> None:
    made.conduct.operation_polls = 1
    with contextlib.suppress(Killed):
        to(made, NEW, Fuse(step, after=after))
    is_old_or_new(made)
    wanted = NEW if then == "new" else OLD
    to(made, wanted)
    is_at(made, wanted)


@pytest.mark.parametrize("second", range(1, 12))
def test_a_run_that_is_killed_twice_is_finished_by_the_third(made: World, second: int) -> None:
    made.conduct.operation_polls = 1
    for fuse in (Fuse(9, after=True), Fuse(second)):
        with contextlib.suppress(Killed):
            to(made, NEW, fuse)
    to(made, NEW)
    is_at(made, NEW)


def test_a_partial_import_is_told_and_completed_by_the_next_run(made: World) -> None:
    made.conduct.failing = {NEW[0].id: "No."}
    with pytest.raises(InvalidInput):
        to(made, NEW)
    assert {entry.id for entry in OLD} <= made.ids  # nothing is removed before everything has come
    made.conduct.failing = {}
    to(made, NEW)
    is_at(made, NEW)


@pytest.mark.parametrize("lag", [0.0, 20.0, 1000.0])
def test_lags_of_the_service_change_nothing_in_the_end(made: World, lag: float) -> None:
    made.conduct.indexing_lag = made.conduct.removal_lag = lag
    with contextlib.suppress(HanponError):
        to(made, NEW)
    made.clock.pass_by(5000)
    to(made, NEW)
    made.clock.pass_by(5000)
    is_at(made, NEW)


@pytest.mark.parametrize("answer", [b"{}", b"<html>", b'{"name": "x"}'])
def test_an_answer_that_names_no_operation_is_a_lost_one(
    made: World, monkeypatch: pytest.MonkeyPatch, answer: bytes
) -> None:
    ask, left = made.proxy._ask, [answer, answer]

    def spoilt(method: str, target: str, *request: Any) -> Any:
        given = ask(method, target, *request)
        is_begun = method == "POST" and (":import" in target or ":purge" in target)
        return replace(given, body=left.pop()) if is_begun and left else given

    monkeypatch.setattr(made.proxy, "_ask", spoilt)
    to(made, NEW)
    is_at(made, NEW)


@pytest.mark.parametrize("operations", [[""], [7], "x", 5, None])
def test_notes_that_name_no_operation_are_those_of_a_lost_answer(made: World, operations: Any) -> None:
    store = made.open()._names.resource
    made.notes[CUSTOMER] = {"vertex": {"store": store, "operations": operations, "run": "run0"}}
    to(made, NEW)
    is_at(made, NEW)


@pytest.mark.parametrize("call", ["import", "purge"])
@pytest.mark.parametrize("way", ["429", "503", "answer lost"])
def test_nothing_is_sent_again_once_another_run_may_hold_the_edition(
    made: World, monkeypatch: pytest.MonkeyPatch, call: str, way: str
) -> None:
    def asleep_for_too_long(seconds: float, go_on: Callable[[float], None] = made.clock.pass_by) -> None:
        made.leases.clear()
        go_on(seconds)

    monkeypatch.setattr(made.clock, "pass_by", asleep_for_too_long)
    made.proxy.plan(WAYS[way](*CALLS[call]))
    made.proxy.forget()
    with pytest.raises(Conflict):
        to(made, NEW)
    assert len(made.proxy.calls(*CALLS[call])) == 1
