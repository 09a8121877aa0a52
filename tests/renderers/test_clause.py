"""Clauses of guidelines: what is one, what it is called, and that no word of a file is lost or told twice."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.contracts.access import Access, Grant
from hanpon.contracts.documents import Document, Rendered
from hanpon.contracts.writings import GuidelineSource, Section, Writing
from hanpon.sources.writings.reader import read_guideline
from renderers import clause
from renderers.clause_sections import clauses_of
from tests.writings import (
    ProsePage,
    assert_sound,
    corpus_folders,
    corpus_inputs,
    files_item,
    guideline_of,
    pages_of,
    words,
    writing_of,
)


def rendered(*texts: str | Writing, **given: Any) -> Rendered:
    return clause.render(guideline_of(*texts, **given))


def listed(*texts: str | Writing, **given: Any) -> list[tuple[str, str, str]]:
    """Section, h1 and trail of each clause."""
    return [
        (page.metadata.section, page.heading, page.facts[0]) for page in pages_of(rendered(*texts, **given).documents)
    ]


def test_every_heading_is_a_clause_with_the_headings_above_it() -> None:
    text = "# Java\n<p>a</p>\n## Names\n<p>b</p>\n### Classes\n<p>c</p>\n## Errors\n<p>d</p>"
    assert listed(text) == [
        ("Java", "Java", "Rules"),
        ("Names", "Names", "Rules › Java"),
        ("Classes", "Classes", "Rules › Java › Names"),
        ("Errors", "Errors", "Rules › Java"),
    ]


def test_a_bare_heading_stands_in_trails_alone() -> None:
    text = "# 第1章 総則\n## 第1条 目的\n<p>a</p>\n## 第2条 範囲\n<p>b</p>\n# 第2章 細則"
    assert listed(text) == [
        ("第1条", "第1条 目的", "Rules › 第1章 総則"),
        ("第2条", "第2条 範囲", "Rules › 第1章 総則"),
        ("第2章", "第2章 細則", "Rules"),
    ]


def test_headings_without_a_number_belong_to_the_numbered_one_above() -> None:
    text = "## 第3条 命名\n<p>a</p>\n### 良い例\n<p>b</p>\n#### 補足\n<p>c</p>\n## 第4条 例外\n<p>d</p>"
    first, second = pages_of(rendered(text).documents)
    assert first.outline == ["1 第3条 命名", "2 良い例", "3 補足"]
    assert first.text == "第3条 命名 Rules a 良い例 b 補足 c"
    assert second.outline == ["1 第4条 例外"]


def test_a_single_number_in_a_file_draws_nothing_to_itself() -> None:
    assert [row[0] for row in listed("## [R-1] Names\n<p>a</p>\n### Good\n<p>b</p>")] == ["R-1", "Good"]


def test_a_heading_above_numbered_ones_is_no_part_of_a_clause() -> None:
    text = "# 第1章 総則\n<p>a</p>\n## 基本\n### 第1条 目的\n<p>b</p>\n### 第2条 範囲\n<p>c</p>\n## 附記\n<p>d</p>"
    assert listed(text) == [
        ("第1章", "第1章 総則", "Rules"),
        ("第1条", "第1条 目的", "Rules › 第1章 総則 › 基本"),
        ("第2条", "第2条 範囲", "Rules › 第1章 総則 › 基本"),
    ]
    assert "附記 d" in ProsePage(rendered(text).documents[0]).text


def test_text_before_the_first_heading_is_a_clause_of_its_own() -> None:
    opening = "<p>before</p>\n## A\n<p>a</p>"
    assert listed(writing_of(opening, "java.md", {"title": "Java rules"}))[0] == ("Java rules", "Java rules", "Rules")
    assert listed(writing_of(opening, "java.md"))[0] == ("Rules java.md", "Rules java.md", "Rules")
    assert rendered(writing_of(opening, "java.md")).documents[0].metadata.source == "java.md"


def test_front_matter_numbers_the_first_heading() -> None:
    text = "# Resource names\n<p>a</p>\n## Guidance\n<p>b</p>"
    first, second = rendered(writing_of(text, "0122.md", {"id": "122"})).documents
    assert (first.metadata.section, first.metadata.title) == ("122", "Rules: 122 Resource names")
    assert ProsePage(first).heading == "122 Resource names"
    assert (second.metadata.section, second.metadata.title) == ("Guidance", "Rules: 122 Resource names › Guidance")
    assert ProsePage(second).facts == ["Rules › 122 Resource names"]


def test_front_matter_gives_no_number_to_a_heading_that_has_one() -> None:
    assert listed(writing_of("# [R-7] Names\n<p>a</p>", front={"id": "122"}))[0][:2] == ("R-7", "[R-7] Names")


def test_an_article_of_supplementary_provisions_says_whose_it_is() -> None:
    text = "## 第1条 目的\n<p>a</p>\n## 附則\n### 第1条 施行期日\n<p>b</p>\n#### 補足\n<p>c</p>"
    first, second = rendered(text).documents
    assert (first.metadata.section, first.metadata.title) == ("第1条", "Rules: 第1条 目的")
    assert (second.metadata.section, second.metadata.title) == ("附則第1条", "Rules: 附則 第1条 施行期日")
    assert ProsePage(second).outline == ["1 附則 第1条 施行期日", "2 補足"]
    assert ProsePage(second).facts == ["Rules › 附則"]


def test_a_title_does_not_say_twice_what_the_guideline_is_called() -> None:
    first, second = rendered("# Rules\n<p>a</p>\n## Names\n<p>b</p>").documents
    assert [first.metadata.title, second.metadata.title] == ["Rules", "Rules: Names"]


def test_metadata_says_where_a_clause_comes_from() -> None:
    (document,) = rendered(writing_of("# A\n## 3.2 B <code>c</code>\n<p>x</p>", "g/a.md")).documents
    found = document.metadata
    assert (found.doc_type, found.api, found.api_version, found.version_rank) == ("guideline", "COMMON", "ALL", 0)
    assert (found.title, found.section, found.tags) == ("Rules: 3.2 B c", "3.2", ())
    assert found.source == "g/a.md#A > 3.2 B c"


def test_a_version_of_the_guideline_stands_in_the_trail() -> None:
    assert listed("# A", item=files_item(version="2.0"))[0][2] == "Rules, version 2.0"


def test_equal_trails_are_two_clauses() -> None:
    documents = rendered("# A\n## B\n<p>1</p>\n## B\n<p>2</p>\n# A\n<p>3</p>").documents
    assert len({document.id for document in documents}) == 3
    alone = rendered("# A\n## B\n<p>1</p>").documents
    assert documents[0].id == alone[0].id


def test_trails_that_read_alike_are_different_clauses() -> None:
    documents = rendered(
        "# A > B\n<p>1</p>\n# A\n## B\n<p>2</p>\n# A\n<p>3</p>\n# A (2)\n<p>4</p>\n# A\n<p>5</p>"
    ).documents
    assert len({document.id for document in documents}) == len(documents) == 5


def test_an_id_depends_on_the_headings_alone() -> None:
    before = rendered("# A\n<p>a</p>\n## B\n<p>b</p>").documents
    after = rendered("# Z\n<p>z</p>\n# A\n<p>x</p>\n## Y\n<p>y</p>\n## B\n<p>b</p>").documents
    assert {document.id for document in before} < {document.id for document in after}


def test_links_find_the_clause_that_holds_their_place() -> None:
    one = (
        '# Bare\n## A\n<p id="x">a <a href="#b">1</a> <a href="#x">2</a> <a href="#bare">3</a></p>\n'
        '## B\n<p><a href="#bare">4</a> <a href="#x">5</a> <a href="writing:docs/2.md#d">6</a> <a href="#">7</a></p>'
    )
    result = rendered(one, "# C\n<p>c</p>\n## D\n<p>d</p>")
    a, b, _, d = pages_of(result.documents)
    address = {page.heading: f"../index.html#{page.document.id}" for page in (a, b, d)}
    assert a.links == [address["B"], "#x", address["A"]]
    assert b.links == [address["A"], address["A"], address["D"], address["B"]]
    assert result.findings == ()


def test_a_dangling_link_is_reported_with_the_line_of_its_heading() -> None:
    result = rendered('# A\n<p>a</p>\n## B\n<p><a href="#gone">x</a></p>')
    (finding,) = result.findings
    assert (finding.rule, finding.where.file, finding.where.line) == ("link-dangling", "docs/1.md", 3)
    page = ProsePage(result.documents[1])
    assert page.links == [f"../index.html#{page.document.id}"]


def test_each_file_has_the_readers_and_the_scope_of_its_grant() -> None:
    access = Access(by_file={"docs/1.md": Grant(readers=("group:a", "group:b"), api="order", api_version="v2")})
    result = rendered("# A\n<p>a</p>", '# Secret\n<p>b <a href="#secret">x</a></p>', access=access)
    (document,) = result.documents
    assert document.readers == document.metadata.groups == ("group:a", "group:b")
    assert (document.metadata.api, document.metadata.api_version) == ("order", "v2")
    assert document.metadata.version_rank > 0
    assert ProsePage(document).facts == ["Rules", "Holds for: order, version v2"]


def test_without_access_or_readers_nothing_is_published() -> None:
    assert rendered("# A", access=Access()).documents == ()
    assert rendered("# A", item=files_item(readers=())).documents == ()


def test_positions_run_over_all_files() -> None:
    documents = rendered("# A\n<p>a</p>\n## B", "# C").documents
    assert [(document.metadata.section, document.position) for document in documents] == [
        ("A", 0),
        ("B", 1),
        ("C", 2),
    ]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_an_empty_file_has_no_clause(language: Any) -> None:
    assert rendered("", item=files_item(language=language)).documents == ()


# --- the law


def assert_whole_and_sound(source: GuidelineSource, documents: tuple[Document, ...]) -> None:
    """Bodies of all pages and bare headings together are the words of the sections, each once."""
    pages: dict[str, list[ProsePage]] = {}
    every = pages_of(documents)
    assert_sound(every)
    for page in every:
        pages.setdefault(page.metadata.source.partition("#")[0], []).append(page)
    for writing in source.writings:
        of_file = pages.get(writing.file, [])
        trails = " ".join(page.facts[0] for page in of_file)
        kept = {id(section) for one in clauses_of(writing) for section in one.sections}
        bare = [section for section in writing.sections if id(section) not in kept]
        assert not any(section.html.strip() for section in bare)
        assert all(section.title in trails for section in bare)
        found = words("".join(map(_html, bare)))
        for page in of_file:
            found.update(words(without_labels(page).main))
        assert found == words("".join(map(_html, writing.sections)))


def without_labels(page: ProsePage) -> ProsePage:
    for label in page.soup.select(".facts, .number"):
        label.decompose()
    if "#" not in page.metadata.source:  # text before the first heading: its h1 is a name that we gave
        assert page.soup.h1 is not None
        page.soup.h1.decompose()
    return page


def _html(section: Section) -> str:
    return f"<div>{section.heading}</div>{section.html}"


titles = st.sampled_from(
    [
        "Names",
        "第1条 目的",
        "第2条 範囲",
        "第1章 総則",
        "3.2 Scope",
        "3.3 Terms",
        "1. One",
        "2. Two",
        "[R-1] Rule",
        "Good <b>x</b>",
    ]
)
bodies = st.sampled_from(["", "", "<p>one two</p>", "<ul><li>三</li></ul>", '<p><a href="#names">link</a></p>'])


@given(
    st.lists(st.tuples(st.integers(1, 6), titles, bodies), max_size=14), bodies, st.sampled_from([{}, {"id": "9"}])
)
def test_the_clauses_of_a_file_hold_every_word_once(
    drawn: list[tuple[int, str, str]], opening: str, front: dict[str, str]
) -> None:
    text = "\n".join([opening, *(f"{'#' * level} {title}\n{html}" for level, title, html in drawn)])
    source = guideline_of(writing_of(text, "a.md", front), writing_of("# Names", "b.md"))
    rendered = clause.render(source)
    assert clause.render(source) == rendered
    alone = clause.render(guideline_of(source.writings[0])).documents
    assert {document.id for document in alone} <= {document.id for document in rendered.documents}
    assert_whole_and_sound(source, rendered.documents)


@pytest.mark.corpus
@pytest.mark.parametrize("folder", corpus_folders("guidelines"))
def test_the_clauses_of_real_guidelines_hold_every_word_once(folder: str) -> None:
    inputs, files = corpus_inputs("guidelines", folder)
    if not files:
        pytest.skip("no Markdown or HTML")
    grant = Grant(readers=("all",), api="COMMON", api_version="ALL")
    source = read_guideline(files_item(title=folder, files=files), Access(common=grant), inputs)
    assert len(source.writings) == len(files)
    assert_whole_and_sound(source, clause.render(source).documents)
