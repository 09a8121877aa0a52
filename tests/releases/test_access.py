"""Readers are taken away by what rows and manifests say, and never given."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.contracts.manifests import Entry, Row
from hanpon.releases.access import narrowed_further, narrowed_readers, narrowings, readers_gained, served
from tests.editions import ENGINEERS, document


def test_rows_that_someone_may_see_no_longer_are_narrowed_whatever_the_manifest_says() -> None:
    rows = {
        "wide": Row("k", "c", "m", ("group:crm@example.co.jp", *ENGINEERS), "a.md"),
        "open": Row("k", "c", "m", ("all",), "a.md"),
        "right": Row("k", "c", "m", ENGINEERS, "a.md"),
        "uncovered": Row("k", "c", "m", ENGINEERS, "b.md"),
    }
    readers = {"a.md": ENGINEERS}
    found = narrowings(rows, lambda file: readers.get(file, ()))
    assert found == {"wide": ENGINEERS, "open": ENGINEERS, "uncovered": ()}


def test_readers_who_only_gain_access_are_not_narrowed() -> None:
    assert (
        narrowings({"a": Row("k", "c", "m", ENGINEERS, "")}, lambda _: ("group:crm@example.co.jp", *ENGINEERS)) == {}
    )


READERS = st.lists(st.sampled_from(["all", "group:a@x", "group:b@x", "user:c@x"]), unique=True).map(sorted).map(tuple)


@given(READERS, READERS)
def test_narrowing_never_lets_in_anyone_who_was_not_in_before_or_is_not_in_after(
    before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    between = narrowed_readers(before, after)
    for reader in ("group:a@x", "group:b@x", "user:c@x", "user:other@x"):
        if reader in between or "all" in between:
            assert reader in before or "all" in before
            assert reader in after or "all" in after


def test_a_row_of_which_it_is_not_known_who_may_see_it_is_left_as_it_is() -> None:
    assert narrowings({"a": Row("k", "c", "m", ENGINEERS, "a.md")}, lambda _: None) == {}


ENTRIES = st.dictionaries(st.sampled_from(["GET /a", "GET /b"]), READERS, min_size=1).map(
    lambda readers: [Entry.of(document(section, readers=kept)) for section, kept in readers.items()]
)
WISHES = st.dictionaries(
    st.sampled_from(["openapi.yaml#/paths/GET /a", "openapi.yaml#/paths/GET /b"]), READERS | st.none()
)


@given(ENTRIES, st.lists(WISHES, max_size=3))
def test_what_several_refused_releases_leave_is_what_each_of_them_allows(
    entries: list[Entry], wishes: list[Mapping[str, tuple[str, ...] | None]]
) -> None:
    narrowed: Mapping[str, tuple[str, ...]] = {}
    for wish in wishes:
        narrowed = narrowed_further(narrowed, entries, wish.get)
        assert narrowed_further(narrowed, entries, wish.get) == narrowed
    for before, now in zip(entries, served(entries, narrowed), strict=True):
        kept = before.readers
        for wish in wishes:
            wanted = wish.get(before.row.source)
            kept = kept if wanted is None else narrowed_readers(kept, wanted)
        assert now == before.with_readers(kept)
        assert now.row == Row(now.key, now.content_digest, now.metadata_digest, kept, before.row.source)
        assert now.metadata["groups"] == list(kept) or now == before


def seen_by(readers: tuple[str, ...]) -> set[str]:
    everyone = {"group:a@x", "group:b@x", "user:c@x", "user:other@x"}
    return everyone if "all" in readers else everyone & set(readers)


@given(ENTRIES, st.dictionaries(st.integers(0, 3), READERS))
def test_whatever_a_pointer_keeps_nobody_is_served_what_the_manifest_does_not_give_them(
    entries: list[Entry], left: Mapping[int, tuple[str, ...]]
) -> None:
    narrowed = {entries[index].id if index < len(entries) else "unheard-of": kept for index, kept in left.items()}
    for entry, now in zip(entries, served(entries, narrowed), strict=True):
        assert seen_by(now.readers) == seen_by(entry.readers) & seen_by(narrowed.get(entry.id, ("all",)))
        assert (now.id, now.key, now.content_digest) == (entry.id, entry.key, entry.content_digest)


@given(ENTRIES, WISHES)
def test_rows_that_were_narrowed_are_seen_by_whom_both_allow_and_need_no_narrowing_again(
    entries: list[Entry], wishes: Mapping[str, tuple[str, ...] | None]
) -> None:
    rows = {entry.id: entry.row for entry in entries}
    found = narrowings(rows, wishes.get)
    after = {key: replace(row, readers=found.get(key, row.readers)) for key, row in rows.items()}
    for key, row in rows.items():
        wanted = wishes.get(row.source)
        assert seen_by(after[key].readers) == seen_by(row.readers) & seen_by(("all",) if wanted is None else wanted)
    assert narrowings(after, wishes.get) == {}


@pytest.mark.parametrize(
    ("before", "after", "gained"),
    [
        (("group:a",), ("group:a", "group:b"), ("group:b",)),
        (("group:a",), ("all",), ("all",)),
        (("all",), ("group:a",), ()),
        (("group:a", "group:b"), ("group:a",), ()),
    ],
)
def test_readers_are_gained_who_could_not_read_before(
    before: tuple[str, ...], after: tuple[str, ...], gained: tuple[str, ...]
) -> None:
    assert readers_gained(before, after) == gained
