"""Which paths a pattern stands for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.sources.bundles.patterns import is_pattern, select, select_on_the_way
from tests.hangs import must_end

PATHS = sorted(
    [
        *("a.md", "b.txt", "docs/a.md", "docs/b/c.md", "docs/b/c/d.md", "docs/.hidden/x.md", "docs/.x.md"),
        *("Docs/a.md", "[id]/a.md", "i/a.md", "docs2/a.md", "が.md"),
    ]
)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("a.md", ["a.md"]),
        ("*.md", ["a.md", "が.md"]),
        ("?.md", ["a.md", "が.md"]),
        ("docs/*", ["docs/a.md"]),
        ("docs/*/*", ["docs/b/c.md"]),
        ("docs/**/*", ["docs/a.md", "docs/b/c.md", "docs/b/c/d.md"]),
        ("docs/**", ["docs/a.md", "docs/b/c.md", "docs/b/c/d.md"]),
        ("docs/**/c/*", ["docs/b/c/d.md"]),
        ("**/**/d.md", ["docs/b/c/d.md"]),
        ("**/a.md", ["Docs/a.md", "[id]/a.md", "a.md", "docs/a.md", "docs2/a.md", "i/a.md"]),
        ("docs/.*", ["docs/.x.md"]),
        ("docs/.hidden/*", ["docs/.hidden/x.md"]),
        ("[id]/*", ["[id]/a.md"]),
        ("DOCS/*", []),
        ("docs", []),
        ("docs/*/", []),
    ],
)
def test_a_pattern_stands_for_these_paths(pattern: str, expected: list[str]) -> None:
    assert select(PATHS, pattern) == expected


def test_only_stars_and_question_marks_make_a_pattern() -> None:
    assert [is_pattern(text) for text in ("a", "a*", "a?", "[a]", "{a,b}")] == [False, True, True, False, False]


@pytest.mark.parametrize(
    ("pattern", "met"),
    [
        ("docs/**/*.md", ["docs/link"]),
        ("docs/*.md", []),
        ("docs/link/*.md", ["docs/link"]),
        ("docs/l*", ["docs/link"]),
        ("other/**", []),
    ],
)
def test_a_link_is_met_where_it_fits_or_could_lead_on(pattern: str, met: list[str]) -> None:
    assert select_on_the_way(["docs/link"], pattern) == met


def test_a_hostile_pattern_takes_no_longer_than_another() -> None:
    names = ["a" * 200 + "/" + "a" * 200 for _ in range(50)]
    with must_end():
        assert select(names, "*a" * 60 + "b/**/" + "**/" * 30 + "*a" * 60 + "b") == []


NAMES = st.text("ab.", min_size=1, max_size=4)


@given(st.lists(st.lists(NAMES, min_size=1, max_size=4).map("/".join), max_size=8))
def test_every_path_stands_for_itself_and_everything_visible_is_found(paths: list[str]) -> None:
    known = sorted(set(paths))
    for path in known:
        assert select(known, path) == [path]
    visible = [path for path in known if not any(name.startswith(".") for name in path.split("/"))]
    assert select(known, "**/*") == visible
