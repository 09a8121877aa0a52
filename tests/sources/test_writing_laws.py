"""Laws that hold for every text, found out with made-up ones."""

from collections import Counter

import nh3
import pytest
from bs4 import BeautifulSoup
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from hanpon.contracts.bundle import Dialect
from hanpon.contracts.errors import InvalidInput
from hanpon.sources.texts.inputs import Inputs
from hanpon.sources.writings.places import Places
from hanpon.sources.writings.readable import form_of, readable
from hanpon.sources.writings.reader import Reading
from hanpon.sources.writings.text_tree import text_of, tree_of, written
from tests.formats.payloads import PAYLOADS, harm_in
from tests.sources.writings import PNG, html_of, ids_of, reading_of, tags_of
from tests.trees import MemoryTree

FORMS: list[tuple[str, Dialect]] = [
    ("docs/a.md", "gfm"),
    ("docs/a.md", "mkdocs"),
    ("docs/a.html", ""),
    ("docs/a.txt", ""),
]
PIECES = [
    *PAYLOADS,
    "# a",
    "## a [b](#a) ![c](x.png)",
    "Set\next\n===",
    "#",
    "# ![](x.png)",
    "# t[^1] <a id='k' href='b.md'><img id='m' src='x.png'></a> u",
    "# ![i](https://a.example/i.png)",
    "<h2 id='a'>a</h2>",
    "<h2 id='a'></h2>",
    "<limit max='1'>x",
    "<!-- open",
    "<div><section id='s'><h3>c<a href='#s'>¶</a></h3></section></div>",
    "<a name='a'></a>",
    "<h1><div>x<p>y</h1>",
    "<a href='b.md'><h2>d</h2></a>",
    "> # q\n> text",
    "- # l",
    "<table><tr><td><h2>t</h2></table>",
    "<details><summary><h2>s</h2></summary>\n\n## in\n\n</details>",
    "[x](#a) [y](#A) [z](b.md#q) [w](../../o)",
    "![i](x.png) ![i](https://a.example/i.png)",
    "n[^1] m[^2]",
    "[^1]: note [^2] # x\n\n    ## deep",
    "[^2]: [l](#a)",
    "[^3]: spare",
    "<section class='footnotes'><ol><li id='fn-1'>x</li></ol></section>",
    "<section class='footnotes'><ol>stray<li id='fn-1'>x</li><p>p</p></ol></section>",
    "<p id='fn-1' class='footnote'>x</p>",
    "---\ntitle: x\n---",
    "```\n# code\n```",
    "    # indented",
    "<pre>\n\n # x\n</pre>",
    "<b><p>x</b></p>",
    "{: .a }",
    "<id> </id> <x-y/>",
    "!!! note\n    # x",
    "term\n:   # def",
    "|a|b|\n|-|-|\n|x|# y|",
    "<br><br><br><br>",
    "\ud800\x00\x01\u2028",
    "plain words",
    "日本語の文。",
]
SLOW = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=8).map(
    lambda parts: "\n\n".join(parts).encode("utf-8", "replace").decode()
)
forms = st.sampled_from(FORMS)


def read(text: str, form: tuple[str, Dialect]) -> Reading:
    file, dialect = form
    return reading_of(text, file, dialect=dialect, beside={"docs/x.png": PNG, "docs/b.md": "x"}, item=["docs/b.md"])


@given(texts, forms)
@SLOW
def test_nothing_in_a_section_does_harm_or_loads_from_elsewhere(text: str, form: tuple[str, Dialect]) -> None:
    assert not harm_in(html_of(read(text, form)), resolved=True)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_does_no_harm_anywhere(payload: str, form: tuple[str, Dialect]) -> None:
    for text in (
        payload,
        f"# {payload}\n\nx",
        f"> {payload}",
        f"x[^1]\n\n[^1]: {payload}",
        f"---\na: {payload}\n---\n",
    ):
        reading = read(text, form)
        assert not harm_in(html_of(reading), resolved=True)
        assert "evil" not in "".join(str(tag.get("src")) for tag in tags_of(html_of(reading), "img"))


