"""The text of a paragraph of Word as a reader sees it: insertions in, deletions and hidden text out."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from hanpon.formats.docx_numbers import W, is_on
from hanpon.formats.xml_elements import Element

_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
_DATA_OF_DIAGRAM = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}dm"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"

_LEFT_OUT = frozenset(
    {f"{W}{name}" for name in ("del", "moveFrom", "instrText", "delText", "pPr", "rPr", "rt", "tblPr", "sdtPr")}
)
"""Tracked deletions, the code of fields, properties, and the reading above a word (ruby)."""

_SIGNS = {
    f"{W}tab": " ", f"{W}ptab": " ", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-",
}  # fmt: skip
_NOTES = {f"{W}footnoteReference": "footnote", f"{W}endnoteReference": "endnote"}


@dataclass(slots=True)
class Words:
    """A paragraph's own text, the text boxes and diagrams that hang on it, and the notes it refers to, in order."""

    parts: list[str] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)
    diagrams: list[str] = field(default_factory=list)
    """Ids of the document's relations to their words."""
    notes: list[tuple[str, str]] = field(default_factory=list)
    """(footnote or endnote, id)"""

    @property
    def text(self) -> str:
        return "".join(self.parts)


def words_of(paragraph: Element, first_note: int) -> Words:
    """What a paragraph says; references to notes stand as `[1]`, counted on from `first_note`."""
    words = Words()
    waiting = list(reversed(list(shown_children(paragraph))))
    while waiting:
        element = waiting.pop()
        tag = element.tag
        if tag in {f"{W}t", f"{_M}t"}:
            words.parts.append(element.text or "")
        elif tag in _SIGNS:
            words.parts.append(_SIGNS[tag])
        elif tag in _NOTES:
            words.notes.append((_NOTES[tag], element.get(f"{W}id", "")))
            words.parts.append(f"[{first_note + len(words.notes) - 1}]")
        elif tag == f"{W}txbxContent":
            words.boxes.append(element)
        elif tag == _DIAGRAM:
            words.diagrams.append(element.get(_DATA_OF_DIAGRAM, ""))
        else:
            waiting.extend(reversed(list(shown_children(element))))
    return words


def shown_children(element: Element) -> Iterator[Element]:
    """The children that a reader sees: of alternatives the first, of hidden runs none."""
    if element.tag == f"{W}r" and is_on(element.find(f"{W}rPr/{W}vanish")):
        return
    if element.tag == f"{_MC}AlternateContent":
        best = element.find(f"{_MC}Choice")
        best = element.find(f"{_MC}Fallback") if best is None else best
        if best is not None:
            yield from shown_children(best)
        return
    for child in element:
        if isinstance(child.tag, str) and child.tag not in _LEFT_OUT:
            yield child


def is_deleted(paragraph: Element) -> bool:
    """Whether a tracked change takes away the end of this paragraph."""
    return paragraph.find(f"{W}pPr/{W}rPr/{W}del") is not None
