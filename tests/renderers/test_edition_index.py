"""The index page of an edition."""

import re

from bs4 import BeautifulSoup, Tag

from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.contracts.manifests import Entry, Manifest, ObjectRef
from hanpon.inventory.api_names import names_of
from renderers.edition_index import render_index
from renderers.operation import render
from tests.apis import source_of

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
    manifest = Manifest(
        edition=source.item.edition,
        inputs={},
        settings="",
        recipe={},
        inventory=ObjectRef("", "", 0),
        entries=tuple(sorted(map(Entry.of, render(source).documents), key=lambda entry: entry.id)),
        names=0,
        findings=findings,
    )
    html = render_index(manifest, names_of(source), title="Probe API", language="en").decode()
    return BeautifulSoup(html, "html.parser"), manifest


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
