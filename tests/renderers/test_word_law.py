"""No word of a file is lost on the way to its clauses, and none comes twice: told by words that are numbered."""

import re
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hanpon.contracts.bundle import Dialect
from renderers import clause
from renderers.clause_sections import clauses_of
from tests.sources.writings import reading_of
from tests.writings import assert_sound, guideline_of, pages_of, words

# "@" is a word, "%" a line of inline pieces, "#" a label of the block's own
INLINE = [
    "@",
    "**@**",
    "`@`",
    "[@](#a)",
    "[@](none.md)",
    "@ ![@](https://a.example/i.png)",
    "@ [![@](https://a.example/i.png)](https://a.example)",
    "@[^1]",
    "<b>@</b><sup>@</sup>",
    "<@>",
    "<@ @>",
    "「@」の**「@」**が",
    "<ruby>@<rt>@</rt></ruby>",
    "<math><mi>@</mi><mo>=</mo><mn>@</mn></math>",
    "<a name='a'>@</a>",
]
BLOCKS = [
    "%",
    "# %",
    "## 第1条 %",
    "## 附則 %",
    "### % %",
    "@ %\n===",
    "<h2 id='a'>%</h2>",
    "- %\n- %\n    - %",
    "1. %\n\n    %",
    "| % | % |\n|---|---|\n| % | % |",
    "```java\n@ <@> # @\n```",
    "> %\n>\n> ## %",
    "> [!NOTE]\n> %",
    "<details><summary>@</summary>@</details>",
    "<table><tr><td><h2>@</h2>@</td></tr></table>",
    "@[^#]\n\n[^#]: % %",
    "@ `[^#]`\n\n[^#]: %",
    "[^#]: %",
    "[TOC]",
]
OF_GITHUB = ["@[^#]\n\n[^#]: @\n\n[^#]: @", "1. [^#]: @"]
TAGS = [
    "p",
    "div",
    "h1",
    "h2",
    "section",
    "li",
    "td",
    "pre",
    "blockquote",
    "figcaption",
    "summary",
    "label",
    "dd",
    "a",
    "math",
    "mi",
]
STRAYS = ["<h2 id='a'></h2>", "</div>", "<p>", "<br>", "<table>", "<li>", "</h1>", "<!-- a -->", "<input>"]


def numbered(text: str) -> str:
    numbers = iter(range(text.count("@")))
    return re.sub("@", lambda _: f"w{next(numbers)}w", text)


@st.composite
def markdown(draw: st.DrawFn, blocks: list[str]) -> str:
    lines = st.lists(st.sampled_from(INLINE), min_size=1, max_size=3).map(" ".join)
    found = []
    for number, block in enumerate(draw(st.lists(st.sampled_from(blocks), max_size=8))):
        found.append(re.sub("%", lambda _: draw(lines), block).replace("#]", f"n{number}]"))
    return numbered("\n\n".join(found) + "\n")


pages = st.recursive(
    st.sampled_from([" @ ", "<b>@</b>", *STRAYS]),
    lambda inner: st.tuples(st.sampled_from(TAGS), st.lists(inner, max_size=4).map("".join)).map(
        lambda drawn: f"<{drawn[0]} id='a'>{drawn[1]}</{drawn[0]}>"
    ),
    max_leaves=20,
).map(numbered)


def assert_each_word_once(text: str, file: str, dialect: Dialect) -> None:
    writing = reading_of(text, file, dialect=dialect).writing
    found = pages_of(clause.render(guideline_of(writing)).documents)
    assert_sound(found)
    kept = {id(section) for one in clauses_of(writing) for section in one.sections}
    shown = [section.title for section in writing.sections if id(section) not in kept]
    for page in found:
        for facts in page.soup.select(".facts"):
            facts.decompose()
        shown.append(" ".join(words(page.main).elements()))
    assert Counter(re.findall(r"w\d+w", " ".join(shown))) == Counter(re.findall(r"w\d+w", text))


SLOW = settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])


@given(markdown([*BLOCKS, *OF_GITHUB]))
@SLOW
def test_every_word_of_githubs_markdown_stands_on_one_clause(text: str) -> None:
    assert_each_word_once(text, "a.md", "gfm")


@given(markdown(BLOCKS))
@SLOW
def test_every_word_of_mkdocs_markdown_stands_on_one_clause(text: str) -> None:
    assert_each_word_once(text, "a.md", "mkdocs")


@given(pages)
@SLOW
def test_every_word_of_a_page_of_html_stands_on_one_clause(html: str) -> None:
    assert_each_word_once(html, "a.html", "")


@pytest.mark.parametrize("language", ["", "<html><head><title>t</title></head><body>"])
def test_what_stands_before_and_behind_everything_counts_too(language: str) -> None:
    assert_each_word_once(numbered(f"{language} @ <h1>@</h1> @ <!-- never ended @"), "a.html", "")
