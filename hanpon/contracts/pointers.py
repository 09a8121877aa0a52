"""JSON Pointers (RFC 6901): from a path of keys and indexes to text, and back."""

from collections.abc import Iterable


def pointer_of(steps: Iterable[str | int]) -> str:
    """The pointer of a path; "" for the whole file."""
    return "".join(["/" + escaped(step) for step in steps])


def steps_of(pointer: str) -> list[str]:
    """The keys and indexes of a pointer, unescaped: `~1` before `~0` (section 4)."""
    steps = pointer.split("/")[1:]
    return [step.replace("~1", "/").replace("~0", "~") for step in steps] if "~" in pointer else steps


def escaped(step: str | int) -> str:
    """One key or index as it stands in a pointer: `~` is `~0` there, and `/` is `~1`."""
    text = str(step)
    return text.replace("~", "~0").replace("/", "~1") if "~" in text or "/" in text else text
