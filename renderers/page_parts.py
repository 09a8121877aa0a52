"""A page that is too large, cut into parts: at headings where that is enough, else between rows, paragraphs, words.

Nothing is lost on the way but the attributes of a tag that no part would hold, and what stands behind the last part
that is allowed. Time is linear in what is put into parts, whatever the texts hold.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter

from renderers.page import encoded
from renderers.page_pieces import pieces_of

MAX_BYTES = 2_500_000
"""Vertex AI Search takes HTML up to this size."""

MAX_PIECES = 1_000
"""Pieces of 500 tokens that it makes of one document."""

PART_BYTES = 900_000
"""Of a part: in the densest script, 3 bytes a token, some 600 pieces."""

PART_HEADINGS = 300
"""Of a part, since a heading begins a piece."""

MAX_PARTS = 40
"""Of one operation; what does not fit is left out with a finding."""

_SMALL = 50_000
"""A page of this size has fewer pieces than are allowed, whatever it holds."""

_TOKEN_BYTES = 1_500
"""What 500 tokens take at least, at 3 bytes a token."""

_HEADINGS = re.compile(b"<h")
"""Faster than `bytes.count`, which does not look for the first byte alone."""

_TAGS = re.compile(rb"<[^<>]*>")
_STARTS = re.compile(r'(?=<h3 id=")')
_HEADING = re.compile(r'<h3 id="[^"]*">[^<]*</h3>')
_FRAME = 1_000
"""Room for the markup of a section, its title included."""


@dataclass(frozen=True, slots=True)
class Section:
    """What stands below an h2. `title` and `html` are HTML; without a title it stands bare."""

    identity: str
    title: str
    html: str


@dataclass(frozen=True, slots=True)
class Lost:
    """What is on no part: the rest behind the last one, and addresses that are longer than any link."""

    rest: bool = False
    addresses: int = 0

    @property
    def is_something(self) -> bool:
        return self.rest or self.addresses > 0


@dataclass(slots=True)
class Part:
    """A part in the making: HTML with the section in which it stands, None for facts about the operation."""

    pieces: list[tuple[Section | None, str]] = field(default_factory=list)
    size: int = 0
    headings: int = 0

    @property
    def facts(self) -> str:
        return "".join(html for section, html in self.pieces if section is None)

    @property
    def sections(self) -> list[Section]:
        return [
            replace(section, html="".join(html for _, html in pieces))
            for section, pieces in groupby(self.pieces, key=itemgetter(0))
            if section is not None
        ]


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a page may be, and a part of one that is larger."""

    page_bytes: int = MAX_BYTES
    page_pieces: int = MAX_PIECES
    part_bytes: int = PART_BYTES
    part_headings: int = PART_HEADINGS

    def allow(self, page: bytes) -> bool:
        """True for a page that need not be cut."""
        if len(page) >= self.page_bytes:
            return False
        if len(page) < _SMALL:
            return True
        headings = sum(1 for _ in _HEADINGS.finditer(page))
        if len(page) // _TOKEN_BYTES + headings < self.page_pieces:
            return True
        return len(_TAGS.sub(b"", page)) // _TOKEN_BYTES + headings < self.page_pieces


def cut_into_parts(
    facts: str, sections: Sequence[Section], limits: Limits, most_parts: int
) -> tuple[list[Part], Lost]:
    """The parts of a page, one to `most_parts` of them; a section that goes on has its h2 in each."""
    parts: list[Part] = [Part()]
    addresses = 0

    def left() -> tuple[int, int]:
        """What the last part has room for: bytes and headings."""
        return limits.part_bytes - parts[-1].size, limits.part_headings - parts[-1].headings

    for section, html, dropped in _chunks(facts, sections, limits, left):
        addresses += dropped
        size, headings = len(encoded(html)), html.count("<h")
        part = parts[-1]
        begins = section is not None and not (part.pieces and part.pieces[-1][0] is section)
        size += _FRAME if begins else 0
        is_full = part.size + size > limits.part_bytes or part.headings + headings > limits.part_headings
        if is_full and part.size:
            if len(parts) == most_parts:
                return parts, Lost(rest=True, addresses=addresses)
            part = Part()
            parts.append(part)
        part.size += size
        part.headings += headings
        part.pieces.append((section, html))
    return parts, Lost(addresses=addresses)


def _chunks(
    facts: str, sections: Iterable[Section], limits: Limits, left: Callable[[], tuple[int, int]]
) -> Iterator[tuple[Section | None, str, int]]:
    """What must not be cut any more, in reading order, with its section (None: a fact) and the addresses it lost."""
    room = limits.part_bytes - _FRAME
    for section in (None, *sections):
        for start in _STARTS.split(facts if section is None else section.html):
            if len(start) * 20 <= room or (len(encoded(start)) <= room and start.count("<h") <= limits.part_headings):
                yield section, start, 0
                continue
            found = _HEADING.match(start)
            heading = found[0] if found else ""
            size, headings = left()
            first = size - 2 * _FRAME if size > room // 2 and headings > limits.part_headings // 2 else room
            for piece in pieces_of(start, first, room, min(headings, limits.part_headings), again=heading):
                yield section, piece.html, piece.dropped
