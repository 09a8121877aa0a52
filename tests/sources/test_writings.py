"""Markdown, HTML and plain text come out as sections: headings with what stands below."""

import pytest

from hanpon.contracts.access import Access, Grant
from hanpon.contracts.bundle import ComponentItem
from hanpon.contracts.editions import Kind
from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Place
from hanpon.sources.texts.inputs import Inputs
from hanpon.sources.writings.reader import read_guideline, read_readmes
from tests.sources.file_sets import item_of
from tests.sources.writings import PNG, findings_of, html_of, reading_of
from tests.trees import MemoryTree


def outline(text: str, file: str = "docs/a.md") -> list[tuple[int, str, str]]:
    sections = reading_of(text, file).writing.sections
    return [(section.level, section.title, section.anchor) for section in sections]


def test_a_text_is_cut_at_its_headings() -> None:
    text = "before\n\n# 規約 `A`\n\nbody\n\n## 規約 A\n\n# \n\nmore\n"
    assert outline(text) == [(0, "", ""), (1, "規約 A", "規約-a"), (2, "規約 A", "規約-a-1")]
    before, first, second = reading_of(text).writing.sections
    assert before.html == "<p>before</p>"
    assert (first.heading, first.html, first.line) == ("規約 <code>A</code>", "<p>body</p>", 3)
    assert (second.html, second.line) == ("<p>more</p>", 7)


def test_headings_in_boxes_stay_where_they_are_as_bold_lines() -> None:
    text = "# a\n\n> ## quoted\n\n- ## listed\n\n<details><summary><h3>s</h3></summary>\n\n## inside\n\n</details>\n"
    (section,) = reading_of(text).writing.sections
    assert '<div class="heading" id="quoted"><strong>quoted</strong></div>' in section.html
    assert '<summary><span id="s"><strong>s</strong></span></summary>' in section.html
    assert section.fragments == ("quoted", "listed", "s", "inside")


def test_elements_around_headings_are_opened() -> None:
    text = '<div align="center" id="top"><a href="https://a.example"><h1>Name</h1></a>\n\nloose <b>text</b></div>\n'
    assert outline(text) == [(1, "Name", "name")]
    (section,) = reading_of(text).writing.sections
    assert section.fragments == ("top",)
    assert section.html == "<p>loose <b>text</b></p>"


def test_an_empty_anchor_above_a_heading_leads_to_the_heading() -> None:
    text = 'x\n\n<a name="old"></a>\n\n## <a id="older"></a>New\n'
    section = reading_of(text).writing.sections[1]
    assert section.heading == '<span id="old"></span><span id="older"></span>New'
    assert (section.anchor, section.fragments) == ("new", ("old", "older"))


def test_a_heading_keeps_its_words_and_its_badges_stand_below() -> None:
    text = "# Tool [![CI](https://a.example/b.svg)](https://a.example) [docs](https://b.example)\n\nx\n"
    reading = reading_of(text)
    (section,) = reading.writing.sections
    assert (section.title, section.heading, section.anchor) == ("Tool docs", "Tool docs", "tool--docs")
    assert section.html.startswith('<p><a href="https://a.example" rel="noopener noreferrer">CI</a></p>')
    said = (
        "info docs/a.md: A link stands in a heading, where only words are shown: a heading is what other links lead"
        " to. [link-in-heading]"
    )
    assert findings_of(reading) == [said]


def test_a_heading_of_an_image_alone_is_called_by_its_words_and_takes_no_name_from_others() -> None:
    assert outline("# ![Logo](https://a.example/x.png)\n\n## Logo\n") == [(1, "Logo", "logo-1"), (2, "Logo", "logo")]


def test_a_footnote_stands_where_it_is_referred_to_first() -> None:
    text = "# a\n\nx[^n]\n\n# b\n\ny[^n] z[^m]\n\n[^n]: one[^o]\n[^m]: two\n[^o]: three\n[^u]: unused\n"
    a, b = reading_of(text).writing.sections
    assert a.html.count("<li") == 2
    assert '<li id="fn-n" value="1">' in a.html
    assert '<li id="fn-o" value="3">' in a.html
    assert '<li id="fn-m" value="2">' in b.html
    assert "unused" in b.html
    assert "fnref-n-2" in b.fragments


