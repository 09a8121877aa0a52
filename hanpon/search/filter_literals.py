"""Fields and values of a filter, read from its tokens. Everything raises `Refused` where it cannot be read."""

import math
import re
from typing import TYPE_CHECKING

from hanpon.contracts.filters import NUMBER_FIELDS, TEXT_FIELDS, Bound
from hanpon.search import filter_problems as problems
from hanpon.search.filter_problems import Refused, offset_of, shown

if TYPE_CHECKING:
    from lark import Token

_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def text_field(field: "Token", used_with: str) -> str:
    """The name of a field of texts."""
    if field in NUMBER_FIELDS:
        raise Refused(offset_of(field), problems.number_is_no_text(field, used_with))
    return _known(field)


def number_field(field: "Token", used_with: str) -> str:
    """The name of a field of numbers."""
    if field in TEXT_FIELDS:
        raise Refused(offset_of(field), problems.text_is_no_number(field, used_with))
    return _known(field)


def _known(field: "Token") -> str:
    if field not in TEXT_FIELDS and field not in NUMBER_FIELDS:
        raise Refused(offset_of(field), problems.unknown_field(field))
    return str(field)


def text_of(value: "Token") -> str:
    """What a literal in double quotes says."""
    if value.type != "STRING":
        raise Refused(offset_of(value), f"expected a text in double quotes, found {shown(value)}.")
    inner = str(value)[1:-1]
    for escape in _ESCAPE.finditer(inner):
        if escape[1] not in {'"', "\\"}:
            words = f'expected `\\"` or `\\\\`, found {shown(escape[0])}; a backslash itself is written twice.'
            raise Refused(offset_of(value) + 1 + escape.start(), words)
    return _ESCAPE.sub(r"\1", inner)


def bound_of(value: "Token", *, inclusive: bool) -> Bound | None:
    """An end of a range, None for `*`; `i` and `e` after the number say whether the number itself is in it."""
    if value == "*":
        return None
    marked = value.type == "NUMBER" and value[-1] in {"i", "e"}
    return Bound(_number(value, value[:-1] if marked else value), value[-1] == "i" if marked else inclusive)


def number_of(value: "Token") -> float:
    """The number that a field is compared with."""
    if value.type == "NUMBER" and value[-1] in {"i", "e"}:
        raise Refused(offset_of(value), f"`i` and `e` stand in `IN(…)` alone; write {shown(value[:-1])}.")
    return _number(value, value)


def _number(value: "Token", text: str) -> float:
    if value.type != "NUMBER":
        raise Refused(offset_of(value), f"expected a number without quotes, found {shown(value)}.")
    number = float(text)
    if not math.isfinite(number):
        raise Refused(offset_of(value), f"the number {shown(value)} is too large.")
    return number or 0.0  # no negative zero: trees that mean the same are equal
