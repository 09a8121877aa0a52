"""READMEs: one page per file, its outline sound, its ids kept, its links resolved."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from hanpon.contracts.documents import Rendered
from hanpon.contracts.writings import Section, Writing
from hanpon.sources.writings.reader import read_readmes
from renderers import readme
from renderers.page_parts import Limits
from tests.apis import api_item
from tests.conftest import CHROMIUM
from tests.writings import (
    ProsePage,
    assert_sound,
    component_item,
    corpus_folders,
    corpus_inputs,
    pages_of,
    readme_of,
    words,
    writing_of,
)


def rendered(*texts: str | Writing, item: Any = None) -> Rendered:
    return readme.render(readme_of(*texts, item=item))


def page(text: str, **given: Any) -> ProsePage:
    (found,) = pages_of(rendered(writing_of(text, **given)).documents)
    return found


def test_a_component_readme_is_lib_doc_and_an_api_readme_is_api_spec() -> None:
    (document,) = rendered("# Guide\n<p>text</p>").documents
    found = document.metadata
    assert (found.doc_type, found.api, found.api_version) == ("lib_doc", "log", "3.2")
    assert (found.title, found.section, found.source) == ("Log library 3.2: Guide", "Guide", "docs/1.md")
    assert document.readers == found.groups == component_item().readers
    (document,) = rendered("# Guide", item=api_item()).documents
    assert (document.metadata.doc_type, document.metadata.api) == ("api_spec", "probe")


@pytest.mark.parametrize(
    ("language", "line"), [("en", "Log library, version 3.2"), ("ja", "Log library バージョン 3.2")]
)
def test_a_page_names_its_item_and_version_below_the_h1(language: Any, line: str) -> None:
    (found,) = pages_of(rendered("# Guide\n<p>text</p>", item=component_item(language)).documents)
    assert found.facts == [line]
    assert found.soup.h1 is not None
    assert found.soup.h1.find_next_sibling() == found.soup.select_one(".facts")


def test_a_title_does_not_say_twice_what_the_item_is_called() -> None:
    for heading in ("Log library", "Log library 3.2"):
        (document,) = rendered(f"# {heading}").documents
        assert (document.metadata.title, document.metadata.section) == ("Log library 3.2", heading)


BOXES = {
    '<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p></div>': "メモ",
    '<div class="admonition danger">\n<p class="admonition-title">Danger</p>\n<p>x</p>\n</div>': "危険 x",
    '<details class="tip" open="">\n<summary>Tip</summary><p>x</p></details>': "ヒント x",
    '<div class="admonition note"><p class="admonition-title">Note well</p></div>': "Note well",
    '<div class="admonition note"><p class="admonition-title">Tip</p></div>': "Tip",
    "<details><summary>Note</summary>x</details>": "Note x",
}


@pytest.mark.parametrize("html", BOXES)
def test_a_box_without_a_title_of_its_own_is_called_in_the_language_of_the_page(html: str) -> None:
    japanese, english = (rendered(f"# T\n{html}", item=component_item(one)).documents[0] for one in ("ja", "en"))
    assert ProsePage(japanese).text.endswith(f" 3.2 {BOXES[html]}")
    assert html in ProsePage(english).html


@pytest.mark.parametrize(
    ("text", "front", "outline"),
    [
        ("# T\n## a\n### b", {}, ["1 T", "2 a", "3 b"]),
        ("# T\n#### a\n## b", {}, ["1 T", "2 a", "2 b"]),
        ("# T\n## a\n# U\n## b\n### c", {}, ["1 T", "2 a", "2 U", "3 b", "4 c"]),
        ("## a\n# T", {}, ["1 Log library README.md", "2 a", "2 T"]),
        ("## a\n# T", {"title": "Front"}, ["1 Front", "2 a", "2 T"]),
        ("# T\n## a", {"title": "Front"}, ["1 T", "2 a"]),
        ("<p>only words</p>", {}, ["1 Log library README.md"]),
        ("# T\n## a\n#### b\n### c\n## d", {}, ["1 T", "2 a", "3 b", "3 c", "2 d"]),
        (
            "## 1\n### 2\n#### 3\n##### 4\n###### 5",
            {},
            ["1 Log library README.md", "2 1", "3 2", "4 3", "5 4", "6 5"],
        ),
        ("# T\n# U\n## 2\n### 3\n#### 4\n##### 5\n###### 6", {}, ["1 T", "2 U", "3 2", "4 3", "5 4", "6 5", "6 6"]),
    ],
)
def test_an_outline_has_one_h1_and_leaves_no_level_out(text: str, front: Any, outline: list[str]) -> None:
    assert page(text, front=front).outline == outline


def test_what_stands_before_the_first_heading_opens_the_page() -> None:
    found = page("<p>badges</p>\n# T\n<p>words</p>\n## a\n<p>more</p>")
    assert found.text == "T Log library, version 3.2 badges words a more"


def test_ids_of_headings_stay_as_they_are() -> None:
    found = page("# ログ `x`\n## 設定 & 使い方\n### 設定\n<h-x></h-x>\n## 設定")
    assert found.ids == ["ログ-x", "設定--使い方", "設定", "設定-1"]


def test_links_stay_on_the_page_or_go_through_the_index() -> None:
    first = writing_of(
        '# One\n<p><a href="#sub">a</a> <a href="writing:docs/b.md">b</a> <a href="writing:docs/b.md#two">c</a>'
        ' <a href="writing:a.md#sub">d</a> <a href="https://e.example/#x">e</a></p>\n## Sub',
        "a.md",
    )
    result = rendered(first, writing_of("# Two", "docs/b.md"))
    one, two = pages_of(result.documents)
    other = f"../index.html#{two.document.id}"
    assert one.links == ["#sub", other, other, "#sub", "https://e.example/#x"]
    assert result.findings == ()


def test_links_are_found_however_their_address_is_written() -> None:
    found = page(
        '# T\n<p><a href="#%E8%A8%AD%E5%AE%9A">a</a> <a href="#user-content-設定">b</a> <a href="#Big-One">c</a>'
        ' <a href="#か\u3099">d</a></p>\n## 設定\n## BIG one\n## が'
    )
    assert found.links == ["#設定", "#設定", "#big-one", "#が"]


def test_a_link_that_leads_nowhere_is_reported_and_still_leads_to_the_document() -> None:
    first = writing_of(
        '# One\n## Sub\n<p><a href="#gone">a</a> <a href="writing:b.md#gone">b</a> <a href="writing:c.md">c</a></p>',
        "a.md",
    )
    result = rendered(first, writing_of("# Two", "b.md"))
    one, two = pages_of(result.documents)
    assert one.links == [f"../index.html#{one.document.id}", f"../index.html#{two.document.id}"]
    assert "c" in one.text.split()
    assert [(finding.rule, finding.where.line) for finding in result.findings] == [("link-dangling", 2)] * 3
    assert any("`b.md#gone`" in finding.message for finding in result.findings)


def test_a_thousand_dangling_links_are_a_few_findings() -> None:
    links = "".join(f'<a href="#x{number}">x</a>' for number in range(1000))
    result = rendered(f"# T\n<p>{links}</p>")
    assert len(result.findings) == 21
    assert any("980 more links" in finding.message for finding in result.findings)


def test_text_that_looks_like_a_link_stays_text() -> None:
    found = page('# T\n<p>&lt;a href="#x"&gt; "#x" href="#y"</p>')
    assert found.text.endswith('<a href="#x"> "#x" href="#y"')
    assert found.links == []


def test_a_heading_without_words_gets_the_name_of_the_page() -> None:
    image = Section(level=1, heading='<img src="../assets/0123.png" alt="">', anchor="section")
    (found,) = pages_of(rendered(Writing(file="README.md", sections=(image,))).documents)
    assert found.heading == "Log library README.md"
    assert found.soup.select("h1 img")


def test_a_heading_of_megabytes_is_cut_and_stands_below_in_full() -> None:
    long = "word " * 100_000
    found = page(f"# {long}\n## {long}end\n<p>text</p>")
    assert len(found.heading) <= 1000
    assert found.text.count("word") >= 200_000
    assert "end" in found.text


def test_positions_follow_the_files() -> None:
    documents = rendered("# A", "# B", "# C").documents
    assert [(d.metadata.section, d.position) for d in documents] == [("A", 0), ("B", 1), ("C", 2)]


def test_no_control_character_reaches_a_page() -> None:
    found = page("# T\x01\n<p>a\x00b\x7f</p>")
    assert not set(found.html) & set("\x00\x01\x7f")


def test_an_id_depends_on_the_file_alone() -> None:
    one, other = rendered("# A\n<p>x</p>").documents[0], rendered("# B\n<p>y</p>", "# C").documents[0]
    assert one.id == other.id


def large(count: int) -> str:
    paragraphs = "\n".join(
        f'## Part {number}\n<p id="p{number}">{"word " * 3000}<img alt="i"> '
        f'<a href="#p{count - 1 - number}">far</a></p>'
        for number in range(count)
    )
    return f'# Large\n<p><a href="#p{count - 1}">last</a> <a href="#large">top</a></p>\n{paragraphs}'


def test_a_large_text_is_cut_into_parts_whose_links_find_one_another() -> None:
    result = rendered(large(250), '# Other\n<p><a href="writing:docs/1.md#p249">there</a></p>')
    pages = pages_of(result.documents)
    *parts, other = pages
    assert len(parts) > 3
    assert {part.heading for part in parts} == {"Large"}
    assert all("Log library, version 3.2" in part.facts for part in parts)
    assert [part.metadata.section for part in parts][1] == f"Large (part 2 of {len(parts)})"
    assert len({part.document.id for part in parts}) == len(parts)
    ids = {part.document.id: set(part.ids) for part in parts}
    for part in parts:
        assert len(part.html.encode()) < 2_500_000
        for link in part.links:
            if link.startswith("#"):
                assert link[1:] in ids[part.document.id]
            else:
                assert link.removeprefix("../index.html#") in ids
    assert other.links == [f"../index.html#{parts[-1].document.id}"]
    assert [finding.rule for finding in result.findings] == ["not-rendered"]
    assert "cut into" in result.findings[0].message


def test_parts_hold_every_word_of_a_large_text() -> None:
    source = readme_of(large(250))
    wanted = words("".join(section.heading + section.html for section in source.writings[0].sections))
    found = sum((words(page.soup) for page in pages_of(readme.render(source).documents)), words(""))
    for word in ("word", "far"):
        assert found[word] == wanted[word]


def test_links_never_make_a_page_too_large() -> None:
    links = "".join(f'<a href="#{number}">{number}</a>' for number in range(60_000))
    result = rendered(f"# T\n<p>{links}</p>")
    assert all(len(document.content) < 2_500_000 for document in result.documents)


blocks = st.sampled_from(
    [
        "<p>one</p>",
        "<ul><li>two</li></ul>",
        '<p><a href="#t">l</a></p>',
        '<p><a href="writing:docs/2.md#u">m</a></p>',
        "",
    ]
)
sections = st.lists(st.tuples(st.integers(1, 6), st.sampled_from(["t", "u", "日本", "<code>c</code>"]), blocks))


@given(sections, blocks)
def test_any_outline_gives_a_sound_page_that_holds_every_word_once(
    drawn: list[tuple[int, str, str]], opening: str
) -> None:
    lines = [opening, *(f"{'#' * level} {heading}\n{html}" for level, heading, html in drawn)]
    source = readme_of("\n".join(lines), "# U\n<p>other</p>")
    result = readme.render(source)
    assert readme.render(source) == result
    assert_sound(pages_of(result.documents))
    found = ProsePage(result.documents[0])
    writing = source.writings[0]
    wanted = words("".join(f"<div>{section.heading}</div>{section.html}" for section in writing.sections))
    for fact in found.soup.select(".facts"):
        fact.decompose()
    if not (drawn and drawn[0][0] == 1) and found.soup.h1:
        found.soup.h1.decompose()
    assert words(found.main) == wanted


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=60))
def test_titles_and_addresses_never_change_the_tree(text: str) -> None:
    def printed(word: str) -> BeautifulSoup:
        section = Section(level=1, title=word, anchor=f"a{word}", html="<p>x</p>")
        writing = Writing(file=f"f{word}", title=word, front={"title": word}, sections=(section,))
        item = replace(component_item(), title=word)
        return BeautifulSoup(rendered(writing, item=item).documents[0].content.decode(), "html.parser")

    assert [tag.name for tag in printed(text).find_all(True)] == [tag.name for tag in printed("x").find_all(True)]


def test_the_limits_are_those_of_all_pages() -> None:
    assert Limits() == Limits(2_500_000, 1_000, 900_000, 300)


@pytest.mark.corpus
@pytest.mark.parametrize("folder", corpus_folders("readmes"))
def test_real_readmes_become_sound_pages_that_hold_every_word(folder: str) -> None:
    inputs, files = corpus_inputs("readmes", folder)
    if not files:
        pytest.skip("no Markdown or HTML")
    source = read_readmes(component_item(title=folder, readme=files), inputs)
    pages = pages_of(readme.render(source).documents)
    assert len(pages) == len(files) == len(source.writings)
    assert_sound(pages)
    for page, writing in zip(pages, source.writings, strict=True):
        wanted = words("".join(f"<div>{section.heading}</div>{section.html}" for section in writing.sections))
        assert wanted <= words(page.main)


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_a_page_fits_its_screen_and_wide_tables_scroll(tmp_path: Path, width: int) -> None:
    cells = "".join(f"<td>`{'x' * 40}`</td>" for _ in range(8))
    text = f"# ログ\n<table><tbody><tr>{cells}</tr></tbody></table>\n<pre><code>{'y' * 400}</code></pre>"
    file = tmp_path / "page.html"
    file.write_bytes(rendered(text).documents[0].content)
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu"])
        tab = browser.new_context(viewport={"width": width, "height": 900}).new_page()
        requests: list[str] = []
        tab.on("request", lambda request: requests.append(request.url))
        tab.goto(file.as_uri())
        assert requests == [file.as_uri()]
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        wide = "document.querySelector('table').scrollWidth > document.querySelector('table').clientWidth"
        assert tab.evaluate(wide)
        browser.close()
