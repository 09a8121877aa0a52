"""The grammar of filters, and the tree that a text of it stands for.

The grammar takes more than the service does (`and`, `NOT (a OR b)`, `ANY` on numbers, …), so that what is refused
is refused in words that say what to write, where a parser could only name a character that it did not expect.
LALR: no recursion, and time grows with the length of the text alone.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn, cast

from hanpon.contracts.filters import (
    NUMBER_FIELDS,
    TEXT_FIELDS,
    And,
    AnyOf,
    Bound,
    Compared,
    Filter,
    Not,
    Operator,
    Or,
    Within,
)
from hanpon.search import filter_problems as problems
from hanpon.search.filter_problems import refused, shown

if TYPE_CHECKING:
    from lark import Token

MAX_LEVELS = 100
"""More parentheses inside one another are refused."""

GRAMMAR = r"""
start: chain
chain: condition (WORD condition)*
condition: "(" chain ")"                              -> group
    | prefix condition                                -> negated
    | WORD ":" WORD "(" [value ("," value)*] ")"      -> called
    | WORD ":" (STRING | WORD | NUMBER | QUOTED)      -> bare
    | WORD COMPARISON value                           -> compared
!prefix: WORD | "-"
!value: STRING | NUMBER | WORD | QUOTED | "*"

STRING: /"(?:[^"\\]|\\.)*"/s
QUOTED: /'[^']*'/
NUMBER: /[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?[ie]?/
WORD: /[^\W\d][\w.]*(?:-[\w.]+)*/
COMPARISON: "<=" | ">=" | "!=" | "<" | ">" | "="
%ignore /\s+/
"""


@dataclass(frozen=True, slots=True)
class _Part:
    """What has been read of a text: its tree, where it begins, how many parentheses deep it is."""

    tree: Filter
    start: int
    depth: int = 0


def tree_of(text: str) -> Filter:
    """The tree of a text. Raises UsageError where it is none that the service takes."""
    from lark import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken  # noqa: PLC0415 - 50 ms, for searches alone

    try:
        return _parser()(text)
    except UnexpectedCharacters as error:
        words = _odd_character(text[error.pos_in_stream])
        raise refused(text, error.pos_in_stream, words) from None
    except UnexpectedEOF:
        raise refused(text, len(text), problems.NO_CONDITION) from None
    except UnexpectedToken as error:
        token = error.token
        if token.type == "$END":
            raise refused(text, len(text), _expected(error.accepts, "the end")) from None
        raise refused(text, token.start_pos or 0, _expected(error.accepts, shown(token))) from None


@cache
def _parser() -> Callable[[str], Filter]:
    from lark import Lark  # noqa: PLC0415 - see above

    lark = Lark(GRAMMAR, parser="lalr", lexer="contextual", maybe_placeholders=False)

    def parsed(text: str) -> Filter:
        reading = _Reading(text)
        callbacks = {name: getattr(reading, name) for name in _RULES}
        return cast(Filter, lark.parse(text, callbacks))  # placeholder

    return parsed
