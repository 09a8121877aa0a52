"""What headings are called by links: the ids that GitHub and MkDocs make of their texts."""

import re
import unicodedata
from functools import lru_cache

_ASCII_KEPT = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_ ")
_CIRCLED_LETTERS = (
    (0x24B6, 0x24E9),
    (0x1F130, 0x1F149),
    (0x1F150, 0x1F169),
    (0x1F170, 0x1F189),
)
"""Symbols that count as letters (Unicode: Other_Alphabetic)."""

_NOT_WORD = re.compile(r"[^\w\s-]")
_SPACES = re.compile(r"[-\s]+")


def github_id(text: str) -> str:
    """The id that GitHub makes of a heading's text, before it is told apart from others.

    Lower case; letters, marks, decimal and letter numbers, connectors, hyphens and spaces stay, spaces as hyphens.
    So `①` goes and `Ⅳ` stays, and a name between colons stays what an emoji would be made of.
    """
    return "".join(character for character in text.lower() if _is_kept(character)).replace(" ", "-")


def mkdocs_id(text: str) -> str:
    """The id that Python-Markdown, and so MkDocs, makes of a heading's text: ASCII only, "" for Japanese alone."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return _SPACES.sub("-", _NOT_WORD.sub("", plain).strip().lower())


class Taken:
    """The ids that were given in a file so far."""

    def __init__(self) -> None:
        self.ids: set[str] = set()
        self._next: dict[str, int] = {}

    def claim(self, wanted: str) -> bool:
        """Take an id as it is; False where it is gone already, or is none."""
        if not wanted or wanted in self.ids:
            return False
        self.ids.add(wanted)
        return True

    def numbered(self, wanted: str) -> str:
        """Take an id, or the first of `x-1`, `x-2`, … that is free, as GitHub does."""
        number, free = self._next.get(wanted, 0), wanted
        while free in self.ids:
            number += 1
            free = f"{wanted}-{number}"
        self._next[wanted] = number
        self.ids.add(free)
        return free


@lru_cache(maxsize=1 << 13)
def _is_kept(character: str) -> bool:
    if character < "\x80":
        return character in _ASCII_KEPT
    category = unicodedata.category(character)
    if category[0] in "LM" or category in {"Nd", "Nl", "Pc"}:
        return True
    return any(first <= ord(character) <= last for first, last in _CIRCLED_LETTERS)
