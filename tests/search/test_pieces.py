"""Pieces: every visible word once, below its headings, in size."""

import re
from collections.abc import Iterable
from html import escape, unescape
from io import BytesIO
from itertools import groupby

import pytest
from docx import Document
from hypothesis import given
from hypothesis import strategies as st

from hanpon.contracts.documents import HTML
from hanpon.contracts.pieces import Piece
from hanpon.formats.office_types import MEDIA_TYPES
from hanpon.search.pieces import pieces_of
from hanpon.search.token_estimate import estimated_tokens


def pieces(body: str, max_tokens: int = 500) -> tuple[Piece, ...]:
    return pieces_of(f"<!doctype html>\n<title>no</title><body><main>{body}</main>".encode(), HTML, "T", max_tokens)


def test_a_piece_stands_below_the_headings_that_lead_to_it() -> None:
    found = pieces('<h1>Customers</h1><p>a</p><h2 id="b">B</h2><h3>C</h3><p>c</p><h2>D</h2><p>d</p>')
    assert found == (
        Piece(("Customers",), "", "a"),
        Piece(("Customers", "B", "C"), "", "c"),
        Piece(("Customers", "D"), "", "d"),
    )


@pytest.mark.parametrize(
    "heading",
    [
        '<h2 id="x-1">X</h2>',
        "<h2 class=a id=x-1>X</h2>",
        "<H2 ID='x-1'>X</H2>",
        '<h2><a href="#" id="x-1"></a>X</h2>',
    ],
)
def test_the_anchor_is_the_id_of_the_heading_or_of_what_stands_in_it(heading: str) -> None:
    assert [(piece.trail, piece.anchor) for piece in pieces(f"<h1>A</h1>{heading}<p>x</p>")] == [(("A", "X"), "x-1")]


@pytest.mark.parametrize(
    "page",
    [
        '<p class="facts trail">Part 1 › 第2章</p><h1>第3条</h1><p>text</p>',
        '<h1>第3条</h1><p class="facts trail">Part 1 › 第2章</p><p>text</p>',
        '<ol class=trail><li>Part 1</li><li>第2章</li></ol><h1>第3条</h1><p class="trailer">text</p>',
    ],
)
def test_the_headings_above_a_clause_in_its_source_stand_in_front(page: str) -> None:
    assert pieces(page) == (Piece(("Part 1", "第2章", "第3条"), "", "text"),)


def test_a_row_of_a_table_is_one_line_with_cells_apart() -> None:
    table = """<table><caption>Fields</caption><thead><tr><th>Name</th><th>Text</th></tr></thead><tbody>
    <tr><th scope="row"><code>customer_<wbr>id</code></th><td><p>one</p><ul><li>two</li></ul></td><td></td></tr>
    <tr><td>x<td><table><tr><td>y</td><td>z</td></tr></table></table>"""
    [piece] = pieces(f"<h1>A</h1>{table}<p>after</p>")
    assert piece.text == "Fields\nName | Text\ncustomer_id | one two\nx | y z\nafter"


def test_code_keeps_its_lines_and_items_have_one_each() -> None:
    [piece] = pieces('<h1>A</h1><ul><li>one<li>two <b>three</b></ul><pre><code>\n{\n  "a": 1<br>}\n</code></pre>')
    assert piece.text == 'one\ntwo three\n{\n  "a": 1\n}'


def test_entities_are_read_and_identifiers_stay_whole() -> None:
    [piece] = pieces(
        "<h1>A</h1><p>a &lt; b &amp;amp; <code>/v1/<b>customers</b>/{id}</code><sup>1</sup>.&#12354;</p>"
    )
    assert piece.text == "a < b &amp; /v1/customers/{id} 1.あ"


def test_what_nobody_sees_is_in_no_piece() -> None:
    hidden = "<style>h1{}</style><script>if (a<b) '</h1>'</script><!-- <h1>no</h1> --><template><p>no</p></template>"
    assert pieces(f"<h1>A</h1>{hidden}<p title='<script>'>yes</p>") == (Piece(("A",), "", "yes"),)


