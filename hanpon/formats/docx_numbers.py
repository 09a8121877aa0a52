"""The numbers that Word puts before headings and list items (ECMA-376 part 1, 17.9): they stand nowhere as text."""

import re
from dataclasses import dataclass, field

from hanpon.formats.number_words import NUMBER_WORDS
from hanpon.formats.xml_elements import Element

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
LEVELS = 9
_PLACE = re.compile(r"%([1-9])")


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a list: how it counts, and what the number looks like (`第%1条`)."""

    start: int = 1
    form: str = "decimal"
    text: str = ""
    suffix: str = " "
    is_legal: bool = False
    restart: int = LEVELS
    """It begins anew after a level below this one; 0: never."""
    style: str = ""


@dataclass(slots=True)
class _List:
    levels: dict[int, Level]
    counts: list[int | None] = field(default_factory=lambda: [None] * LEVELS)


class Numbering:
    """Counts through a document in reading order. Made of `numbering.xml`, or of nothing."""

    def __init__(self, root: Element | None, numbers_of_styles: dict[str, str]) -> None:
        self._abstract: dict[str, _List] = {}
        self._lists: dict[str, tuple[_List, dict[int, Level], dict[int, int]]] = {}
        if root is not None:
            self._read(root, numbers_of_styles)

    def level_of_style(self, number: str, style: str) -> int | None:
        """The level that a list gives to paragraphs of a style, None where it says nothing of it."""
        if number not in self._lists:
            return None
        shared, own, _ = self._lists[number]
        return next((at for at, level in {**shared.levels, **own}.items() if level.style == style), None)

    def next(self, number: str, at: int) -> str:
        """The text before the next paragraph of list `number` at a level from 0: `第1条 `, `- `, or ""."""
        if number not in self._lists or not 0 <= at < LEVELS:
            return ""
        shared, own, starts = self._lists[number]
        levels = {**shared.levels, **own}
        if at not in levels:
            return ""
        counts = shared.counts
        self._count(counts, levels, at, starts)
        level = levels[at]
        if level.form == "bullet":
            return "- "
        return _number(level, levels, counts)

    @staticmethod
    def _count(counts: list[int | None], levels: dict[int, Level], at: int, starts: dict[int, int]) -> None:
        before = counts[at]
        start = levels[at].start
        if at in starts:
            # an override starts its list once
            before, start = None, starts.pop(at)
        counts[at] = start if before is None else before + 1
        for deeper in range(at + 1, LEVELS):
            if at < levels.get(deeper, Level()).restart:
                counts[deeper] = None

    def _read(self, root: Element, numbers_of_styles: dict[str, str]) -> None:
        linked: dict[str, str] = {}
        for abstract in root.iterfind(f"{W}abstractNum"):
            name = abstract.get(f"{W}abstractNumId", "")
            self._abstract[name] = _List(dict(map(_level, abstract.iterfind(f"{W}lvl"))))
            link = _value(abstract, "numStyleLink")
            if link:
                linked[name] = link
        abstract_of = {
            number.get(f"{W}numId", ""): _value(number, "abstractNumId") for number in root.iterfind(f"{W}num")
        }
        for name, style in linked.items():
            target = abstract_of.get(numbers_of_styles.get(style, ""), "")
            if target in self._abstract and target not in linked:
                self._abstract[name] = self._abstract[target]
        for number in root.iterfind(f"{W}num"):
            shared = self._abstract.get(_value(number, "abstractNumId"))
            if shared is not None:
                own, starts = _overrides(number)
                self._lists[number.get(f"{W}numId", "")] = (shared, own, starts)


def _overrides(number: Element) -> tuple[dict[int, Level], dict[int, int]]:
    own: dict[int, Level] = {}
    starts: dict[int, int] = {}
    for override in number.iterfind(f"{W}lvlOverride"):
        at = whole_number(override.get(f"{W}ilvl"), 0)
        for replaced in override.iterfind(f"{W}lvl"):
            own[at] = _level(replaced)[1]
        start = override.find(f"{W}startOverride")
        if start is not None:
            starts[at] = whole_number(start.get(f"{W}val"), 1)
    return own, starts


def _level(element: Element) -> tuple[int, Level]:
    at = whole_number(element.get(f"{W}ilvl"), 0)
    restart = element.find(f"{W}lvlRestart")
    return at, Level(
        start=whole_number(_value(element, "start"), 1),
        form=_value(element, "numFmt") or "decimal",
        text=_value(element, "lvlText")[:100],
        suffix="" if _value(element, "suff") == "nothing" else " ",
        is_legal=is_on(element.find(f"{W}isLgl")),
        restart=LEVELS if restart is None else whole_number(restart.get(f"{W}val"), LEVELS),
        style=_value(element, "pStyle"),
    )


def _number(level: Level, levels: dict[int, Level], counts: list[int | None]) -> str:
    def put(place: "re.Match[str]") -> str:
        at = int(place[1]) - 1
        named = levels.get(at, Level())
        count = counts[at]
        # a level that has not come yet stands one before its start
        value = named.start - 1 if count is None else count
        form = "decimal" if level.is_legal else named.form
        return NUMBER_WORDS.get(form, _nothing)(value)

    text = _PLACE.sub(put, level.text)
    return text + level.suffix if text.strip() else ""


def _nothing(_: int) -> str:
    return ""


def _value(element: Element, name: str) -> str:
    child = element.find(f"{W}{name}")
    return "" if child is None else child.get(f"{W}val", "")


def is_on(element: Element | None) -> bool:
    """A property of Word that is there and not switched off (ECMA-376 part 1, 22.9.2.7)."""
    return element is not None and element.get(f"{W}val", "true") not in {"0", "false", "off"}


def whole_number(text: str | None, otherwise: int) -> int:
    """A number of at most nine digits; any other text is `otherwise`."""
    return int(text) if text is not None and re.fullmatch(r"-?[0-9]{1,9}", text) else otherwise
