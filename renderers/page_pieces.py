"""HTML that is larger than a part by itself, cut into pieces: each is balanced, and tables keep their heads."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TOKEN = re.compile(rb'<(/?)([a-z][a-z0-9]*)[^<>"]*(?:"[^"]*"[^<>"]*)*>|[^<]+|<')
_VOID = frozenset({b"br", b"hr", b"img", b"input", b"col", b"wbr"})
_BLOCKS = frozenset(b"p div tr li pre ul ol table blockquote dl dd details".split())
"""Behind the end of one of these is a good place for a cut."""

_DEEPEST = 30
"""Elements nested deeper lose their tags, not their text: each would have to be opened anew in every piece."""

_LONGEST_TAG = 10_000
"""Of a longer tag only the name is kept."""

_LONGEST_OPENING = 200
_LONGEST_HEAD = 2_000
_SEARCHED = 2_000
"""A text is cut at the last line or word that ends in so many bytes before the limit."""


@dataclass(frozen=True, slots=True)
class Piece:
    """`dropped` tags have lost their attributes here."""

    html: str
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class _Open:
    """An open element: its name, how it is opened again in the next piece, where it began in this one."""

    name: bytes
    again: bytes
    begin: int


_Cut = tuple[int, tuple[_Open, ...]]
"""A place for a cut: how many tokens stand before it, and what is open there."""


@dataclass(slots=True)
class _Cutter:
    room: int
    """Of the piece in the making; `full` is that of every one but the first."""
    full: int
    most_headings: int
    again: bytes
    out: list[bytes] = field(default_factory=list)
    size: int = 0
    fresh: int = 0
    """So many tokens of `out` were there before: they open again what was open."""
    stack: list[_Open] = field(default_factory=list)
    closing: int = 0
    """Bytes of the tags that would close the stack."""
    ignored: int = 0
    headings: int = 0
    dropped: int = 0
    between: _Cut | None = None
    within: _Cut | None = None
    """The last place between rows or blocks, and the last one inside a row."""

    def pieces(self, html: bytes) -> Iterator[Piece]:
        for token in _TOKEN.finditer(html):
            name, data = token[2], token[0]
            if name is None:
                yield from self._take_text(data)
            elif token[1]:
                self._close(name, data)
            else:
                yield from self._open(name, data)
        if len(self.out) > self.fresh:
            yield self._piece(self.out, self.stack)

    # --- tokens

    def _take_text(self, data: bytes) -> Iterator[Piece]:
        start = 0
        while self.size + len(data) - start + self.closing > self.room:
            if self.between or self.within:
                yield self._cut_at_good_place()
                continue
            left = self.room - self.size - self.closing
            end = _end_of_words(data, start, start + left)
            if end <= start and len(self.out) == self.fresh:
                end = _end_of_words(data, start, start + _SEARCHED)  # no room at all: what is open takes it
            if end > start:
                self._put(data[start:end])
                start = end
            yield self._cut_here()
        if start < len(data):
            self._put(data[start:])

    def _open(self, name: bytes, data: bytes) -> Iterator[Piece]:
        is_heading = len(name) == 2 and name[:1] == b"h" and name[1:].isdigit()
        if len(data) > _LONGEST_TAG:
            data = b"<" + name + b">"
            self.dropped += 1
        is_full = self.size + len(data) + len(name) + 3 + self.closing > self.room
        is_full = is_full or (is_heading and self.headings >= self.most_headings)
        if is_full and len(self.out) > self.fresh:
            yield self._cut_at_good_place() if not is_heading and (self.between or self.within) else self._cut_here()
        if is_heading and len(self.out) > self.fresh:
            self.between = (len(self.out), tuple(self.stack))
        self.headings += is_heading
        if name in _VOID:
            self._put(data)
        elif len(self.stack) >= _DEEPEST:
            self.ignored += 1
        else:
            again = data if len(data) <= _LONGEST_OPENING and not is_heading else b"<" + name + b">"
            self.stack.append(_Open(name, again, len(self.out)))
            self.closing += len(name) + 3
            self._put(data)

    def _close(self, name: bytes, data: bytes) -> None:
        if self.ignored:
            self.ignored -= 1
            return
        element = self.stack.pop()
        self.closing -= len(name) + 3
        self._put(data)
        if name == b"thead":
            self._open_again_with(b"table", self.stack)
        elif name in {b"th", b"td"} and self.stack and self.stack[-1].name == b"tr":
            self._remember_cell(name, element)
        if name in _BLOCKS:
            here = (len(self.out), tuple(self.stack))
            names = {element.name for element in self.stack}
            if b"tr" in names:
                self.within = here
            elif b"thead" not in names:
                self.between, self.within = here, None

    def _open_again_with(self, name: bytes, stack: list[_Open]) -> None:
        """Whatever stands in the last element of this name so far is there in the next piece too."""
        if stack and stack[-1].name == name:
            element = stack[-1]
            head = b"".join(self.out[element.begin :])
            if len(head) <= _LONGEST_HEAD:
                stack[-1] = _Open(name, head, element.begin)

    def _remember_cell(self, name: bytes, cell: _Open) -> None:
        """A row that goes on names itself again, and its cells stand below their heads."""
        row = self.stack[-1]
        if name == b"th" and row.again.startswith(b"<tr") and b"<th" not in row.again:
            self._open_again_with(b"tr", self.stack)
        elif len(row.again) < 2 * _LONGEST_HEAD:
            self.stack[-1] = _Open(row.name, row.again + b"<" + cell.name + b"></" + cell.name + b">", row.begin)

    def _put(self, data: bytes) -> None:
        self.out.append(data)
        self.size += len(data)

    # --- cuts

    def _cut_here(self) -> Piece:
        return self._cut(len(self.out), tuple(self.stack))

    def _cut_at_good_place(self) -> Piece:
        place = self.between or self.within
        assert place is not None  # noqa: S101  the callers saw to it
        return self._cut(*place)

    def _cut(self, length: int, stack: tuple[_Open, ...]) -> Piece:
        piece = self._piece(self.out[:length], list(stack))
        tail = self.out[length:]
        opened = [self.again, *(element.again for element in stack)]
        moved = length - len(opened)
        self.out = opened + tail
        self.stack = [
            _Open(element.name, element.again, 1 + index if element.begin < length else element.begin - moved)
            for index, element in enumerate(self.stack)
        ]
        self.fresh = len(opened)
        self.size = sum(map(len, self.out))
        self.headings = sum(data.startswith(b"<h") for data in self.out)
        self.between = self.within = None
        self.room = self.full
        return piece

    def _piece(self, tokens: list[bytes], stack: list[_Open]) -> Piece:
        closing = b"".join(b"</" + element.name + b">" for element in reversed(stack))
        dropped, self.dropped = self.dropped, 0
        return Piece((b"".join(tokens) + closing).decode("utf-8"), dropped)


def pieces_of(html: str, first: int, room: int, most_headings: int, again: str = "") -> Iterator[Piece]:
    """Balanced pieces in order: at most `first` bytes, then at most `room` each, with `again` at their beginning."""
    cutter = _Cutter(first, room, most_headings, again.encode("utf-8"))
    yield from cutter.pieces(html.encode("utf-8", "replace"))


def _end_of_words(data: bytes, start: int, limit: int) -> int:
    """Where text may be cut at or before a limit: behind a line, else behind a word, else between characters."""
    if limit <= start:
        return start
    if limit >= len(data):
        return len(data)
    for separator in (b"\n", b" "):
        found = data.rfind(separator, max(start, limit - _SEARCHED), limit)
        if found >= start:
            return found + 1
    reference = data.rfind(b"&", max(start, limit - 10), limit)
    if reference >= start and data.find(b";", reference, limit) < 0:
        limit = reference
    while limit > start and data[limit] & 0xC0 == 0x80:
        limit -= 1
    return limit