def test_front_matter_is_used_and_not_printed() -> None:
    reading = reading_of('---\nid: 122\ntitle: "題"\ntags: [a]\nok: true\n---\n\n# h\n')
    assert dict(reading.writing.front) == {"id": "122", "title": "題"}
    assert reading.writing.title == "題"
    assert [section.line for section in reading.writing.sections] == [8]
    assert not reading.findings


@pytest.mark.parametrize(
    "text", ["---\n\ntext\n\n---\n\nmore\n", "---\nno end: 1\n", "---\n# x\n---\ny\n", " ---\na: 1\n---\n"]
)
def test_what_only_looks_like_front_matter_stays_whole(text: str) -> None:
    reading = reading_of(text)
    assert not reading.writing.front
    assert not reading.findings
    for word in ("text", "more", "no end", "x", "y", "a: 1"):
        assert word not in text or word in html_of(reading)


def test_broken_front_matter_is_reported_and_left_out() -> None:
    reading = reading_of("---\ntitle: [\n---\n\n# h\n")
    assert [finding.rule for finding in reading.findings] == ["front-matter-broken"]
    assert "title" not in html_of(reading)


def test_attribute_lists_comments_and_liquid_are_no_words_but_code_is() -> None:
    html = html_of(reading_of("a <!-- b --> c {: .wide #top }\n\n{% tab %} {{ x }}\n\n`{: .d }` {:ok, 1}\n"))
    assert "b --" not in html
    assert ".wide" not in html
    assert "{% tab %} {{ x }}" in html
    assert "<code>{: .d }</code> {:ok, 1}" in html


def test_an_mkdocs_yml_near_by_decides_the_dialect() -> None:
    settings = {"site/mkdocs.yml": "x: !!python/name:a.b\ndocs_dir: 'text' # c\n"}
    text = "# 見出し\n"
    assert reading_of(text, "site/text/deep/a.md", beside=settings).writing.sections[0].anchor == "_1"
    assert reading_of(text, "site/a.md", beside=settings).writing.sections[0].anchor == "_1"
    assert reading_of(text, "site/other/a.md", beside=settings).writing.sections[0].anchor == "見出し"
    assert reading_of(text, "site/a.md", dialect="gfm", beside=settings).writing.sections[0].anchor == "見出し"


def test_what_is_too_much_for_mkdocs_is_read_as_github_markdown() -> None:
    reading = reading_of("# 見出し\n" + "[" * 20_000, dialect="mkdocs")
    assert reading.writing.sections[0].anchor == "見出し"
    assert [finding.rule for finding in reading.findings] == ["dialect-not-applied"]


def test_a_page_of_html_is_read_for_its_text() -> None:
    text = """<!DOCTYPE html><html><head><meta charset="shift_jis"><title>社内 &amp; 規約</title><style>x</style>
    </head>
    <body><nav><a href="#x">menu</a></nav><section id="one"><h2>第1条<a class="headerlink" href="#one">¶</a></h2>
    <p onclick="x">本文<br/></p><script>no</script></section><h2 id="own">b</h2><footer>foot</footer></body></html>"""
    reading = reading_of(text, "g/a.html")
    assert reading.writing.title == "社内 & 規約"
    assert outline(text, "g/a.html") == [(2, "第1条", "第1条"), (2, "b", "own")]
    assert reading.writing.sections[0].fragments == ("one",)
    assert reading.writing.sections[0].html == "<p>本文<br></p>"
    assert "foot" in reading.writing.sections[1].html


@pytest.mark.parametrize("head", ["<!-- <body> -->", "<script>x = '<body>'</script>", "<noscript></noscript>", ""])
def test_the_head_of_a_page_is_no_text_whatever_it_holds(head: str) -> None:
    writing = reading_of(f"<html><head>{head}<title>題</title></head><body><p>本文</p></body>", "a.html").writing
    assert (writing.title, [section.html for section in writing.sections]) == ("題", ["<p>本文</p>"])


def test_the_title_of_a_drawing_is_not_that_of_the_page() -> None:
    writing = reading_of("<h2>a</h2><svg><title>icon</title></svg><p>text</p>", "a.html").writing
    assert (writing.title, writing.sections[0].html) == ("", "<p>text</p>")


def test_an_xhtml_page_may_close_elements_in_themselves() -> None:
    text = '<?xml version="1.0"?><html><body><script src="x"/><a id="q"/><p>text</p></body></html>'
    assert "<p>text</p>" in html_of(reading_of(text, "a.xhtml"))


