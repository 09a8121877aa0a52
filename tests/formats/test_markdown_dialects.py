"""Markdown in two dialects: what each understands, and what neither does."""

import re

import pytest

from hanpon.formats.github_markdown import github_html
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
