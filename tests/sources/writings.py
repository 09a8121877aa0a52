"""Texts read for tests: a file of a bundle in memory."""

from collections.abc import Iterable, Mapping
from typing import get_args

from bs4 import BeautifulSoup, Tag

from hanpon.contracts.bundle import Dialect
from hanpon.contracts.writings import Writing
from hanpon.sources.texts.inputs import Inputs
from hanpon.sources.writings.reader import Reading, read_writing
from tests.trees import MemoryTree

DIALECTS: tuple[Dialect, ...] = get_args(Dialect)
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 8


def reading_of(
    text: str | bytes,
    file: str = "docs/a.md",
    *,
    dialect: Dialect = "",
    beside: Mapping[str, str | bytes] | None = None,
    item: Iterable[str] = (),
) -> Reading:
    """A file read, with files beside it in the bundle, of which those of `item` belong to the same item."""
    tree = MemoryTree({file: text, **(beside or {})})
    return read_writing(file, frozenset({file, *item}), dialect, "utf-8", Inputs(tree))


def html_of(reading: Reading) -> str:
    """All sections as one piece of HTML."""
    return "\n".join(
        f"<h{section.level or 1} id='{section.anchor}'>{section.heading}</h{section.level or 1}>\n{section.html}"
        for section in reading.writing.sections
    )


def findings_of(reading: Reading) -> list[str]:
    return [f"{finding.severity} {finding}" for finding in reading.findings]


def ids_of(writing: Writing) -> list[str]:
    """All ids that links may call, as the sections say."""
    return [
        one
        for section in writing.sections
        for one in ((section.anchor,) if section.level else ()) + section.fragments
    ]


def tags_of(html: str, *names: str) -> list[Tag]:
    return [
        tag
        for tag in BeautifulSoup(f"<div>{html}</div>", "html.parser").find_all(list(names))
        if isinstance(tag, Tag)
    ]
