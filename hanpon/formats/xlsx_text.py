"""The text of an XLSX: a section for each sheet, a line for each row, then what its drawings say.

Values are those that the program last saved for formulas. Hidden sheets are left out: who opens the file does not
see them either, and they often hold lists for menus or what was in force before.
"""

import datetime as dt
import io
import posixpath
from collections.abc import Iterator
from typing import Any

import openpyxl

from hanpon.formats.drawing_text import DIAGRAM, drawn_lines
from hanpon.formats.office_outline import NotReadable, Outline, one_spaced
from hanpon.formats.xml_elements import parsed
from hanpon.formats.zip_limits import Package

MAX_ROWS = 1_500_000
"""Of all sheets, empty ones among them; a sheet of Excel has 1,048,576."""

MAX_CELLS = 10_000_000

_DRAWING = "/relationships/drawing"


def read_xlsx(data: bytes, package: Package, outline: Outline) -> None:
    """Put the text of an XLSX into an outline. Raises whatever openpyxl raises at a damaged workbook."""
    workbook = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    outline.title = workbook.properties.title or ""
    budget = _Budget()
    drawn: set[str] = set()
    for sheet in workbook.worksheets:
        if outline.is_full or budget.is_spent:
            break
        if sheet.sheet_state != "visible":
            outline.hidden.append("a hidden sheet")
            continue
        outline.heading(1, sheet.title)
        try:
            _rows(sheet, outline, budget)
            _drawings(sheet, package, outline, drawn)
        except Exception:  # noqa: BLE001  one sheet that openpyxl stumbles over does not take the others along
            outline.lost.append("a part of a sheet could not be read")
    if budget.is_spent:
        outline.lost.append(f"what follows {MAX_ROWS:,} rows or {MAX_CELLS:,} cells is left out")


class _Budget:
    def __init__(self) -> None:
        self.rows, self.cells = MAX_ROWS, MAX_CELLS

    @property
    def is_spent(self) -> bool:
        return self.rows < 0 or self.cells < 0


def _rows(sheet: Any, outline: Outline, budget: _Budget) -> None:
    # the size that a sheet claims to have may be too small, and rows beyond it would be lost
    sheet.reset_dimensions()
    for row in sheet.iter_rows(min_row=1, min_col=1, values_only=True):
        budget.rows -= 1
        budget.cells -= len(row)
        if outline.is_full or budget.is_spent:
            return
        cells = [_shown(value) for value in row]
        if any(cells):
            outline.add(" | ".join(cells).strip(" |"))


def _shown(value: object) -> str:
    """A value roughly as a sheet shows it; currency, rounding and the like are formats that stay away."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, dt.datetime):
        is_day = value.time() == dt.time()
        return str(value.date()) if is_day else value.isoformat(" ", "seconds")
    return one_spaced(str(value))


def _drawings(sheet: Any, package: Package, outline: Outline, drawn: set[str]) -> None:
    """Text boxes, shapes and diagrams that are not drawn yet: screens and flows are often drawn in sheets."""
    path = sheet._worksheet_path.lstrip("/")  # noqa: SLF001  openpyxl leaves drawings out of read-only sheets
    for drawing in _related(path, _DRAWING, package):
        for part in (drawing, *_related(drawing, DIAGRAM, package)):
            if part not in drawn:
                drawn.add(part)
                for line in drawn_lines(_drawing(part, package)):
                    outline.add(line)


def _drawing(part: str, package: Package) -> bytes:
    data = package.read(part)
    if data is None:
        raise NotReadable("damaged", "a drawing is not where its sheet says")
    return data


def _related(path: str, kind: str, package: Package) -> Iterator[str]:
    """The parts that a part has relations to, of a type that ends so."""
    folder, name = posixpath.split(path)
    relations = package.read(f"{folder}/_rels/{name}.rels")
    for relation in () if relations is None else parsed(relations):
        target = relation.get("Target")
        if relation.get("Type").endswith(kind) and relation.get("TargetMode") != "External":
            yield target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"{folder}/{target}")
