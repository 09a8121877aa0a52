"""Which bundle may release an edition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.contracts.findings import Place
from hanpon.contracts.publications import Pointer
from hanpon.releases.origin import foreign_origin, older_ref

ITEM = Place("hanpon.yaml", "/items/0", 5)
TAGS = st.from_regex(r"(release/|shop-)?v?[0-9]{1,3}(\.[0-9]{1,3}){0,2}(-rc\.[0-9])?", fullmatch=True)


def pointer(ref: str = "", origin: str = "https://git.example/a") -> Pointer:
    return Pointer(manifest="0" * 64, published_at="", run="r", origin=origin, ref=ref)


def test_an_edition_is_refused_to_any_bundle_but_the_one_that_published_it() -> None:
    assert foreign_origin(None, "anywhere", ITEM) is None
    assert foreign_origin(pointer(), "https://git.example/a", ITEM) is None
    found = foreign_origin(pointer(), "folder:/copy", ITEM)
    assert found is not None
    assert (found.rule, found.where) == ("foreign-origin", ITEM)
    assert "https://git.example/a" in found.message
    assert "folder:/copy" in found.message


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("v2", "v1"),
        ("v10.0", "v9"),
        ("release/1.1", "release/1.0.9"),
        ("v1.0", "v1.0-rc.1"),
        ("2026-01-02", "2026-01-01"),
    ],
)
def test_a_tag_that_is_older_is_refused(before: str, after: str) -> None:
    found = older_ref(pointer(before), after, ITEM)
    assert found is not None
    assert (found.rule, before in found.message, after in found.message) == ("older-ref", True, True)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("v1", "v1"),
        ("v1", "v1.0"),
        ("shop-v2", "v1"),
        ("v2", ""),
        ("", "v1"),
        ("main", "v1"),
        ("v2", "0" * 40),
        ("9" * 40, "v1"),
        ("a" * 64, "v1"),
    ],
)
def test_refs_without_an_order_between_them_are_let_through(before: str, after: str) -> None:
    assert older_ref(pointer(before), after, ITEM) is None
    assert older_ref(None, after, ITEM) is None


@given(TAGS, TAGS)
def test_of_two_tags_one_may_always_follow_the_other(one: str, other: str) -> None:
    refused = [older_ref(pointer(one), other, ITEM), older_ref(pointer(other), one, ITEM)]
    assert None in refused
