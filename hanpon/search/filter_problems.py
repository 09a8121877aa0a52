"""What is wrong with a filter, in words: where, what was expected, what was found, what to do."""

import difflib

from hanpon.contracts.errors import UsageError
from hanpon.contracts.filters import NUMBER_FIELDS, TEXT_FIELDS
from hanpon.contracts.texts import bounded, clean

EXAMPLE = 'api: ANY("customer", "COMMON") AND superseded: ANY("false")'


def refused(text: str, offset: int, words: str) -> UsageError:
    """The error on a filter, with the place that `offset` (from 0) stands for."""
    line = text.count("\n", 0, offset) + 1
    column = offset - (text.rfind("\n", 0, offset) + 1) + 1
    place = f"line {line}, column {column}" if line > 1 else f"column {column}"
    return UsageError(f"The filter cannot be read at {place}: {words}")


def shown(text: str) -> str:
    """Text of a filter as a message quotes it: on one line, short, nothing invisible."""
    return f"`{bounded(' '.join(clean(text).split()), 40)}`"


def unknown_field(name: str) -> str:
    """Words on a field that no document has."""
    fields = (*TEXT_FIELDS, *NUMBER_FIELDS)
    near = difflib.get_close_matches(name[:100].lower(), fields, n=1, cutoff=0.6)
    meant = f"; did you mean `{near[0]}`?" if near else "."
    return f"there is no field {shown(name)}{meant} Fields are {', '.join(fields)}."


def not_of_text(name: str, operator: str) -> str:
    """Words on a comparison of a text field."""
    wanted = f'NOT {name}: ANY("…")' if operator == "!=" else f'{name}: ANY("…")'
    return f"`{operator}` is for numbers, and `{name}` is a text; write `{wanted}`."


def not_of_number(name: str) -> str:
    """Words on `ANY` of a number field."""
    return f"`ANY` is for texts, and `{name}` is a number; write `{name} = 3` or `{name}: IN(3i, 5i)`."


MIXED = "AND and OR stand side by side; put parentheses around what belongs together, as in `(… AND …) OR …`."

NOT_OF_SEVERAL = (
    "NOT takes one condition, not several; write `NOT … AND NOT …` in place of `NOT (… OR …)`, "
    "and `NOT … OR NOT …` in place of `NOT (… AND …)`."
)

TWICE_NOT = "NOT stands twice; leave both out."

NO_CONDITION = f"the filter ends where a condition was expected; write one such as `{EXAMPLE}`."


def wants_capitals(word: str) -> str:
    """Words on `and`, `or`, `not`, `any`, `in` that are not in capitals."""
    return f"expected {word.upper()} in capitals, found {shown(word)}."


def too_long(length: int, most: int) -> UsageError:
    """The error on a filter that is not even begun to be read."""
    return UsageError(f"The filter is {length:,} characters long; {most:,} are the most. Ask for fewer values.")
