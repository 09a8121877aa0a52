"""Markdown in two dialects: what each understands, and what neither does."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.formats.github_markdown import github_html
from hanpon.formats.github_tables import overfull_rows
from hanpon.formats.mkdocs_markdown import TooHeavy, mkdocs_html

GITHUB = {
    "| a |\n|---|\n| `x\\|y` |": "<code>x|y</code>",
    "~~gone~~": "<del>gone</del>",
    "- [x] done": 'checked=""',
    "see https://a.example/b.": '<a href="https://a.example/b">',
    "> [!NOTE]\n> text": "markdown-alert-note",
    "**「強調」**の": "<strong>「強調」</strong>の",
    "値は**`x`**です": "<strong><code>x</code></strong>です",
    "a[^1]\n\n[^1]: note": '<li id="fn-1">',
    ":tada: stays": ":tada: stays",
    "<details>\n\n**b**\n\n</details>": "<strong>b</strong>",
}
MKDOCS = {
    "# 日本語": '<h1 id="_1">',
    "## API & CLI (v2.0)": '<h2 id="api-cli-v20">',
    "## A {: #own .c }": '<h2 class="c" id="own">',
    '!!! note "見出し"\n    text': '<p class="admonition-title">見出し</p>',
    "??? tip\n    text": '<details class="tip">',
    '=== "A"\n    a\n\n=== "B"\n    b': '<p class="tabbed-label"><strong>B</strong></p>',
    "term\n:   means": "<dt>term</dt>",
    "a[^1]\n\n[^1]: note": '<li id="fn:1">',
    "HTML\n\n*[HTML]: words": '<abbr title="words">HTML</abbr>',
    "- [ ] todo": 'type="checkbox"',
    "<div markdown>\n**b**\n</div>": "<strong>b</strong>",
    '``` java title="A" hl_lines="1"\nx\n```': '<p class="filename">A</p>\n<pre><code class="language-java">x',
    "- a\n\n    ```\n    x\n    ```": "<pre><code>x\n</code></pre>",
    "| a |\n|---|\n| b |": "<td>b</td>",
    "**「強調」**の": "<strong>「強調」</strong>の",
}


@pytest.mark.parametrize("markdown", GITHUB)
def test_github_markdown_is_understood(markdown: str) -> None:
    assert GITHUB[markdown] in re.sub(r' data-sourcepos="[^"]*"', "", github_html(markdown))


@pytest.mark.parametrize("markdown", MKDOCS)
def test_mkdocs_markdown_is_understood(markdown: str) -> None:
    assert MKDOCS[markdown] in mkdocs_html(markdown)


def test_a_footnote_to_which_nothing_refers_stays() -> None:
    markdown = "a[^x]\n\n[^x]: used\n\n[^y]: spare *words*\n\n    and more\n\n```\n[^z]: code\n```\n"
    assert github_html(markdown).endswith("<p>spare <em>words</em></p>\n<p>and more</p>\n")


@pytest.mark.parametrize(
    "markdown",
    [
        "write `[^1]` for it\n\n[^1]: spare",
        "<div>\n[^1]\n</div>\n\n[^1]: spare",
        "1. [^1]: spare",
        "- > [^1]: spare",
        f"[^{'long' * 100}]: spare",
        "x[^1]\n\n[^1]: used\n\n    [^2]: spare",
    ],
)
def test_a_footnote_to_which_only_code_refers_or_that_stands_in_a_list_stays(markdown: str) -> None:
    assert github_html(markdown).count("spare") == 1


def test_the_first_footnote_of_a_name_is_meant_and_the_others_stay() -> None:
    markdown = "a[^1]\n\n[^1]: one\n\n[^1]: two\n\n# h\n\n- b\n\n  [^1]: three\n\n```\n[^1]: code\n```\n"
    html = github_html(markdown)
    note = html[html.index("<section") : html.index("</section>")]
    assert "one" in note
    assert "<h1" not in note
    assert [html.count(word) for word in ("one", "two", "three", "[^1]: code")] == [1, 1, 1, 1]


def test_of_footnotes_of_one_name_mkdocs_loses_none_and_the_last_bears_the_name() -> None:
    html = mkdocs_html("a[^1] b[^1-1]\n\n[^1]: one\n\n[^1]: two\n\n[^1-1]: own\n\n[^1]: three\n")
    assert [html.count(word) for word in ("one", "two", "own", "three")] == [1, 1, 1, 1]
    notes = html.split("<li ")
    assert "three" in next(note for note in notes if 'id="fn:1"' in note)
    assert "own" in next(note for note in notes if 'id="fn:1-1"' in note)


def test_cells_beyond_the_header_stay_in_mkdocs() -> None:
    html = mkdocs_html("| a | b |\n|---|--:|\n| 1 | 2 | `x|y` | 4 |\n| 5 |\n")
    assert [html.count(f"<{tag}") for tag in ("th>", "tr>")] == [1, 3]
    assert "<td><code>x|y</code></td>\n<td>4</td>\n</tr>" in html


@pytest.mark.parametrize(
    ("markdown", "lines"),
    [
        ("| a | b |\n|---|---|\n| 1 | 2 | 3 |\n| 1 | 2 |\n| 1 |\n1 | 2 | 3", (3, 6)),
        ("| a | b |\n|---|---|\n| `x|y` | 2 |\n| `x\\|y` | 2 |\n| x\\\\| y | 2 |", (3,)),
        ("| a |\n|---|\n| 1 | | |\n", ()),
        ("> - あ | b\n>   --- | ---\n>   い | 2 | 3", (3,)),
        ("```\n| a |\n|---|\n| 1 | 2 |\n```\n\n    | a |\n    |---|\n    | 1 | 2 |\n\n1 | 2 | 3", ()),
    ],
)
def test_rows_of_which_github_leaves_cells_out_are_found(markdown: str, lines: tuple[int, ...]) -> None:
    assert overfull_rows(markdown) == lines


@given(st.lists(st.sampled_from(["|", "\\", "`", "x", " ", "-", ":"]), max_size=20).map("".join))
def test_a_row_is_overfull_exactly_where_words_of_it_are_not_shown(row: str) -> None:
    markdown = f"| a | b |\n|---|---|\n| {row}W |\n"
    assert bool(overfull_rows(markdown)) == ("W" not in github_html(markdown))


def test_no_heading_is_said_twice_by_a_list_of_them() -> None:
    assert mkdocs_html("[TOC]\n\n# a\n\n`[TOC]`") == '\n<h1 id="a">a</h1>\n<p><code>[TOC]</code></p>'


@pytest.mark.parametrize("markdown", ['--8<-- "/etc/hosts"', ";--8<--", "{!/etc/hosts!}", "{{ 7 * 7 }}"])
def test_nothing_is_read_or_carried_out(markdown: str) -> None:
    html = mkdocs_html(markdown)
    assert "localhost" not in html
    assert "49" not in html


@pytest.mark.parametrize(
    "markdown",
    [
        "[" * 20_000,
        "<a " * 20_000,
        "1. " * 5000,
        "# a\n" * 20_000,
        "|" + "a|" * 2000 + "\n|" + "-|" * 2000 + "\n|x|" * 500,
    ],
)
def test_what_would_take_python_markdown_minutes_is_refused(markdown: str) -> None:
    with pytest.raises(TooHeavy):
        mkdocs_html(markdown)
