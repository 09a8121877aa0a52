"""Laws of plans: whatever is there, carrying one out leads to the target, from wherever it was cut short."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TypeVar

from hypothesis import given
from hypothesis import strategies as st

from hanpon.contracts.documents import Document
from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.manifests import Manifest, Row
from hanpon.contracts.publications import Pointer
from hanpon.releases.plan import Found, Plan, plan_edition
from hanpon.releases.retention import next_pointer, sweepable
from tests.editions import document, edition_of

T = TypeVar("T")

EDITION = Edition(Kind.API, "manifests", "pages")
"""Called as folders of storage are, for an item may be."""

SECTIONS = [f"GET /{letter}" for letter in "abcdefghijkl"]
PAGES = st.tuples(
    st.sampled_from(["short", "a longer text", "another one"]),
    st.sampled_from([("group:a@x",), ("group:a@x", "group:b@x"), ("all",)]),
    st.sampled_from(["platform-team", "crm-team"]),
)
CONTENTS = st.dictionaries(st.sampled_from(SECTIONS), PAGES, max_size=len(SECTIONS)).map(
    lambda pages: [
        document(section, text, edition=EDITION, readers=readers, owner=owner)
        for section, (text, readers, owner) in pages.items()
    ]
)
KEPT = st.integers(1, 4)
DAMAGES: tuple[Callable[[Row], Row], ...] = (
    lambda row: replace(row, content=""),
    lambda row: replace(row, metadata=""),
    lambda row: replace(row, readers=("user:c@x",)),
)
LEFTOVER = f"{EDITION.folder}/manifests/{'0' * 16}.json"


def printed(contents: Sequence[Document]) -> Manifest:
    return edition_of(*contents, edition=EDITION).manifest


@dataclass
class Stores:
    """Storage and datastore as far as a plan knows them; `manifests` are all that were ever printed, by digest."""

    keep: int = 5
    pointer: Pointer | None = None
    objects: dict[str, int] = field(default_factory=dict)
    rows: dict[str, Row] = field(default_factory=dict)
    index_of: str = ""
    manifests: dict[str, Manifest] = field(default_factory=dict)

    def survey(self) -> Found:
        manifest = self.manifests[self.pointer.manifest] if self.pointer else None
        whole = manifest is not None and self.objects.get(manifest.key) == len(manifest.content)
        return Found(
            pointer=self.pointer,
            manifest=manifest if whole else None,
            damaged=manifest is not None and not whole,
            objects=dict(self.objects),
            rows=dict(self.rows),
            index_of=self.index_of,
        )

    def plan(self, manifest: Manifest) -> Plan:
        self.manifests[manifest.digest] = manifest
        return plan_edition(manifest, self.survey())

    def release(self, manifest: Manifest, writes: int | None = None) -> Plan:
        """Carry out a plan, or so many of its writes, after which the run is killed."""
        plan = self.plan(manifest)
        for done, _ in enumerate(self._writes(plan)):
            if done == writes:
                break
        return plan

    def _writes(self, plan: Plan) -> Iterator[None]:
        """In the order of `runs/publishing.py`; each step waits to be asked for."""
        for key in plan.create:
            yield
            self.objects[key] = plan.target.objects[key]
        if plan.upsert or plan.remove:
            yield
            self.rows |= {entry.id: entry.row for entry in plan.upsert}
            self.rows = {key: row for key, row in self.rows.items() if key not in plan.remove}
        if plan.moves_pointer:
            yield
            self.pointer = next_pointer(
                self.pointer, plan.target, published_at="", run="", origin="o", ref="", keep=self.keep
            )
        if plan.sweeps:
            for key in sweepable(EDITION, self.objects, self.kept()):
                yield
                del self.objects[key]
        if plan.renews_index:
            yield
            self.index_of = plan.target.digest
        yield

    def kept(self) -> list[Manifest]:
        if self.pointer is None:
            return []
        named = [self.manifests[digest] for digest in (self.pointer.manifest, *self.pointer.previous)]
        return [manifest for manifest in named if manifest.key in self.objects]

    def state(self) -> object:
        return (self.pointer, self.objects, self.rows, self.index_of)


@st.composite
def damaged_stores(draw: st.DrawFn) -> Stores:
    """What some releases left, after which anything happened to objects, rows and the index page."""
    stores = Stores(keep=draw(KEPT))
    for contents in draw(st.lists(CONTENTS, max_size=3)):
        stores.release(printed(contents))
    for key in draw(st.lists(st.sampled_from(sorted(stores.objects)), max_size=4)) if stores.objects else []:
        fate = draw(st.sampled_from(["gone", "cut short"]))
        if fate == "gone":
            stores.objects.pop(key, None)
        else:
            stores.objects[key] = 1
    for key in draw(st.lists(st.sampled_from(sorted(stores.rows)), max_size=4)) if stores.rows else []:
        row = stores.rows.pop(key, None)
        if row is not None and (damage := draw(st.sampled_from([None, *DAMAGES]))):
            stores.rows[key] = damage(row)
    if draw(st.booleans()):
        stores.rows["api-customer-v1-unheard-of"] = Row("k", "c", "m", ("all",), "")
    if draw(st.booleans()):
        stores.objects[LEFTOVER] = 7
    if draw(st.booleans()):
        stores.index_of = ""
    return stores


@given(damaged_stores(), CONTENTS)
def test_carrying_out_a_plan_leads_to_the_target_and_leaves_nothing_to_do(
    stores: Stores, contents: list[Document]
) -> None:
    manifest = printed(contents)
    target = stores.release(manifest).target
    assert target.says_the_same_as(manifest)
    assert stores.rows == {entry.id: entry.row for entry in manifest.entries}
    assert stores.pointer is not None
    assert stores.pointer.manifest == stores.index_of == target.digest
    assert target.objects.items() <= stores.objects.items()
    again = stores.plan(manifest)
    assert again.nothing_to_do
    assert again.counts.unchanged == again.counts.documents == len(contents)
    assert (again.counts.removed, again.changes) == (0, {})


@given(damaged_stores(), CONTENTS)
def test_a_plan_writes_nothing_that_is_right_already(stores: Stores, contents: list[Document]) -> None:
    plan, current = stores.plan(printed(contents)), stores.survey().manifest
    vouched = current.objects if current else {}
    assert all(stores.objects.get(key) != plan.target.objects[key] for key in plan.create if key in vouched)
    assert all(stores.rows.get(entry.id) != entry.row for entry in plan.upsert)
    assert set(plan.remove) <= stores.rows.keys() - {entry.id for entry in plan.target.entries}


@given(damaged_stores(), CONTENTS)
def test_counts_add_up_and_each_document_counts_once(stores: Stores, contents: list[Document]) -> None:
    plan = stores.plan(printed(contents))
    counts, before = plan.counts, stores.survey().manifest
    assert counts.documents == len(contents)
    assert counts.failed == 0
    assert {change: len(affected) for change, affected in plan.changes.items()} == {
        change: number
        for change in ("added", "changed", "access_changed", "metadata_changed", "removed")
        if (number := getattr(counts, change))
    }
    listed = [affected.id for change in plan.changes.values() for affected in change]
    assert len(listed) == len(set(listed))
    if before is not None:
        former, now = {entry.id for entry in before.entries}, {each.id for each in contents}
        assert (plan.before, counts.removed, counts.added) == (len(former), len(former - now), len(now - former))


@given(damaged_stores(), CONTENTS, st.randoms(use_true_random=False))
def test_the_order_of_documents_objects_and_rows_never_matters(
    stores: Stores, contents: list[Document], chance: Random
) -> None:
    def shuffled(values: Mapping[str, T]) -> dict[str, T]:
        items = list(values.items())
        chance.shuffle(items)
        return dict(items)

    found = stores.survey()
    plan = plan_edition(printed(contents), found)
    chance.shuffle(contents)
    other = replace(found, objects=shuffled(found.objects), rows=shuffled(found.rows))
    assert plan_edition(printed(contents), other) == plan


@given(damaged_stores(), CONTENTS, st.integers(0, 40))
def test_a_run_that_was_cut_short_anywhere_is_finished_by_the_next(
    stores: Stores, contents: list[Document], writes: int
) -> None:
    manifest = printed(contents)
    undisturbed = replace(stores, objects=dict(stores.objects), rows=dict(stores.rows))
    undisturbed.release(manifest)
    stores.release(manifest, writes)
    stores.release(manifest)
    assert stores.state() == undisturbed.state()


@given(KEPT, st.lists(st.tuples(CONTENTS, st.integers(0, 40) | st.none()), min_size=1, max_size=6))
def test_whatever_was_cut_short_the_kept_publications_stay_whole_and_nothing_else_stays(
    keep: int, releases: list[tuple[list[Document], int | None]]
) -> None:
    stores = Stores(keep=keep)
    for contents, writes in releases:
        stores.release(printed(contents), writes)
        for manifest in stores.kept():
            assert manifest.objects.items() <= stores.objects.items()
    stores.release(printed(releases[-1][0]))
    kept = stores.kept()
    assert stores.pointer is not None
    assert len(kept) == 1 + len(stores.pointer.previous) <= keep
    assert stores.objects == {key: size for manifest in kept for key, size in manifest.objects.items()}
