"""The sections of a text, made of its cuts."""

import re
from collections.abc import Iterable
from html import escape

from bs4.element import NavigableString, PageElement, Tag

from hanpon.contracts.writings import Section
from hanpon.formats.harmless_html import LINE
from hanpon.sources.writings.cutting import Cut, heading_ids, plainly
from hanpon.sources.writings.footnotes import notes_html
from hanpon.sources.writings.resolving import Resolving
from hanpon.sources.writings.text_tree import (
    attribute,
    blocks,
    empty,
    inner,
    is_blank,
    tags,
    text_of,
    text_without_notes,
    written,
)

_PLACE = re.compile(r"([0-9]{1,9}):")
_BLANKS = re.compile(r"\s+")


def section_of(cut: Cut, resolving: Resolving, lines_before: int) -> Section | None:
    """The section of a cut; None for one without heading in which nothing stands."""
    for node in (*([cut.heading] if cut.heading else []), *cut.nodes, *(note for _, note in cut.notes)):
        if isinstance(node, Tag):
            resolving.resolve(node)
    of_pictures = _ids_in(cut.pictures)
    pictures = _line_of_pictures(cut)
    html = "\n".join(part for part in (pictures, *blocks(cut.nodes), notes_html(cut)) if part)
    below = of_pictures + _ids_in([*cut.nodes, *(note for _, note in cut.notes)])
    if cut.heading is None:
        return Section(level=0, html=html, fragments=tuple(below)) if html else None
    heading = cut.heading
    line = _PLACE.match(attribute(heading, LINE))
    resolving.unlink_in_heading(plainly(heading))
    own = [*cut.ids, *heading_ids(heading)]
    marks = "".join(f'<span id="{escape(one)}"></span>' for one in cut.ids)
    return Section(
        level=int(heading.name[1]),
        title=_BLANKS.sub(" ", text_without_notes(heading)).strip(),
        heading=marks + _BLANKS.sub(" ", inner(heading)).strip(),
        anchor=attribute(heading, "id"),
        html=html,
        fragments=tuple(dict.fromkeys((*own, *below))),
        line=lines_before + int(line[1]) if line else 0,
    )


def _line_of_pictures(cut: Cut) -> str:
    """The images of a heading in a line of their own; where it has no other words, theirs stay behind."""
    if cut.heading is None or not cut.pictures:
        return ""
    has_words = bool(_without_pictures(cut.heading, cut.pictures))
    parts = []
    for picture in cut.pictures:
        words = _words(picture)
        if not is_blank(picture):
            parts.append(written(picture))
        empty(picture)
        picture.attrs.clear()
        picture.append(NavigableString(" " if has_words else words))
    return f"<p>{' '.join(parts)}</p>" if parts else ""


def _without_pictures(heading: Tag, pictures: list[Tag]) -> str:
    inside = {id(one) for picture in pictures for one in picture.descendants} | {id(one) for one in pictures}
    return "".join(str(text) for text in heading.find_all(string=True) if id(text) not in inside).strip()


def _words(picture: Tag) -> str:
    images = [one for one in (picture, *tags(picture, "img")) if one.name == "img" and not one.hidden]
    return text_of(picture).strip() or " ".join(attribute(one, "alt") for one in images)


def _ids_in(nodes: Iterable[PageElement]) -> list[str]:
    trees = (node for node in nodes if isinstance(node, Tag))
    found = (attribute(tag, "id") for tree in trees for tag in (tree, *tags(tree)) if not tag.hidden)
    return [one for one in found if one]
