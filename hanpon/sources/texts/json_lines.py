"""Where values stand in a JSON text: a second pass, made only when something is reported."""

import codecs
import json
import re
from collections.abc import Container, Iterable, Iterator, Sequence

from hanpon.contracts.definitions import MAX_DEPTH
from hanpon.sources.texts.outlines import Outline
from hanpon.sources.texts.text_problems import MOST_PROBLEMS
from hanpon.sources.texts.wanted_lines import Branch, WantedLines

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|\n|[^\s\[\]{},:"]+', re.DOTALL)

_SPACE = re.compile(r"[ \t\r\n]*")
_BLOCK = 64 * 1024

Member = tuple[str, str | int | None, int]
"""What happens ("open", "value" or "close"), at which key or index (None: the root), in which line."""


def json_lines(text: str, pointers: Iterable[str]) -> dict[str, int]:
    """The 1-based line of each pointer, or of its nearest ancestor in the text; of a repeated key, the first.

    Raises ValueError where the text is not JSON as far as it is looked at.
    """
    wanted = WantedLines(pointers)
    _Search(text, wanted).value(wanted.root, 0)
    return wanted.lines()


def json_lines_of(data: bytes, pointers: Iterable[str], outline: Outline) -> dict[str, int]:
    """The same of a JSON text in UTF-8 that has this outline: only what stands between its keys is read again.

    Raises as `json_lines` does.
    """
    data = data.removeprefix(codecs.BOM_UTF8)
    below: dict[str, list[str]] = {}
    for pointer in pointers:
        below.setdefault(_deepest_known(pointer, outline.lines), []).append(pointer)
    deeper = {key: [each for each in wanted if each != key] for key, wanted in below.items() if key}
    stretches = _stretches(data, [key for key, wanted in deeper.items() if wanted], outline)
    if sum(end - begin for begin, end in stretches.values()) > len(data):  # as where all stands in one line
        return json_lines(data.decode(), (pointer for wanted in below.values() for pointer in wanted))
    found: dict[str, int] = {}
    for key, wanted in below.items():
        # of the root, all keys are in the outline: what is not among them has its line
        first = outline.lines[key] if key else data.count(b"\n", 0, data.index(b"{")) + 1
        found |= dict.fromkeys(wanted, first)
        if key in stretches:
            begin, end = stretches[key]
            text = data[begin:end].decode()
            found |= _in_stretch(text, outline.columns[key], key, deeper[key], first - 1)
    return found


def _deepest_known(pointer: str, known: Container[str]) -> str:
    while pointer and pointer not in known:
        pointer = pointer.rpartition("/")[0]
    return pointer


def _stretches(data: bytes, keys: Sequence[str], outline: Outline) -> dict[str, tuple[int, int]]:
    """By key the lines from its own to that of the next key which is not below it, both included, as offsets."""
    known = list(outline.lines)
    places = {key: place for place, key in enumerate(known)}
    lines = {}
    for key in keys:
        following = (known[place] for place in range(places[key] + 1, len(known)))
        after = next((each for each in following if not each.startswith(f"{key}/")), None)
        lines[key] = (outline.lines[key], None if after is None else outline.lines[after] + 1)
    starts = _line_starts(data, sorted({line for pair in lines.values() for line in pair if line is not None}))
    return {key: (starts[first], len(data) if last is None else starts[last]) for key, (first, last) in lines.items()}


def _line_starts(data: bytes, lines: Sequence[int]) -> dict[int, int]:
    """The offsets at which lines begin, of growing numbers; beyond the last line, the end of it all."""
    starts = {}
    at, line = 0, 1
    for wanted in lines:
        while (here := data.count(b"\n", at, at + _BLOCK)) < wanted - line and at < len(data):
            at, line = at + _BLOCK, line + here
        while line < wanted and at < len(data):
            at, line = (data.find(b"\n", at) + 1) or len(data), line + 1
        starts[wanted] = min(at, len(data))
    return starts


def _in_stretch(text: str, column: int, key: str, pointers: Sequence[str], above: int) -> dict[str, int]:
    """Lines of pointers below a key that stands at a column of the first line of a text; `above` stand before it."""
    wanted = WantedLines(pointer.removeprefix(key) for pointer in pointers)
    search = _Search(text, wanted)
    wanted.root.line = 1
    search.value(wanted.root, search.after_key(column))
    return {key + pointer: above + line for pointer, line in wanted.lines().items()}


class _Search:
    """Goes down only where something is wanted; the rest is skipped at the speed of the parser."""

    def __init__(self, text: str, wanted: WantedLines) -> None:
        self.text = text
        self.wanted = wanted
        self.skip = json.JSONDecoder().raw_decode
        self.offset, self.line = 0, 1

    def after_key(self, at: int) -> int:
        """The offset behind a key and its colon."""
        return self.after_space(self.skip(self.text, at)[1]) + 1

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

    def line_at(self, at: int) -> int:
        # offsets only grow, so each line break is counted once
        self.line += self.text.count("\n", self.offset, at)
        self.offset = at
        return self.line


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
