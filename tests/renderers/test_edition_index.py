"""The index page of an edition."""

import re
from dataclasses import replace

from bs4 import BeautifulSoup, Tag

from hanpon.contracts.access import Grant
from hanpon.contracts.answers import AnswersSource
from hanpon.contracts.designs import DesignSource
from hanpon.contracts.documents import Document
from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.contracts.manifests import Entry, Manifest, ObjectRef
from hanpon.contracts.names import Inventory
from hanpon.inventory.api_names import names_of
from renderers import answer, clause, design, readme
from renderers.edition_index import render_index
from renderers.operation import render
from tests.apis import api_item, source_of
from tests.renderers.test_answer import answer_of
from tests.renderers.test_design import office, one
from tests.writings import READERS, files_item, guideline_of, readme_of, writing_of

DEFINITION = """
openapi: 3.1.0
info: {title: T, version: '1'}
tags: [{name: 注文 API}]
paths:
  /b: {get: {tags: [注文 API, other], summary: 'one <b>', deprecated: true, responses: {}}}
  /a: {get: {responses: {}, callbacks: {done: {'{$url}': {post: {responses: {}}}}}}}
webhooks: {newPet: {post: {tags: [other], responses: {}}}}
"""
FINDINGS = (
    Finding("not-rendered", Severity.INFO, Place("openapi.yaml", "/info"), "left out"),
    Finding("odd-shape", Severity.ERROR, Place("openapi.yaml", "/x"), "a <script> is odd"),
)


def index(definition: str = DEFINITION, findings: tuple[Finding, ...] = FINDINGS) -> tuple[BeautifulSoup, Manifest]:
    source = source_of(definition)
    manifest = manifest_of(source.item.edition, render(source).documents, findings)
    html = render_index(manifest, names_of(source), title="Probe API", language="en").decode()
    return BeautifulSoup(html, "html.parser"), manifest


def manifest_of(edition: Edition, documents: tuple[Document, ...], findings: tuple[Finding, ...] = ()) -> Manifest:
    return Manifest(
        edition=edition,
        inputs={},
        settings="",
        recipe={},
        inventory=ObjectRef("", "", 0),
        entries=tuple(sorted(map(Entry.of, documents), key=lambda entry: entry.id)),
        names=0,
        findings=findings,
    )


def index_of(documents: tuple[Document, ...], title: str, language: str = "en") -> BeautifulSoup:
    """The index of texts; all documents of it are listed, each once."""
    edition = documents[0].edition
    html = render_index(manifest_of(edition, documents), Inventory(edition), title=title, language=language).decode()
    soup = BeautifulSoup(html, "html.parser")
    places = {str(tag["id"]): tag for tag in soup.find_all(id=True)}
    assert sorted(places) == sorted(document.id for document in documents)
    assert len(soup.find_all(id=True)) == len(documents)
    for document in documents:
        place = places[document.id]
        assert isinstance(place, Tag)
        assert place.a is not None
        assert f"{edition.folder}/{place.a['href']}" == document.key
    return soup


def lines(soup: BeautifulSoup) -> dict[str, list[str]]:
    """What is listed under each h2."""
    found = {}
    for section in soup.find_all("section"):
        assert section.h2 is not None
        found[section.h2.get_text()] = [" ".join(item.get_text(" ").split()) for item in section.find_all("li")]
    return found


def test_operations_stand_under_each_of_their_tags_and_the_rest_apart() -> None:
    soup, _ = index()
    assert lines(soup) == {
        "other": ["GET /b one <b> deprecated"],
        "注文 API": ["GET /b one <b> deprecated"],
        "Without a tag": ["GET /a"],
        "Webhooks": ["POST newPet"],
        "Callbacks": ["POST {$url}"],
        "Findings": [
            "error openapi.yaml#/x : a <script> is odd [odd-shape]",
            "note openapi.yaml#/info : left out [not-rendered]",
        ],
    }


def test_each_document_has_one_place_with_its_id_and_a_link_into_the_edition() -> None:
    soup, manifest = index()
    assert sorted(str(tag["id"]) for tag in soup.find_all(id=True)) == [entry.id for entry in manifest.entries]
    for entry in manifest.entries:
        place = soup.find(id=entry.id)
        assert isinstance(place, Tag)
        assert place.a is not None
        assert f"{manifest.edition.folder}/{place.a['href']}" == entry.key
        assert str(place.a["href"]).startswith("pages/")


def test_an_empty_edition_says_so() -> None:
    soup, _ = index("openapi: 3.1.0\ninfo: {title: T, version: '1'}\ncomponents: {}\n", ())
    assert "Nothing is published here." in soup.get_text()


def test_no_control_character_reaches_the_index() -> None:
    text = "one\\x00two\\x85three"
    definition = (
        '{openapi: 3.1.0, info: {title: T, version: \'1\'}, paths: {"/\\u0085": {get: {tags: ["%s"], summary: "%s", '
        'responses: {}, callbacks: {c: {"%s": {post: {responses: {}}}}}}}}}'
    ).replace("%s", text)
    findings = (
        Finding("odd-shape", Severity.ERROR, Place("a.yaml", "/paths/~1\x00\x85"), "a \x00 and a \x85 are odd"),
    )
    soup, _ = index(definition, findings)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe]", str(soup))
    assert "a \ufffd and a \ufffd are odd" in soup.get_text()


def test_the_parts_of_a_page_stand_below_one_another() -> None:
    words = "word " * 2_500_000
    soup, manifest = index(
        "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {/a: {get: {summary: short, description: "
        f"{words}, responses: {{}}}}, put: {{responses: {{}}}}}}}}",
        (),
    )
    count = len(manifest.entries) - 1
    assert count > 10
    assert lines(soup) == {
        "Without a tag": [
            "GET /a short",
            *(f"GET /a (part {index} of {count}) short" for index in range(2, count + 1)),
            "PUT /a",
        ]
    }


