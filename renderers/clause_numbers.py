"""Which headings of a guideline's file bear a number: what looks like one, held against the file's other headings."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from renderers.clause_number_shapes import SUPPLEMENT, Number, Style, in_half_width, number_in

_FAMILIES: Mapping[Style, str] = {"single": "decimal", "bare": "decimal", "code": "label"}
_CHAPTERS = frozenset("編部章節款目")
_LONGEST_FRONT = 40


def numbers_of(headings: Sequence[tuple[int, str]]) -> list[Number | None]:
    """The number of each heading of a file, given as level and title in reading order; None where it has none."""
    levels = [level for level, _ in headings]
    seen = [number_in(title) for _, title in headings]
    decimals = {number.text for number in seen if number and number.style == "decimal"}
    accepted = {number for number in seen if number and _is_sure(number, decimals)}
    accepted |= _singles(levels, seen, decimals) | _bare(levels, seen) | _hyphenated(seen) | _codes(seen)
    return _with_supplements(levels, [number if number in accepted else None for number in seen])


def family(number: Number) -> str:
    """Which numbers belong to one numbering: `3.` and `3.1` do."""
    return _FAMILIES.get(number.style, number.style)


def families(numbers: Sequence[Number | None]) -> Counter[str]:
    """How many headings of a file bear a number of each family."""
    return Counter(family(number) for number in numbers if number)


def number_in_front_matter(front: Mapping[str, str]) -> str:
    """The number that a file gives itself under `id`, `number` or `code`; "" for none, or for a mere name."""
    for key in ("id", "number", "code"):
        value = in_half_width(front.get(key, ""))
        if any(character.isdecimal() for character in value) and len(value) <= _LONGEST_FRONT:
            return value
    return ""


def _is_sure(number: Number, decimals: set[str]) -> bool:
    """True where no other heading has a say, or where the others agree that four figures are no host's address."""
    if number.style == "decimal":
        return number.text.count(".") < 3 or number.text.rpartition(".")[0] in decimals
    return number.style in {"article", "appendix", "label"}


def _of_style(seen: Iterable[Number | None], style: Style) -> set[Number]:
    return {number for number in seen if number and number.style == style}


def _singles(levels: Sequence[int], seen: Sequence[Number | None], decimals: set[str]) -> set[Number]:
    """`1.` and its like where they count up and are not alone, or where decimals begin with them."""
    found = _of_style(seen, "single")
    begun = {number.partition(".")[0] for number in decimals}
    rows = _rows(levels, seen, "single")
    are_many = sum(map(len, rows)) > 1 or any(number.text in begun for number in found)
    return found if are_many and all(map(_counts_up, rows)) else set()


def _bare(levels: Sequence[int], seen: Sequence[Number | None]) -> set[Number]:
    """`1 目的` and its like where nothing but 1, 2, 3 stands below each heading."""
    rows = _rows(levels, seen, "bare")
    are_rows = all(row == list(range(1, len(row) + 1)) for row in rows) and any(len(row) > 1 for row in rows)
    return _of_style(seen, "bare") if are_rows else set()


def _hyphenated(seen: Sequence[Number | None]) -> set[Number]:
    """`1-2` where there is a `1-1` too, and `2-1` where there are such: `3-5 days` are a quantity."""
    found = {_figures(number): number for number in seen if number and number.style == "hyphenated"}
    accepted = {
        number for figures, number in found.items() if figures[-1] == 1 or (*figures[:-1], figures[-1] - 1) in found
    }
    return accepted if len(accepted) > 1 else set()


def _figures(number: Number) -> tuple[int, ...]:
    return tuple(int(figure) for figure in number.text.replace("‐", "-").replace("–", "-").split("-"))


def _codes(seen: Sequence[Number | None]) -> set[Number]:
    """`A-1` without brackets or colon where two begin alike; then `B-1` too, whose letters are as many."""
    found = _of_style(seen, "code")
    stems = Counter(_stem(number) for number in found)
    shapes = {len(stem) for stem, count in stems.items() if count > 1}
    return {number for number in found if len(_stem(number)) in shapes}


def _stem(number: Number) -> str:
    return number.text.rstrip("0123456789.")


def _rows(levels: Sequence[int], seen: Sequence[Number | None], style: Style) -> list[list[int]]:
    """The figures of a style as they follow one another at one level below one heading."""
    rows: list[list[int]] = []
    open_rows: dict[int, list[int]] = {}
    for level, number in zip(levels, seen, strict=True):
        for deeper in [one for one in open_rows if one > level]:
            del open_rows[deeper]
        if number and number.style == style:
            if level not in open_rows:
                rows.append(open_rows.setdefault(level, []))
            open_rows[level].append(int(number.text))
    return rows


def _counts_up(row: Sequence[int]) -> bool:
    """None smaller than the one before it, but for the first of another row."""
    return all(one <= other or other <= 1 for one, other in pairwise(row))


def _with_supplements(levels: Sequence[int], numbers: Sequence[Number | None]) -> list[Number | None]:
    """The articles behind 附則 with that word in front: they begin with 第1条 again."""
    found: list[Number | None] = []
    supplement = 0
    for level, number in zip(levels, numbers, strict=True):
        if number and _is_article(number) and 0 < supplement <= level:
            found.append(replace(number, text=SUPPLEMENT.text + number.text, lacking=SUPPLEMENT.text))
            continue
        found.append(number)
        if number == SUPPLEMENT:
            supplement = level
        elif level <= supplement:
            supplement = 0
    return found


def _is_article(number: Number) -> bool:
    return number.style == "article" and number.text.startswith("第") and number.text[-1] not in _CHAPTERS
