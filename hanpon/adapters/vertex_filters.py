"""Filters as Vertex AI Search reads them."""

from collections.abc import Iterable, Sequence

from hanpon.contracts.access import EVERYONE
from hanpon.contracts.filters import And, AnyOf, Filter, Not, Or
from hanpon.search.filter_trees import all_of, any_of
from hanpon.search.filters import filter_text


def written(tree: Filter | None) -> str:
    """The filter's text, "" for none; `parse_filter` makes the tree of it again, with `NOT NOT` undone.

    Parentheses stand wherever AND and OR meet, ends of ranges say `i` or `e`, and NOT stands before one condition:
    the service refuses the rest, and nobody has measured a NOT before another.
    """
    return "" if tree is None else filter_text(plain(tree))


def plain(tree: Filter) -> Filter:
    """The same without a NOT before a NOT, and without an AND in an AND or an OR in an OR."""
    match tree:
        case Not(Not(operand)):
            return plain(operand)
        case And(operands):
            return all_of(map(plain, operands))
        case Or(operands):
            return any_of(map(plain, operands))
        case _:
            return tree


def for_readers(tree: Filter | None, principals: Iterable[str]) -> Filter:
    """The filter, narrowed to what one of the principals, or everyone, may read."""
    may_read = AnyOf("groups", (*dict.fromkeys(principals), EVERYONE))
    return may_read if tree is None else all_of([tree, may_read])


def of_versions(pairs: Sequence[tuple[str, str]]) -> Filter:
    """What is of one of these apis, each at its version."""
    return any_of([all_of([AnyOf("api", (api,)), AnyOf("api_version", (version,))]) for api, version in pairs])
