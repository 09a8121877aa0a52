"""The text of a DOCX in reading order: headings with the numbers that Word shows, lists, tables, notes, text boxes.

Left out: comments, page headers and footers, the table of contents (it repeats the headings), tracked deletions and
hidden text.
"""

import io
from collections.abc import Iterator

import docx
from docx.document import Document
from lxml import etree

from hanpon.formats.docx_numbers import Numbering, W
from hanpon.formats.docx_paragraphs import is_deleted, shown_children, words_of
from hanpon.formats.docx_styles import Styles, list_of, outline_level, styles_of
from hanpon.formats.office_outline import Outline, one_spaced
from hanpon.formats.zip_limits import Package

_PARTS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


def read_docx(data: bytes, package: Package, outline: Outline) -> None:
    """Put the text of a DOCX into an outline. Raises whatever python-docx and lxml raise at damaged parts."""
    del package  # its bounds are checked; python-docx unpacks by itself
    document = docx.Document(io.BytesIO(data))
    outline.title = document.core_properties.title or ""
    styles = styles_of(_part(document, "styles"))
    reader = _Reader(outline, styles, Numbering(_part(document, "numbering"), styles.numbers))
    for kind in ("footnote", "endnote"):
        root = _part(document, f"{kind}s")
        for note in () if root is None else root.iterfind(f"{W}{kind}"):
            reader.notes[kind, note.get(f"{W}id", "")] = note
    reader.blocks(document.element.body)


def _part(document: Document, name: str) -> "etree._Element | None":
    """The XML of a part that the document refers to by type."""
    for relation in document.part.rels.values():
        if relation.reltype == _PARTS + name and not relation.is_external:
            parser = etree.XMLParser(resolve_entities=False, no_network=True)
            return etree.fromstring(relation.target_part.blob, parser)
    return None


class _Reader:
    def __init__(self, outline: Outline, styles: Styles, numbering: Numbering) -> None:
        self.notes: dict[tuple[str, str], etree._Element] = {}
        self._outline, self._styles, self._numbering = outline, styles, numbering
        self._note_count = 0

    def blocks(self, parent: "etree._Element") -> None:
        """Paragraphs and tables, also those inside content controls and the like."""
        for block in shown_children(parent):
            if block.tag == f"{W}p":
                self._paragraph(block)
            elif block.tag == f"{W}tbl":
                self._table(block)
            elif block.tag == f"{W}altChunk":
                self._outline.lost.append("a document that is embedded in it is left out")
            else:
                self.blocks(block)

    def _paragraph(self, paragraph: "etree._Element") -> None:
        level, text, after = self._said(paragraph)
        if level and one_spaced(text):
            self._outline.heading(level, text)
        else:
            self._outline.add(text)
        for line in after:
            self._outline.add(line)

    def _said(self, paragraph: "etree._Element") -> tuple[int, str, list[str]]:
        """Heading level, text with its number, and what hangs on it: text boxes and notes."""
        properties = paragraph.find(f"{W}pPr")
        named = None if properties is None else properties.find(f"{W}pStyle")
        style = self._styles.of("" if named is None else named.get(f"{W}val", ""))
        words = words_of(paragraph, self._note_count + 1)
        text = words.text
        if style.is_contents or (is_deleted(paragraph) and not text.strip()):
            return 0, "", []
        if style.is_title and not self._outline.title:
            self._outline.title = text
        number = self._number(properties, named)
        after = [line for box in words.boxes for line in self._lines(box)]
        for note in words.notes:
            self._note_count += 1
            after.append(f"[{self._note_count}] {' '.join(self._lines(self.notes.pop(note, None)))}")
        own_level = outline_level(properties)
        level = (style.level or 0) if own_level is None else own_level
        return level, number + text if text.strip() else "", after

    def _number(self, properties: "etree._Element | None", named: "etree._Element | None") -> str:
        style_name = "" if named is None else named.get(f"{W}val", "")
        style = self._styles.of(style_name)
        number, at = list_of(properties)
        if number is None:
            number = style.number
            bound = self._numbering.level_of_style(number or "", style_name)
            at = bound if at is None else at
        at = style.number_level if at is None else at
        return self._numbering.next(number, at or 0) if number else ""

    def _lines(self, parent: "etree._Element | None") -> Iterator[str]:
        """The text of a box, note or cell, a line for each paragraph and table row."""
        if parent is None:
            return
        for block in shown_children(parent):
            if block.tag == f"{W}p":
                _, text, after = self._said(block)
                yield from (line for line in (text, *after) if one_spaced(line))
            elif block.tag == f"{W}tbl":
                yield from self._rows(block)
            else:
                yield from self._lines(block)

    def _table(self, table: "etree._Element") -> None:
        for row in self._rows(table):
            self._outline.add(row)

    def _rows(self, table: "etree._Element") -> Iterator[str]:
        for row in table.iter(f"{W}tr"):
            if _own_table(row) is table and row.find(f"{W}trPr/{W}del") is None:
                cells = [one_spaced(" ".join(self._lines(cell))) for cell in _cells(row)]
                if any(cells):
                    yield " | ".join(cells)


def _own_table(row: "etree._Element") -> "etree._Element | None":
    return next(row.iterancestors(f"{W}tbl"), None)


def _cells(row: "etree._Element") -> "Iterator[etree._Element]":
    for child in shown_children(row):
        if child.tag == f"{W}tc":
            yield child
        elif child.tag in {f"{W}sdt", f"{W}sdtContent", f"{W}customXml"}:
            yield from _cells(child)
