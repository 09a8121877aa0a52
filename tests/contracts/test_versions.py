"""The order of versions."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from hanpon.contracts.versions import RANK_BITS, version_rank

IN_ORDER = [
    ["v1alpha1", "v1beta1", "v1beta2", "v1", "v2alpha1", "v2", "v10"],
    [
        "1.0.0-alpha.1",
        "1.0.0-alpha.2",
        "1.0.0-beta",
        "1.0.0-rc.1",
        "1.0.0-rc.10",
        "1.0.0",
        "1.0.1",
        "1.2.0",
        "1.10.0",
    ],
    ["3.2", "3.2.1", "3.10", "4.0-SNAPSHOT", "4.0"],
    ["2025-08-06", "2025-11-07", "2026-06-18-preview", "2026-06-18"],
    ["20250806", "20260101"],
    ["ghes-3.17", "ghes-3.18", "ghes-3.19"],
    ["v61", "v121", "v241"],
    ["1.0rc1", "1.0", "1.0.post1", "1.0.1"],
    ["1.2.3.4", "1.2.3.5"],
]
ALIKE = [
    ("v1", "1"),
    ("1", "1.0"),
    ("1.0", "v1.0.0"),
    ("1.0.0+build5", "1.0.0"),
    ("2.0.RELEASE", "2.0"),
    ("1.07", "1.7"),
]

numbers = st.lists(st.integers(0, 2**20), min_size=1, max_size=3)
texts = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,39}", fullmatch=True)


def written(parts: list[int]) -> str:
    return ".".join(map(str, parts))


def test_versions_rank_in_the_order_that_people_expect() -> None:
    for versions in IN_ORDER:
        for older, newer in pairwise(versions):
            assert version_rank(older) < version_rank(newer), (older, newer)


def test_spellings_of_one_version_rank_alike() -> None:
    for one, other in ALIKE:
        assert version_rank(one) == version_rank(other), (one, other)


def test_a_text_without_a_number_ranks_lowest() -> None:
    assert version_rank("unversioned") == 0 == version_rank("ALL")


@given(texts)
def test_a_rank_fits_a_double_and_depends_on_the_text_alone(version: str) -> None:
    assert 0 <= version_rank(version) < 2**RANK_BITS
    assert version_rank(version) == version_rank(version)
    assert version_rank(f"v{version}" if version[0].isdigit() else version) == version_rank(version)


@given(numbers, numbers)
def test_numbers_are_compared_as_numbers(one: list[int], other: list[int]) -> None:
    longest = max(len(one), len(other))
    filled = [parts + [0] * (longest - len(parts)) for parts in (one, other)]
    ranks = version_rank(written(one)), version_rank(written(other))
    if filled[0] == filled[1]:
        assert ranks[0] == ranks[1]
    else:
        assert (ranks[0] <= ranks[1]) == (filled[0] < filled[1]) or ranks[0] == ranks[1]


@given(st.lists(st.integers(0, 1023), min_size=1, max_size=3), st.lists(st.integers(0, 1023), min_size=1, max_size=3))
def test_up_to_three_numbers_below_1024_are_never_confused(one: list[int], other: list[int]) -> None:
    longest = max(len(one), len(other))
    filled = [parts + [0] * (longest - len(parts)) for parts in (one, other)]
    assert (version_rank(written(one)) < version_rank(written(other))) == (filled[0] < filled[1])


@given(
    st.lists(st.integers(0, 999), min_size=1, max_size=3),
    st.sampled_from(["alpha", "beta", "rc"]),
    st.integers(0, 99),
)
def test_a_pre_release_stands_before_its_release_and_after_the_one_before(
    parts: list[int], stage: str, number: int
) -> None:
    release, before = version_rank(written(parts)), version_rank(f"{written(parts)}-{stage}.{number}")
    assert before < release
    if parts[-1]:
        assert version_rank(written([*parts[:-1], parts[-1] - 1])) < before


def test_numbers_beyond_the_limit_rank_alike_and_not_the_other_way_round() -> None:
    assert version_rank("1." + "9" * 30) == version_rank("1." + "9" * 31)
    assert version_rank("1.5") < version_rank("1." + "9" * 30) < version_rank("2")
