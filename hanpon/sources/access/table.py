"""An access file as a table: CSV (RFC 4180) with the columns path and principals, and perhaps api and api_version."""

import csv
import io
import unicodedata
from collections.abc import Iterator, Sequence

from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Finding, Place
from hanpon.sources.access.entries import Entry
from hanpon.sources.access.principals import is_principal
from hanpon.sources.texts.text_problems import problem, shown

COLUMNS = ("path", "principals", "api", "api_version")
REQUIRED = ("path", "principals")

Row = tuple[int, list[str]]
"""The line in which a row begins, and its cells without the blanks around them."""


def entries_of_table(text: str, file: str) -> tuple[list[Entry], list[Finding]]:
    """The entries of a table, and what is wrong with single rows: such a row grants nothing.

    Raises InvalidInput where the table has no header that can be relied on, or is no CSV.
    """
    rows = list(_rows(text, file))
    if not rows:
        message = "The access file is empty; begin it with the line `path,principals`."
        raise InvalidInput([problem("access-header", Place(file), message)])
    (line, header), *rest = rows
    problems = list(_header_problems(header, Place(file, "", line)))
    if problems:
        raise InvalidInput(problems)
    entries: list[Entry] = []
    for row in rest:
        entry, found = _entry(row, header, file)
        entries.extend([entry] if entry else [])
        problems.extend(found)
    return entries, problems


def _rows(text: str, file: str) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield line, [cell.strip() for cell in cells]
            line = reader.line_num + 1
    except csv.Error as error:
        message = f"This is not CSV (RFC 4180): {error}; a quoted cell has to end, and to be followed by a comma."
        raise InvalidInput([problem("csv-syntax", Place(file, "", line), message)]) from None


def _header_problems(header: Sequence[str], place: Place) -> Iterator[Finding]:
    for column in REQUIRED:
        if column not in header:
            message = f"Expected the columns path and principals in the first line, found no {shown(column)}."
            yield problem("access-header", place, message)
    for column in dict.fromkeys(header):
        if column not in COLUMNS:
            message = (
                f"Expected no columns but {', '.join(COLUMNS)}, found {shown(column)}; correct it or take it out."
            )
            yield problem("access-header", place, message)
        elif header.count(column) > 1:
            yield problem("access-header", place, f"The column {shown(column)} stands here twice; take one out.")


def _entry(row: Row, header: Sequence[str], file: str) -> tuple[Entry | None, list[Finding]]:
    """The entry of a row, None where no path can be told, and what is wrong with it."""
    line, cells = row
    place = Place(file, "", line)
    said = dict(zip(header, cells, strict=False))
    path = unicodedata.normalize("NFC", said.get("path", ""))
    principals = tuple(part for each in said.get("principals", "").split(";") if (part := each.strip()))
    problems = list(_row_problems(cells, header, path, place))
    problems.extend(_bad_principals(principals, place))
    entry = Entry(
        path=path,
        principals=principals,
        api=said.get("api", ""),
        api_version=said.get("api_version", ""),
        place=place,
        sound=not problems,
    )
    return (entry if path else None), problems


def _row_problems(cells: Sequence[str], header: Sequence[str], path: str, place: Place) -> Iterator[Finding]:
    if len(cells) != len(header):
        message = (
            f"Expected {len(header)} cells as in the first line, found {len(cells)}, so nobody gets access by this "
            "line; put `;` between principals, and quotes around a cell that holds a comma."
        )
        yield problem("access-row", place, message)
    elif not path:
        yield problem("access-row", place, "This line names no path; say which file it is about, or take it out.")


def _bad_principals(principals: Sequence[str], place: Place) -> Iterator[Finding]:
    for principal in principals:
        if not is_principal(principal):
            found = shown(principal, may_be_address=False)
            message = f"Expected group:NAME, user:NAME or all, found {found}; nobody gets access by this line."
            yield problem("bad-principal", place, message)
