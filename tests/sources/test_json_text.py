"""JSON read as the standard library reads it, and nothing repeated in it passes."""

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hanpon.contracts.errors import InvalidInput
from hanpon.sources.texts.json_text import NotJson, parse_json

TEXTS = st.text('ab"\\:{},\n é', max_size=4) | st.sampled_from(['":', ": x", "a\\", '\\":', "\\\\", '" :'])
BLANKS = st.sampled_from(["", " ", "\n", "\r\n\t"])


@st.composite
def written_objects(draw: st.DrawFn, depth: int = 4) -> str:
    """A JSON object as text, in which keys may be repeated."""
    members = []
    for key in draw(st.lists(TEXTS, max_size=3)):
        inner = written_objects(depth - 1) if depth else st.nothing()
        value = draw(TEXTS.map(json.dumps) | st.sampled_from(["1", "2.5e3", "null", "[]", "[{}]"]) | inner)
        blanks = [draw(BLANKS) for _ in range(4)]
        members.append(f"{blanks[0]}{json.dumps(key)}{blanks[1]}:{blanks[2]}{value}{blanks[3]}")
    return "{" + ",".join(members) + "}"


def is_repetitive(text: str) -> bool:
    counts: list[bool] = []

    def mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        counts.append(len(dict(pairs)) != len(pairs))
        return dict(pairs)

    json.loads(text, object_pairs_hook=mapping)
    return any(counts)


@settings(deadline=None, max_examples=300)
@example('{"a" : ": x", "a": 1}')
@example('{"a\\\\": 1, "b": ": x", "a\\\\": 2}')
@example('{"a" : 1, "b": ": x", "a" : 2}')
@given(written_objects())
def test_a_key_is_refused_exactly_where_its_object_has_it_already(text: str) -> None:
    if is_repetitive(text):
        with pytest.raises(InvalidInput) as refused:
            parse_json(text, "a.json")
        assert {problem.rule for problem in refused.value.problems} == {"duplicate-key"}
    else:
        assert parse_json(text, "a.json") == json.loads(text)


@settings(deadline=None, max_examples=300)
@given(written_objects(), st.integers(0, 200), st.sampled_from(["", ",", "}", "{", '"', ":", "x", "\x00", "\u3000"]))
def test_what_is_no_json_is_refused_with_the_place_that_the_standard_library_names(
    text: str, place: int, mark: str
) -> None:
    damaged = text[: place % len(text)] + mark + text[place % len(text) + 1 :]
    fault = fault_of(damaged)
    if fault is None:
        assert is_repetitive(damaged) or parse_json(damaged, "a.json") == json.loads(damaged)
        return
    with pytest.raises(NotJson) as refused:
        parse_json(damaged, "a.json")
    (problem,) = refused.value.problems
    assert problem.where.line == fault.lineno
    assert f"column {fault.colno}" in problem.message


def fault_of(text: str) -> json.JSONDecodeError | None:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error
    return None
