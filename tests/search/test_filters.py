"""The filter grammar: what the service takes is read, what it refuses is refused in words, and what a tree means."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.contracts.errors import UsageError
from hanpon.contracts.filters import (
    NUMBER_FIELDS,
    TEXT_FIELDS,
    And,
    AnyOf,
    Bound,
    Compared,
    Filter,
    Not,
    Or,
    Within,
)
from hanpon.search.filter_grammar import MAX_LEVELS, MAX_VALUES
from hanpon.search.filter_trees import all_of, any_of
from hanpon.search.filters import MAX_LENGTH, filter_text, matches, parse_filter

A = AnyOf("api", ("a",))
B = AnyOf("owner", ("b",))
C = AnyOf("tags", ("c",))

TEXT_A, TEXT_B, TEXT_C = 'api: ANY("a")', 'owner: ANY("b")', 'tags: ANY("c")'

numbers = st.floats(allow_nan=False, allow_infinity=False).map(lambda number: number or 0.0)
bounds = st.none() | st.builds(Bound, numbers, st.booleans())
texts = st.lists(st.text(max_size=8), min_size=1, max_size=4).map(tuple)
atoms: st.SearchStrategy[Filter] = st.one_of(
    st.builds(AnyOf, st.sampled_from(TEXT_FIELDS), texts),
    st.builds(Within, st.sampled_from(NUMBER_FIELDS), bounds, bounds),
    st.builds(Compared, st.sampled_from(NUMBER_FIELDS), st.sampled_from(["<", "<=", ">", ">=", "="]), numbers),
)


def negatable(tree: Filter) -> Filter:
    return tree if isinstance(tree, And | Or) else Not(tree)


def joined(children: st.SearchStrategy[Filter]) -> st.SearchStrategy[Filter]:
    several = st.lists(children, min_size=2, max_size=4)
    return several.map(all_of) | several.map(any_of) | children.map(negatable)


trees: st.SearchStrategy[Filter] = st.recursive(atoms, joined, max_leaves=12)
metadata: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "api": st.sampled_from(["", "a", "A", "ab"]),
        "owner": st.sampled_from(["", "b"]),
        "tags": st.lists(st.sampled_from(["", "c", "a"]), max_size=2),
        "version_rank": st.integers(-3, 3),
    },
)


def refusal(text: str) -> str:
    with pytest.raises(UsageError) as caught:
        parse_filter(text)
    return str(caught.value)


@given(trees)
def test_a_tree_written_and_read_is_the_same_tree(tree: Filter) -> None:
    assert parse_filter(filter_text(tree)) == tree


@given(trees)
def test_needless_parentheses_and_blanks_leave_no_trace(tree: Filter) -> None:
    assert parse_filter(f"( (\n{filter_text(tree)}\t) )") == tree


@given(trees, metadata)
def test_a_tree_read_back_means_the_same(tree: Filter, document: dict[str, Any]) -> None:
    assert matches(parse_filter(filter_text(tree)), document) == matches(tree, document)


@given(trees, metadata)
def test_nobody_matches_a_condition_and_its_contrary(tree: Filter, document: dict[str, Any]) -> None:
    if not isinstance(tree, And | Or):
        assert matches(tree, document) != matches(Not(tree), document)


@given(st.text(alphabet=' \n"\\()-*:,.<>=!aANYINDORTi103eé漢"', max_size=60) | st.text())
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    try:
        tree = parse_filter(text)
    except UsageError:
        return
    assert parse_filter(filter_text(tree)) == tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        (TEXT_A, A),
        ('api:ANY("a","b")', AnyOf("api", ("a", "b"))),
        (f"{TEXT_A} AND {TEXT_B} AND {TEXT_C}", And((A, B, C))),
        (f"{TEXT_A} OR {TEXT_B} OR {TEXT_C}", Or((A, B, C))),
        (f"({TEXT_A} AND {TEXT_B}) OR {TEXT_C}", Or((And((A, B)), C))),
        (f"{TEXT_A} AND ({TEXT_B} OR {TEXT_C})", And((A, Or((B, C))))),
        (f"{TEXT_A} AND ({TEXT_B} AND {TEXT_C})", And((A, B, C))),
        (f"NOT {TEXT_A} AND {TEXT_B}", And((Not(A), B))),
        (f"-{TEXT_A}", Not(A)),
        (f"NOT ({TEXT_A})", Not(A)),
        (f"-(({TEXT_A}))", Not(A)),
        (f"NOT (NOT {TEXT_A})", Not(Not(A))),
        ('NOT api: ANY("x", "y")', Not(AnyOf("api", ("x", "y")))),
        ("NOT version_rank >= 5", Not(Compared("version_rank", ">=", 5))),
        ("version_rank = -5.50", Compared("version_rank", "=", -5.5)),
        ("version_rank<1e3", Compared("version_rank", "<", 1000)),
        ("version_rank: IN(1, 3)", Within("version_rank", Bound(1, inclusive=True), Bound(3, inclusive=False))),
        ("version_rank: IN(1e, 3i)", Within("version_rank", Bound(1, inclusive=False), Bound(3, inclusive=True))),
        ("version_rank: IN(*, 3)", Within("version_rank", None, Bound(3, inclusive=False))),
        ("version_rank: IN(*, *)", Within("version_rank", None, None)),
        (r'title: ANY("a \"b\" \\ c")', AnyOf("title", ('a "b" \\ c',))),
        ('title: ANY("")', AnyOf("title", ("",))),
        ('title: ANY("AND (OR")', AnyOf("title", ("AND (OR",))),
        ('api: ANY("顧客")', AnyOf("api", ("顧客",))),
    ],
)
def test_what_the_service_takes_is_read(text: str, tree: Filter) -> None:
    assert parse_filter(text) == tree


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        (" \n", "is empty"),
        (f"{TEXT_A} AND {TEXT_B} OR {TEXT_C}", "column 35: AND and OR stand side by side; put parentheses"),
        (f"NOT ({TEXT_A} OR {TEXT_B})", "write `NOT … AND NOT …` in place of `NOT (… OR …)`"),
        (f"NOT ({TEXT_A} AND {TEXT_B})", "NOT takes one condition"),
        (f"NOT NOT {TEXT_A}", "NOT stands twice"),
        (f"not {TEXT_A}", "expected NOT in capitals, found `not`"),
        (f"{TEXT_A} and {TEXT_B}", "expected AND in capitals, found `and`"),
        (f"{TEXT_A} Or {TEXT_B}", "expected OR in capitals, found `Or`"),
        ('api: any("a")', "expected ANY in capitals, found `any`"),
        ("version_rank: in(1, 2)", "expected IN in capitals"),
        (f"{TEXT_A} XOR {TEXT_B}", "expected AND or OR between two conditions, found `XOR`"),
        (f"{TEXT_A} {TEXT_B}", "write AND or OR between them"),
        (f"{TEXT_A} AND", "expected a condition such as"),
        (f"({TEXT_A}", "expected AND, OR or `)`, found the end"),
        (f"{TEXT_A})", "expected AND, OR or the end, found `)`"),
        ("api", "expected `:` or a comparison after the name of a field, found the end"),
        ("api:", "expected `ANY(…)` or `IN(…)`, found the end"),
        ("api: ANY", "expected `(` after `ANY`"),
        ("api: ANY()", "found none"),
        ('api: ANY("a"', "expected `,` or `)`, found the end"),
        ('api: ANY("a",)', "expected a text in double quotes or a number, found `)`"),
        ('api: ANY("a', 'column 10: the text that begins with `"` has no end'),
        ("api: ANY('a')", "expected a text in double quotes, found `'a'`"),
        ("api: ANY(a)", "expected a text in double quotes, found `a`"),
        ("api: ANY(“a”)", "straight double quotes"),
        ('api: "a"', 'write `api: ANY("a")`'),
        ("api: a", 'write `api: ANY("a")`'),
        (r'api: ANY("a\n")', r"expected `\"` or `\\`, found `\n`"),
        ('api = "a"', '`=` is for numbers; write `api: ANY("…")`'),
        ('api > "a"', "`>` is for numbers"),
        ('api != "a"', 'write `NOT api: ANY("…")`'),
        ('superseded = "true"', 'write `superseded: ANY("…")`'),
        ("api: IN(1, 2)", "`IN` is for numbers"),
        ('version_rank: ANY("1")', "`ANY` is for texts; write `version_rank = 3`"),
        ("version_rank: 3", "write `version_rank = 3`"),
        ("version_rank != 3", "write `NOT version_rank = …`"),
        ("version_rank == 3", "found `=`"),
        ('version_rank > "3"', "expected a number without quotes"),
        ("version_rank > 3i", "`i` and `e` stand in `IN(…)` alone; write `3`"),
        ("version_rank > 1e999", "is too large"),
        ("version_rank: IN(1)", "expected two ends"),
        ('version_rank: IN(1, "2")', "expected a number without quotes"),
        ('apis: ANY("a")', "there is no field `apis`; did you mean `api`? The fields are title, doc_type"),
        ('API: ANY("a")', "did you mean `api`?"),
        ('updated_at >= "2024-04-16"', "there is no field `updated_at`"),
        ('office: GEO_DISTANCE("Tokyo", 5000)', "no field holds a place"),
        ('GEO_DISTANCE("Tokyo", 5000)', "expected a condition"),
        ('api: CONTAINS("a")', "expected `ANY(…)` or `IN(…)`, found `CONTAINS`"),
        ("/v1", "expected something else than `/`"),
        (f"{TEXT_A}\nAND apis: ANY()", "line 2, column 5: there is no field `apis`"),
        ('api: ANY("\udcff")', "not UTF-8"),
    ],
)
def test_what_the_service_refuses_is_refused_in_words(text: str, words: str) -> None:
    assert words in refusal(text)


def test_the_fields_are_listed_where_one_is_unknown() -> None:
    message = refusal('no_such_field: ANY("a")')
    assert all(field in message for field in (*TEXT_FIELDS, *NUMBER_FIELDS))


def test_a_filter_that_is_too_long_is_refused_unread() -> None:
    assert "are the most" in refusal("(" * (MAX_LENGTH + 1))


def test_too_many_values_are_refused() -> None:
    values = ",".join(['"a"'] * MAX_VALUES)
    parse_filter(f"api: ANY({values})")
    assert "values at most" in refusal(f'api: ANY({values},"a")')


def test_parentheses_are_read_to_a_depth_and_refused_beyond() -> None:
    assert parse_filter("(" * MAX_LEVELS + TEXT_A + ")" * MAX_LEVELS) == A
    assert "inside one another" in refusal("(" * (MAX_LEVELS + 1) + TEXT_A + ")" * (MAX_LEVELS + 1))
    chain = TEXT_A
    for _ in range(MAX_LEVELS + 1):
        chain = f"({TEXT_B} AND ({chain} OR {TEXT_C}))"
    assert "inside one another" in refusal(chain)


@pytest.mark.parametrize("text", ["(" * 99_000, "-" * 99_000, "NOT " * 24_000, '"' * 99_000, "a:" * 49_000])
def test_hostile_texts_are_refused_without_recursion(text: str) -> None:
    assert refusal(text)


def test_numbers_are_written_without_exponent_and_ranges_say_what_is_in_them() -> None:
    assert filter_text(Compared("version_rank", ">", 1e22)) == "version_rank > 1" + "0" * 22
    tree = Within("version_rank", Bound(1e-7, inclusive=True), Bound(3, inclusive=False))
    assert filter_text(tree) == "version_rank: IN(0.0000001i, 3e)"


def test_an_and_within_an_or_is_written_in_parentheses() -> None:
    assert filter_text(Or((And((A, B)), C))) == f"({TEXT_A} AND {TEXT_B}) OR {TEXT_C}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('api: ANY("customer")', True),
        ('api: ANY("Customer")', False),
        ('api: ANY("cust")', False),
        ('api: ANY("x", "customer")', True),
        ('tags: ANY("billing")', True),
        ('tags: ANY("crm, billing")', False),
        ('NOT tags: ANY("billing")', False),
        ('method: ANY("")', False),
        ('NOT method: ANY("")', True),
        ('path: ANY("/v1")', False),
        ('NOT path: ANY("/v1")', True),
        ("version_rank = 3", True),
        ("version_rank > 3", False),
        ("version_rank >= 3", True),
        ("version_rank < 3", False),
        ("version_rank <= 3", True),
        ("version_rank: IN(3, 4)", True),
        ("version_rank: IN(2, 3)", False),
        ("version_rank: IN(2, 3i)", True),
        ("version_rank: IN(3e, 4)", False),
        ("version_rank: IN(*, *)", True),
        ('api: ANY("customer") AND version_rank = 3', True),
        ('api: ANY("x") OR NOT version_rank = 4', True),
    ],
)
def test_a_filter_means(text: str, *, found: bool) -> None:
    document = {"api": "customer", "tags": ["crm", "billing"], "method": "", "version_rank": 3}
    assert matches(parse_filter(text), document) is found


def test_a_number_that_is_missing_is_in_no_range_and_meets_no_comparison() -> None:
    for text in ("version_rank: IN(*, *)", "version_rank = 0", "version_rank < 1"):
        assert not matches(parse_filter(text), {})
        assert not matches(parse_filter(text), {"version_rank": "0"})
        assert not matches(parse_filter(text), {"version_rank": False})
