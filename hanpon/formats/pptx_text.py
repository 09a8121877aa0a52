"""The text of a PPTX: a section for each slide, hidden slides among them, with its tables, diagrams and notes."""

import io
from collections.abc import Iterator
from typing import Any

import pptx
from pptx.opc.package import Part
from pptx.slide import Slide

from hanpon.formats.drawing_text import DIAGRAM, drawn_lines, table_lines
from hanpon.formats.office_outline import Outline, one_spaced

MAX_SLIDES = 5_000
_DEEPEST = 30
"""Groups in groups; deeper ones are left out, and said to be."""


def read_pptx(data: bytes, outline: Outline) -> None:
    """Put the text of a PPTX into an outline. Raises whatever python-pptx and lxml raise at damaged parts."""
    presentation = pptx.Presentation(io.BytesIO(data))
    outline.title = presentation.core_properties.title or ""
    met: set[Part] = set()
    for number, slide in enumerate(presentation.slides, 1):
        if outline.is_full:
            return
        if slide.part in met:
            continue  # a list may name one slide thousands of times
        met.add(slide.part)
        if number > MAX_SLIDES:
            outline.lost.append(f"what follows {MAX_SLIDES:,} slides is left out")
            return
        try:
            _slide(slide, outline, met)
        except Exception:  # noqa: BLE001  one slide that python-pptx stumbles over does not take the others along
            outline.lost.append(f"a part of slide {number} could not be read")


def _slide(slide: Slide, outline: Outline, met: set[Part]) -> None:
    """`met` are the parts whose text is in the outline already."""
    title = slide.shapes.title
    heading = one_spaced(title.text_frame.text.replace("\v", " ")) if title is not None else ""
    outline.heading(1 if heading else 0, heading)
    for line in _lines(slide.shapes, outline, 0, None if title is None else title.shape_id):
        outline.add(line)
    for relation in slide.part.rels.values():
        if _is_diagram(relation) and relation.target_part not in met:
            met.add(relation.target_part)
            for line in drawn_lines(relation.target_part.blob):
                outline.add(line)
    if slide.has_notes_slide:
        notes = slide.notes_slide.notes_text_frame
        outline.add(_broken(notes.text) if notes is not None else "")


def _is_diagram(relation: Any) -> bool:
    return bool(relation.reltype.endswith(DIAGRAM)) and not relation.is_external


def _lines(shapes: Any, outline: Outline, depth: int, title: int | None) -> Iterator[str]:
    if depth > _DEEPEST:
        outline.lost.append("shapes that are grouped too deep are left out")
        return
    for shape in shapes:
        if shape.shape_id == title and depth == 0:
            continue
        if hasattr(shape, "shapes"):
            yield from _lines(shape.shapes, outline, depth + 1, None)
        elif shape.has_text_frame:
            yield _broken(shape.text_frame.text)
        elif getattr(shape, "has_table", False):
            yield from table_lines(shape.element)


def _broken(text: str) -> str:
    """python-pptx writes a line break inside a paragraph as a vertical tab."""
    return text.replace("\v", "\n")
