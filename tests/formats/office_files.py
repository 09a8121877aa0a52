"""Small document files for tests."""

import io
from collections.abc import Sequence

import docx
import openpyxl
import pptx
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject


def a_docx(title: str = "") -> bytes:
    document = docx.Document()
    document.core_properties.title = title
    document.add_heading("Orders", 1)
    document.add_paragraph("An order has lines.")
    return saved(document)


def a_pptx() -> bytes:
    deck = pptx.Presentation()
    deck.core_properties.title = ""
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Orders"
    slide.placeholders[1].text = "An order has lines."
    return saved(deck)


def an_xlsx() -> bytes:
    book = openpyxl.Workbook()
    book.worksheets[0].title = "Orders"
    book.worksheets[0].append(["An order", "has lines."])
    return saved(book)


def a_pdf(pages: Sequence[Sequence[str]], title: str = "", password: str = "", owner: str = "") -> PdfWriter:
    """A PDF with lines of text on each page."""
    writer = PdfWriter()
    if title:
        writer.add_metadata({"/Title": title})
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    reference = writer._add_object(font)
    for lines in pages:
        page = writer.add_blank_page(300, 400)
        stream = DecodedStreamObject()
        shown = "".join(f"({line}) Tj 0 -14 Td " for line in lines)
        stream.set_data(f"BT /F1 12 Tf 20 380 Td {shown}ET".encode())
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F1"): reference})}
        )
        page[NameObject("/Contents")] = writer._add_object(stream)
    if password or owner:
        writer.encrypt(password, owner or None, algorithm="RC4-128")
    return writer


def pdf_bytes(writer: PdfWriter) -> bytes:
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def plain_pdf() -> bytes:
    return pdf_bytes(a_pdf([["Orders", "An order has lines."]]))


def saved(document: object) -> bytes:
    """The bytes of a document of python-docx, python-pptx or openpyxl."""
    stream = io.BytesIO()
    document.save(stream)  # type: ignore[attr-defined]  # all three have it
    return stream.getvalue()


SMALL = {"docx": a_docx, "pptx": a_pptx, "xlsx": an_xlsx, "pdf": plain_pdf}