def test_text_below_one_heading_is_cut_at_paragraphs_and_its_pieces_are_numbered() -> None:
    paragraphs = "".join(f"<p>{number} {'あ' * 40}</p>" for number in range(5))
    found = pieces(f"<h1>A</h1>{paragraphs}", 100)
    assert [piece.trail for piece in found] == [("A",), ("A (2)",), ("A (3)",)]
    assert [piece.text.count("\n") + 1 for piece in found] == [2, 2, 1]


def test_headings_that_come_again_are_numbered_and_meet_no_heading_with_a_number() -> None:
    found = pieces("<h1>A</h1><h2>B (2)</h2><p>1</p><h2>B</h2><p>2</p><h2>B</h2><p>3</p><h2>B</h2><p>4</p>")
    assert [piece.trail[-1] for piece in found] == ["B (2)", "B", "B (3)", "B (4)"]


def test_a_long_paragraph_is_cut_after_a_sentence_a_long_sentence_between_words() -> None:
    sentence = "文" * 39 + "。"
    assert [piece.text for piece in pieces(f"<p>{sentence * 3}</p>", 100)] == [sentence * 2, sentence]
    words = " ".join(["word"] * 150)
    assert all(piece.text.startswith("word") and piece.text.endswith("word") for piece in pieces(words, 100))
    assert "".join(piece.text for piece in pieces("<p>" + "x" * 1000, 100)) == "x" * 1000


def test_a_heading_that_is_too_long_for_a_trail_stands_whole_in_the_text() -> None:
    long = "長い見出し" * 50
    found = pieces(f"<h1>A</h1><h2>{long}</h2><p>text</p>", 100)
    assert "".join(piece.text for piece in found).replace("\n", "") == f"{long}text"
    assert all(estimated_tokens("\n".join([*piece.trail, piece.text])) <= 100 for piece in found)


def test_a_heading_without_text_can_be_found_all_the_same() -> None:
    assert pieces("<h1>A</h1><h2>License</h2>") == (Piece(("A", "License"), "", ""),)


def test_a_page_without_words_and_a_document_that_cannot_be_read_are_one_piece_of_the_title() -> None:
    assert pieces("") == (Piece((), "", "T"),)
    assert pieces_of(b"\x00\x01", "application/octet-stream", "T") == (Piece((), "", "T"),)


def test_text_before_any_heading_stands_below_the_title() -> None:
    assert pieces("<p>x</p><h1>A</h1>") == (Piece(("T",), "", "x"), Piece(("A",), "", ""))
    assert pieces_of(b"one\n\ntwo", "text/plain; charset=utf-8", "T") == (Piece(("T",), "", "one\ntwo"),)


def test_a_document_file_is_cut_at_its_headings_and_one_that_is_damaged_is_its_title() -> None:
    file = Document()
    file.add_paragraph("before")
    file.add_heading("受注", 1)
    file.add_heading("取消", 2)
    file.add_paragraph("出荷前に限る。")
    data = BytesIO()
    file.save(data)
    assert pieces_of(data.getvalue(), MEDIA_TYPES["docx"], "T") == (
        Piece(("T",), "", "before"),
        Piece(("受注", "取消"), "", "出荷前に限る。"),
    )
    assert pieces_of(data.getvalue()[:-100], MEDIA_TYPES["docx"], "T") == (Piece((), "", "T"),)
    assert pieces_of(b"%PDF-1.7 no", MEDIA_TYPES["pdf"], "T") == (Piece((), "", "T"),)


WORD = st.text("ab9あ漢字_-{}/.&<>\"'!?。、 ", min_size=1, max_size=12).filter(str.strip)


def inline(text: str, tag: str) -> str:
    return f"<{tag}>{escape(text)}</{tag}>" if tag else escape(text)


