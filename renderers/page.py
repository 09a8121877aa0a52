"""The one door to the templates: all markup comes through here, escaped."""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from html import escape
from importlib.resources import files
from operator import itemgetter

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup

LONGEST_TITLE = 1_000
"""Characters of a heading, a caption, or a text in metadata; what is longer is cut there and stands below in full."""

_SHORT = 100
"""Names and words up to this length come again and again, so their escaped form is kept."""

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

    Meant for what is printed ten thousand times. What is filled in is HTML already; `text` escapes.
    """

    def __init__(self, name: str, macro_name: str, slots: tuple[str, ...]) -> None:
        printed = str(macro(name, macro_name)(**{slot: f"\x00{slot}\x00" for slot in slots}))
        pieces = printed.removesuffix("\n").split("\x00")
        self._pattern = "%s".join(piece.replace("%", "%%") for piece in pieces[::2])
        self._in_order: Callable[[tuple[str, ...]], str | tuple[str, ...]] = itemgetter(
            *(slots.index(piece) for piece in pieces[1::2])
        )

    def __call__(self, *values: str) -> str:
        return self._pattern % self._in_order(values)


def text(value: str) -> str:
    """Any text as HTML text, also inside an attribute."""
    return _escaped(value) if len(value) < _SHORT else escape(value)


@lru_cache(maxsize=1 << 14)
def _escaped(value: str) -> str:
    return escape(value)


def encoded(html: str) -> bytes:
    """The bytes of a page. Lone surrogates, which UTF-8 does not have, become U+FFFD."""
    try:
        return html.encode("utf-8")
    except UnicodeEncodeError:
        return _SURROGATES.sub("\ufffd", html).encode("utf-8")


def marked(html: str) -> Markup:
    """HTML that was made here, for templates: it is not escaped again."""
    return Markup(html)  # noqa: S704  only called with what templates or the sanitiser gave


def one_line(value: str) -> str:
    """Text with every run of white space folded to one space: for titles and attributes."""
    return " ".join(value.split())
