"""Texts made to take forever come to an end soon; what cannot be read is refused, and nothing crashes."""

import pytest

from hanpon.contracts.bundle import Dialect
from hanpon.contracts.errors import InvalidInput
from tests.sources.writings import reading_of

# so large that time with the square of the size would be felt, and no larger
HOSTILE = {
    "brackets": "[" * 200_000,
    "elements in one another": "<div>" * 20_000,
    "footnotes": "".join(f"x[^{n}]\n\n[^{n}]: note\n\n" for n in range(3_000)),
    "footnotes of one name": "[^1]: note\n\n" * 6_000,
    "unused footnotes": "".join(f"[^{n}]: note\n\n" for n in range(2_000)),
    "a long table": "|a|b|\n|-|-|\n" + "|x|y|\n" * 3_000,
    "a wide table": "|" + "a|" * 1000 + "\n|" + "-|" * 1000 + "\n" + "|x|\n" * 320,
    "rows beyond a table": "|a|\n|-|\n" + "|x|y|\n" * 3_000,
    "quotations": ">" * 20_000 + "a",
    "equal headings": "# a\n" * 6_000,
    "a heading of images": "# " + "![a](b.png) " * 2_000,
    "links to nothing": "".join(f"[a](b{n}.md) " for n in range(5_000)),
    "attributes": "<a " + " ".join(f"b{n}=''" for n in range(20_000)) + ">x</a>",
    "attribute lists": "{: .a " * 30_000,
    "comments": "<!--" * 30_000,
    "unclosed scripts": "<script>" * 10_000,
    "placeholders": "<your name " * 30_000,
    "stars": "*a **b " * 10_000,
    "backticks": "".join("`" * n + " " for n in range(300)),
    "nested lists": "".join(" " * (2 * n) + "- a\n" for n in range(300)),
    "front matter": "---\na: &a [b]\nc: [" + "*a, " * 10_000 + "]\n---\n",
    "a front without end": "---\n" * 3_000,
    "addresses": "http://a.b " * 3_000,
    "credentials": "[a](https://" + "u:" * 5000 + "@h) " * 20,
    "tags of a title": "<title" * 50_000,
    "breaks": "<br>" * 10_000,
}


@pytest.mark.parametrize(("file", "dialect"), [("a.md", "gfm"), ("a.md", "mkdocs"), ("a.html", "")])
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_is_read_or_refused(name: str, file: str, dialect: Dialect) -> None:
    try:
        reading = reading_of(HOSTILE[name], file, dialect=dialect)
    except InvalidInput as refused:
        rules = {problem.rule for problem in refused.problems}
    else:
        assert reading.tally.adds_up
        rules = {finding.rule for finding in reading.findings if finding.severity == "error"}
    assert rules <= {"too-many-elements"}


@pytest.mark.parametrize("dialect", ["gfm", "mkdocs"])
def test_front_matter_is_not_printed_even_where_a_text_is_shown_as_it_is_written(dialect: Dialect) -> None:
    reading = reading_of("---\nsecret: x\ntitle: Deep\n---\n" + "<div>" * 400 + "words", dialect=dialect)
    assert [finding.rule for finding in reading.findings] == ["too-deep"]
    assert reading.writing.title == "Deep"
    (section,) = reading.writing.sections
    assert section.html.endswith("words</pre>")
    assert "secret" not in section.html
