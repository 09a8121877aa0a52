"""The outline of a page of text: one h1, no level left out, the order of sections kept."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hanpon.contracts.texts import bounded, clean
from hanpon.contracts.writings import Section as Below
from hanpon.contracts.writings import Writing
from renderers.page import LONGEST_TITLE, Skeleton, one_line, text, wrapper
from renderers.page_parts import Section
from renderers.prose_links import Slots

_LONGEST_HEADING = 4_000
"""Bytes of a heading with its markup; a longer one is cut, and stands below in full."""

_TAG = re.compile(r"</?([a-z][a-z0-9]*)?[^>]*(?:>|$)")
_INLINE = {
    *("a", "abbr", "b", "cite", "code", "del", "dfn", "em", "i", "ins", "kbd", "mark", "q", "s", "samp", "small"),
    *("span", "strong", "sub", "sup", "u", "var"),
}
_HEADING = Skeleton("prose.html", "heading", ("level", "identity", "title", "level"))
_IDENTITY = Skeleton("prose.html", "identity", ("id",))
_PARAGRAPH = wrapper("text.html", "paragraph")


def heading_and_rest(writing: Writing) -> tuple[Below | None, Sequence[Below]]:
    """The heading that becomes the h1 of a page, and all the rest.

    It is the first heading, where that is of level 1; what stands before it opens the rest. None where the text
    has no such heading, so that its page needs a name.
    """
    for index, section in enumerate(writing.sections):
        if section.level:
            if section.level > 1:
                break
            before = writing.sections[:index]
            return section, (*before, Below(level=0, html=section.html), *writing.sections[index + 1 :])
    return None, writing.sections


@dataclass(frozen=True, slots=True)
class PageHeading:
    """The h1 of a page: the name of the page as plain text, inline HTML, its id, what stands in full below it."""

    name: str
    html: str
    anchor: str = ""
    in_full: str = ""


def page_heading(section: Below | None, writing: Writing, otherwise: str, slots: Slots) -> PageHeading:
    """The heading of a section as that of a page.

    Where there is none, or one without words, the page is called by the title of its text, else `otherwise`.
    """
    html, in_full = printed_heading(section, slots) if section else ("", "")
    name = one_line(clean(section.title)) if section else ""
    if not name:
        name = _title_of(writing) or otherwise
        html = f"{html} {text(bounded(name, LONGEST_TITLE))}".strip()
    return PageHeading(name, html, section.anchor if section else "", in_full)


def _title_of(writing: Writing) -> str:
    """The title in the front matter, or that of an HTML page, where it is none of the headings."""
    headings = {section.title for section in writing.sections}
    return one_line(clean(writing.front.get("title", "") or ("" if writing.title in headings else writing.title)))


def printed_heading(section: Below, slots: Slots) -> tuple[str, str]:
    """A heading as inline HTML that is short enough, and what stands in full below it: "" for nothing."""
    html = slots.slotted(section.heading, section.line) or text(clean(section.title))
    if len(section.title) <= LONGEST_TITLE and len(html) <= _LONGEST_HEADING:
        return html, ""
    return text(bounded(one_line(clean(section.title)), LONGEST_TITLE)), _PARAGRAPH(html)


def sound_levels(levels: Iterable[int]) -> list[int]:
    """Levels of headings below an h1, so that none is left out: 2 for the outermost, 0 for no heading.

    A heading stands one level below the nearest earlier one that was above it. Six levels are all there are.
    """
    above: list[int] = []
    found = []
    for level in levels:
        if level:
            while above and above[-1] >= level:
                above.pop()
            above.append(level)
        found.append(min(1 + len(above), 6) if level else 0)
    return found


def page_sections(rest: Sequence[Below], slots: Slots, opening: str = "") -> list[Section]:
    """What stands below the h1, in sections of one h2 each; `opening` and all before the first h2 stand bare."""
    found: list[Section] = []
    bare = Section("\x00opening", "", opening)
    title, blocks = bare, [opening]
    levels = sound_levels(one.level if one.heading or one.title else 0 for one in rest)
    for number, (level, below) in enumerate(zip(levels, rest, strict=True)):
        if level == 2:
            found += _closed(title, blocks)
            heading, in_full = printed_heading(below, slots)
            title, blocks = Section(below.anchor or f"\x00{number}", heading, ""), [in_full]
        elif level:
            blocks += _printed(level, below, slots)
        blocks.append(slots.slotted(below.html, below.line))
    return found + list(_closed(title, blocks))


def _closed(section: Section, blocks: Sequence[str]) -> Iterator[Section]:
    html = "\n".join(filter(None, blocks))
    if html or section.title or not section.identity.startswith("\x00opening"):
        yield Section(section.identity, section.title, html)


def _printed(level: int, below: Below, slots: Slots) -> Iterator[str]:
    heading, in_full = printed_heading(below, slots)
    yield _HEADING(str(level), identity_of(below.anchor), heading, str(level)) + in_full


def identity_of(anchor: str) -> str:
    """The id of an element as an attribute; "" where it has none."""
    return _IDENTITY(text(clean(anchor))) if anchor and not anchor.startswith("\x00") else ""


def words_in(html: str) -> str:
    """HTML without its tags, a space where blocks meet; what it escapes stays so."""
    return _TAG.sub(lambda tag: "" if tag[1] in _INLINE else " ", html)
