"""Two readings of the filter grammar, hanpon's and the double's, made apart: where they differ, one has slipped."""

import re

from hypothesis import assume, given
from hypothesis import strategies as st

from hanpon.contracts.errors import UsageError
from hanpon.contracts.filters import NUMBER_FIELDS, TEXT_FIELDS
from hanpon.search.filters import filter_text, matches, parse_filter
from tests.cloud.discovery_engine.filters import parse
from tests.cloud.discovery_engine.messages import Json
from tests.cloud.discovery_engine.refusals import Refused
from tests.cloud.discovery_engine.stores import Version

LOOSE = re.compile(r"(?<!\d)\.\d|\d\.(?!\d)|\+\d|\de[-+]?\d|\S(?:AND|OR|NOT)\b|\b(?:AND|OR|NOT)\S")
"""`.5`, `5.`, `+5`, `1e5`, `)AND`, `NOT(`: hanpon takes them, the service may not; `filter_text` mends them."""
FIELDS = dict.fromkeys(TEXT_FIELDS, "string") | dict.fromkeys(NUMBER_FIELDS, "number")

words = st.sampled_from(
    [
        "(", ")", ",", "*", "-", ":", "=", "<", ">=", "!=", "AND", "OR", "NOT", "ANY", "IN", "and", "api", "tags",
        "version_rank", "unknown", '"a"', '""', '"\\""', '"\\\\"', "'a'", "1", "2i", "1e", "1.5", "-3", "1e5", "+1",
    ]
)  # fmt: skip
joints = st.sampled_from([" AND ", " OR "])
texts = st.sampled_from(['"a"', '"b"', '""', '"\\""', '"a b"'])
numbers = st.sampled_from(["1", "2", "-3", "1.5", "10"])
bounds = st.one_of(numbers, numbers.map("{}i".format), numbers.map("{}e".format), st.just("*"))
atoms = st.one_of(
    st.builds("{}: ANY({})".format, st.sampled_from(["api", "tags"]), st.lists(texts, min_size=1).map(", ".join)),
    st.builds("version_rank {} {}".format, st.sampled_from(["<", "<=", ">", ">=", "="]), numbers),
    st.builds("version_rank: IN({}, {})".format, bounds, bounds),
)
chains = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.builds(lambda joint, parts: joint.join(parts), joints, st.lists(inner, min_size=2)),
        inner.map("({})".format),
        inner.map("NOT {}".format),
        inner.map("-{}".format),
    ),
    max_leaves=6,
)
slips = st.sampled_from(["", " ", "(", ")", '"', ",", "-", "e", "NOT ", "=", "\\", "\t"])
metadata = st.fixed_dictionaries(
    {
        "api": st.sampled_from(["a", "b", "", '"', "a b"]),
        "tags": st.lists(st.sampled_from(["a", "b"]), min_size=1),
        "version_rank": st.sampled_from([1, 2, -3, 1.5, 7]),
    }
)


def held(struct: Json) -> Version:
    return Version(struct, False, None, {}, (), frozenset(FIELDS), 0, 0)


def same(text: str, struct: Json) -> None:
    """What hanpon takes, the double takes, and both mean the same; so do they of what hanpon writes of it."""
    try:
        tree = parse_filter(text)
    except UsageError:
        assume(False)
    as_written = [] if LOOSE.search(text) else [text]
    for written in (*as_written, filter_text(tree)):
        assert parse(written, FIELDS, not_finds_missing=False)(held(struct)) == matches(tree, struct)


@given(chains, metadata)
def test_what_hanpon_takes_the_service_takes_and_means_the_same(text: str, struct: Json) -> None:
    same(text, struct)


@given(st.lists(words, max_size=12).map(" ".join), metadata)
def test_no_heap_of_words_is_taken_by_hanpon_alone(text: str, struct: Json) -> None:
    try:
        parse_filter(text)
    except UsageError:
        return
    same(text, struct)


@given(chains, st.integers(0, 200), slips, metadata)
def test_a_slip_in_a_filter_is_not_let_through_by_hanpon_alone(text: str, at: int, slip: str, struct: Json) -> None:
    at %= len(text)
    changed = text[:at] + slip + text[at + (0 if slip else 1) :]
    try:
        parse_filter(changed)
    except UsageError:
        return
    same(changed, struct)


@given(chains, metadata)
def test_what_hanpon_refuses_of_sound_conditions_the_service_refuses_too(text: str, struct: Json) -> None:
    try:
        parse(text, FIELDS, not_finds_missing=False)
    except Refused:
        return
    same(text, struct)