def tree(element: Tag | None) -> list[object]:
    """Nested lists as texts and lists of texts."""
    found: list[object] = []
    for item in element.find_all("li", recursive=False) if element else ():
        below = item.find("ul")
        own = "".join(
            str(child.get_text()) for child in item.children if getattr(child, "name", "") in {"a", "strong"}
        )
        found.append([own, *tree(below)] if isinstance(below, Tag) else own)
    return found


def test_clauses_stand_below_the_headings_above_them_in_reading_order() -> None:
    text = (
        "<p>before</p>\n# 第1章 総則\n## 第1条 目的\n<p>a</p>\n## 第2条 範囲\n<p>b</p>\n# 第2章 細則\n<p>c</p>"
        "\n## 第3条 例外\n<p>d</p>"
    )
    source = guideline_of(writing_of(text, "a.md", {"title": "規約"}), item=files_item(title="規約 A"))
    soup = index_of(clause.render(source).documents, "規約 A", "ja")
    assert soup.h1 is not None
    assert soup.h1.get_text() == "規約 A"
    assert tree(soup.ul) == ["規約", ["第1章 総則", "第1条 目的", "第2条 範囲"], ["第2章 細則", "第3条 例外"]]


def test_clauses_of_several_files_stand_below_the_names_of_their_files() -> None:
    texts = (
        writing_of("# Names\n<p>a</p>\n## Guidance\n<p>b</p>", "1.md", {"id": "122"}),
        writing_of("# B\n<p>b</p>\n# B\n<p>c</p>", "2.md"),
    )
    soup = index_of(clause.render(guideline_of(*texts)).documents, "Rules")
    assert [tag.get_text() for tag in soup.find_all(["h2", "h3"])] == ["Clauses", "1.md", "2.md"]
    assert [tree(found) for found in soup.select("ul.pages")] == [[["122 Names", "Guidance"]], ["B", "B"]]


def test_a_title_that_looks_like_a_trail_is_listed_in_time() -> None:
    text = "# " + " > ".join("a" for _ in range(300)) + "\n<p>x</p>"
    index_of(clause.render(guideline_of(text)).documents, "Rules")


def test_readmes_follow_the_operations() -> None:
    source = source_of(DEFINITION)
    texts = readme.render(
        readme_of(writing_of("# Guide", "docs/b.md"), writing_of("# About", "a.md"), item=api_item())
    )
    manifest = manifest_of(source.item.edition, (*render(source).documents, *texts.documents))
    html = render_index(manifest, names_of(source), title="Probe API", language="en").decode()
    listed = lines(BeautifulSoup(html, "html.parser"))
    assert list(listed) == ["other", "注文 API", "Without a tag", "Webhooks", "READMEs and guides", "Callbacks"]
    assert listed["READMEs and guides"] == ["Guide docs/b.md", "About a.md"]


def test_a_file_with_a_sharp_in_its_name_is_named_in_full() -> None:
    files = ["rules/C#.md", "rules/F#.x.html", "rules/J.md"]
    texts = [writing_of("# 規則\n## [C-1] Names\n<p>a</p>", file) for file in files]
    soup = index_of(clause.render(guideline_of(*texts)).documents, "Rules")
    assert [tag.get_text() for tag in soup.find_all("h3")] == files
    assert [tree(found) for found in soup.select("ul.pages")] == [[["規則", "[C-1] Names"]]] * 3
    soup = index_of(readme.render(readme_of(*texts)).documents, "Log library")
    assert [tag.get_text() for tag in soup.select(".about")] == files


def test_a_thousand_clauses_are_listed_below_their_chapters_in_either_language() -> None:
    chapter = "\n".join(f"## 第{number}条 目的\n<p>a</p>" for number in range(1, 26))
    text = "\n".join(f"# 第{number}章 総則\n{chapter}" for number in range(1, 41))
    documents = clause.render(guideline_of(text)).documents
    assert len(documents) == 1000
    for language, label in (("ja", "規約の条項"), ("en", "Clauses")):
        soup = index_of(documents, "Rules", language)
        assert [tag.get_text() for tag in soup.find_all(["h1", "h2"])] == ["Rules", label]
        assert [str(one).count("第") for one in tree(soup.ul)] == [26] * 40


def test_superseded_answers_are_marked() -> None:
    answers = (answer_of(versions=("v1", "v2")), answer_of(id="q2", question="Old?", superseded=True))
    source = AnswersSource(item=files_item(Kind.ANSWERS, name="past"), answers=answers)
    soup = index_of(answer.render(source).documents, "Past answers")
    assert lines(soup) == {
        "Answers": [
            "How are customers listed? customer, version v1",
            "How are customers listed? customer, version v2",
            "Old? customer, version v1 superseded",
        ]
    }


def test_designs_are_listed_with_the_type_of_a_file_and_what_they_hold_for() -> None:
    everywhere = Grant(readers=READERS, api="COMMON", api_version="ALL")
    text = replace(one(writing_of("# Flow", "b.html"), "b.html"), grant=everywhere)
    source = DesignSource(
        item=files_item(Kind.DESIGN, name="d"), designs=(one(office(title="Stock"), "a.docx"), text)
    )
    soup = index_of(design.render(source).documents, "Designs")
    assert lines(soup) == {
        "Design documents": ["Stock DOCX · order, version v2 · a.docx", "Flow every API and library · b.html"]
    }
