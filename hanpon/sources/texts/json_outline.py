"""JSON parsed a few levels at a time, so that it is known where its larger parts stand."""

import json
import re
from collections.abc import Callable
from typing import Any

from hanpon.contracts.pointers import escaped
from hanpon.sources.texts.outlines import Outline

_DEPTH = 3
"""Levels of objects whose members are noted: the operations of a definition, and its components by name."""

_FIRST = re.compile(r'[ \t\r\n]*(?:(?=")|(\}))')
_COLON = re.compile(r"[ \t\r\n]*:[ \t\r\n]*")
_NEXT = re.compile(r'[ \t\r\n]*(?:,[ \t\r\n]*(?=")|(\}))')
_OPENING = re.compile(r"[ \t\r\n]*(?=\{)")
_REST = re.compile(r"[ \t\r\n]*\Z")


def outlined_json(
    text: str, *, parse_float: Callable[[str], Any], parse_constant: Callable[[str], Any]
) -> tuple[Any, Outline]:
    """What `json.loads` makes of a text, and where the keys of its upper objects stand; raises what that raises.

    The outline of a text that is no object is empty.
    """
    decoder = json.JSONDecoder(parse_float=parse_float, parse_constant=parse_constant)
    try:
        return _Reading(text, decoder).document()
    except ValueError:  # the parser itself says best what is wrong
        return decoder.decode(text), Outline()


class _Reading:
    def __init__(self, text: str, decoder: json.JSONDecoder) -> None:
        self._text = text
        self._decode = decoder.raw_decode
        self._line, self._line_start, self._counted_to = 1, 0, 0
        self._lines: dict[str, int] = {}
        self._columns: dict[str, int] = {}

    def document(self) -> tuple[Any, Outline]:
        value, end = self._object(_after(_OPENING.match(self._text)), "", 1)
        _after(_REST.match(self._text, end))
        return value, Outline(lines=self._lines, columns=self._columns)

    def _note(self, pointer: str, at: int) -> None:
        breaks = self._text.count("\n", self._counted_to, at)
        if breaks:
            self._line += breaks
            self._line_start = self._text.rindex("\n", self._counted_to, at) + 1
        self._counted_to = at
        self._lines.setdefault(pointer, self._line)
        self._columns.setdefault(pointer, at - self._line_start)

    def _object(self, at: int, pointer: str, level: int) -> tuple[dict[str, Any], int]:
        """The object that begins at an offset, and the offset behind it. Raises ValueError where there is none."""
        text, decode = self._text, self._decode
        made: dict[str, Any] = {}
        following = _FIRST.match(text, at + 1)
        while following is not None and following[1] is None:
            start = following.end()
            key, end = decode(text, start)
            begin = _after(_COLON.match(text, end))
            place = f"{pointer}/{escaped(key)}"
            self._note(place, start)
            if level < _DEPTH and text.startswith("{", begin):
                made[key], end = self._object(begin, place, level + 1)
            else:
                made[key], end = decode(text, begin)
            following = _NEXT.match(text, end)
        return made, _after(following)


def _after(found: re.Match[str] | None) -> int:
    if found is None:
        raise ValueError
    return found.end()
