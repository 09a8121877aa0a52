"""Filters joined to one filter. None of it nests an AND in an AND or an OR in an OR."""

from collections.abc import Iterable

from hanpon.contracts.filters import And, Filter, Or


def all_of(filters: Iterable[Filter]) -> Filter:
    """The filter that holds where each of one or more filters holds."""
    operands: list[Filter] = []
    for each in filters:
        operands.extend(each.operands if isinstance(each, And) else (each,))
    return operands[0] if len(operands) == 1 else And(tuple(operands))


def any_of(filters: Iterable[Filter]) -> Filter:
    """The filter that holds where one of one or more filters holds."""
    operands: list[Filter] = []
    for each in filters:
        operands.extend(each.operands if isinstance(each, Or) else (each,))
    return operands[0] if len(operands) == 1 else Or(tuple(operands))
