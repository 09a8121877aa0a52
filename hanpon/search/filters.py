"""Filters: the grammar of Vertex AI Search, read into a tree, written back, and judged in plain Python.

What the service refuses is refused here (AND beside OR without parentheses, `NOT (a OR b)`, `ANY` on a number, a
comparison of a text, an unknown field), so a filter that works on one store works on the other. `matches` is what a
filter means; a store that compiles the tree to its own language must give the same answers.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, assert_never

from hanpon.contracts.errors import UsageError
from hanpon.contracts.filters import And, AnyOf, Bound, Compared, Filter, Not, Operator, Or, Within
from hanpon.search.filter_problems import EXAMPLE, Refused

MAX_LENGTH = 100_000
"""Characters of a filter; a longer one is refused."""


def parse_filter(text: str) -> Filter:
    """The tree of a filter. Raises UsageError, with the column, for everything that the service would refuse.

    The tree is canonical: an AND has no AND among its operands, an OR no OR, and neither has less than two; needless
    parentheses leave no trace. Values stand as written, case, order and repetitions and all.
    """
    if len(text) > MAX_LENGTH:
        raise UsageError(f"The filter is {len(text):,} characters long; {MAX_LENGTH:,} are the most.")
    if not text.strip():
        raise UsageError(f"The filter is empty; write a condition such as {EXAMPLE}, or leave the filter out.")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise UsageError("The filter holds bytes that are not UTF-8; write it in UTF-8.")
    from hanpon.search.filter_grammar import tree_of  # noqa: PLC0415 - the grammar is for those alone who filter

    try:
        return tree_of(text)
    except Refused as refused:
        raise UsageError(f"The filter cannot be read at {_place(text, refused.offset)}: {refused.words}") from None


def _place(text: str, offset: int) -> str:
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    return f"line {line}, column {column}" if line > 1 else f"column {column}"


def filter_text(tree: Filter) -> str:
    """The tree as Vertex AI Search takes it: `parse_filter` makes the same tree of it, flattened.

    Ends of ranges always say `i` or `e`, since the service's documentation and its behaviour differ on the default.
    """
    match tree:
        case AnyOf(field, values):
            return f"{field}: ANY({', '.join(map(_literal, values))})"
        case Within(field, lower, upper):
            return f"{field}: IN({_bound(lower)}, {_bound(upper)})"
        case Compared(field, operator, number):
            return f"{field} {operator} {_number(number)}"
        case Not(operand):
            return f"NOT ({filter_text(operand)})" if isinstance(operand, Not) else f"NOT {filter_text(operand)}"
        case And(operands):
            return " AND ".join(map(_operand, operands))
        case Or(operands):
            return " OR ".join(map(_operand, operands))
        case _:
            assert_never(tree)


def _operand(tree: Filter) -> str:
    return f"({filter_text(tree)})" if isinstance(tree, And | Or) else filter_text(tree)


def _literal(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _bound(bound: Bound | None) -> str:
    return "*" if bound is None else _number(bound.number) + ("i" if bound.inclusive else "e")


def _number(number: float) -> str:
    """All digits and no exponent: an `e` after a number means something else in ranges."""
    text = format(Decimal(repr(number)), "f")
    return text.removesuffix(".0")


def matches(tree: Filter, metadata: Mapping[str, Any]) -> bool:
    """Whether a document with this metadata is among what a filter asks for.

    A field that is missing, empty or of another type than the condition's is matched by no condition, and so by
    every NOT of one: `ANY("")` finds nothing (measured on the service).
    """
    match tree:
        case AnyOf(field, values):
            held = metadata.get(field)
            texts = held if isinstance(held, list | tuple) else (held,)
            return any(text in values for text in texts if text)
        case Within(field, lower, upper):
            number = _number_in(metadata, field)
            return number is not None and _above(number, lower) and _below(number, upper)
        case Compared(field, operator, other):
            number = _number_in(metadata, field)
            return number is not None and _holds(number, operator, other)
        case Not(operand):
            return not matches(operand, metadata)
        case And(operands):
            return all(matches(operand, metadata) for operand in operands)
        case Or(operands):
            return any(matches(operand, metadata) for operand in operands)
        case _:
            assert_never(tree)


def _number_in(metadata: Mapping[str, Any], field: str) -> int | float | None:
    held = metadata.get(field)
    return held if isinstance(held, int | float) and not isinstance(held, bool) else None


def _above(number: float, lower: Bound | None) -> bool:
    return lower is None or number > lower.number or (lower.inclusive and number == lower.number)


def _below(number: float, upper: Bound | None) -> bool:
    return upper is None or number < upper.number or (upper.inclusive and number == upper.number)


def _holds(number: float, operator: Operator, other: float) -> bool:
    match operator:
        case "<":
            return number < other
        case "<=":
            return number <= other
        case ">":
            return number > other
        case ">=":
            return number >= other
        case "=":
            return number == other
        case _:
            assert_never(operator)
