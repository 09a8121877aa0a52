"""HTML pages into sections: plain text below headings, without a tree being built."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import unescape

_ATTRIBUTES = r"""(?:[^>=]++|=\s*+(?:"[^"]*+"?|'[^']*+'?)?+)*+"""
_MARKUP = re.compile(
    rf"""
    <!--(?:[^-]++|-(?!->))*+(?:-->)?                            # a comment
    | <(?P<unseen>(?i:head|style|script|template))(?=[\s/>]){_ATTRIBUTES}>?
        [^<]*+(?:<(?!/(?i:(?P=unseen))[\s/>])[^<]*+)*+          # with all it holds; its end tag is one as any other
    | <(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*+)(?P<attributes>{_ATTRIBUTES})>?
    | <[!?/][^>]*+>?
    """,
    re.VERBOSE,
)
"""One stretch of markup. Every branch takes all that it looks at, so a page is read once, however broken it is."""

_ID = re.compile(r"""(?:^|(?<=[\s"'/]))id\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""", re.IGNORECASE)
_CLASS_TRAIL = re.compile(r"""(?:^|(?<=[\s"'/]))class\s*+=\s*+["']?(?:[^"'>]*\s)?trail(?=[\s"'>]|$)""", re.IGNORECASE)

_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img input ins kbd label mark picture q rb rp rt "
    "ruby s samp small source span strike strong sub time tt u var wbr".split()
)
"""Elements that may stand inside a word. All others end a block, but `sup`, which ends a word."""


@dataclass(slots=True)
class Section:
    """What stands below one heading, up to the next; `level` 0 and no title for what comes before any heading.

    `blocks` are paragraphs, items, rows of tables with cells apart by ` | `, and code with its lines.
    """

    level: int
    title: str
    anchor: str = ""
    blocks: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Page:
    """A page in order. `trail` is what its line of class `trail` says: the headings above it in its source."""

    trail: tuple[str, ...]
    sections: tuple[Section, ...]


def read_page(text: str) -> Page:
    """Every visible word of a page once, in order: in titles of sections, in blocks, or in the trail.

    Headings inside a table are text of their row. Nothing raises, whatever the text; time grows as the text does.
    """
    reader = _Reader()
    position = 0
    for markup in _MARKUP.finditer(text):
        if markup.start() > position:
            reader.add(text[position : markup.start()])
        position = markup.end()
        name = markup["name"]
        if name is None:
            continue
        if not (name.islower() or name.isdigit()):
            name = name.lower()
        if name not in _INLINE:
            reader.meet(name, bool(markup["end"]), markup["attributes"])
        elif reader.wants_anchor:
            reader.take_anchor(markup["attributes"])
    reader.add(text[position:])
    return reader.finish()


class _Reader:
    """Gathers words until a border comes, and puts them where they belong."""

    def __init__(self) -> None:
        self._sections = [Section(0, "")]
        self._words: list[str] = []
        self._heading: Section | None = None
        self._trail: list[str] | None = None
        self._trail_tag, self._trail_depth = "", 0
        self._code = False
        self._tables = 0
        self._cells: list[str] | None = None
        self._meetings: dict[str, Callable[[bool, str], None]] = {
            **{f"h{level}": self._meet_heading for level in range(1, 7)},
            **dict.fromkeys(("td", "th"), self._meet_cell),
            "tr": self._meet_row,
            "table": self._meet_table,
            "pre": self._meet_code,
        }
        self.wants_anchor = False
        """Whether a heading without an id is open: one inside it may have the id."""
        self._level = 0

    def add(self, text: str) -> None:
        if "&" in text:
            text = unescape(text)
        self._words.append(text)

    def meet(self, name: str, is_end: bool, attributes: str) -> None:
        """A tag of an element that is not inline."""
        if name == self._trail_tag:
            self._meet_trail(is_end)
        elif self._trail is None and "trail" in attributes and not is_end and _CLASS_TRAIL.search(attributes):
            self._close_block()
            self._trail, self._trail_tag, self._trail_depth = [], name, 1
            return
        if name == "sup":
            self._words.append(" ")
        elif (special := self._meetings.get(name)) is None:
            self._close_block()
        else:
            self._level = int(name[1]) if name[1:].isdigit() else 0
            special(is_end, attributes)

    def take_anchor(self, attributes: str) -> None:
        if self._heading is not None and (anchor := _identifier(attributes)):
            self._heading.anchor = anchor
            self.wants_anchor = False

    def finish(self) -> Page:
        self._close_heading()
        self._close_row()
        self._close_block()
        first, *others = self._sections
        sections = (first, *others) if first.blocks else tuple(others)
        return Page(tuple(self._trail or ()), sections)

    def _meet_heading(self, is_end: bool, attributes: str) -> None:
        if self._cells is not None or self._trail_tag:
            self._close_block()
            return
        self._close_heading()
        if not is_end:
            self._close_block()
            self._heading = Section(self._level, "", _identifier(attributes))
            self.wants_anchor = not self._heading.anchor

    def _close_heading(self) -> None:
        if self._heading is None:
            return
        heading, self._heading, self.wants_anchor = self._heading, None, False
        heading.title = self._take_words()
        if heading.title:
            self._sections.append(heading)

    def _meet_trail(self, is_end: bool) -> None:
        self._trail_depth += -1 if is_end else 1
        if self._trail_depth == 0:
            self._close_block()
            self._trail_tag = ""

    def _meet_code(self, is_end: bool, _attributes: str) -> None:
        self._close_block()
        self._code = not is_end

    def _meet_table(self, is_end: bool, _attributes: str) -> None:
        if self._tables == (1 if is_end else 0):
            self._close_row()
        self._close_block()
        self._tables = max(0, self._tables + (-1 if is_end else 1))

    def _meet_row(self, _is_end: bool, _attributes: str) -> None:
        if self._tables == 1:
            self._close_row()
        else:
            self._close_block()

    def _meet_cell(self, is_end: bool, _attributes: str) -> None:
        if self._tables != 1:
            self._close_block()
        elif self._cells is None:
            self._close_block()
            self._cells = [] if not is_end else None
        elif not is_end:
            self._cells.append(self._take_words())

    def _close_row(self) -> None:
        if self._cells is None:
            return
        cells, self._cells = [*self._cells, self._take_words()], None
        if row := " | ".join(filter(None, cells)):
            self._sections[-1].blocks.append(row)

    def _close_block(self) -> None:
        if self._cells is not None or self._heading is not None:
            self._words.append(" ")
            return
        if not self._words:
            return
        if self._code and not self._trail_tag:
            block, self._words = "".join(self._words).strip("\r\n").rstrip(), []
        else:
            block = self._take_words()
        if not block or block.isspace():
            return
        if self._trail_tag and self._trail is not None:
            self._trail.append(block)
        else:
            self._sections[-1].blocks.append(block)

    def _take_words(self) -> str:
        words, self._words = "".join(self._words).split(), []
        return " ".join(words)


def _identifier(attributes: str) -> str:
    if "id" not in attributes and "ID" not in attributes:
        return ""
    found = _ID.search(attributes)
    return unescape(found[1] or found[2] or found[3] or "") if found else ""
