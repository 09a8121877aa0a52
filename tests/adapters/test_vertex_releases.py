"""Whole runs over Vertex AI Search: release, check, rebuild and withdrawal, killed wherever they can be."""

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.errors import UsageError
from hanpon.contracts.reports import Status
from tests.adapters.vertex_releases import Releases
from tests.adapters.vertex_world import ROOT, Fuse, Killed, World, world
from tests.cloud.discovery_engine.callers import member

SHOP = Edition(Kind.API, "shop", "v1")
WIDE, NARROW = "group:a@x, group:b@x", "group:b@x"
AUDITORS = {"": None, "all": member("auditor", "a@x", "b@x"), "some": member("auditor", "a@x"), "none": member("x")}


@pytest.fixture(params=["filtered", "enforced"])
def made(request: pytest.FixtureRequest) -> Iterator[World]:
    with world(access=request.param == "enforced") as new:
        new.project.state.tokens = {name: caller for name, caller in AUDITORS.items() if caller}
        yield new


@pytest.fixture
def desk(made: World, tmp_path: Path) -> Releases:
    desk = Releases(tmp_path / "bundle", made)
    desk.write("/a", "/b", readers=WIDE)
    return desk


def stored(made: World) -> dict[str, set[str]]:
    """The readers of every document that is there, as the store has them."""
    shown = made.project.state.stores["docs"].shown(made.clock())
    if not made.access:
        return {held.id: set(held.latest.struct["groups"]) for held in shown}
    return {
        held.id: {f"group:{name}" for reader in held.latest.readers for _, name in reader.principals}
        for held in shown
    }


def served(made: World) -> dict[str, set[str]]:
    """The readers of every document of the current manifest."""
    pointer = json.loads(made.objects.held[f"{ROOT}api/shop/v1/current.json"])
    manifest = json.loads(made.objects.held[f"{ROOT}api/shop/v1/manifests/{pointer['manifest'][:16]}.json"])
    return {each["id"]: set(each["readers"]) for each in manifest["documents"]}


def whole(made: World, desk: Releases) -> None:
    """What is published is there, nothing else is, and nobody is owed anything."""
    assert stored(made) == served(made)
    shown = made.project.state.stores["docs"].shown(made.clock())
    pages = {held.latest.body.uri.removeprefix(ROOT) for held in shown if held.latest.body}
    pointer = json.loads(made.objects.held[f"{ROOT}api/shop/v1/current.json"])
    manifest = json.loads(made.objects.held[f"{ROOT}api/shop/v1/manifests/{pointer['manifest'][:16]}.json"])
    assert pages == {each["key"] for each in manifest["documents"]}
    assert not [uri for uri in made.objects.held if "/imports/" in uri]
    assert desk.check().exit_code == 0
    assert desk.release().status is Status.UNCHANGED


def test_a_release_fills_the_store_and_an_unchanged_one_imports_nothing(made: World, desk: Releases) -> None:
    report = desk.release()
    assert (report.status, report.counts.added, report.exit_code) == (Status.PUBLISHED, 2, 0)
    whole(made, desk)
    made.calls.clear()
    desk.release()
    assert {"ImportDocuments", "PurgeDocuments"}.isdisjoint(made.calls)


@pytest.mark.parametrize("auditor", AUDITORS)
def test_a_change_of_every_kind_arrives_whatever_the_auditor_sees(made: World, desk: Releases, auditor: str) -> None:
    desk.release(auditor=auditor)
    for paths, fields in (
        (["/a", "/b", "/c"], {}),
        (["/a", "/c"], {}),
        (["/a", "/c"], {"summary": "Does more"}),
        (["/a", "/c"], {"readers": NARROW, "summary": "Does more"}),
        (["/a", "/c"], {"readers": WIDE, "summary": "Does more"}),
    ):
        desk.write(*paths, **{"readers": WIDE, **fields})
        assert desk.release(auditor=auditor).status is Status.PUBLISHED
        whole(made, desk)


@pytest.mark.parametrize(("auditor", "unseen"), [("", 2), ("all", 0), ("some", 0), ("none", 2)])
def test_what_the_auditor_does_not_see_is_told(tmp_path: Path, auditor: str, unseen: int) -> None:
    with world(access=True) as made:
        made.project.state.tokens = {name: caller for name, caller in AUDITORS.items() if caller}
        desk = Releases(tmp_path / "bundle", made)
        desk.write("/a", "/b", readers=WIDE)
        desk.release(auditor=auditor)
        assert len(made.open(auditor=auditor).unseen(SHOP)) == unseen
        assert len(made.open(auditor=auditor).rows(SHOP)) == 2


