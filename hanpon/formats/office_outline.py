"""The text of a document file as headings with what stands below, built line by line within bounds."""

import re
from dataclasses import dataclass, field
from typing import Literal

MAX_CHARACTERS = 2_000_000
"""Of one file's text; what follows is left out, and said to be."""

MAX_SECTIONS = 20_000
"""Headings, pages or sheets of one file; what follows is left out, and said to be."""

Trouble = Literal["other-type", "damaged", "encrypted", "too-large", "unreadable"]


class NotReadable(Exception):
    """No text can be taken from a file. `reason` is a clause in plain words, without text of the file.

    `trouble` tells the cases apart: the bytes are of another type; nobody can open the file; it wants a password;
    it is larger than what is read; it may be sound, but is not understood here.
    """

    def __init__(self, trouble: Trouble, reason: str) -> None:
        self.trouble, self.reason = trouble, reason
        super().__init__(reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfficeSection:
    """A heading and the text down to the next heading, lines separated by `\\n`.

    `level` is 1 to 9; 0 for a part without a heading (text before the first one, a page, a slide without a title),
    whose title is "".
    """

    level: int
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OfficeText:
    """What a file says. `title` is the one that the file itself bears, "" where it has none.

    `lost` says in plain words, a clause each, what of the text could not be read; `hidden` what a person who opens
    the file does not see either, and so is left out on purpose.
    """

    title: str
    sections: tuple[OfficeSection, ...]
    lost: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


@dataclass(slots=True)
class Outline:
    """Builds an `OfficeText`. Once it is full, what is added is dropped, and `lost` says so once."""

    title: str = ""
    lost: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    is_full: bool = False
    _room: int = MAX_CHARACTERS
    _sections: list[tuple[int, str, list[str]]] = field(default_factory=list)

    def heading(self, level: int, title: str) -> None:
        """Begin a section; level 0 begins one without a heading."""
        line = one_spaced(title) if level else ""
        if len(self._sections) >= MAX_SECTIONS:
            self._fill(f"what follows {MAX_SECTIONS:,} headings, pages or sheets")
        if self._take(line) or not line:
            self._sections.append((level if line else 0, line, []))

    def add(self, text: str) -> None:
        """Add text below the last heading; empty lines are dropped."""
        for line in text.split("\n"):
            kept = one_spaced(line)
            if kept and self._take(kept):
                if not self._sections:
                    self._sections.append((0, "", []))
                self._sections[-1][2].append(kept)

    def finished(self) -> OfficeText:
        """All that was added, without sections that hold nothing at all."""
        sections = tuple(
            OfficeSection(level=level, title=title, text="\n".join(lines))
            for level, title, lines in self._sections
            if title or lines
        )
        title = one_spaced(self.title)[:500]
        return OfficeText(
            title="" if _made_by_a_program(title) else title,
            sections=sections,
            lost=tuple(self.lost),
            hidden=tuple(self.hidden),
        )

    def _take(self, line: str) -> bool:
        if len(line) >= self._room:
            self._fill(f"what follows the first {MAX_CHARACTERS:,} characters")
        if self.is_full:
            return False
        self._room -= len(line) + 1
        return True

    def _fill(self, what: str) -> None:
        if not self.is_full:
            self.is_full = True
            self.lost.append(f"{what} is left out")


_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ud800-\udfff\ufeff"
    "\ufff9-\uffff\U000e0000-\U000e0fff]"
)


def one_spaced(text: str) -> str:
    """Text on one line, without what cannot be seen; blanks of any kind and length are one blank."""
    return " ".join(_UNPRINTABLE.sub("", text).split())


_PROGRAM = re.compile(r"Microsoft (Word|Excel|PowerPoint) - .*", re.DOTALL)
_UNTITLED = frozenset(
    ("untitled", "無題", "title", "タイトル", "document1", "presentation1", "book1", "文書 1", "プレゼンテーション1")
) | {
    "powerpoint presentation",
    "powerpoint プレゼンテーション",
    "slide 1",
    "スライド 1",
    "word document",
    "名称未設定",
}


def _made_by_a_program(title: str) -> bool:
    """Titles that programs write when nobody gave one."""
    return title.lower() in _UNTITLED or bool(_PROGRAM.fullmatch(title))
