"""What is wrong with a filter, in words: what was expected, what was found, what to do."""

import difflib
from collections.abc import Collection
from typing import TYPE_CHECKING

from hanpon.contracts.filters import NUMBER_FIELDS, TEXT_FIELDS
from hanpon.contracts.texts import bounded, clean

if TYPE_CHECKING:
    from lark import Token

EXAMPLE = '`api: ANY("customer", "COMMON")`'

_CONDITION = f"a condition such as {EXAMPLE}"

MIXED = "AND and OR stand side by side; put parentheses around what belongs together: `(… AND …) OR …`."

NOT_OF_SEVERAL = (
    "NOT takes one condition, not several; write `NOT … AND NOT …` in place of `NOT (… OR …)`, "
    "and `NOT … OR NOT …` in place of `NOT (… AND …)`."
)

TWICE_NOT = "NOT stands twice; leave both out."


class Refused(Exception):
    """A text that is no filter: the place in it, from 0, and the words on it."""

    def __init__(self, offset: int, words: str) -> None:
        self.offset = offset
        self.words = words
        super().__init__(words)


def offset_of(token: "Token") -> int:
    """Where a token begins in its text."""
    return token.start_pos or 0


def shown(text: str) -> str:
    """Text of a filter as a message quotes it: on one line, short, nothing invisible."""
    return f"`{bounded(' '.join(clean(text).split()), 40)}`"


def unknown_field(name: str) -> str:
    """Words on a name that is no field, with the field that is likely meant."""
    if name.upper() == "GEO_DISTANCE":
        return "no field holds a place, so GEO_DISTANCE has nothing to measure."
    fields = (*TEXT_FIELDS, *NUMBER_FIELDS)
    near = difflib.get_close_matches(name[:100].lower(), fields, n=1, cutoff=0.6)
    meant = f"; did you mean `{near[0]}`?" if near else "."
    return f"there is no field {shown(name)}{meant} The fields are {', '.join(fields)}."


def text_is_no_number(field: str, used_with: str) -> str:
    """Words on a field of texts where numbers are compared; `used_with` is the operator or function."""
    wanted = f'NOT {field}: ANY("…")' if used_with == "!=" else f'{field}: ANY("…")'
    return f"`{field}` is a text, and `{used_with}` is for numbers; write `{wanted}`."


def number_is_no_text(field: str, used_with: str) -> str:
    """Words on a field of numbers where texts are looked for."""
    return f"`{field}` is a number, and `{used_with}` is for texts; write `{field} = 3` or `{field}: IN(3i, 5i)`."


def wrong_joiner(word: str) -> str:
    """Words on what stands between two conditions."""
    return _capitals(word, "AND", "OR") or f"expected AND or OR between two conditions, found {shown(word)}."


def wrong_prefix(word: str) -> str:
    """Words on what stands before a condition."""
    return _capitals(word, "NOT") or f"expected a condition such as {EXAMPLE}, found {shown(word)}."


def wrong_function(name: str) -> str:
    """Words on a function that the grammar does not have."""
    if name.upper() == "GEO_DISTANCE":
        return "no field holds a place, so GEO_DISTANCE has nothing to measure; write `ANY(…)` or `IN(…)`."
    return _capitals(name, "ANY", "IN") or f"expected `ANY(…)` or `IN(…)`, found {shown(name)}."


def function_wanted(field: str, value: str) -> str:
    """Words on a value that stands without a function around it."""
    if field in NUMBER_FIELDS:
        return f"expected a comparison, found {shown(value)}; write `{field} = 3` or `{field}: IN(3i, 5i)`."
    if value in {"ANY", "IN"}:
        return f'expected `(` after {shown(value)}; write `{field}: ANY("…")`.'
    literal = value.strip("\"'")
    return f'expected `ANY(…)`, found {shown(value)}; write {shown(f"""{field}: ANY("{literal}")""")}.'


def odd_character(character: str) -> str:
    """Words on a character that begins nothing."""
    if character in "\"'":
        return f"the text that begins with `{character}` has no end; close it with the same character."
    if character in "“”„«»「」『』＂":
        return f'expected a text in straight double quotes `"`, found {shown(character)}.'
    return f"expected something else than {shown(character)}; texts stand in double quotes, as in {EXAMPLE}."


def unexpected(token: "Token", terminals: Collection[str]) -> str:
    """Words on what could have stood where a token stands, by the names of the grammar."""
    expected = _expected(terminals)
    if expected == _CONDITION and token.type in {"COLON", "COMPARISON"}:
        return "two conditions stand side by side; write AND or OR between them."
    return f"expected {expected}, found {'the end' if token.type == '$END' else shown(token)}."


_EXPECTED = (
    ("COMPARISON", "`:` or a comparison after the name of a field"),
    ("STAR", "a text in double quotes or a number"),
    ("STRING", "`ANY(…)` or `IN(…)`"),
    ("COMMA", "`,` or `)`"),
    ("LPAR", _CONDITION),
    ("RPAR", "AND, OR or `)`"),
)
"""What is expected where a terminal of the grammar could stand; the first that could decides."""


def _expected(terminals: Collection[str]) -> str:
    return next((words for terminal, words in _EXPECTED if terminal in terminals), "AND, OR or the end")


def _capitals(word: str, *wanted: str) -> str:
    return f"expected {word.upper()} in capitals, found {shown(word)}." if word.upper() in wanted else ""
