"""The grammar of filters, and the tree that a text of it stands for.

The grammar takes more than the service does (`and`, `NOT (a OR b)`, `ANY` on numbers, …), so that what is refused
is refused in words that say what to write, where a parser could only name a character that it did not expect.
LALR: no recursion, and time grows with the length of the text alone.
"""

from functools import cache
from typing import TYPE_CHECKING, Any, cast

from hanpon.contracts.filters import And, AnyOf, Compared, Filter, Not, Operator, Or, Within
from hanpon.search import filter_problems as problems
from hanpon.search.filter_literals import bound_of, checked_field, number_of, text_of
from hanpon.search.filter_problems import Refused, shown

if TYPE_CHECKING:
    from lark import Lark, Token

MAX_LEVELS = 100
"""More parentheses inside one another are refused."""

MAX_VALUES = 10_000
"""More values in one `ANY` are refused."""

GRAMMAR = r"""
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


def tree_of(text: str) -> Filter:
    """The tree of a text. Raises `Refused` where it is none that the service takes."""
    # 50 ms, and searches alone need it
    from lark import UnexpectedCharacters, UnexpectedToken  # noqa: PLC0415

    try:
        return cast(Filter, _parser().parse(text))
    except UnexpectedCharacters as error:
        raise Refused(error.pos_in_stream, problems.odd_character(text[error.pos_in_stream])) from None
    except UnexpectedToken as error:
        ended = error.token.type == "$END"
        words = problems.expectation(error.expected, "the end" if ended else shown(error.token))
        raise Refused(len(text) if ended else error.token.start_pos or 0, words) from None


@cache
def _parser() -> "Lark":
    from lark import Lark  # noqa: PLC0415 - see above

    return Lark(GRAMMAR, parser="lalr", start="chain", transformer=_Reading(), maybe_placeholders=False)


class _Grouped:
    """A tree in parentheses, and how many of them are inside one another."""

    __slots__ = ("depth", "tree")

    def __init__(self, tree: Filter, depth: int) -> None:
        self.tree = tree
        self.depth = depth


_Part = Filter | _Grouped


class _Reading:
    """What each rule of the grammar stands for, called while the text is parsed, the innermost first."""

    def chain(self, children: "list[_Part | Token]") -> Filter | _Grouped:
        parts = cast("list[_Part]", children[::2])
        joiners = cast("list[Token]", children[1::2])
        depth = max(_depth(part) for part in parts)
        for joiner in joiners:
            _check_joiner(joiner)
            if joiner != joiners[0]:
                raise Refused(joiner.start_pos or 0, problems.MIXED)
        if not joiners:
            return parts[0]
        joined = And if joiners[0] == "AND" else Or
        operands: list[Filter] = []
        for tree in map(_tree, parts):
            operands.extend(tree.operands if isinstance(tree, joined) else (tree,))
        return _Grouped(joined(tuple(operands)), depth)
