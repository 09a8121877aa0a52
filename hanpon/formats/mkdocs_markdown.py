"""Markdown as MkDocs and TechDocs show it: Python-Markdown with the extensions that their users take for granted.

Nothing is carried out and no file is read: no snippets, no macros, no custom fences, no highlighter.
"""

import re
from html import escape
from typing import Any

from markdown import Markdown

from hanpon.formats.mkdocs_completions import AllFootnotes, WholeTables

_LARGEST = 2_000_000
_HEAVIEST = 10_000_000
"""Of what `_weight` counts: about two seconds. Real texts of 140,000 characters have two millions at most."""

_OPENING = re.compile(r"[\[<]")
_BACKTICKS = re.compile(r"`+")
_UNENDED = re.compile(r"<[A-Za-z/!?][^<>]*+(?!>)")
_HEADING = re.compile(r"^[ >]*(?:#|=+[ \t]*$|-+[ \t]*$)", re.MULTILINE)
_DEEP = re.compile(r"^[ \t]{40,}", re.MULTILINE)
_ROW = re.compile(r"[ \t|:-]*\|[ \t|:-]*")
_LABEL = re.compile(r'<label for="__tabbed_[^"]*">(.*?)</label>', re.DOTALL)


class TooHeavy(ValueError):
    """The text would take Python-Markdown minutes, or more stack than there is."""


def mkdocs_html(markdown: str) -> str:
    """The HTML of a file, raw HTML included and not yet harmless; headings bear the ids that MkDocs gives them.

    Tabs stand one below the other, each after its label. `[TOC]` is nothing: a list would say all headings twice.
    Raises TooHeavy.
    """
    if len(markdown) > _LARGEST or _weight(markdown) > _HEAVIEST:
        raise TooHeavy("too long")
    try:
        html = _converter().convert(markdown)
    except (RecursionError, IndexError, KeyError, ValueError, AttributeError, TypeError, AssertionError) as error:
        # text that its extensions did not reckon with: they raise whatever comes
        raise TooHeavy(type(error).__name__) from None
    html = html.replace("<p>[TOC]</p>", "")
    return _LABEL.sub(r'<p class="tabbed-label"><strong>\1</strong></p>', html)


def _converter() -> Markdown:
    """A new one for each file: a converter keeps what it learned."""
    return Markdown(
        extensions=[
            WholeTables(),
            "admonition",
            "attr_list",
            "def_list",
            AllFootnotes(),
            "md_in_html",
            "abbr",
            "toc",
            "pymdownx.superfences",
            "pymdownx.details",
            "pymdownx.tabbed",
            "pymdownx.tasklist",
            "pymdownx.tilde",
            "pymdownx.mark",
            "pymdownx.magiclink",
        ],
        extension_configs={
            "pymdownx.superfences": {
                "custom_fences": [{"name": "*", "class": "", "format": _fence, "validator": _taken_as_it_is}]
            },
            "pymdownx.tilde": {"subscript": False},
            "toc": {"marker": ""},
        },
    )


def _taken_as_it_is(language: str, inputs: Any, options: Any, attrs: Any, md: Any) -> bool:
    del language, attrs, md
    options.update(inputs)
    return True


def _fence(source: str, language: str, class_name: str, options: Any, md: Any, **_: Any) -> str:
    """A block of code as it is, with the name of its file above it."""
    del class_name, md
    title = options.get("title") if options else None
    above = f'<p class="filename">{escape(str(title))}</p>\n' if title and title is not True else ""
    kind = f' class="language-{escape(language)}"' if language else ""
    return f"{above}<pre><code{kind}>{escape(source, quote=False)}\n</code></pre>"


def _weight(markdown: str) -> int:
    """About how many characters are looked at for brackets: for each, all that follows in its block.

    The rows of a table are blocks of their own.
    """
    total = len(_UNENDED.findall(markdown)) * len(markdown)  # for the end of a tag all the rest is searched
    total += len(_HEADING.findall(markdown)) ** 2  # ids are counted up from the first of their kind
    total += markdown.count("[^") ** 2  # footnotes are held against one another
    total += sum(map(len, _DEEP.findall(markdown))) * 100  # what lies deep is read once for each level
    for block in re.split(r"\n[ \t]*\n", markdown):
        rows = block.split("\n")
        if len(rows) > 2 and _ROW.fullmatch(rows[1]):
            total += sum(len(_OPENING.findall(row)) * len(row) for row in rows)
            total += rows[0].count("|") * len(rows) * 100  # short rows are filled up
        else:
            opening = len(_OPENING.findall(block)) + len(_BACKTICKS.findall(block)) // 4
            total += opening * len(block)
    return total
