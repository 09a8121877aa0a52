"""Pages that are too large, tables that end early: nothing goes without a word, and hostile sizes take no longer."""

import json
import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.contracts.documents import Rendered
from hanpon.contracts.findings import Severity
from hanpon.inventory.api_names import names_of
from renderers import operation
from renderers.markdown_text import html_of
from renderers.operation import render
from renderers.page_parts import MAX_BYTES, MAX_PIECES, PART_BYTES, PART_HEADINGS, Limits
from renderers.page_pieces import pieces_of
from tests.apis import Page, source_of
from tests.renderers.test_corpus import Balance

FINE = {"200": {"description": "fine"}}
WORDS = "word " * 35_000
TENTH = Limits(MAX_BYTES // 10, MAX_PIECES // 10, PART_BYTES // 10, PART_HEADINGS // 10)


def api(get: dict[str, Any], path: str = "/a", **more: Any) -> str:
    definition = {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {path: {"get": get}}, **more}
    return json.dumps(definition)


def body(schema: Any) -> dict[str, Any]:
    return {"responses": {"200": {"description": "d", "content": {"application/json": {"schema": schema}}}}}


def printed(definition: str) -> Rendered:
    return render(source_of(definition))


def told(rendered: Rendered) -> list[tuple[Severity, str]]:
    return [(finding.severity, finding.message) for finding in rendered.findings]


LARGE: dict[str, tuple[str, str, int]] = {
    "a summary": (api({"summary": WORDS, "responses": FINE}), "word", 35_000),
    "a summary of one word": (api({"summary": "w" * 300_000, "responses": FINE}), "w" * 1000, 295),
    "a path": (api({"responses": FINE}, "/" + "p" * 300_000), "p" * 1000, 295),
    "a tag's name": (api({"tags": ["t" * 300_000], "responses": FINE}), "t" * 1000, 295),
    "a tag's description": (
        api({"tags": ["t"], "responses": FINE}, tags=[{"name": "t", "description": WORDS}]),
        "word",
        35_000,
    ),
    "a description": (api({"description": WORDS, "responses": FINE}), "word", 35_000),
    "paragraphs": (api({"description": "one *word* &c.\n\n" * 8_000, "responses": FINE}), "word", 8_000),
    "a table in Markdown": (
        api({"description": "|a|b|\n|-|-|\n" + "|word|y|\n" * 7_000, "responses": FINE}),
        "word",
        7_000,
    ),
    "deep quotations": (api({"description": ">" * 70_000 + " word", "responses": FINE}), "word", 1),
    "40 responses": (
        api({"responses": {str(200 + number): {"description": "word " * 1_500} for number in range(40)}}),
        "word",
        60_000,
    ),
    "400 media types": (
        api(
            {
                "responses": {
                    "200": {
                        "description": "d",
                        "content": {f"x/y{number}": {"schema": {"const": f"word{number}"}} for number in range(400)},
                    }
                }
            }
        ),
        "always word",
        400,
    ),
    "an example": (
        api({"responses": {"200": {"description": "d", "content": {"a/json": {"example": ["word"] * 30_000}}}}}),
        "word",
        30_000,
    ),
    "a row": (
        api(body({"type": "object", "properties": {"big": {"description": "a *word* " * 17_000}, "z": {}}})),
        "word",
        17_000,
    ),
}


@pytest.fixture
def tenth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages a tenth as large as they may be are too large: what is cut is alike, and soon done."""
    monkeypatch.setattr(operation, "LIMITS", TENTH)


@pytest.mark.usefixtures("tenth")
@pytest.mark.parametrize("kind", LARGE)
def test_a_page_that_is_too_large_is_cut_into_parts_and_every_word_stands_on_one(kind: str) -> None:
    definition, word, count = LARGE[kind]
    source = source_of(definition)
    documents = render(source).documents
    assert len(documents) > 1
    assert len({document.id for document in documents}) == len(documents)
    assert [name.document for name in names_of(source).names] == [documents[0].id]
    texts = ""
    for index, document in enumerate(documents, 1):
        html = document.content.decode()
        assert len(document.content) < TENTH.page_bytes
        Balance().feed_all(html)
        levels = [int(level) for level in re.findall(r"<h([1-6])[ >]", html)]
        assert all(below <= above + 1 for above, below in pairwise(levels))
        identities = re.findall(r' id="([^"]*)"', html)
        assert len(identities) == len(set(identities))
        h1, below = re.findall(r"<h1>([^<]*)</h1>\n(.*?)</p>", html)[0]
        assert h1 == re.findall("<h1>([^<]*)</h1>", documents[0].content.decode())[0]
        assert below == f'<p class="facts">part {index} of {len(documents)}'
        assert len(document.metadata.title) < 2_000
        texts += re.sub("<[^>]*>", "", html.partition("</h1>")[2])
    assert texts.count(word) >= count
    parts = [document.metadata.section for document in documents[1:]]
    assert all(f"(part {index} of {len(documents)})" in section for index, section in enumerate(parts, 2))
    assert "part" not in documents[0].metadata.section.replace("ppp", "")
    assert {document.metadata.path for document in documents} == {documents[0].metadata.path}


@pytest.mark.usefixtures("tenth")
def test_a_part_that_goes_on_says_in_what_and_a_table_keeps_its_head() -> None:
    second = Page(printed(LARGE["a row"][0]).documents[1])
    assert [tag.get_text() for tag in second.soup.find_all(["h2", "h3"])] == [
        "Responses",
        "Response 200 — application/json",
    ]
    (row, *_) = second.rows("GET /a · Response 200 — application/json")
    assert row[0] == "big"
    assert row[3].startswith("a word")


def test_what_many_parts_do_not_hold_is_left_out_with_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operation, "MAX_PARTS", 3)
    rendered = printed(api({"description": "word " * (3 * PART_BYTES // 4), "responses": FINE}))
    assert len(rendered.documents) == 3
    assert "The rest of this operation's description is left out here" in Page(rendered.documents[-1]).text
    assert {severity for severity, _ in told(rendered)} == {Severity.INFO, Severity.WARNING}
    assert any("the rest of it is on no page" in message for _, message in told(rendered))


def test_what_many_operations_share_does_not_fill_the_storage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operation, "MOST_FURTHER_PARTS", 6)
    shared = {"responses": {"R": {"description": WORDS * 20}}}
    get = {"get": {"responses": {"200": {"$ref": "#/components/responses/R"}}}}
    definition = {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "paths": {f"/{number}": get for number in range(9)},
        "components": shared,
    }
    rendered = printed(json.dumps(definition))
    assert len(rendered.documents) == 9 + 6
    assert any("the rest of it is on no page (7 operations" in message for _, message in told(rendered))


def test_an_address_that_no_part_can_hold_is_reported() -> None:
    rendered = printed(api({"description": f"[word](https://e.example/{'x' * 3_000_000})", "responses": FINE}))
    assert "word" in Page(rendered.documents[0]).text
    assert any("addresses of links were left out" in message for _, message in told(rendered))


def test_a_page_within_its_limits_is_one_document_and_no_finding() -> None:
    rendered = printed(api({"description": "short", "responses": FINE}))
    assert len(rendered.documents) == 1
    assert rendered.findings == ()


def wide(count: int) -> dict[str, Any]:
    return {"type": "object", "title": "Wide", "properties": {f"p{number}": {} for number in range(count)}}


@pytest.mark.parametrize(
    ("schema", "prefix", "before", "shown"),
    [
        ({"type": "array", "items": wide(4000)}, "[].", 0, 3000),
        (wide(4000), "", 0, 3000),
        ({"type": "object", "properties": {"a": wide(2000)}}, "a.", 1, 299),
        ({"type": "array", "items": {"type": "object", "properties": {"a": wide(2000)}}}, "[].a.", 1, 299),
        ({"type": "object", "properties": {"a": {"type": "array", "items": wide(2000)}}}, "a[].", 1, 299),
    ],
)
def test_a_level_that_does_not_fit_is_shown_as_far_as_the_rows_go(
    schema: Any, prefix: str, before: int, shown: int
) -> None:
    rendered = printed(api(body(schema)))
    count = len(re.findall(r"p\d+", json.dumps(schema)))
    page = Page(rendered.documents[0])
    assert page.paths()[before:] == [f"{prefix}p{number}" for number in range(shown)]
    assert f"{count - shown} of the {count} fields of Wide are not listed here" in page.text
    ((severity, message),) = told(rendered)
    assert severity is Severity.WARNING
    assert message.startswith(f"{count - shown} of the {count} fields of `Wide` are not on any page")


@pytest.mark.parametrize("count", [2000, 3000])
def test_a_first_level_is_listed_whole_below_steps_too(count: int) -> None:
    rendered = printed(api(body({"type": "array", "items": wide(count)})))
    assert len([path for document in rendered.documents for path in Page(document).paths()]) == count
    assert all(severity is Severity.INFO for severity, _ in told(rendered))


def chain(length: int) -> Any:
    schema: Any = {"type": "object", "properties": {"end": {}}}
    for level in range(length):
        schema = {"type": "object", "title": f"Level{level}", "properties": {"next": schema}}
    return schema


def test_fields_below_the_last_level_are_reported_once_for_all_tables() -> None:
    rendered = printed(
        json.dumps(
            {
                "openapi": "3.1.0",
                "info": {"title": "T", "version": "1"},
                "paths": {f"/{number}": {"get": body(chain(12))} for number in range(3)},
            }
        )
    )
    ((severity, message),) = told(rendered)
    assert severity is Severity.WARNING
    assert message == (
        "the fields of `Level3` are not on any page: a table ends at 300 rows or 8 levels "
        "(3 schemas in this definition; the first is here)"
    )
    assert rendered.findings[0].where.pointer.startswith("/paths/~10/get")


def test_fields_that_another_table_lists_are_a_note() -> None:
    deep = {"$ref": "#/components/schemas/Deep"}
    nested: Any = deep
    for _ in range(8):
        nested = {"type": "object", "properties": {"next": nested}}
    rendered = printed(
        json.dumps(
            {
                "openapi": "3.1.0",
                "info": {"title": "T", "version": "1"},
                "paths": {"/a": {"get": body(nested)}, "/b": {"get": body(deep)}},
                "components": {"schemas": {"Deep": {"type": "object", "properties": {"end": {}}}}},
            }
        )
    )
    ((severity, message),) = told(rendered)
    assert severity is Severity.INFO
    assert message.startswith("the fields of `Deep` are left out of a table, but stand in another one")


HEAD = "<table><thead><tr><th>h</th></tr></thead><tbody>"
pieces = st.sampled_from(["<p>", "</p>", "word ", "&amp;", "<b>", "</b>", "<br>", "日本", "x" * 300, "<h4>t</h4>"])
cells = st.sampled_from([HEAD, "<tr><th>", "</th>", "<td>", "</td>", "</tr>", "</tbody></table>"])


@given(st.lists(pieces | cells, max_size=60), st.integers(2_000, 4_000))
def test_pieces_are_balanced_within_their_room_and_lose_no_text(words: list[str], room: int) -> None:
    html = balanced(words)
    found = list(pieces_of(html, room, room, 3))
    for piece in found:
        Balance().feed_all(piece.html)
        assert len(piece.html.encode()) <= room + 600
        assert piece.html.count("<h4") <= 3
    if "<table>" not in html:
        assert re.sub("<[^>]*>", "", "".join(piece.html for piece in found)) == re.sub("<[^>]*>", "", html)


def balanced(words: list[str]) -> str:
    """HTML of these words, without what closes nothing, with what is open closed."""
    html, opened = "", list[str]()
    for word in words:
        for token in re.findall(r"<[^>]*>|[^<]+", word):
            name = token.strip("</>")
            if token.startswith("</"):
                if not opened or opened[-1] != name:
                    continue
                opened.pop()
            elif token.startswith("<") and name != "br":
                opened.append(name)
            html += token
    return html + "".join(f"</{name}>" for name in reversed(opened))


@pytest.mark.parametrize(
    "text", [">" * 500_000, "<div>" * 200_000, "<b>" * 200_000, "- " * 200_000, "<ul><li>" * 99_999]
)
def test_a_description_of_any_depth_is_converted_and_keeps_its_words(text: str) -> None:
    assert "word" in html_of(text + " word")
