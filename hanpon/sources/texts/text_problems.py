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


def pointer_of(steps: "list[str | int]") -> str:
    """The JSON Pointer of a path of keys and indexes (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def shown(text: object, longest: int = 60) -> str:
    """Text of a file as a message may quote it: on one line, shortened, nothing invisible."""
    quoted = "".join(character if character.isprintable() else "�" for character in str(text))
    return "`" + (quoted if len(quoted) <= longest else quoted[: longest - 1] + "…") + "`"
