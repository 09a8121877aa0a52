"""The one door to the templates: all markup comes through here, escaped."""

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from html import escape
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup
from markupsafe import escape as escape_once

LONGEST_TITLE = 1_000
"""Characters of a heading, a caption, or a text in metadata; what is longer is cut there and stands below in full."""

_SHORT = 100
"""Names and words up to this length come again and again, so their escaped form is kept."""

Pieces = Sequence[str]
"""HTML in order: what is large is a piece of its own, and is not copied before it is on the page."""

_SURROGATES = re.compile("[\ud800-\udfff]")


def _source(name: str) -> str:
    return files("templates").joinpath(name).read_text(encoding="utf-8")


@cache
def environment() -> Environment:
    """The templates' environment: autoescape on, an undefined name is an error."""
    return Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )


@cache
def template(name: str) -> Template:
    return environment().get_template(name)


@cache
def macro(name: str, macro_name: str) -> Callable[..., Markup]:
    """A macro of a template as a function."""
    found: Callable[..., Markup] = getattr(template(name).module, macro_name)
    return found


class Skeleton:
    """A macro's markup cut at its slots once, so that filling it costs one formatting.

    Meant for what is printed ten thousand times. `slots` are in the order in which the macro prints them; one that
    it prints twice is there twice. What is filled in is HTML already; `text` escapes.
    """

    def __init__(self, name: str, macro_name: str, slots: tuple[str, ...]) -> None:
        printed = str(macro(name, macro_name)(**{slot: f"\x00{slot}\x00" for slot in slots}))
        pieces = printed.removesuffix("\n").split("\x00")
        assert tuple(pieces[1::2]) == slots, pieces  # noqa: S101  templates and code are of one piece
        self.fixed = tuple(pieces[::2])
        """The markup before, between and behind the slots."""
        self._pattern = _pattern(self.fixed)
        self._beginning = _pattern(self.fixed[:-1])

    def __call__(self, *values: str) -> str:
        return self._pattern % values

    def begun(self, *values: str) -> str:
        """The markup before its last slot, the others filled: what goes there may follow as a piece of its own."""
        return self._beginning % values

    @property
    def end(self) -> str:
        """The markup behind the last slot."""
        return self.fixed[-1]


def wrapper(name: str, macro_name: str) -> Callable[[str], str]:
    """A macro around one slot, `content`, as a function of the HTML in it."""
    return _pattern(Skeleton(name, macro_name, ("content",)).fixed).__mod__  # no call of Python's own


def _pattern(fixed: Sequence[str]) -> str:
    return "%s".join(piece.replace("%", "%%") for piece in fixed)


def text(value: str) -> str:
    """Any text as HTML text, also inside an attribute."""
    return _escaped(value) if len(value) < _SHORT else escape(value)


@lru_cache(maxsize=1 << 14)
def _escaped(value: str) -> str:
    return escape(value)


def quoted(value: str) -> str:
    """Any text as templates escape it, in one pass: for what is long and full of quotation marks."""
    return str(escape_once(value))


def encoded(*pieces: str) -> bytes:
    """The bytes of a page, given whole or in pieces. Lone surrogates, which UTF-8 does not have, become U+FFFD.

    Each piece is encoded alone: most are ASCII, which is copied, and one `·` would make all of the page wide.
    """
    try:
        return b"".join(map(str.encode, pieces))
    except UnicodeEncodeError:
        return _SURROGATES.sub("\ufffd", "".join(pieces)).encode("utf-8")


def marked(html: str) -> Markup:
    """HTML that was made here, for templates: it is not escaped again."""
    return Markup(html)  # noqa: S704  only called with what templates or the sanitiser gave


def one_line(value: str) -> str:
    """Text with every run of white space folded to one space: for titles and attributes."""
    return " ".join(value.split())