@given(texts, forms)
@SLOW
@example("<section class='footnotes'><ol><li id='a'>x</li></ol></section>\n\n# a", FORMS[0])
@example("<h2 id='a'></h2><h2 id='a'>x</h2>", FORMS[2])
def test_ids_are_unique_and_all_of_them_are_told(text: str, form: tuple[str, Dialect]) -> None:
    reading = read(text, form)
    ids = ids_of(reading.writing)
    assert len(set(ids)) == len(ids)
    assert "" not in ids
    found = [one for section in reading.writing.sections for one in ids_in(section.heading + section.html)]
    anchors = [section.anchor for section in reading.writing.sections if section.level]
    assert sorted(found + anchors) == sorted(ids)


def ids_in(html: str) -> list[str]:
    return [str(tag["id"]) for tag in BeautifulSoup(f"<div>{html}</div>", "html.parser").select("[id]")]


@given(texts, forms)
@SLOW
def test_every_link_within_a_text_leads_somewhere(text: str, form: tuple[str, Dialect]) -> None:
    reading = read(text, form)
    ids = set(ids_of(reading.writing))
    for link in tags_of(html_of(reading), "a"):
        href = str(link.get("href", ""))
        assert not href.startswith("#") or href[1:] in ids


@given(texts, forms)
@SLOW
def test_links_and_images_add_up(text: str, form: tuple[str, Dialect]) -> None:
    reading = read(text, form)
    assert reading.tally.adds_up
    shown = [tag for section in reading.writing.sections for tag in tags_of(section.html, "img")]
    assert len(shown) == reading.tally.shown
    assert {str(tag["src"]) for tag in shown} == {f"../assets/{image.name}" for image in reading.writing.images}
    links = [tag for tag in tags_of(html_of(reading), "a") if tag.get("href")]
    assert len(links) <= reading.tally.kept + reading.tally.resolved + reading.tally.linked


@given(texts, forms)
@SLOW
def test_sections_are_well_formed_and_hold_no_headings(text: str, form: tuple[str, Dialect]) -> None:
    for section in read(text, form).writing.sections:
        for html in (section.html, section.heading):
            again = "".join(map(written, tree_of(html).children))
            assert again.split() == html.split()
            assert not tags_of(html, "h1", "h2", "h3", "h4", "h5", "h6")
        assert section.level == 0 or section.title
        assert "\n" not in section.title + section.heading
        assert nh3.clean(section.heading, tags={"x"}) != "" or not section.level


@given(texts, forms)
@SLOW
def test_no_letter_of_the_harmless_html_is_lost(text: str, form: tuple[str, Dialect]) -> None:
    text = text.replace("{:", "").replace("¶", "")  # what is taken out on purpose
    file, dialect = form
    kind = form_of(file)
    assert kind is not None
    html = readable(text, file, kind, dialect, Inputs(MemoryTree({}))).html
    shown = "".join(section.heading + section.html for section in read(text, form).writing.sections)
    assert (letters(html) - letters(shown)).keys() <= {"↩"}


def letters(html: str) -> Counter[str]:
    return Counter("".join(text_of(tree_of(html)).split()))


@given(texts, forms)
@SLOW
def test_the_same_text_gives_the_same_sections(text: str, form: tuple[str, Dialect]) -> None:
    first, second = read(text, form), read(text, form)
    assert first.writing == second.writing
    assert first.findings == second.findings


@given(st.binary(max_size=200))
def test_bytes_that_are_no_text_are_refused_and_never_crash(data: bytes) -> None:
    rules = ["not-utf-8"]
    try:
        reading_of(data)
    except InvalidInput as refused:
        rules = [problem.rule for problem in refused.problems]
    assert rules == ["not-utf-8"]


def test_what_a_fragment_means_is_looked_for_exactly_first() -> None:
    places = Places(ids=frozenset({"a", "A"}), alike={"a": "a"}, first="a")
    assert [places.called(one) for one in ("A", "a", "user-content-A", "", "b")] == ["A", "a", "A", "a", ""]
