"""Numbers of clauses, as headings of guidelines bear them: 第3条, 3.2.1, 1., A.1, 付録A, [R-101].

A number is recognised by its shape, and where the shape alone could be something else (`1.` of a list, `10.0.0.1`),
by the other headings of the file.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

Style = Literal["article", "decimal", "single", "appendix", "label"]

_KANJI = "〇一二三四五六七八九十百千"
_LETTER = r"[\u3040-\u30ff\u3400-\u9fff]"
_UNITS = "倍秒分時日月年系以版個件回点円割度未台人名本枚つ"
"""Characters behind a figure that make it a quantity: 1.5秒, 3.2以降."""

_ARTICLE = re.compile(
    rf"(?:第(?:\d{{1,4}}|[{_KANJI}]{{1,6}})[編部章節款目項条](?:の(?:\d{{1,3}}|[{_KANJI}]{{1,4}})){{0,3}}){{1,4}}"
    r"(?=$|[\s(「『【\[:.,、。・‐–—~-])"
)
_END = rf"(?=$|[\s:、)「『【\[(]|(?![{_UNITS}]){_LETTER})"
_DECIMAL = re.compile(rf"(?:§ ?)?(\d{{1,3}}(?:\.\d{{1,3}}){{1,6}})\.?{_END}")
_SINGLE = re.compile(rf"(\d{{1,3}})[.)、](?=$|[\s「『【\[(]|{_LETTER})")
_LETTERED = re.compile(rf"([A-Z](?:\.\d{{1,3}}){{1,6}})\.?{_END}")
_APPENDIX = re.compile(
    r"((?:付録|附録|附属書|別紙|別表|Appendix|APPENDIX|Annex|ANNEX) ?(?:[A-Z]|\d{1,3})(?:\.\d{1,3}){0,5})\.?"
    r"(?=$|[\s:、(「『【\[‐–—-])"
)
_CODE = r"[A-Z][A-Za-z]{0,11}(?:[-_][A-Z0-9]{1,12}){0,2}[-_]\d{1,6}(?:[.-]\d{1,4}){0,3}"
_BRACKETED = rf"[\[【](#\d{{1,6}}|{_CODE})[\]】]"
_LABEL_IN_FRONT = re.compile(rf"{_BRACKETED}|\(({_CODE})\)|({_CODE})(?=:)")
_LABEL_BEHIND = re.compile(rf"{_BRACKETED}$")
_STANDARD = re.compile(r"(?:AES|COVID|ECMA|EUC|HTTP|IEC|IEEE|ISO|JIS|MD|RFC|RSA|SHA|TLS|UCS|UTF)[-_]\d")
"""Names that look like labels of rules."""

_DATE = re.compile(r"[\s(\[~‐–—-]{0,3}(?:19|20)\d\d[-/.年]")
"""Behind figures: then they are those of a release."""

_LONGEST_FRONT = 40


@dataclass(frozen=True, slots=True)
class Number:
    """A clause's number in half-width characters, without brackets and closing dot: `3.2.1`, `第3条の2`, `R-101`."""

    text: str
    style: Style


def numbers_of(headings: Sequence[tuple[int, str]]) -> list[Number | None]:
    """The number of each heading of a file, given as level and title in reading order; None where it has none."""
    found = [_candidate(title) for _, title in headings]
    decimals = {number.text for number in found if number and number.style == "decimal"}
    singles_are_numbers = _are_numbers([level for level, _ in headings], found, decimals)
    return [number if _stands(number, decimals, singles=singles_are_numbers) else None for number in found]


def family(number: Number) -> str:
    """Which numbers belong to one numbering: `3.` and `3.1` do."""
    return "decimal" if number.style == "single" else number.style


def families(numbers: Sequence[Number | None]) -> Counter[str]:
    """How many headings of a file bear a number of each family."""
    return Counter(family(number) for number in numbers if number)


def number_in_front_matter(front: Mapping[str, str]) -> str:
    """The number that a file gives itself under `id`, `number` or `code`; "" for none, or for a mere name."""
    for key in ("id", "number", "code"):
        value = " ".join(unicodedata.normalize("NFKC", front.get(key, "")).split())
        if any(character.isdecimal() for character in value) and len(value) <= _LONGEST_FRONT:
            return value
    return ""


def in_half_width(title: str) -> str:
    """A title as numbers are looked for: full-width figures and signs are the same as half-width ones."""
    return " ".join(unicodedata.normalize("NFKC", title).split())


def _candidate(title: str) -> Number | None:
    words = in_half_width(title)
    if found := _ARTICLE.match(words):
        return Number(found[0], "article")
    styles: tuple[tuple[Style, re.Pattern[str]], ...] = (
        ("decimal", _DECIMAL),
        ("single", _SINGLE),
        ("appendix", _LETTERED),
        ("appendix", _APPENDIX),
    )
    for style, pattern in styles:
        if (found := pattern.match(words)) and not _DATE.match(words, found.end()):
            return Number(found[1], style)
    label = _LABEL_IN_FRONT.match(words) or _LABEL_BEHIND.search(words[-60:])
    if label and not _STANDARD.match(label[label.lastindex or 0]):
        return Number(label[label.lastindex or 0], "label")
    return None


def _stands(number: Number | None, decimals: set[str], *, singles: bool) -> bool:
    if number is None:
        return False
    if number.style == "single":
        return singles
    # four figures may be an address of a host: then no heading has the first three of them
    return number.style != "decimal" or number.text.count(".") < 3 or number.text.rpartition(".")[0] in decimals


def _are_numbers(levels: Sequence[int], found: Sequence[Number | None], decimals: set[str]) -> bool:
    """Whether `1.` and its like count up, level by level, and are not alone."""
    begun = {number.partition(".")[0] for number in decimals}
    counted: dict[int, list[int]] = {}
    count = 0
    for level, number in zip(levels, found, strict=True):
        for deeper in [one for one in counted if one > level]:
            if not _count_up(counted.pop(deeper)):
                return False
        if number and number.style == "single":
            counted.setdefault(level, []).append(int(number.text))
            count += 1 + (number.text in begun)
    return count > 1 and all(map(_count_up, counted.values()))


def _count_up(numbers: Sequence[int]) -> bool:
    """None smaller than the one before it, but for the first of another row."""
    return all(one <= other or other <= 1 for one, other in pairwise(numbers))
