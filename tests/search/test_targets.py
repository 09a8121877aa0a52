"""Filters that hanpon writes itself."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.contracts.errors import UsageError
from hanpon.search.filters import filter_text, matches, parse_filter
from hanpon.search.targets import default_filter, target_filter


def test_one_target_is_written_flat() -> None:
    assert filter_text(target_filter(["customer@v1"])) == (
        'api: ANY("customer", "COMMON") AND api_version: ANY("v1", "ALL") AND superseded: ANY("false")'
    )


def test_several_targets_are_written_as_pairs() -> None:
    assert filter_text(target_filter(["customer@v1", "order@v2"])) == (
        '((api: ANY("customer") AND api_version: ANY("v1")) OR (api: ANY("order") AND api_version: ANY("v2")) OR '
        '(api: ANY("COMMON") AND api_version: ANY("ALL"))) AND superseded: ANY("false")'
    )


def test_versions_of_one_target_do_not_leak_into_another() -> None:
    tree = target_filter(["customer@v1", "order@v2"])
    found = {
        (api, version)
        for api, version in product(["customer", "order", "COMMON"], ["v1", "v2", "ALL"])
        if matches(tree, {"api": api, "api_version": version, "superseded": "false"})
    }
    assert found == {("customer", "v1"), ("order", "v2"), ("COMMON", "ALL")}


def test_what_is_superseded_is_in_no_target() -> None:
    for targets in (["customer@v1"], ["customer@v1", "order@v2"]):
        document = {"api": "customer", "api_version": "v1", "superseded": "true"}
        assert not matches(target_filter(targets), document)
    assert filter_text(default_filter()) == 'superseded: ANY("false")'


def test_a_repeated_target_counts_once() -> None:
    assert target_filter(["customer@v1", "customer@v1"]) == target_filter(["customer@v1"])


def test_a_name_is_composed_as_names_of_items_are() -> None:
    assert target_filter(["カ\u3099イド@v1"]) == target_filter(["ガイド@v1"])


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("customer", "NAME@VERSION"),
        ("", "NAME@VERSION"),
        ("@v1", "NAME@VERSION"),
        ("customer@", "NAME@VERSION"),
        ("customer@v1@v2", "letters and digits"),
        ("cust omer@v1", "letters and digits"),
        ('x") OR api: ANY("y@v1', "letters and digits"),
        ("COMMON@ALL", "searched with every target"),
        ("customer@all", "searched with every target"),
        ("\x1b[31m@v1", "letters and digits"),
        ("x" * 200 + "@v1", "letters and digits"),
    ],
)
def test_what_is_no_target_is_refused_in_words(target: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        target_filter([target])
    assert words in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 200


def test_no_target_at_all_is_refused() -> None:
    with pytest.raises(UsageError, match="at least one target"):
        target_filter([])


names = st.from_regex(r"[a-z][a-z0-9._-]{0,8}", fullmatch=True)


@given(
    st.lists(st.builds("{}@v{}".format, names.filter(lambda name: name != "common"), st.integers(0, 9)), min_size=1)
)
def test_every_target_filter_is_one_that_the_grammar_takes(targets: list[str]) -> None:
    tree = target_filter(targets)
    assert parse_filter(filter_text(tree)) == tree
