"""Where values stand in a JSON text: a second pass, made only when something is reported."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from hanpon.contracts.definitions import MAX_DEPTH
from hanpon.sources.texts.text_problems import MOST_PROBLEMS
from hanpon.sources.texts.wanted_lines import Branch, WantedLines

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|\n|[^\s\[\]{},:"]+', re.DOTALL)

_SPACE = re.compile(r"[ \t\r\n]*")

Member = tuple[str, str | int | None, int]
"""What happens ("open", "value" or "close"), at which key or index (None: the root), in which line."""


def json_lines(text: str, pointers: Iterable[str], offsets: Mapping[str, int] | None = None) -> dict[str, int]:
    """The 1-based line of each pointer, or of its nearest ancestor in the text; of a repeated key, the first.

    The `offsets` that came with the value spare looking through all of the text. Raises ValueError where the text
    is not JSON as far as it is looked at.
    """
    known = offsets or {}
    below: dict[str, list[str]] = {}
    for pointer in pointers:
        below.setdefault(_deepest_known(pointer, known), []).append(pointer)
    found: dict[str, int] = {}
    counted = _Lines(text)
    for key in sorted(below, key=lambda key: known.get(key, 0)):
        start = known.get(key, 0)
        wanted = WantedLines(pointer.removeprefix(key) for pointer in below[key])
        if start:
            wanted.root.line = counted.line_at(start)
        if not start or wanted.root.branches:
            _Search(text, wanted, counted).below(start, keyed=bool(start))
        found |= {key + pointer: line for pointer, line in wanted.lines().items()}
    return found


def _deepest_known(pointer: str, offsets: Mapping[str, int]) -> str:
    while pointer and pointer not in offsets:
        pointer = pointer.rpartition("/")[0]
    return pointer


class _Lines:
    """Numbers of lines for offsets that grow: each line break is counted once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._offset, self._line = 0, 1

    def line_at(self, at: int) -> int:
        if at < self._offset:
            self._offset, self._line = 0, 1
        self._line += self._text.count("\n", self._offset, at)
        self._offset = at
        return self._line


class _Search:
    """Goes down only where something is wanted; the rest is skipped at the speed of the parser."""

    def __init__(self, text: str, wanted: WantedLines, lines: _Lines) -> None:
        self.text = text
        self.wanted = wanted
        self.skip = json.JSONDecoder().raw_decode
        self.line_at = lines.line_at

    def below(self, at: int, *, keyed: bool) -> None:
        """Look through the value of the key that stands at an offset, or else the value that stands there."""
        if keyed:
            _, at = self.skip(self.text, at)
            at = self.after_space(at) + 1  # the colon
        self.value(self.wanted.root, at)

    def value(self, branch: Branch, at: int) -> int:
        """Look through the value that begins at or after an offset; the offset behind it comes back."""
        at = self.after_space(at)
        if not branch.line:
            branch.line = self.line_at(at)
        opening = self.text[at : at + 1]
        if not branch.branches or opening not in {"{", "["}:
            return self.skip(self.text, at)[1]
        closing = "}" if opening == "{" else "]"
        at = self.after_space(at + 1)
        index = 0
        while self.text[at : at + 1] != closing:
            at = self.member(branch, at, index if opening == "[" else None)
            at = self.after_space(at)
            if self.text[at : at + 1] == ",":
                at = self.after_space(at + 1)
            elif self.text[at : at + 1] != closing:
                raise ValueError(at)
            index += 1
        return at + 1

    def member(self, branch: Branch, at: int, index: int | None) -> int:
        start = at
        step = str(index)
        if index is None:
            step, at = self.skip(self.text, at)
            at = self.after_space(at) + 1  # the colon
        inner = branch.branches.get(step)
        if inner is None:
            return self.skip(self.text, self.after_space(at))[1]
        if not inner.line:
            inner.line = self.line_at(start)
        return self.value(inner, at)

    def after_space(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        return found.end() if found else at


def first_too_deep(text: str) -> int:
    """The line in which nesting first goes beyond the limit; 0 where it does not."""
    depth = 0
    line = 1
    for found in _TOKEN.finditer(text):
        mark = found.group()
        depth += mark in ("{", "[")
        depth -= mark in ("}", "]")
        line += mark == "\n"
        if depth > MAX_DEPTH:
            return line
    return 0


def repeated_keys(text: str) -> list[tuple[tuple[str | int, ...], int, int]]:
    """Every key that stands in its object again: its path, the first's line and its own."""
    found: list[tuple[tuple[str | int, ...], int, int]] = []
    path: list[str | int] = []
    seen: list[dict[str | int, int]] = []
    for event, step, line in _members(text):
        if event == "close":
            seen.pop()
            del path[-1:]
            continue
        if isinstance(step, str):
            if step in seen[-1]:
                found.append(((*path, step), seen[-1][step], line))
            seen[-1].setdefault(step, line)
        if event == "open":
            seen.append({})
            if step is not None:
                path.append(step)
        if len(found) >= MOST_PROBLEMS:
            break
    return found


class _Box:
    """An open object or array: the key or index at hand, and the line of the key."""

    __slots__ = ("keyed", "line", "step")

    def __init__(self, *, keyed: bool) -> None:
        self.keyed = keyed
        self.step: str | int | None = None if keyed else 0
        self.line = 0


def _members(text: str) -> Iterator[Member]:
    boxes: list[_Box] = []
    line = 1
    for found in _TOKEN.finditer(text):
        mark = found.group()
        box = boxes[-1] if boxes else None
        if mark == "\n":
            line += 1
        elif mark in {"}", "]"}:
            boxes.pop()
            yield "close", None, line
        elif box is not None and mark == ",":
            box.step = None if box.keyed else int(box.step or 0) + 1
        elif mark == ":":
            pass
        elif box is not None and box.keyed and box.step is None:
            box.step, box.line = str(json.loads(mark)), line
        else:
            opens = mark in {"{", "["}
            yield "open" if opens else "value", box.step if box else None, box.line if box and box.keyed else line
            if opens:
                boxes.append(_Box(keyed=mark == "{"))
