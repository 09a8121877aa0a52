"""Text of PDF, PPTX and XLSX, and what holds for all four."""

import copy
import datetime as dt
import io
import warnings
import zipfile
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest
from docx.opc.packuri import PackURI as DocxName
from docx.opc.part import Part as DocxPart
from docx.oxml import parse_xml
from pptx.opc.package import Part as PptxPart
from pptx.opc.packuri import PackURI as PptxName
from pptx.util import Inches

from hanpon.formats.office_outline import MAX_CHARACTERS, Outline
from hanpon.formats.office_text import MEDIA_TYPES, NotReadable, OfficeSection, office_text, outline_of, sniffed
from hanpon.formats.pdf_text import LOOKALIKES
from tests.formats.office_files import SMALL, a_pdf, pdf_bytes, saved


@pytest.mark.parametrize("extension", sorted(SMALL))
def test_every_type_says_its_words_twice_alike(extension: str) -> None:
    data = SMALL[extension]()
    found = outline_of(data, MEDIA_TYPES[extension])
    assert found == outline_of(data, MEDIA_TYPES[extension])
    said = " ".join(f"{section.title} {section.text}" for section in found)
    assert said.replace(" | ", " ").split() == ["Orders", "An", "order", "has", "lines."]


@pytest.mark.parametrize("extension", sorted(SMALL))
def test_a_file_is_known_by_its_bytes(extension: str) -> None:
    data = SMALL[extension]()
    assert sniffed(data) == extension
    for other in set(MEDIA_TYPES) - {extension}:
        with pytest.raises(NotReadable, match="bytes are") as refused:
            office_text(data, other)
        assert refused.value.trouble == "other-type"


@pytest.mark.parametrize("data", [b"", b"PK", b"GIF89a", b"PK\x05\x06" + bytes(18)])
def test_other_bytes_are_no_document(data: bytes) -> None:
    assert sniffed(data) == ""
    for extension in MEDIA_TYPES:
        with pytest.raises(NotReadable):
            office_text(data, extension)


def test_slides_are_sections_with_tables_groups_and_notes() -> None:
    deck = pptx.Presentation()
    deck.core_properties.title = "PowerPoint プレゼンテーション"
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "受注\vの流れ"
    box = slide.shapes.add_group_shape().shapes.add_textbox(0, 0, Inches(1), Inches(1))
    box.text_frame.text = "箱の中"
    table = slide.shapes.add_table(1, 2, 0, 0, Inches(1), Inches(1)).table
    table.cell(0, 0).text, table.cell(0, 1).text = "状態", "出荷済"
    slide.notes_slide.notes_text_frame.text = "口頭で補う"
    deck.slides.add_slide(deck.slide_layouts[6]).shapes.add_textbox(0, 0, 9, 9).text_frame.text = "題のない頁"
    found = office_text(saved(deck), "pptx")
    assert found.title == ""
    assert found.sections == (
        OfficeSection(level=1, title="受注 の流れ", text="箱の中\n状態 | 出荷済\n口頭で補う"),
        OfficeSection(level=0, title="", text="題のない頁"),
    )


def test_sheets_are_sections_with_a_line_for_each_row() -> None:
    book = openpyxl.Workbook()
    book.properties.title = "項目一覧"
    book.worksheets[0].title = "受注"
    book.worksheets[0].append(["項目", None, "桁"])
    book.worksheets[0].append([])
    day = dt.datetime.fromisoformat("2026-04-01")
    book.worksheets[0].append(["数量", 1.5, 10, True, day, day.replace(hour=9, minute=30)])
    hidden = book.create_sheet("候補")
    hidden.append(["見えない"])
    hidden.sheet_state = "hidden"
    found = office_text(saved(book), "xlsx")
    assert found.title == "項目一覧"
    assert found.sections == (
        OfficeSection(
            level=1, title="受注", text="項目 | | 桁\n数量 | 1.5 | 10 | TRUE | 2026-04-01 | 2026-04-01 09:30:00"
        ),
    )
    assert found.hidden == ("a hidden sheet",)
    assert found.lost == ()