def test_plain_text_is_paragraphs() -> None:
    (section,) = reading_of("one <b>\ntwo\n\n\nthree & four\n", "a.txt").writing.sections
    assert section.html == "<p>one &lt;b&gt;<br>\ntwo</p>\n<p>three &amp; four</p>"


@pytest.mark.parametrize("name", ["a.rst", "a.adoc", "README"])
def test_a_file_of_another_format_is_refused_by_name(name: str) -> None:
    with pytest.raises(InvalidInput, match=r"are read from \.md, .*format-not-read"):
        reading_of("x", name)


def test_text_nested_absurdly_deep_is_shown_as_it_is_written() -> None:
    reading = reading_of("<div>" * 1000 + "words")
    assert "words" in html_of(reading)
    assert [finding.rule for finding in reading.findings] == ["too-deep"]


def test_readmes_that_cannot_be_read_are_reported_and_the_others_go_on() -> None:
    item = ComponentItem(
        kind=Kind.COMPONENT,
        name="log",
        title="log",
        readers=("all",),
        language="ja",
        place=Place("hanpon.yaml"),
        readme=("b.md", "a.md", "c.rst", "d.md", "e.md"),
    )
    tree = MemoryTree(
        {"b.md": "# b\n[a](a.md)", "a.md": "# a", "c.rst": "x", "d.md": b"\x82\xa0\x82\xa2", "e.md": "x"},
        sizes={"e.md": 1 << 30},
    )
    source = read_readmes(item, Inputs(tree))
    assert [writing.file for writing in source.writings] == ["a.md", "b.md"]
    assert 'href="writing:a.md"' in source.writings[1].sections[0].html
    assert [(finding.where.file, finding.rule) for finding in source.findings] == [
        ("c.rst", "format-not-read"),
        ("d.md", "not-utf-8"),
        ("e.md", "too-large"),
    ]
    assert "e.md" not in tree.reads


def test_a_guideline_file_that_nobody_may_see_is_not_read() -> None:
    item = item_of("a.md", "b.md", kind=Kind.GUIDELINE, access="access.csv")
    tree = MemoryTree({"a.md": "[b](b.md)", "b.md": "secret"})
    access = Access(by_file={"a.md": Grant(readers=("all",), api="COMMON", api_version="ALL")})
    source = read_guideline(item, access, Inputs(tree))
    assert [writing.file for writing in source.writings] == ["a.md"]
    assert {finding.rule for finding in source.findings} == {"no-access-entry", "link-unpublished"}
    assert tree.reads == ["a.md"]
    assert source.access is access


def test_images_among_the_files_of_a_guideline_or_readme_are_no_texts() -> None:
    tree = MemoryTree({"a.md": "# a\n\n![i](i.png)", "i.png": PNG, "c.bin": b"\0"})
    guideline = item_of("a.md", "i.png", "c.bin", kind=Kind.GUIDELINE)
    source = read_guideline(guideline, Access(common=Grant(readers=("all",), api="a", api_version="v")), Inputs(tree))
    assert [writing.file for writing in source.writings] == ["a.md"]
    assert [(each.rule, each.where.file) for each in source.findings] == [("format-not-read", "c.bin")]
    assert [image.data for image in source.writings[0].images] == [PNG]
    nobody = read_guideline(guideline, Access(), Inputs(tree))
    assert {each.where.file for each in nobody.findings} == {"a.md", "c.bin"}


def test_words_that_are_not_shown_are_told_of_with_their_place() -> None:
    table = "---\ntitle: x\n---\n\n| a |\n|---|\n| 1 | 2 |\n| `x|y` |\n"
    (cells,) = findings_of(reading_of(table))
    assert cells.startswith("warning docs/a.md:7: 2 rows of tables have more cells than the header")
    for text, file in (("<select><option>x</option></select>", "docs/a.md"), ("<p><input value=x>", "docs/a.html")):
        (fields,) = findings_of(reading_of(text, file))
        assert fields.startswith(f"info {file}: A choice or field of a form is left out")


def test_a_footnote_to_which_nothing_refers_has_no_way_back_in_mkdocs() -> None:
    reading = reading_of("a[^1]\n\n[^1]: one\n\n[^2]: two\n", dialect="mkdocs")
    assert findings_of(reading) == []
    assert html_of(reading).count("↩") == 1
