"""Pieces: what a document is cut into for search."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text below one heading, with the headings above it.

    `trail` and `anchor` together are unique in a document: what goes on below the same heading, or a heading that
    comes again, gets a number at the end of its trail's last part. `text` is plain, blocks apart by line breaks.
    """

    trail: tuple[str, ...]
    anchor: str
    text: str
