"""The text of a DOCX in reading order: headings with Word's numbers, lists, tables, notes, text boxes, diagrams.

Left out: comments, page headers and footers, the table of contents (it repeats the headings), tracked deletions and
hidden text.
"""

import io
from collections.abc import Iterator

import docx
from docx.document import Document

from hanpon.formats.docx_numbers import Numbering, W
from hanpon.formats.docx_paragraphs import is_deleted, shown_children, words_of
from hanpon.formats.docx_styles import Styles, list_of, outline_level, styles_of
from hanpon.formats.drawing_text import DIAGRAM, drawn_lines
from hanpon.formats.office_outline import Outline, one_spaced
from hanpon.formats.xml_elements import Element, parsed

_WRAPPERS = frozenset({f"{W}sdt", f"{W}sdtContent", f"{W}customXml", f"{W}ins", f"{W}moveTo"})
_NO_DIAGRAM = b"<none/>"
_PARTS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


def read_docx(data: bytes, outline: Outline) -> None:
    """Put the text of a DOCX into an outline. Raises whatever python-docx and lxml raise at damaged parts."""
    document = docx.Document(io.BytesIO(data))
    outline.title = document.core_properties.title or ""
    styles = styles_of(_part(document, "styles"))
    reader = _Reader(outline, styles, Numbering(_part(document, "numbering"), styles.numbers))
    for kind in ("footnote", "endnote"):
        root = _part(document, f"{kind}s")
        for note in () if root is None else root.iterfind(f"{W}{kind}"):
            reader.notes[kind, note.get(f"{W}id", "")] = note
    diagrams = {
        relation.target_part: name
        for name, relation in document.part.rels.items()
        if relation.reltype.endswith(DIAGRAM) and not relation.is_external
    }
    reader.diagrams.update((name, part.blob) for part, name in diagrams.items())
    reader.blocks(document.element.body)


def _part(document: Document, name: str) -> Element | None:
    """The XML of a part that the document refers to by type."""
    for relation in document.part.rels.values():
        if relation.reltype == _PARTS + name and not relation.is_external:
            return parsed(relation.target_part.blob)
    return None


class _Reader:
    def __init__(self, outline: Outline, styles: Styles, numbering: Numbering) -> None:
        self.notes: dict[tuple[str, str], Element] = {}
        self.diagrams: dict[str, bytes] = {}
        self._outline, self._styles, self._numbering = outline, styles, numbering
        self._note_count = 0

    def blocks(self, parent: Element) -> None:
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

    def _paragraph(self, paragraph: Element) -> None:
        level, text, after = self._said(paragraph)
        if level and one_spaced(text):
            self._outline.heading(level, text)
        else:
            self._outline.add(text)
        for line in after:
            self._outline.add(line)

    def _said(self, paragraph: Element) -> tuple[int, str, list[str]]:
        """Heading level, text with its number, and what hangs on it: text boxes, diagrams and notes."""
        style = self._styles.of(_style_of(paragraph))
        words = words_of(paragraph, self._note_count + 1)
        text = words.text
        if style.is_contents or (is_deleted(paragraph) and not text.strip()):
            return 0, "", []
        if style.is_title and not self._outline.title:
            self._outline.title = text
        number = self._number(paragraph)
        after = [line for box in words.boxes for line in self._lines(box)]
        after += [line for name in words.diagrams for line in drawn_lines(self.diagrams.pop(name, _NO_DIAGRAM))]
        for note in words.notes:
            self._note_count += 1
            after.append(f"[{self._note_count}] {' '.join(self._lines(self.notes.pop(note, None)))}")
        return self._level(paragraph), number + text if text.strip() else "", after

    def _number(self, paragraph: Element) -> str:
        style_name = _style_of(paragraph)
        style = self._styles.of(style_name)
        number, at = list_of(paragraph.find(f"{W}pPr"))
        if number is None:
            number = style.number
            bound = self._numbering.level_of_style(number or "", style_name)
            at = bound if at is None else at
        at = style.number_level if at is None else at
        return self._numbering.next(number, at or 0) if number else ""

    def _lines(self, parent: Element | None) -> Iterator[str]:
        """The text of a box, note or cell, a line for each paragraph and table row."""
        if parent is None:
            return
        for block in shown_children(parent):
            if block.tag == f"{W}p":
                _, text, after = self._said(block)
                yield from (line for line in (text, *after) if one_spaced(line))
            elif block.tag == f"{W}tbl":
                yield from (self._row(row) for row in _rows(block))
            else:
                yield from self._lines(block)

    def _table(self, table: Element) -> None:
        """A line for each row; a row that holds headings is a frame around text, and is read cell by cell."""
        for row in _rows(table):
            if any(self._is_heading(paragraph) for paragraph in row.iter(f"{W}p")):
                for cell in _cells(row):
                    self.blocks(cell)
            else:
                self._outline.add(self._row(row))

    def _row(self, row: Element) -> str:
        cells = [one_spaced(" ".join(self._lines(cell))) for cell in _cells(row)]
        return " | ".join(cells) if any(cells) else ""

    def _is_heading(self, paragraph: Element) -> bool:
        return bool(self._level(paragraph)) and bool(one_spaced(words_of(paragraph, 1).text))

    def _level(self, paragraph: Element) -> int:
        own = outline_level(paragraph.find(f"{W}pPr"))
        return (self._styles.of(_style_of(paragraph)).level or 0) if own is None else own


def _style_of(paragraph: Element) -> str:
    named = paragraph.find(f"{W}pPr/{W}pStyle")
    return "" if named is None else named.get(f"{W}val")


def _rows(table: Element) -> Iterator[Element]:
    for child in shown_children(table):
        if child.tag == f"{W}tr":
            if child.find(f"{W}trPr/{W}del") is None:
                yield child
        elif child.tag in _WRAPPERS:
            yield from _rows(child)


def _cells(row: Element) -> Iterator[Element]:
    for child in shown_children(row):
        if child.tag == f"{W}tc":
            yield child
        elif child.tag in _WRAPPERS:
            yield from _cells(child)
