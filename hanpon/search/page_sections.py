"""HTML pages into sections: plain text below headings, without a tree being built."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import unescape

_ATTRIBUTES = r"""(?:[^>=]++|=\s*+(?:"[^"]*+"?|'[^']*+'?)?+)*+"""
_MARKUP = re.compile(
    rf"""
    <!--(?:[^-]++|-(?!->))*+(?:-->)?                            # a comment
    | <(?P<unseen>(?i:head|style|script|template|title))(?=[\s/>]){_ATTRIBUTES}>?
        [^<]*+(?:<(?!/(?i:(?P=unseen))[\s/>])[^<]*+)*+          # with all it holds; its end tag is one as any other
    | <(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*+)(?P<attributes>{_ATTRIBUTES})>?
    | <[!?/][^>]*+>?
    """,
    re.VERBOSE,
)
"""One stretch of markup. Every branch takes all that it looks at, so a page is read once, however broken it is."""

_ID = re.compile(r"""(?:^|(?<=[\s"'/]))id\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""", re.IGNORECASE)
_CLASS_TRAIL = re.compile(r"""(?:^|(?<=[\s"'/]))class\s*+=\s*+["']?(?:[^"'>]*\s)?trail(?=[\s"'>]|$)""", re.IGNORECASE)

STEP = " › "
"""What stands between the headings of a trail that is one line."""

_Tag = re.Match[str]

_INLINE = frozenset(
    {
        "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i",
        "img", "input", "ins", "kbd", "label", "mark", "picture", "q", "rb", "rp", "rt", "ruby", "s", "samp",
        "small", "source", "span", "strike", "strong", "sub", "time", "tt", "u", "var", "wbr",
    }
)  # fmt: skip
"""Elements that may stand inside a word. All others end a block, but `sup`, which begins a word."""


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
        if not name.islower():
            name = name.lower()
        if name not in _INLINE:
            reader.meet(name, markup)
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
        self._meetings: dict[str, Callable[[_Tag], None]] = {
            **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), self._meet_heading),
            "br": self._meet_break,
            **dict.fromkeys(("td", "th"), self._meet_cell),
            "tr": self._meet_row,
            "table": self._meet_table,
            "pre": self._meet_code,
        }
        self.wants_anchor = False
        """Whether a heading without an id is open: one inside it may have the id."""

    def add(self, text: str) -> None:
        if "&" in text:
            text = unescape(text)
        self._words.append(text)

    def meet(self, name: str, tag: _Tag) -> None:
        """A tag of an element that is not inline, with its name in lower case."""
        if name == self._trail_tag:
            self._meet_trail(tag)
        elif self._trail is None and "trail" in tag[0] and not tag["end"] and _CLASS_TRAIL.search(tag["attributes"]):
            self._close_block()
            self._trail, self._trail_tag, self._trail_depth = [], name, 1
            return
        if name == "sup":
            self._words.append("" if tag["end"] else " ")
        elif (special := self._meetings.get(name)) is None:
            self._close_block()
        else:
            special(tag)

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

    def _meet_heading(self, tag: _Tag) -> None:
        self._close_heading()
        self._close_block()
        self._trail_tag = ""
        if not tag["end"] and self._cells is None:
            self._heading = Section(int(tag["name"][1]), "", _identifier(tag["attributes"]))
            self.wants_anchor = not self._heading.anchor

    def _close_heading(self) -> None:
        if self._heading is None:
            return
        heading, self._heading, self.wants_anchor = self._heading, None, False
        heading.title = self._take_words()
        if heading.title:
            self._sections.append(heading)

    def _meet_trail(self, tag: _Tag) -> None:
        self._trail_depth += -1 if tag["end"] else 1
        if self._trail_depth == 0:
            self._close_block()
            self._trail_tag = ""

    def _meet_break(self, _: _Tag) -> None:
        if self._code:
            self._words.append("\n")
        else:
            self._close_block()

    def _meet_code(self, tag: _Tag) -> None:
        self._close_block()
        self._code = not tag["end"]

    def _meet_table(self, tag: _Tag) -> None:
        if self._tables == (1 if tag["end"] else 0):
            self._close_row()
        self._close_block()
        self._tables = max(0, self._tables + (-1 if tag["end"] else 1))

    def _meet_row(self, _: _Tag) -> None:
        if self._tables == 1:
            self._close_row()
        else:
            self._close_block()

    def _meet_cell(self, tag: _Tag) -> None:
        if self._tables != 1 or self._heading is not None or self._cells is None:
            self._close_block()
            if self._tables == 1 and self._heading is None and not tag["end"]:
                self._cells = []
        elif not tag["end"]:
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
            self._trail.extend(block.split(STEP))
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
