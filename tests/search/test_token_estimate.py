"""The estimate of tokens: what it counts, and that it adds up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.search.token_estimate import ESTIMATE_ERROR, estimated_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("abcd", 1),
        ("abcde", 2),
        ("顧客", 2),
        ("顧客API", 3),
        ("한국어", 3),
        ("é" * 4, 2),
        ("、。", 2),
    ],
)
def test_a_text_comes_to(text: str, tokens: int) -> None:
    assert estimated_tokens(text) == tokens


@given(st.text(), st.text())
def test_parts_never_come_to_less_than_the_whole_and_hardly_to_more(one: str, other: str) -> None:
    whole, parts = estimated_tokens(one + other), estimated_tokens(one) + estimated_tokens(other)
    assert whole <= parts <= whole + 1


def test_a_lone_surrogate_is_counted() -> None:
    assert estimated_tokens("\udcff\udcff") == 1


def test_the_error_is_a_share() -> None:
    assert 0 < ESTIMATE_ERROR < 1
