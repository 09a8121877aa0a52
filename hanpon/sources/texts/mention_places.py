"""Findings for texts that speak of another version than the one they are published for."""

import html
import re
from collections.abc import Iterator, Sequence

from hanpon.contracts.access import Grant
from hanpon.contracts.bundle import Item
from hanpon.contracts.editions import EVERY_API, EVERY_VERSION
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.contracts.operations import ApiSource
from hanpon.contracts.writings import Writing
from hanpon.sources.texts.text_problems import shown
from hanpon.sources.texts.version_mentions import mentions_of_other_versions

_MOST_QUOTES = 3


def names_of(item: Item) -> tuple[str, ...]:
    """What an item is called."""
    return (item.name, item.title, *item.aliases)


def spoken_versions(item: Item, grant: Grant) -> tuple[str, tuple[str, ...]]:
    """Version and names that a file of an item is about: the item's own, else those of the API it holds for."""
    if item.version != EVERY_VERSION:
        return item.version, names_of(item)
    return grant.api_version, () if grant.api == EVERY_API else (grant.api,)


def mention_findings(
    place: Place, text: str, version: str, names: Sequence[str], *, is_quoted: bool = True
) -> Iterator[Finding]:
    """One warning where a plain text speaks of another version, else nothing.

    Without `is_quoted` the message has no words of the text: not everybody who sees findings may see every text.
    """
    found = mentions_of_other_versions(text, version, names)
    if not found:
        return
    quotes = ", ".join(shown(quote, 70) for quote in found[:_MOST_QUOTES]) if is_quoted else "a place"
    if len(found) > (_MOST_QUOTES if is_quoted else 1):
        quotes += f" and {len(found) - (_MOST_QUOTES if is_quoted else 1)} more"
    message = (
        f"A text of version {version} seems to speak of another one ({quotes}): say what holds in {version} alone."
    )
    yield Finding("speaks-of-another-version", Severity.WARNING, place, message)


def writing_mentions(
    writing: Writing, version: str, names: Sequence[str], *, is_quoted: bool = True
) -> tuple[Finding, ...]:
    """Warnings for the sections of a writing, at the lines of their headings."""
    return tuple(
        finding
        for section in writing.sections
        for finding in mention_findings(
            Place(writing.file, "", section.line),
            f"{section.title}\n{plain_text(section.html)}",
            version,
            names,
            is_quoted=is_quoted,
        )
    )


def operation_mentions(source: ApiSource) -> tuple[Finding, ...]:
    """Warnings for the summaries and descriptions of an API's operations."""
    version, names = source.item.version, names_of(source.item)
    return tuple(
        finding
        for operation in source.documented
        for finding in mention_findings(
            operation.place,
            f"{operation.summary}\n{operation.description}",
            version,
            names,
        )
    )


_TAG = re.compile(r"""<(/?[A-Za-z][A-Za-z0-9]*)(?:[^<>"']|"[^"]*"|'[^']*')*>""")
_INLINE = re.compile(
    r"/?(?:a|abbr|b|bd[io]|cite|code|del|dfn|em|i|ins|kbd|mark|q|s|samp|small|span|strong|su[bp]|u|var)"
)


def plain_text(markup: str) -> str:
    """The words of HTML that went through the allow list: blocks on lines of their own, no tags."""
    return html.unescape(_TAG.sub(_gap, markup))


def _gap(tag: re.Match[str]) -> str:
    return "" if _INLINE.fullmatch(tag[1].lower()) else "\n"
