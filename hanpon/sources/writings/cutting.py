"""A text's tree cut at its headings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bs4.element import NavigableString, PageElement, Tag

from hanpon.formats.harmless_html import LINE
from hanpon.formats.untrusted_html import names
from hanpon.sources.writings.places import words_of_images
from hanpon.sources.writings.text_tree import HEADINGS, INLINE, attribute, empty, is_blank, tags, take_away, text_of

_KEEPERS = names(
    "blockquote caption dd details dl dt figcaption figure li ol pre table tbody td tfoot th thead tr ul"
)
"""Elements whose headings are no headings of the text: they stay where they are, as bold lines."""

_BOXES = frozenset({"markdown-alert", "admonition", "tabbed-set", "tabbed-content", "footnotes", "footnote"})


@dataclass(slots=True)
class Cut:
    """A heading, None for what stands before the first, and the nodes below it.

    `ids` are those of empty elements right above the heading, which links to it may call. `pictures` stand in the
    heading and are shown below it. `notes` are the footnotes that are referred to here first.
    """

    heading: Tag | None = None
    ids: list[str] = field(default_factory=list)
    pictures: list[Tag] = field(default_factory=list)
    nodes: list[PageElement] = field(default_factory=list)
    notes: list[tuple[int, Tag]] = field(default_factory=list)


def cuts_of(root: Tag) -> list[Cut]:
    """The text cut at its headings, those in quotations, lists, tables and boxes left out: they become bold lines.

    Elements that only hold parts of the text together are opened. A heading without words is none.
    """
    opened: set[int] = set()
    for heading in tags(root, *HEADINGS):
        above = [parent for parent in heading.parents if isinstance(parent, Tag)]
        above = above[: next((at for at, parent in enumerate(above) if parent is root), len(above))]
        if any(_keeps(parent) for parent in above) or not _has_words(heading):
            _made_bold_line(heading)
        else:
            opened.update(id(parent) for parent in above)
    found = [Cut()]
    for node in _flow(root, opened):
        if isinstance(node, Tag) and node.name in HEADINGS:
            found.append(Cut(heading=node, ids=list(_ids_at_the_end(found[-1].nodes))))
            found[-1].pictures += _pictures(node)
        else:
            found[-1].nodes.append(node)
    return found


def _keeps(tag: Tag) -> bool:
    return tag.name in _KEEPERS or not _BOXES.isdisjoint(tag.get("class") or ())


def _has_words(heading: Tag) -> bool:
    return bool(text_of(heading).strip() or words_of_images(heading))


def _made_bold_line(heading: Tag) -> None:
    heading.attrs.pop(LINE, None)
    if not text_of(heading).strip():
        heading.name = "p"
        return
    strong = Tag(name="strong")
    for child in list(heading.contents):
        strong.append(child.extract())
    if heading.find_parent("summary"):
        heading.name = "span"
    else:
        heading.name = "div"
        heading["class"] = "heading"
    heading.append(strong)


def _flow(root: Tag, opened: set[int]) -> Iterator[PageElement]:
    """The nodes of a text in order. An element that is opened leaves its id behind."""
    waiting: list[PageElement] = list(reversed(root.contents))
    while waiting:
        node = waiting.pop()
        if isinstance(node, Tag) and id(node) in opened:
            if identity := attribute(node, "id"):
                yield Tag(name="span", attrs={"id": identity})
            waiting += reversed(node.contents)
        else:
            yield node


def _ids_at_the_end(nodes: list[PageElement]) -> Sequence[str]:
    """Take empty elements that have ids off the end of a section: they name what comes next."""
    ids: list[str] = []
    while nodes and is_blank(nodes[-1]):
        last = nodes.pop()
        if isinstance(last, Tag):
            here = [attribute(tag, "id") for tag in (last, *tags(last))]
            ids[:0] = [one for one in here if one]
    return ids


def _pictures(heading: Tag) -> list[Tag]:
    """Images, and links that hold nothing else, of a heading: they stand in a line of their own below it."""
    found: dict[int, Tag] = {}
    for image in tags(heading, "img"):
        link = next((one for one in image.find_parents("a") if not text_of(one).strip()), None)
        picture = link if isinstance(link, Tag) else image
        found.setdefault(id(picture), picture)
    return list(found.values())


def heading_ids(heading: Tag) -> list[str]:
    return [one for one in (attribute(tag, "id") for tag in tags(heading)) if one]


def plainly(heading: Tag) -> list[str]:
    """Take links and blocks out of a heading, their words and ids left; where the links led."""
    addresses = []
    for tag in tags(heading):
        if tag.name == "a" or tag.name not in INLINE:
            if address := attribute(tag, "href"):
                addresses.append(address)
            identity = attribute(tag, "id")
            tag.attrs.clear()
            tag.name = "span"
            if identity:
                tag["id"] = identity
            else:
                take_away(tag)
        elif tag.name in {"input", "br"}:
            tag.insert_before(NavigableString(" "))
            empty(tag)
    return addresses
