"""Filters in the languages of the embedded datastore: SQL, which decides, and FTS5, which makes it quick.

`hanpon.search.filters.matches` says what a filter means.
"""

import json
import sqlite3
from collections.abc import Sequence
from itertools import accumulate
from typing import assert_never

from hanpon.adapters.sqlite_index import UNINDEXED_FIELDS, filter_token
from hanpon.adapters.sqlite_rows import record_in
from hanpon.contracts.filters import And, AnyOf, Bound, Compared, Filter, Not, Or, Within
from hanpon.search.filters import matches

_MOST_LEVELS = 8
_MOST_VALUES = 200
"""Deeper or longer filters are left to SQL alone: the expressions of FTS5 are bounded."""

_MOST_LEVELS_OF_SQL = 15
"""SQLite's parser keeps at most 100 things in mind, about four for each level, and some for what is around."""

_NEARLY_ALL = frozenset({AnyOf("superseded", ("false",)), AnyOf("deprecated", ("false",))})
"""Conditions that hold for nearly every document: looking them up in the index costs more than it saves."""

Sql = tuple[str, list[object]]
"""A condition on `metadata`, and the values for its question marks."""


def sql_of(tree: Filter, connection: sqlite3.Connection) -> Sql:
    """The condition that holds for metadata, JSON text in a column `metadata`, exactly where the filter does.

    What is nested deeper than SQLite can read is judged by Python, in a function of the connection.
    """
    condition, values = _sql(tree)
    if _levels(condition) > _MOST_LEVELS_OF_SQL:
        connection.create_function("fits", 1, lambda text: matches(tree, record_in(text)), deterministic=True)
        condition, values = "fits(metadata)", []
    return f"(CASE WHEN json_valid(metadata) THEN {condition} ELSE 0 END)", values


def match_of(tree: Filter) -> str:
    """An FTS5 expression on the `meta` column that holds wherever the filter does, and perhaps elsewhere.

    "" where there is none: the filter wants something to be absent, a number, or readers.
    """
    return _match(tree, 0)


def _sql(tree: Filter) -> Sql:
    match tree:
        case AnyOf(field, values):
            texts = json.dumps([value for value in values if value and _is_storable(value)])
            held = "SELECT 1 FROM json_each(metadata, ?) AS held WHERE held.type = 'text'"
            wanted = "SELECT value FROM json_each(?)"
            return f"EXISTS ({held} AND held.value IN ({wanted}))", [f"$.{field}", texts]
        case Within(field, lower, upper):
            bounds = [_bound(field, ">", lower), _bound(field, "<", upper)]
            return _joined([_is_number(field), *filter(None, bounds)], "AND")
        case Compared(field, operator, number):
            return _joined([_is_number(field), _compared(field, operator, number)], "AND")
        case Not(operand):
            condition, values_of_it = _sql(operand)
            return f"NOT {condition}", values_of_it
        case And(operands):
            return _joined([_sql(operand) for operand in operands], "AND")
        case Or(operands):
            return _joined([_sql(operand) for operand in operands], "OR")
        case _:
            assert_never(tree)


def _levels(condition: str) -> int:
    """How many parentheses of a condition are inside one another."""
    return max(accumulate((character == "(") - (character == ")") for character in condition))


def _is_number(field: str) -> Sql:
    return "coalesce(json_type(metadata, ?) IN ('integer', 'real'), 0)", [f"$.{field}"]


def _bound(field: str, operator: str, bound: Bound | None) -> Sql | None:
    return _compared(field, operator + "=" * bound.inclusive, bound.number) if bound else None


def _compared(field: str, operator: str, number: float) -> Sql:
    return f"coalesce(json_extract(metadata, ?) {operator} ?, 0)", [f"$.{field}", number]


def _joined(conditions: Sequence[Sql], word: str) -> Sql:
    """All of them in parentheses, halved again and again: SQLite bounds the depth of expressions."""
    if len(conditions) == 1:
        return conditions[0]
    middle = len(conditions) // 2
    (left, values), (right, more) = _joined(conditions[:middle], word), _joined(conditions[middle:], word)
    return f"({left} {word} {right})", [*values, *more]


def _is_storable(text: str) -> bool:
    """A text that UTF-8 cannot write, or that would end at its NUL, is in no metadata."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def _match(tree: Filter, level: int) -> str:
    match tree:
        case AnyOf() if tree in _NEARLY_ALL:
            return ""
        case AnyOf(field, values) if field not in UNINDEXED_FIELDS and len(values) <= _MOST_VALUES:
            return f"({' OR '.join(filter_token(field, value) for value in values)})" if values else ""
        case And(operands) if level < _MOST_LEVELS:
            parts = [part for operand in operands if (part := _match(operand, level + 1))]
            return f"({' AND '.join(parts)})" if 0 < len(parts) <= _MOST_VALUES else ""
        case Or(operands) if level < _MOST_LEVELS and len(operands) <= _MOST_VALUES:
            parts = [_match(operand, level + 1) for operand in operands]
            return f"({' OR '.join(parts)})" if all(parts) else ""
        case _:
            return ""
