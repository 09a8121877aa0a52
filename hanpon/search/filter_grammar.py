"""The grammar of filters, and the tree that a text of it stands for.

The grammar takes more than the service does (`and`, `NOT (a OR b)`, `ANY` on numbers, …), so that what is refused
is refused in words that say what to write, where a parser could only name a character that it did not expect.
LALR: no recursion, and time grows with the length of the text alone.
"""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, cast

from hanpon.contracts.filters import And, AnyOf, Compared, Filter, Not, Operator, Or, Within
from hanpon.search import filter_problems as problems
from hanpon.search.filter_literals import bound_of, number_field, number_of, text_field, text_of
from hanpon.search.filter_problems import Refused, offset_of
from hanpon.search.filter_trees import all_of, any_of

if TYPE_CHECKING:
    from lark import Lark, Token

MAX_LEVELS = 100
"""More parentheses inside one another are refused."""

MAX_VALUES = 10_000
"""More values in one `ANY` are refused."""

GRAMMAR = r"""
start: chain
chain: condition (WORD condition)*
condition: "(" chain ")"                              -> group
    | prefix condition                                -> negated
    | WORD ":" WORD "(" [value ("," value)*] ")"      -> called
    | WORD ":" (STRING | QUOTED | WORD | NUMBER)      -> bare
    | WORD COMPARISON value                           -> compared
!prefix: WORD | "-"
!value: STRING | QUOTED | WORD | NUMBER | "*"

STRING: /"(?:[^"\\]|\\.)*"/s
QUOTED: /'[^']*'/
NUMBER: /[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?[ie]?/
WORD: /[^\W\d][\w.]*(?:-[\w.]+)*/
COMPARISON: "<=" | ">=" | "!=" | "<" | ">" | "="
%ignore /\s+/
"""


def tree_of(text: str) -> Filter:
    """The tree of a text. Raises `Refused` where it is none that the service takes."""
    from lark import UnexpectedCharacters, UnexpectedToken  # noqa: PLC0415 - 50 ms, and searches alone need it

    try:
        return cast(Filter, _parser().parse(text))
    except UnexpectedCharacters as error:
        offset = error.pos_in_stream or 0
        raise Refused(offset, problems.odd_character(text[offset])) from None
    except UnexpectedToken as error:
        offset = len(text) if error.token.type == "$END" else offset_of(error.token)
        raise Refused(offset, problems.unexpected(error.token, error.expected)) from None


@cache
def _parser() -> "Lark":
    from lark import Lark  # noqa: PLC0415 - see above

    return Lark(GRAMMAR, parser="lalr", transformer=_Reading(), maybe_placeholders=False)


@dataclass(frozen=True, slots=True)
class _Part:
    """What a condition or a chain of them stands for, and how many parentheses are inside one another in it."""

    tree: Filter
    depth: int = 0
    negated: bool = False


class _Reading:
    """What each rule of the grammar stands for; called by its name while the text is parsed, the innermost first."""

    def start(self, children: "list[_Part]") -> Filter:
        return children[0].tree

    def chain(self, children: "list[_Part | Token]") -> _Part:
        parts, joiners = cast("list[_Part]", children[::2]), cast("list[Token]", children[1::2])
        if not joiners:
            return parts[0]
        for joiner in joiners:
            if joiner not in {"AND", "OR"}:
                raise Refused(offset_of(joiner), problems.wrong_joiner(joiner))
            if joiner != joiners[0]:
                raise Refused(offset_of(joiner), problems.MIXED)
        joined = all_of if joiners[0] == "AND" else any_of
        return _Part(joined(part.tree for part in parts), max(part.depth for part in parts))

    def group(self, children: "list[_Part]") -> _Part:
        depth = children[0].depth + 1
        if depth > MAX_LEVELS:
            raise Refused(0, f"more than {MAX_LEVELS} parentheses stand inside one another; leave needless ones out.")
        return _Part(children[0].tree, depth)

    def negated(self, children: "tuple[Token, _Part]") -> _Part:
        prefix, part = children
        if prefix not in {"NOT", "-"}:
            raise Refused(offset_of(prefix), problems.wrong_prefix(prefix))
        if isinstance(part.tree, And | Or):
            raise Refused(offset_of(prefix), problems.NOT_OF_SEVERAL)
        if part.negated:
            raise Refused(offset_of(prefix), problems.TWICE_NOT)
        return _Part(Not(part.tree), part.depth, negated=True)

    def called(self, children: "list[Token]") -> _Part:
        field, function, *values = children
        if len(values) > MAX_VALUES:
            raise Refused(offset_of(function), f"expected {MAX_VALUES:,} values at most, found {len(values):,}.")
        if function == "ANY":
            name = text_field(field, "ANY")
            if not values:
                raise Refused(offset_of(function), 'expected a text in `ANY("…")`, found none.')
            return _Part(AnyOf(name, tuple(map(text_of, values))))
        if function == "IN":
            name = number_field(field, "IN")
            if len(values) != 2:
                raise Refused(offset_of(function), f"expected two ends in `IN(3i, 5i)`, found {len(values)}.")
            return _Part(Within(name, bound_of(values[0], inclusive=True), bound_of(values[1], inclusive=False)))
        raise Refused(offset_of(function), problems.wrong_function(function))

    def bare(self, children: "tuple[Token, Token]") -> _Part:
        field, value = children
        raise Refused(offset_of(value), problems.function_wanted(field, value))

    def compared(self, children: "tuple[Token, Token, Token]") -> _Part:
        field, operator, value = children
        name = number_field(field, operator)
        if operator == "!=":
            raise Refused(offset_of(operator), f"`!=` is no operator; write `NOT {name} = …`.")
        return _Part(Compared(name, cast(Operator, str(operator)), number_of(value)))

    def prefix(self, children: "list[Token]") -> "Token":
        return children[0]

    def value(self, children: "list[Token]") -> "Token":
        return children[0]
