"""The text of drawings and diagrams (DrawingML, ECMA-376 part 1, 21.1), which all three office formats have."""

from collections.abc import Iterator

from hanpon.formats.office_outline import one_spaced
from hanpon.formats.xml_elements import Element, parsed

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"

DIAGRAM = "/diagramData"
"""Ends the type of the relation to a part that holds the words of a diagram (SmartArt)."""


def drawn_lines(xml: bytes) -> Iterator[str]:
    """The paragraphs of a drawing or diagram part."""
    return _paragraphs(parsed(xml))


def table_lines(frame: Element) -> Iterator[str]:
    """A line for each row of a table on a slide. python-pptx takes time with the square of the number of rows."""
    for row in frame.iter(f"{_A}tr"):
        cells = [" ".join(_paragraphs(cell)) for cell in row.iterfind(f"{_A}tc")]
        if any(cells):
            yield " | ".join(cells)


def _paragraphs(element: Element) -> Iterator[str]:
    for paragraph in element.iter(f"{_A}p"):
        parts = paragraph.iter(f"{_A}t", f"{_A}br")
        line = one_spaced("".join(" " if part.tag == f"{_A}br" else part.text or "" for part in parts))
        if line:
            yield line