TEXT = st.lists(st.builds(inline, WORD, st.sampled_from(["", "code", "b", "em"])), min_size=1, max_size=4).map(
    " ".join
)
TABLE = st.lists(st.lists(TEXT.map("<td>{}</td>".format), min_size=1, max_size=3).map("".join), min_size=1).map(
    lambda rows: "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"
)
BLOCK = st.one_of(
    TEXT.map("<p>{}</p>".format),
    TEXT.map("<pre>{}</pre>".format),
    st.lists(TEXT.map("<li>{}</li>".format), min_size=1, max_size=4).map("<ul>{}</ul>".format).map(str),
    TABLE,
    st.builds(lambda text, times: f"<p>{(text + ' ') * times}</p>", TEXT, st.integers(1, 200)),
)
HEADING = st.tuples(st.integers(1, 6), WORD.map(lambda word: inline(word[:6].strip() or "x", "code")))
BODY = st.lists(HEADING | BLOCK, max_size=14)


def page_of(body: list[tuple[int, str] | str]) -> str:
    return "".join(part if isinstance(part, str) else "<h{0}>{1}</h{0}>".format(*part) for part in body)


def characters(texts: Iterable[str]) -> str:
    """All that is visible, without what stands between words and cells: a cut may fall anywhere."""
    return re.sub(r"[\s|]", "", "".join(texts))


def visible(markup: str) -> str:
    return unescape(re.sub("<[^>]*>", "", markup))


@given(BODY, st.integers(100, 500))
def test_pieces_hold_every_word_of_a_page_once_and_in_order(body: list[tuple[int, str] | str], most: int) -> None:
    found = pieces(page_of(body), most)
    blocks = [visible(part) for part in body if isinstance(part, str)]
    assert characters(piece.text for piece in found) == characters(blocks or (["T"] if not body else []))
    trails = iter([part for piece in found for part in piece.trail])
    headings = [" ".join(visible(part[1]).split()) for part in body if not isinstance(part, str)]
    assert all(any(part.startswith(heading) for part in trails) for heading in unlike_their_former(headings))


def unlike_their_former(headings: list[str]) -> list[str]:
    """Equal headings in a row share a trail with a number, and may share a part of it."""
    return [heading for heading, _ in groupby(headings)]


@given(BODY, st.integers(100, 500))
def test_no_piece_is_too_large_none_is_named_as_another_and_all_are_the_same_each_time(
    body: list[tuple[int, str] | str], most: int
) -> None:
    found = pieces(page_of(body), most)
    assert all(estimated_tokens("\n".join([*piece.trail, piece.text])) <= most for piece in found)
    assert len({(piece.trail, piece.anchor) for piece in found}) == len(found)
    assert pieces(page_of(body), most) == found


MARKUP = [
    "<h1>",
    "</h1>",
    "<h2 id='",
    "<td>",
    "</td>",
    "<tr>",
    "<table>",
    "</table>",
    "<pre>",
    "</pre>",
    "<!--",
    "-->",
]
MORE_MARKUP = [
    "<style>",
    "</style",
    "<p class=trail>",
    "<a '",
    '="',
    "&amp",
    ";",
    "<",
    ">",
    "x",
    "文。",
    " ",
    "\0",
    "\n",
]


@given(st.lists(st.sampled_from(MARKUP + MORE_MARKUP), max_size=40).map("".join))
def test_broken_markup_gives_pieces_in_size_and_never_an_error(markup: str) -> None:
    found = pieces_of(markup.encode(), HTML, "T", 100)
    assert found
    assert all(estimated_tokens("\n".join([*piece.trail, piece.text])) <= 100 for piece in found)
    assert "\0" not in "".join(piece.text for piece in found)


@pytest.mark.parametrize(
    "part", ['<a "', "<a '<b \"", "<!--", "<style", "<style><", "= '", "<h1>", "<td id=", "a. ", "<p>("]
)
def test_a_long_hostile_page_is_read_to_its_end(part: str) -> None:
    assert pieces_of((part * 100_000).encode(), HTML, "T")