def test_a_row_far_below_does_not_take_long() -> None:
    book = openpyxl.Workbook()
    book.worksheets[0]["A1"] = "oben"
    book.worksheets[0]["XFD900000"] = "far"
    assert office_text(saved(book), "xlsx").sections[0].text == "oben\nfar"


def test_words_in_shapes_of_a_sheet_stand_below_its_rows() -> None:
    book = openpyxl.Workbook()
    book.worksheets[0].append(["一覧"])
    drawing = (
        '<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><xdr:sp><xdr:txBody><a:p><a:r><a:t>受</a:t>'
        "</a:r><a:r><a:t>付</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>"
    )
    relations = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/drawing" '
        'Target="../drawings/drawing1.xml"/></Relationships>'
    )
    out = io.BytesIO(saved(book))
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr("xl/drawings/drawing1.xml", drawing)
        archive.writestr("xl/worksheets/_rels/sheet1.xml.rels", relations)
        to_diagram = relations.replace("relationships/drawing", "relationships/diagramData")
        archive.writestr("xl/drawings/_rels/drawing1.xml.rels", to_diagram.replace("drawing1.xml", "data1.xml"))
        archive.writestr("xl/drawings/data1.xml", DIAGRAM)
    assert office_text(out.getvalue(), "xlsx").sections[0].text == "一覧\n受付\n受注\n出荷"


DIAGRAM = (
    '<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>受注'
    "</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt><dgm:t><a:p><a:r><a:t>出荷</a:t></a:r></a:p></dgm:t></dgm:pt>"
    "</dgm:ptLst></dgm:dataModel>"
)
DIAGRAM_TYPE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/diagramData"


def test_words_of_a_diagram_in_a_document_stand_where_it_is_drawn() -> None:
    document = docx.Document()
    before, _ = document.add_paragraph("流れ"), document.add_paragraph("終わり")
    name_of_part = DocxName("/word/diagrams/data1.xml")
    part = DocxPart(name_of_part, "a/x", DIAGRAM.encode(), document.part.package)
    name = document.part.relate_to(part, DIAGRAM_TYPE)
    shown = (
        '<w:r xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:drawing>'
        '<d:relIds xmlns:d="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
        'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
        f'r:dm="{name}"/></w:drawing></w:r>'
    )
    before._p.append(parse_xml(shown))
    assert office_text(saved(document), "docx").sections[0].text == "流れ\n受注\n出荷\n終わり"


def test_words_of_a_diagram_on_a_slide_stand_on_it_once() -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "流れ"
    part = PptxPart(PptxName("/ppt/diagrams/data1.xml"), "a/x", deck.part.package, DIAGRAM.encode())
    for _ in range(2):
        slide.part._rels._add_relationship(DIAGRAM_TYPE, part)
    assert office_text(saved(deck), "pptx").sections[0].text == "受注\n出荷"


def test_a_table_of_a_slide_has_a_line_for_each_row_and_breaks_are_blanks() -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    table = slide.shapes.add_table(3, 2, 0, 0, Inches(2), Inches(2)).table
    for (row, column), text in {(0, 0): "項目\n名", (0, 1): "桁\v数", (2, 1): "10"}.items():
        table.cell(row, column).text_frame.text = text
    assert office_text(saved(deck), "pptx").sections[0].text == "項目 名 | 桁 数\n| 10"


def test_a_slide_that_is_listed_a_thousand_times_is_read_once() -> None:
    deck = pptx.Presentation()
    deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = "once"
    listed = deck.slides._sldIdLst
    for number in range(1000):
        another = copy.deepcopy(listed[0])
        another.set("id", str(300 + number))
        listed.append(another)
    assert [section.title for section in office_text(saved(deck), "pptx").sections] == ["once"]


