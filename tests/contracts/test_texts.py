"""Texts, pointers and digests: the small functions that everything else stands on."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.contracts.definitions import Node
from hanpon.contracts.digests import canonical_json, digest_of_json, short
from hanpon.contracts.pointers import pointer_of, steps_of
from hanpon.contracts.texts import bounded, clean

ANY_TEXT = st.text(st.characters())
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.text(st.characters(codec=None)) | st.just("a\r\nb\x00\ud800"))
def test_a_clean_text_can_stand_in_any_page_and_is_clean_for_good(text: str) -> None:
    once = clean(text)
    once.encode()
    assert not any(character < " " and character not in "\n\t" for character in once)
    assert clean(once) == once


@given(ANY_TEXT, st.integers(1, 30))
def test_a_bounded_text_is_whole_or_its_beginning(text: str, longest: int) -> None:
    shown = bounded(text, longest)
    assert len(shown) <= longest
    assert shown == text or (shown.endswith("…") and text.startswith(shown[:-1]))


def test_a_text_is_cut_between_words_where_one_ends_nearby() -> None:
    assert bounded("one two three", 10) == "one two…"
    assert bounded("onetwothreefour x", 10) == "onetwothr…"


@given(st.lists(ANY_TEXT | st.integers(0, 99), max_size=4))
def test_a_pointer_leads_back_to_its_steps(steps: list[str | int]) -> None:
    assert steps_of(pointer_of(steps)) == [str(step) for step in steps]


def test_a_node_says_where_it_stands_as_pointers_do() -> None:
    node = Node("a.yaml", "", {"paths": {"/x~y": [{"get": 1}]}})
    found = node.child("paths").child("/x~y").child(0)
    assert (found.pointer, found.value) == (pointer_of(["paths", "/x~y", 0]), {"get": 1})
    assert found.identity == "a.yaml#/paths/~1x~0y/0"


@given(VALUES)
def test_a_value_has_one_spelling(value: object) -> None:
    spelled = canonical_json(value)
    assert json.loads(spelled) == value
    assert canonical_json(json.loads(spelled)) == spelled


def test_a_digest_that_was_taken_once_is_taken_for_ever() -> None:
    digest = digest_of_json({"b": [1, "é"], "a": None})
    assert (
        digest
        == digest_of_json({"a": None, "b": [1, "é"]})
        == "f8f17faab95c024891d173fa43442b0e52007736a1f36715ac721ab22deeefc5"
    )
    assert digest.startswith(short(digest))
    assert len(short(digest)) == 16


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_json_has_no_word_for_has_no_digest(value: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical_json([value])
