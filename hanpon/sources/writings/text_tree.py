"""The tree of a text's harmless HTML: read once, and written out again piece by piece."""

from collections.abc import Iterable, Iterator
from html import escape

from bs4 import BeautifulSoup
from bs4.element import NavigableString, PageElement, PreformattedString, Tag

from hanpon.formats.untrusted_html import names

MOST_ELEMENTS = 100_000
"""Elements of one text; a tree of more would take all memory there is."""

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
INLINE = names(
    "a abbr b bdi bdo br cite code del dfn em i img input ins kbd mark q rp rt ruby s samp small span strong sub sup "
    "tt u var wbr"
)
_VOID = frozenset({"br", "col", "hr", "img", "input", "wbr"})


class TooManyElements(ValueError):
    """A text has more than `MOST_ELEMENTS`."""

    def __init__(self, found: int) -> None:
        self.found = found
        super().__init__(found)


def tree_of(html: str) -> Tag:
    """The element whose contents the HTML is. Raises TooManyElements."""
    elements = html.count("<") - html.count("</")
    if elements > MOST_ELEMENTS:
        raise TooManyElements(elements)
    soup = BeautifulSoup(f"<div>{html}</div>", "html.parser")
    root = soup.div
    return root if root is not None else soup


def written(node: PageElement) -> str:
    """The HTML of a node: attributes in order of their names, between double quotes.

    bs4's own way compares whole trees with one another as it goes.
    """
    parts: list[str] = []
    waiting: list[PageElement | str] = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Tag):
            waiting += _opened(one, parts)
        elif isinstance(one, PreformattedString):
            continue
        elif isinstance(one, NavigableString):
            parts.append(escape(one, quote=False))
        else:
            parts.append(str(one))
    return "".join(parts)


def _opened(tag: Tag, parts: list[str]) -> "list[PageElement | str]":
    """Write the beginning of an element; what is still to be written of it, the last first."""
    if not tag.hidden:
        attributes = "".join(f' {name}="{escape(attribute(tag, name))}"' for name in sorted(tag.attrs))
        parts.append(f"<{tag.name}{attributes}>")
    if tag.hidden or tag.name in _VOID:
        return [*reversed(tag.contents)]
    return [f"</{tag.name}>", *reversed(tag.contents)]


def inner(tag: Tag) -> str:
    """The HTML of what stands in an element."""
    return "".join(written(child) for child in tag.children)


def tags(node: Tag, *named: str) -> list[Tag]:
    """The elements of these names, or all, below a node, in order."""
    return [tag for tag in node.descendants if isinstance(tag, Tag) and (not named or tag.name in named)]


def attribute(tag: Tag, name: str) -> str:
    """The value of an attribute, "" where there is none."""
    value = tag.get(name)
    return value if isinstance(value, str) else " ".join(value or ())


def text_of(tag: Tag) -> str:
    """All the text in an element, that above the characters of ruby included."""
    return "".join(str(node) for node in tag.descendants if isinstance(node, NavigableString))


def text_without_notes(tag: Tag) -> str:
    """All the text in an element but the numbers of footnotes."""
    numbers = {id(text) for note in tags(tag, "sup") if _is_note(note) for text in note.find_all(string=True)}
    return "".join(
        str(node) for node in tag.descendants if isinstance(node, NavigableString) and id(node) not in numbers
    )


def _is_note(tag: Tag) -> bool:
    return "footnote-ref" in (tag.get("class") or ()) or attribute(tag, "id").startswith("fnref")


def take_away(tag: Tag) -> None:
    """Leave what stands in an element, without the element."""
    tag.hidden = True


def empty(tag: Tag) -> None:
    """Leave nothing of an element."""
    tag.hidden = True
    tag.clear()


def is_blank(node: PageElement) -> bool:
    """True for an element or text that shows nothing."""
    if isinstance(node, Tag):
        if node.name in {"img", "input", "hr"} or node.find(["img", "input", "hr"]):
            return False
        return not text_of(node).strip()
    return not str(node).strip()


def is_inline(node: PageElement) -> bool:
    """True for text, and for an element of lines that has no block in it."""
    if not isinstance(node, Tag):
        return True
    return node.name in INLINE and all(below.name in INLINE for below in tags(node))


def blocks(nodes: Iterable[PageElement]) -> Iterator[str]:
    """The HTML of nodes as blocks: lines that stand bare become paragraphs, what shows nothing and has no id goes."""
    bare: list[PageElement] = []
    for node in nodes:
        if is_inline(node):
            bare.append(node)
            continue
        yield from _paragraph(bare)
        bare = []
        if not is_blank(node) or any(attribute(tag, "id") for tag in (node, *tags(node))):  # type: ignore[arg-type]
            yield written(node)
    yield from _paragraph(bare)


def _paragraph(bare: list[PageElement]) -> Iterator[str]:
    html = "".join(written(node) for node in bare).strip()
    if html and (not all(is_blank(node) for node in bare) or ' id="' in html):
        yield f"<p>{html}</p>"
