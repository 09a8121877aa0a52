"""What the styles of a DOCX say of a paragraph: heading level, number, and whether it is a table of contents."""

import re
from dataclasses import dataclass, field

from hanpon.formats.docx_numbers import W, whole_number
from hanpon.formats.xml_elements import Element

_HEADING = re.compile(r"(?:heading|見出し)\s*([1-9])", re.IGNORECASE)
_CONTENTS = re.compile(r"(?:toc|目次)\s*[1-9]|toc heading|目次の見出し", re.IGNORECASE)
_DEEPEST = 30
"""Styles build on one another; a longer chain is a loop."""


@dataclass(slots=True)
class Style:
    """A paragraph style with what it takes from those it builds on. `level` 1 to 9; 0: no heading."""

    name: str = ""
    level: int | None = None
    number: str | None = None
    number_style: str = ""
    """The style that names the list: a list's level may be bound to it."""
    number_level: int | None = None

    @property
    def is_contents(self) -> bool:
        """A line of the table of contents, which repeats the headings."""
        return bool(_CONTENTS.fullmatch(self.name))

    @property
    def is_title(self) -> bool:
        return self.name.lower() in {"title", "表題"}


@dataclass(slots=True)
class Styles:
    """The paragraph styles of a document by id. Made of `styles.xml`, or of nothing."""

    by_id: dict[str, Style] = field(default_factory=dict)
    default: str = ""

    @property
    def numbers(self) -> dict[str, str]:
        """The list that each style names."""
        return {name: style.number for name, style in self.by_id.items() if style.number}

    def of(self, name: str) -> Style:
        return self.by_id.get(name or self.default, Style())


def styles_of(root: Element | None) -> Styles:
    """All styles, each with what it inherits."""
    if root is None:
        return Styles()
    elements = {style.get(f"{W}styleId", ""): style for style in root.iterfind(f"{W}style")}
    found = Styles({name: _inherited(name, elements) for name in elements})
    for name, style in elements.items():
        if style.get(f"{W}type") == "paragraph" and style.get(f"{W}default") in {"1", "true", "on"}:
            found.default = name
    return found


def outline_level(properties: Element | None) -> int | None:
    """The level of `w:outlineLvl`, from 1; 0 for body text; None where nothing is said."""
    said = None if properties is None else properties.find(f"{W}outlineLvl")
    if said is None:
        return None
    level = whole_number(said.get(f"{W}val"), 9)
    return level + 1 if 0 <= level < 9 else 0


def list_of(properties: Element | None) -> tuple[str | None, int | None]:
    """The list and the level that `w:numPr` names; None for what it does not say, "" for "no list" (numId 0)."""
    said = None if properties is None else properties.find(f"{W}numPr")
    if said is None:
        return None, None
    number, level = said.find(f"{W}numId"), said.find(f"{W}ilvl")
    name = None if number is None else number.get(f"{W}val", "0")
    return ("" if name == "0" else name), (None if level is None else whole_number(level.get(f"{W}val"), 0))


def _inherited(name: str, elements: dict[str, Element]) -> Style:
    style = Style()
    for step in range(_DEEPEST):
        element = elements.get(name)
        if element is None:
            break
        _fill(style, name, element, is_own=step == 0)
        base = element.find(f"{W}basedOn")
        name = "" if base is None else base.get(f"{W}val", "")
    return style


def _fill(style: Style, name: str, element: Element, *, is_own: bool) -> None:
    """Take from a style what those nearer did not say."""
    properties = element.find(f"{W}pPr")
    named = element.find(f"{W}name")
    written = "" if named is None else named.get(f"{W}val", "")[:200]
    if is_own:
        style.name = written
    if style.level is None:
        style.level = outline_level(properties)
        built_in = _HEADING.fullmatch(written)
        if style.level is None and built_in:
            style.level = int(built_in[1])
    number, level = list_of(properties)
    if style.number is None and number is not None:
        style.number, style.number_style = number, name
    if style.number_level is None:
        style.number_level = level
