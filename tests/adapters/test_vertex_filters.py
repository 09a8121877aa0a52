"""Filters as Vertex AI Search reads them: the double, which refuses what the service refuses, takes all of them."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hanpon.adapters.vertex_filters import for_readers, of_versions, plain, written
from hanpon.contracts.datastore_form import wanted_schema
from hanpon.contracts.filters import And, AnyOf, Bound, Compared, Filter, Not, Or, Within
from hanpon.search.filters import matches, parse_filter
from tests.cloud.discovery_engine import filters as double
from tests.cloud.discovery_engine.schemas import indexable

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ['"', "\\", '\\"', ") OR (", "IN(1i"]
)
FIELDS = st.sampled_from(["title", "api", "api_version", "tags", "groups"])
NUMBERS = st.integers(-(10**9), 10**9).map(float) | st.floats(allow_nan=False, allow_infinity=False, width=32)
BOUNDS = st.none() | st.builds(Bound, NUMBERS, st.booleans())
ATOMS: st.SearchStrategy[Any] = st.one_of(
    st.builds(AnyOf, FIELDS, st.lists(TEXTS, min_size=1, max_size=3).map(tuple)),
    st.builds(Within, st.just("version_rank"), BOUNDS, BOUNDS),
    st.builds(Compared, st.just("version_rank"), st.sampled_from(["<", "<=", ">", ">=", "="]), NUMBERS),
)
CONDITIONS = st.recursive(ATOMS, lambda inner: st.builds(Not, inner), max_leaves=3)
TREES: st.SearchStrategy[Filter] = st.recursive(
    CONDITIONS,
    lambda inner: (
        st.builds(And, st.lists(inner, min_size=2, max_size=3).map(tuple))
        | st.builds(Or, st.lists(inner, min_size=2, max_size=3).map(tuple))
    ),
    max_leaves=8,
)
METADATA = {"title": "a", "api": "b", "api_version": "v1", "tags": ["a", "b"], "groups": [], "version_rank": 3}
FILTERABLE = indexable(wanted_schema())


@given(TREES)
def test_what_is_written_is_read_as_the_same_filter(tree: Filter) -> None:
    assert parse_filter(written(tree)) == plain(tree)
    assert matches(plain(tree), METADATA) == matches(tree, METADATA)


@given(TREES)
def test_what_is_written_is_taken_by_the_service(tree: Filter) -> None:
    double.parse(written(tree), FILTERABLE, not_finds_missing=False)


@given(st.none() | TREES, st.lists(TEXTS, max_size=3))
def test_a_filter_for_readers_finds_what_they_or_all_may_read_and_nothing_else(
    tree: Filter | None, principals: list[str]
) -> None:
    narrowed = for_readers(tree, principals)
    double.parse(written(narrowed), FILTERABLE, not_finds_missing=False)
    for groups in (["all"], ["group:x"], principals, []):
        metadata = {**METADATA, "groups": groups}
        may_read = any(group in {*principals, "all"} for group in groups if group)
        assert matches(narrowed, metadata) == (may_read and (tree is None or matches(tree, metadata)))


def test_no_filter_is_no_text() -> None:
    assert written(None) == ""


def test_apis_and_versions_stay_pairs() -> None:
    assert written(of_versions([("a", "v1")])) == 'api: ANY("a") AND api_version: ANY("v1")'
    assert written(of_versions([("a", "v1"), ("b", "v2")])) == (
        '(api: ANY("a") AND api_version: ANY("v1")) OR (api: ANY("b") AND api_version: ANY("v2"))'
    )


def test_a_literal_is_quoted_as_json_would_quote_it() -> None:
    value = 'say "\\"'
    assert written(AnyOf("title", (value,))) == f"title: ANY({json.dumps(value)})"
