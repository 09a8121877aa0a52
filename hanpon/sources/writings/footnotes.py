"""Footnotes, moved from the end of the text to the end of the section that refers to them first."""

from collections import deque
from collections.abc import Iterator, Sequence

from bs4.element import PageElement, Tag

from hanpon.sources.writings.cutting import Cut
from hanpon.sources.writings.text_tree import attribute, is_blank, tags, written

_LISTS = frozenset({"footnotes", "footnote"})


def move_footnotes(cuts: Sequence[Cut]) -> None:
    """Give each footnote to the section that refers to it first; those without one to the last section."""
    notes: dict[str, tuple[int, Tag]] = {}
    nameless: list[tuple[int, Tag]] = []
    for cut in cuts:
        cut.nodes = [node for node in cut.nodes if not _taken(node, notes, nameless)]
    for cut in cuts:
        waiting: deque[PageElement] = deque([*([cut.heading] if cut.heading else []), *cut.nodes])
        while waiting:
            for name in _referred(waiting.popleft()):
                if note := notes.pop(name, None):
                    cut.notes.append(note)
                    waiting.append(note[1])
        cut.notes.sort(key=lambda note: note[0])
    cuts[-1].notes += [*notes.values(), *nameless]


def notes_html(cut: Cut) -> str:
    """The footnotes of a section as a list that keeps their numbers; "" for none."""
    if not cut.notes:
        return ""
    for number, note in cut.notes:
        note["value"] = str(number)
    items = "\n".join(written(note) for _, note in cut.notes)
    return f'<section class="footnotes">\n<ol>\n{items}\n</ol>\n</section>'


def _taken(node: PageElement, notes: dict[str, tuple[int, Tag]], nameless: list[tuple[int, Tag]]) -> bool:
    """Take the footnotes out of a list of them; False for anything else."""
    if not isinstance(node, Tag) or _LISTS.isdisjoint(node.get("class") or ()):
        return False
    listed = node.find("ol", recursive=False)
    if not isinstance(listed, Tag) or any(child is not listed and not _is_rule(child) for child in node.children):
        return False
    items = [item for item in listed.children if isinstance(item, Tag) and item.name == "li"]
    if any(not is_blank(child) for child in listed.children if not isinstance(child, Tag) or child.name != "li"):
        return False
    for number, item in enumerate(items, 1):
        name = attribute(item, "id")
        if name and name not in notes:
            notes[name] = (number, item)
        else:
            nameless.append((number, item))
    return bool(items)


def _is_rule(node: PageElement) -> bool:
    return (isinstance(node, Tag) and node.name == "hr") or is_blank(node)


def _referred(node: PageElement) -> Iterator[str]:
    if isinstance(node, Tag):
        for link in (node, *tags(node, "a")):
            if attribute(link, "href").startswith("#"):
                yield attribute(link, "href")[1:]