def test_an_auditor_sees_what_somebody_changed_in_the_store(tmp_path: Path) -> None:
    with world(access=True) as made:
        made.project.state.tokens = {name: caller for name, caller in AUDITORS.items() if caller}
        desk = Releases(tmp_path / "bundle", made)
        desk.write("/a", "/b", readers=WIDE)
        desk.release()
        held = next(iter(made.project.state.stores["docs"].documents.values()))
        held.latest.struct["owner"] = "somebody"
        assert desk.check(auditor="all").exit_code == 1
        assert desk.release(auditor="all").status is Status.PUBLISHED
        assert desk.check(auditor="all").exit_code == 0


def test_readers_lose_access_though_the_release_is_refused(made: World, desk: Releases) -> None:
    desk.release()
    desk.write("/a", "/b", readers=NARROW)
    desk.spoil()
    assert desk.release().status is Status.FAILED
    assert set(map(frozenset, stored(made).values())) == {frozenset({NARROW})}
    made.calls.clear()
    assert desk.check().exit_code == 0
    assert all(each.written == 0 for each in desk.rebuild().editions)
    desk.write("/a", "/b", readers=WIDE)
    assert desk.release().status is Status.PUBLISHED
    whole(made, desk)


def test_nobody_may_read_what_lost_its_last_reader(made: World, desk: Releases) -> None:
    desk.release()
    desk.write("/a", "/b", readers="group:c@x")
    desk.spoil()
    assert desk.release().status is Status.FAILED
    assert stored(made) == {}
    assert desk.check().exit_code == 0
    assert all(each.written == 0 for each in desk.rebuild().editions)
    desk.write("/a", "/b", readers="group:c@x")
    assert desk.release().status is Status.PUBLISHED
    whole(made, desk)


def test_what_nobody_may_read_any_more_can_go_in_the_same_release(made: World, desk: Releases) -> None:
    desk.release()
    desk.write("/a", "/c", readers="group:c@x")
    assert desk.release().status is Status.PUBLISHED
    whole(made, desk)


def test_an_empty_store_is_filled_from_what_is_published(made: World, desk: Releases) -> None:
    desk.release()
    made.project.state.stores["docs"].documents.clear()
    if made.access:  # nobody can tell but by its name; a new store has another
        made.notes.clear()
    [edition] = desk.rebuild().editions
    assert edition.written == 2
    whole(made, desk)


def test_a_withdrawn_edition_is_gone(made: World, desk: Releases) -> None:
    desk.release()
    desk.withdraw()
    assert stored(made) == {}
    assert made.open().editions() == []
    with pytest.raises(UsageError):
        desk.withdraw()


BEFORE = ("/a", "/b", "/c")
AFTER = ("/b", "/c", "/d")
STEPS = 40
"""More than a release takes; every fifth is tried here, each of a change in test_vertex_faults.py."""


def refuse(desk: Releases) -> None:
    desk.write(*BEFORE, readers=NARROW)
    desk.spoil()


CHANGES: dict[str, Callable[[Releases], None]] = {
    "another definition": lambda desk: desk.write(*AFTER, readers=WIDE),
    "other readers": lambda desk: desk.write(*AFTER, readers=NARROW),
    "a refusal": refuse,
}


@pytest.mark.parametrize("then", ["again", "back"])
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("step", range(1, STEPS, 5))
def test_a_release_that_is_killed_is_finished_or_taken_back_by_the_next(
    made: World, desk: Releases, step: int, change: str, then: str
) -> None:
    made.conduct.operation_polls = 1
    desk.write(*BEFORE, readers=WIDE)
    desk.release()
    before = served(made)
    CHANGES[change](desk)
    with contextlib.suppress(Killed):
        desk.release(fuse=Fuse(step, after=step % 2 == 0))
    assert served(made) == before or served(made) == stored(made)
    if then == "back":
        desk.write(*BEFORE, readers=WIDE)
    elif change == "a refusal":
        desk.write(*BEFORE, readers=NARROW)
    desk.release()
    whole(made, desk)


@pytest.mark.parametrize("step", range(2, 24, 3))
def test_a_first_release_that_is_killed_leaves_nothing_that_the_next_does_not_want(
    made: World, desk: Releases, step: int
) -> None:
    made.conduct.operation_polls = 1
    with contextlib.suppress(Killed):
        desk.release(fuse=Fuse(step, after=step % 2 == 1))
    desk.write("/z", readers=NARROW)
    desk.release()
    whole(made, desk)


@pytest.mark.parametrize("step", range(1, 13))
def test_a_withdrawal_that_is_killed_is_finished_by_the_next(made: World, desk: Releases, step: int) -> None:
    desk.release()
    with contextlib.suppress(Killed):
        desk.withdraw(fuse=Fuse(step, after=step % 2 == 0))
    with contextlib.suppress(UsageError):
        desk.withdraw()
    assert stored(made) == {}
    assert not [uri for uri in made.objects.held if "/api/" in uri or "/imports/" in uri]
