"""A document into pieces: cut at headings, the trail of headings in front, none larger than asked for."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from hanpon.contracts.pieces import Piece
from hanpon.formats.office_types import MEDIA_TYPES
from hanpon.search.page_sections import STEP, Section, read_page
from hanpon.search.text_cuts import cut_to_fit, fitted
from hanpon.search.token_estimate import estimated_tokens

MAX_TOKENS = 500
"""Vertex AI Search cuts at 100 to 500 tokens; 500 is what its data stores are made with here."""

_ROOM_OF_A_NUMBER = 3
"""Tokens that the number of a heading that comes again may take."""

_MOST_ABOVE = 4
"""More headings above a page than this are one part of the trail."""

_BELOW_ALL = 10
"""A level that every heading closes."""


def pieces_of(data: bytes, media_type: str, title: str, max_tokens: int = MAX_TOKENS) -> tuple[Piece, ...]:
    """The pieces of a document in its order, at least one, each of at most `max_tokens` (100 or more) by estimate.

    They hold every visible word once: headings in trails, all else in texts. A trail ends with the heading that
    the piece stands below, or with `title` before any; what a page names as the headings above it in its source
    stands in front. A heading with nothing below it has a piece without text. Of a heading that is too long for
    a trail, the whole stands in the text, and its beginning in the trail. A document that cannot be read, or of a
    media type that has no text, is one piece of its title. Nothing raises, whatever the data.
    """
    trail, sections = _sections(data, media_type)
    pieces = tuple(_numbered(_cut(sections, trail, title, max_tokens)))
    return pieces or (Piece((), "", title),)


def _sections(data: bytes, media_type: str) -> tuple[tuple[str, ...], Sequence[Section]]:
    """The headings above the whole document, and what is below those in it."""
    kind = media_type.partition(";")[0].strip().lower()
    if kind in MEDIA_TYPES.values():
        return (), _office_sections(data, kind)
    if not kind.startswith("text/"):
        return (), []
    text = data.decode("utf-8", "replace").replace("\0", "\ufffd")
    if kind == "text/html":
        page = read_page(text)
        return page.trail, page.sections
    return (), [Section(0, "", blocks=_lines(text))]


def _office_sections(data: bytes, kind: str) -> list[Section]:
    from hanpon.formats.office_text import NotReadable, outline_of  # noqa: PLC0415 - four libraries, 0.5 s

    try:
        return [Section(part.level, part.title, blocks=_lines(part.text)) for part in outline_of(data, kind)]
    except NotReadable:
        return []


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def _cut(sections: Sequence[Section], above: tuple[str, ...], title: str, most: int) -> Iterator[Piece]:
    headings = _Headings(most, above, title)
    for section, following in zip_longest(sections, sections[1:]):
        is_whole = headings.enter(section)
        blocks = section.blocks if is_whole or not section.level else [section.title, *section.blocks]
        trail = headings.trail
        if blocks:
            room = most - estimated_tokens("\n".join(trail)) - _ROOM_OF_A_NUMBER
            yield from (Piece(trail, section.anchor, text) for text in fitted(blocks, room))
        elif section.level and (following is None or following.level <= section.level):
            yield Piece(trail, section.anchor, "")


class _Headings:
    """The headings that are open, each short enough that a trail of them leaves room for text."""

    def __init__(self, most: int, above: tuple[str, ...], title: str) -> None:
        self._most, self._title = most, title
        self._open: list[tuple[int, str, int]] = []
        for heading in above if len(above) <= _MOST_ABOVE else [STEP.join(above)]:
            self._add(0, heading)

    @property
    def trail(self) -> tuple[str, ...]:
        return tuple(text for _, text, _ in self._open)

    def enter(self, section: Section) -> bool:
        """Open a section's heading and close those it ends; False where it was cut short.

        What has no heading stands below the title, and whatever comes next does not.
        """
        while self._open and self._open[-1][0] >= max(section.level, 1):
            self._open.pop()
        return self._add(section.level or _BELOW_ALL, section.title if section.level else self._title)

    def _add(self, level: int, heading: str) -> bool:
        taken = sum(tokens for _, _, tokens in self._open)
        most = self._most // 8
        if taken + most > self._most // 2:
            most = self._most // 16
        short = _shortened(heading, most)
        self._open.append((level, short, estimated_tokens(short + "\n")))
        return short == heading


def _shortened(heading: str, most: int) -> str:
    return heading if estimated_tokens(heading) <= most else f"{next(cut_to_fit(heading, most - 1))}…"


def _numbered(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """No trail twice: one that comes again has a number at the end."""
    counts: dict[tuple[str, ...], int] = {}
    for piece in pieces:
        trail = piece.trail
        while trail in counts:
            counts[piece.trail] += 1
            trail = (*piece.trail[:-1], f"{piece.trail[-1]} ({counts[piece.trail]})")
        counts[trail] = 1
        yield piece if trail is piece.trail else Piece(trail, piece.anchor, piece.text)
