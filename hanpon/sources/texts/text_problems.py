"""What can be wrong with a file before anything is known of its meaning."""

from hanpon.contracts.definitions import MAX_DEPTH, MAX_NODES
from hanpon.contracts.findings import Finding, Place, Severity

MOST_PROBLEMS = 100
"""After as many problems in one file, reading stops."""


def problem(rule: str, place: Place, message: str) -> Finding:
    """An error at a place of a file."""
    return Finding(rule, Severity.ERROR, place, message)


def too_deep(place: Place) -> Finding:
    return problem("too-deep", place, f"Values are nested more than {MAX_DEPTH} levels deep here.")


def too_many_values(place: Place) -> Finding:
    message = f"The file holds more than {MAX_NODES:,} values, aliases counted as often as they are used."
    return problem("too-many-values", place, message)


def shown(text: object, longest: int = 60) -> str:
    """Text of a file as a message may quote it: between back-quotes, on one line, nothing invisible."""
    return f"`{shortened(str(text), longest)}`"


def shortened(text: str, longest: int = 80) -> str:
    """Text on one line: what cannot be printed is replaced, and what is too long ends in `…`."""
    printable = "".join(character if character.isprintable() else "\ufffd" for character in text[: longest + 1])
    return printable if len(printable) <= longest else printable[: longest - 1] + "…"