@pytest.mark.parametrize("words", ["見直す", ""])
@pytest.mark.parametrize(
    ("part", "lost"),
    [
        ("word/charts/chart1.xml", ("the words of charts are left out",)),
        ("word/comments.xml", ("comments are left out",)),
        ("xl/threadedComments/threadedComment1.xml", ("comments are left out",)),
        ("ppt/comments/modernComment_1.xml", ("comments are left out",)),
        ("word/media/chart1.xml", ()),
    ],
)
def test_words_in_parts_that_are_not_read_are_said_to_be_lost(part: str, lost: tuple[str, ...], words: str) -> None:
    out = io.BytesIO(SMALL["docx"]())
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr(part, f"<x>\n  <y>{words}</y>\n</x>\n")
    assert office_text(out.getvalue(), "docx").lost == (lost if words else ())


def test_a_page_of_a_pdf_is_a_section_where_there_are_no_bookmarks() -> None:
    writer = a_pdf([["Orders", "one"], [], ["two"]], title="Order design")
    found = office_text(pdf_bytes(writer), "pdf")
    assert found.title == "Order design"
    assert found.sections == (
        OfficeSection(level=0, title="", text="Orders\none"),
        OfficeSection(level=0, title="", text="two"),
    )


def test_bookmarks_of_a_pdf_are_headings_at_the_line_that_says_the_same() -> None:
    writer = a_pdf([["Cover"], ["end of cover", "1 Orders", "one", "1.1 Lines", "two"], ["three"]])
    top = writer.add_outline_item(title="1  Orders", page_number=1)
    writer.add_outline_item(title="1.1 Lines", page_number=1, parent=top)
    writer.add_outline_item(title="Not in the text", page_number=2)
    assert office_text(pdf_bytes(writer), "pdf").sections == (
        OfficeSection(level=0, title="", text="Cover\nend of cover"),
        OfficeSection(level=1, title="1 Orders", text="one"),
        OfficeSection(level=2, title="1.1 Lines", text="two"),
        OfficeSection(level=1, title="Not in the text", text="three"),
    )


def test_a_pdf_behind_a_password_is_not_read_and_one_that_only_forbids_printing_is() -> None:
    with pytest.raises(NotReadable) as refused:
        office_text(pdf_bytes(a_pdf([["secret"]], password="open")), "pdf")
    assert refused.value.trouble == "encrypted"
    found = office_text(pdf_bytes(a_pdf([["free"]], owner="print")), "pdf")
    assert found.sections[0].text == "free"


def test_an_office_file_behind_a_password_is_known() -> None:
    data = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le")
    assert sniffed(data) == ""
    with pytest.raises(NotReadable) as refused:
        office_text(data, "docx")
    assert refused.value.trouble == "encrypted"


def test_an_old_word_file_with_a_new_name_is_known() -> None:
    data = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "WordDocument".encode("utf-16-le")
    with pytest.raises(NotReadable, match=r"those of a \.doc file"):
        office_text(data, "docx")


def test_text_past_the_bound_is_left_out_and_that_is_said() -> None:
    outline = Outline()
    outline.heading(1, "a")
    for _ in range(MAX_CHARACTERS // 1000 + 5):
        outline.add("x" * 1000)
    found = outline.finished()
    assert sum(len(section.text) for section in found.sections) <= MAX_CHARACTERS
    assert found.lost == ("what follows the first 2,000,000 characters is left out",)


def test_no_warning_and_no_log_line_comes_out(caplog: pytest.LogCaptureFixture) -> None:
    data = SMALL["pdf"]().replace(b"startxref", b"startxxxx")
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        assert office_text(data, "pdf").sections
    assert caplog.records == []
    assert warned == []


@pytest.mark.corpus
def test_a_real_pdf_is_read_page_by_page(corpus: Path) -> None:
    data = (corpus / "guidelines/owasp-asvs-1.0/asvs-webapp-beta-2008.pdf").read_bytes()
    found = office_text(data, "pdf")
    assert len(found.sections) == 44
    assert any("V2.12: Verify that users can safely" in section.text for section in found.sections)
    assert found.lost == ()


def test_radicals_and_ligatures_are_the_signs_that_people_write() -> None:
    assert "⼆⾴⽬⻑ﬁ".translate(LOOKALIKES) == "二頁目長fi"
