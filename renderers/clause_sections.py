"""What of a guideline's file is one clause: docs/decisions/clauses.md gives the rules.

Nothing of a file is left out: each section belongs to one clause, or is a bare heading that stands in trails.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hanpon.contracts.texts import clean
from hanpon.contracts.writings import Section, Writing
from renderers.clause_number_shapes import in_half_width
from renderers.clause_numbers import families, family, number_in_front_matter, numbers_of
from renderers.page import one_line

_TAG = re.compile(r"<[^>]*>")
_SHOWN = ("<img", "<hr", "<input")
"""What a reader sees though it holds no word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A clause: its own section, then those of its sub-headings."""

    number: str
    """As `clause_number_shapes.Number` has it; "" for none."""
    lacking: str
    """What of the number is not in the heading: all of one in the front matter, 附則 of an article below it."""
    sections: tuple[Section, ...]
    titles: tuple[str, ...]
    """The headings above it, and its own; without its own for what stands before the first heading."""
    trail: tuple[str, ...]
    """The headings above it with their numbers."""
    above: str
    """The nearest of those that bears a number; "" for none."""
    further: tuple[str, ...]
    """Fragments of bare headings that lead here."""


@dataclass(slots=True)
class _Node:
    """A heading, or what stands before the first one, while it is not known to whom it belongs."""

    section: Section
    parent: int | None
    number: str = ""
    lacking: str = ""
    family: str = ""
    is_grouping: bool = False
    """Numbered headings stand below it."""
    has_children: bool = False
    owner: int = -1


def clauses_of(writing: Writing) -> list[Clause]:
    """The clauses of a file, in reading order."""
    nodes = _nodes(writing)
    members: dict[int, list[int]] = {}
    for index, node in enumerate(nodes):
        members.setdefault(node.owner, []).append(index)
    clauses = []
    waiting: list[str] = []
    for index, node in enumerate(nodes):
        if node.owner != index:
            continue
        if _is_bare(node, members[index]):
            waiting += [node.section.anchor, *node.section.fragments]
            continue
        clauses.append(_clause(nodes, index, members[index], tuple(filter(None, waiting))))
        waiting = []
    return clauses


def _nodes(writing: Writing) -> list[_Node]:
    """Every section with its parent, number and owner; the opening only where it shows something."""
    nodes: list[_Node] = []
    above: list[int] = []
    for section in writing.sections:
        if not section.level and not _is_shown(section.html):
            continue
        while above and (not section.level or nodes[above[-1]].section.level >= section.level):
            above.pop()
        nodes.append(_Node(section, above[-1] if above else None))
        if section.level:
            above.append(len(nodes) - 1)
    _give_numbers(nodes, writing)
    for node in reversed(nodes):
        if node.parent is not None:
            nodes[node.parent].has_children = True
            nodes[node.parent].is_grouping |= bool(node.number) or node.is_grouping
    for index, node in enumerate(nodes):
        node.owner = _owner(nodes, index)
    return nodes


def _give_numbers(nodes: Sequence[_Node], writing: Writing) -> None:
    headings = [node for node in nodes if node.section.level]
    numbers = numbers_of([(node.section.level, node.section.title) for node in headings])
    counts = families(numbers)
    for node, number in zip(headings, numbers, strict=True):
        if number:
            node.number, node.lacking = number.text, number.lacking
            node.family = family(number) if counts[family(number)] > 1 else ""
    first = (headings or nodes)[:1]
    for node in first:
        if not node.number and (given := number_in_front_matter(writing.front)):
            node.number = given
            node.lacking = "" if given in in_half_width(node.section.title).split(" ") else given


def _owner(nodes: Sequence[_Node], index: int) -> int:
    """The clause that a section belongs to: itself, or the numbered heading above it that it is a part of."""
    node = nodes[index]
    if node.number or node.is_grouping or node.parent is None:
        return index
    parent = nodes[node.parent]
    return parent.owner if parent.owner != node.parent or parent.family else index


def _is_bare(node: _Node, members: Sequence[int]) -> bool:
    return len(members) == 1 and node.has_children and not _is_shown(node.section.html)


def _is_shown(html: str) -> bool:
    return bool(_TAG.sub("", html).strip()) or any(sign in html for sign in _SHOWN)


def _clause(nodes: Sequence[_Node], index: int, members: Sequence[int], further: tuple[str, ...]) -> Clause:
    node = nodes[index]
    ancestors: list[_Node] = []
    parent = node.parent
    while parent is not None:
        ancestors.insert(0, nodes[parent])
        parent = nodes[parent].parent
    own = (_title(node),) if node.section.level else ()
    return Clause(
        number=node.number,
        lacking=node.lacking,
        sections=tuple(nodes[member].section for member in members),
        titles=(*map(_title, ancestors), *own),
        trail=tuple(map(_numbered, ancestors)),
        above=next((_numbered(one) for one in reversed(ancestors) if one.number), ""),
        further=further,
    )


def _title(node: _Node) -> str:
    return one_line(clean(node.section.title))


def _numbered(node: _Node) -> str:
    return f"{node.lacking} {_title(node)}".strip()
