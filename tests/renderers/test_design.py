"""Design documents: texts become pages, office files stay as they are, each with its own readers."""

import re
from typing import Any

import pytest

from hanpon.contracts.access import Grant
from hanpon.contracts.designs import Design, DesignSource, OfficeFile
from hanpon.contracts.documents import HTML, Rendered
from hanpon.contracts.editions import Kind
from hanpon.contracts.manifests import Entry
from hanpon.contracts.writings import Writing
from renderers import design
from schemas import load
from tests.writings import ProsePage, files_item, writing_of

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def office(**settings: Any) -> OfficeFile:
    return OfficeFile(**{"data": b"PK\x03\x04", "media_type": DOCX, "extension": "docx", **settings})


def one(
    content: Writing | OfficeFile, file: str = "designs/stock.docx", readers: tuple[str, ...] = ("group:a",)
) -> Design:
    return Design(file=file, grant=Grant(readers=readers, api="order", api_version="v2"), content=content)


def rendered(*designs: Design, language: Any = "en") -> Rendered:
    item = files_item(Kind.DESIGN, language, name="order-design", title="Order design", readers=("group:everyone",))
    return design.render(DesignSource(item=item, designs=designs))


def test_an_office_file_is_published_byte_for_byte() -> None:
    (document,) = rendered(one(office(title="Stock, in detail"))).documents
    assert (document.content, document.media_type, document.extension) == (b"PK\x03\x04", DOCX, "docx")
    assert (document.metadata.title, document.metadata.section) == ("Stock, in detail",) * 2
    assert document.metadata.source == "designs/stock.docx"
    assert document.key.endswith(".docx")


def test_an_office_file_without_a_title_is_called_by_its_name() -> None:
    (document,) = rendered(one(office(), "designs/在庫 引当.v2.docx")).documents
    assert document.metadata.title == "在庫 引当.v2"


@pytest.mark.parametrize("extension", ["docx", "DOCX", ".docx", "", "p d/f"])
def test_any_extension_gives_a_key_that_fits_its_schema(extension: str) -> None:
    (document,) = rendered(one(office(extension=extension))).documents
    key = Entry.of(document).as_record()["key"]
    assert re.search(load("document")["properties"]["key"]["pattern"], key)


def test_a_text_becomes_a_page_that_says_what_it_holds_for() -> None:
    text = writing_of("# Stock\n<p>a</p>\n### Flow\n<p>b</p>", "designs/stock.html")
    (document,) = rendered(one(text, "designs/stock.html"), language="ja").documents
    page = ProsePage(document)
    assert page.outline == ["1 Stock", "2 Flow"]
    assert page.facts == ["Order design", "対象: order バージョン v2"]
    assert document.media_type == HTML
    assert page.metadata.title == "Order design: Stock"


def test_every_document_has_exactly_the_readers_of_its_grant() -> None:
    text = writing_of("# T", "b.html")
    documents = rendered(one(office(), "a.docx", ("group:x", "user:y")), one(text, "b.html", ("group:z",))).documents
    assert [(d.readers, d.metadata.groups) for d in documents] == [(("group:x", "user:y"),) * 2, (("group:z",),) * 2]
    assert {(d.metadata.doc_type, d.metadata.api, d.metadata.api_version) for d in documents} == {
        ("design", "order", "v2")
    }
    assert [d.position for d in documents] == [0, 1]


def test_a_design_without_readers_is_not_published() -> None:
    assert rendered(one(office(), readers=())).documents == ()


def test_texts_link_to_office_files_and_to_one_another() -> None:
    first = writing_of('# A\n<p><a href="writing:z.docx">z</a> <a href="writing:b.html#b">b</a></p>', "a.html")
    result = rendered(one(first, "a.html"), one(writing_of("# B", "b.html"), "b.html"), one(office(), "z.docx"))
    a, b, z = result.documents
    assert ProsePage(a).links == [f"../index.html#{z.id}", f"../index.html#{b.id}"]
    assert result.findings == ()


def test_no_page_names_a_document_that_some_of_its_readers_may_not_see() -> None:
    links = '<a href="writing:secret-merger.docx">z</a> <a href="writing:open.docx">o</a> <a href="#a">a</a>'
    text = writing_of(f"# A\n<p>{links}</p>", "a.html")
    result = rendered(
        one(text, "a.html", ("group:a", "group:b")),
        one(office(), "open.docx", ("all",)),
        one(office(), "secret-merger.docx", ("group:a",)),
    )
    a, public, _ = result.documents
    assert ProsePage(a).links == [f"../index.html#{public.id}", "#a"]
    assert "secret" not in a.content.decode()
    assert [finding.rule for finding in result.findings] == ["link-to-fewer-readers"]


def test_an_id_depends_on_the_file_alone() -> None:
    (document,), (other,) = (rendered(one(office(title=title))).documents for title in ("A", "B"))
    assert document.id == other.id
