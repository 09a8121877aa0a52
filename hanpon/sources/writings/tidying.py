"""What stands in a text for the sake of its site, or of its looks, taken out of its tree."""

import re

from bs4.element import NavigableString, PageElement, Tag

from hanpon.sources.writings.text_tree import HEADINGS, attribute, empty, tags, text_of

_ATTRIBUTES = re.compile(
    r"""[ \t]*\{:[ \t]*+(?:(?:toc|[.#][\w-]++|[\w-]++=(?:"[^"\n{}]*+"|'[^'\n{}]*+'|[\w-]++))"""
    r"""(?:[ \t]++|(?=[}.#])))++\}"""
)
"""A list of attributes as kramdown has them, `{: .wide #top}`: it says how a text looks, and is no text."""

_SELF_LINKS = frozenset({"", "#", "¶", "§", "🔗", "\u2693\ufe0e", "Permalink"})
_MOST_BREAKS = 2


def drop_self_links(root: Tag) -> None:
    """Take the `¶` out of headings that leads to the heading itself."""
    for heading in tags(root, *HEADINGS):
        for link in tags(heading, "a"):
            is_own = attribute(link, "href").startswith("#") and text_of(link).strip() in _SELF_LINKS
            if is_own and not link.find("img"):
                link.clear()
                del link["href"]


def drop_returns_to_nowhere(root: Tag) -> None:
    """Take the `↩` out of footnotes to which nothing refers."""
    ids = {attribute(tag, "id") for tag in tags(root)}
    for link in tags(root, "a"):
        if "footnote-backref" in (link.get("class") or ()) and attribute(link, "href")[1:] not in ids:
            link.extract()


def drop_attribute_lists(root: Tag) -> None:
    """Take lists of attributes out of the text; in code they stay."""
    for text in [one for one in root.find_all(string=_ATTRIBUTES) if isinstance(one, NavigableString)]:
        if not text.find_parent(["pre", "code", "kbd", "samp"]):
            text.replace_with(NavigableString(_ATTRIBUTES.sub("", str(text))))


def shorten_runs_of_breaks(root: Tag) -> None:
    """Leave two of any number of line breaks that follow one another: authors make room with them."""
    run: dict[int, int] = {}
    for line_break in tags(root, "br"):
        before = _before(line_break)
        run[id(line_break)] = 1 + (run.get(id(before), 0) if before else 0)
        if run[id(line_break)] > _MOST_BREAKS and not line_break.find_parent("pre"):
            empty(line_break)


def _before(node: PageElement) -> PageElement | None:
    """What stands before a node in the same element, empty text left out."""
    before = node.previous_sibling
    while isinstance(before, NavigableString) and not before.strip():
        before = before.previous_sibling
    return before
