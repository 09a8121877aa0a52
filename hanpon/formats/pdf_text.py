"""The text layer of a PDF: below its bookmarks where it has some, else page by page."""

import io
import unicodedata
from collections.abc import Iterator
from typing import Any

from pypdf import Configuration, PdfReader, apply_configuration
from pypdf.errors import DependencyError
from pypdf.generic import Destination

from hanpon.formats.office_outline import NotReadable, Outline, one_spaced

MAX_PAGES = 5_000
MAX_STEPS = 20_000_000
"""Drawing operations of all pages together."""

_LIMITS = Configuration(
    zlib_maximum_output_length=32_000_000,
    lzw_maximum_output_length=32_000_000,
    run_length_maximum_output_length=32_000_000,
    array_based_stream_maximum_output_length=32_000_000,
    stream_decoding_work_maximum_length=64_000_000,
    stream_parsing_work_maximum_count=1_000_000,
    xform_maximum_invocations_per_extraction=300,
    outline_maximum_entries=20_000,
    outline_maximum_depth=30,
    page_tree_maximum_entries=50_000,
    named_destinations_maximum_entries=50_000,
)

_RADICALS = "⺠民⻁虎⻄西⻆角⻑長⻘青⻝食⻣骨⻤鬼⻨麦⻩黄⻫斉⻭歯⻯竜⻲亀"
LOOKALIKES = {
    code: unicodedata.normalize("NFKC", chr(code)) for code in (*range(0x2F00, 0x2FD6), *range(0xFB00, 0xFB07))
} | {ord(radical): kanji for radical, kanji in zip(_RADICALS[::2], _RADICALS[1::2], strict=True)}
"""Fonts share a shape between kanji and radical, or draw two letters as one; programs then write the other one."""

Bookmark = tuple[int, str]
"""Level from 1, and title."""


def read_pdf(data: bytes, outline: Outline) -> None:
    """Put the text of a PDF into an outline. Raises NotReadable, or whatever pypdf raises."""
    with apply_configuration(_LIMITS):
        reader = _opened(data)
        outline.title = _title(reader)
        pages = min(len(reader.pages), MAX_PAGES)
        marks = _bookmarks(reader, outline)
        steps = _Steps()
        for number in range(pages):
            if outline.is_full:
                return
            text = _page_text(reader, number, steps, outline)
            if steps.are_spent:
                outline.lost.append(f"what follows {MAX_STEPS:,} drawing operations is left out")
                return
            if not marks:
                outline.heading(0, "")
            _add(text, marks.get(number, ()), outline)
        if len(reader.pages) > MAX_PAGES:
            outline.lost.append(f"what follows {MAX_PAGES:,} pages is left out")


def _opened(data: bytes) -> PdfReader:
    try:
        reader, is_locked = _tried(data)
    except DependencyError as error:
        raise NotReadable("encrypted", "it is encrypted in a way that is not read here") from error
    except Exception:  # noqa: BLE001  pypdf raises KeyError, RecursionError and more at damaged files
        reader, is_locked = _repaired(data)
    if is_locked:
        raise NotReadable("encrypted", "it wants a password")
    return reader


def _repaired(data: bytes) -> tuple[PdfReader, bool]:
    """A file whose end is gone: with a new one, pypdf looks for the objects themselves, as viewers do."""
    try:
        return _tried(data + b"\nstartxref\n0\n%%EOF\n")
    except Exception as error:
        raise NotReadable("damaged", "it is damaged or cut short: its pages cannot be found") from error


def _tried(data: bytes) -> tuple[PdfReader, bool]:
    reader = PdfReader(io.BytesIO(data))
    is_locked = reader.is_encrypted and not _has_no_password(reader)
    if not is_locked:
        len(reader.pages)
    return reader, is_locked


def _has_no_password(reader: PdfReader) -> bool:
    """Files that only forbid printing or copying open with an empty password."""
    return bool(reader.decrypt(""))


def _title(reader: PdfReader) -> str:
    try:
        return str((reader.metadata.title if reader.metadata else "") or "")
    except Exception:  # noqa: BLE001  a damaged title is none
        return ""


class _Steps:
    """Counts what pypdf does. It goes through forms in forms, which can multiply without end."""

    def __init__(self) -> None:
        self.left = MAX_STEPS

    @property
    def are_spent(self) -> bool:
        return self.left < 0

    def count(self, operator: bytes, *_: Any) -> None:
        self.left -= 500 if operator == b"Do" else 1
        if self.are_spent:
            raise NotReadable("too-large", "it draws more than what is read")


def _page_text(reader: PdfReader, number: int, steps: _Steps, outline: Outline) -> str:
    try:
        return reader.pages[number].extract_text(visitor_operand_before=steps.count).translate(LOOKALIKES)
    except Exception:  # noqa: BLE001  one page that pypdf stumbles over does not take the others along
        if not steps.are_spent:
            outline.lost.append(f"page {number + 1} could not be read")
        return ""


def _bookmarks(reader: PdfReader, outline: Outline) -> dict[int, list[Bookmark]]:
    """Bookmarks by page, from 0, in their order."""
    found: dict[int, list[Bookmark]] = {}
    try:
        for level, mark in _flat(reader.outline, 1):
            page = reader.get_destination_page_number(mark)
            title = one_spaced(str(mark.title or ""))
            if page is not None and page >= 0 and title:
                found.setdefault(page, []).append((min(level, 9), title))
    except Exception:  # noqa: BLE001  without its bookmarks a file still has its pages
        outline.lost.append("its bookmarks could not be read")
        return {}
    return found


def _flat(marks: Any, level: int) -> Iterator[tuple[int, Destination]]:
    for mark in marks:
        if isinstance(mark, list):
            yield from _flat(mark, level + 1)
        else:
            yield level, mark


def _add(text: str, marks: "list[Bookmark] | tuple[()]", outline: Outline) -> None:
    """Put a page below its bookmarks: each begins at the line that says the same, else at the top of what is left."""
    lines = text.split("\n")
    at = 0
    bare = [_bare(line) for line in lines]
    for level, title in marks:
        said = next((place for place in range(at, len(lines)) if bare[place] == _bare(title)), None)
        if said is not None:
            outline.add("\n".join(lines[at:said]))
            at = said + 1
        outline.heading(level, title)
    outline.add("\n".join(lines[at:]))


def _bare(line: str) -> str:
    return "".join(one_spaced(line).split()).casefold()
