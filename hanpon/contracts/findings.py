"""A finding: something a person should look at."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from hanpon.contracts.frozen import checked_frozen
from hanpon.contracts.lines import cut_in_the_middle, one_line
from hanpon.contracts.pointers import pointer_of

MAX_MESSAGE = 2000
"""Characters of a message in a record; a longer one is cut in its middle."""

_SHOWN_FILE, _SHOWN_POINTER, _SHOWN_MESSAGE = 200, 300, 1000
"""The same for people."""


class Severity(StrEnum):
    """How bad a finding is: an error makes a definition invalid; the others never stop a run."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@checked_frozen(order=True)
class Place:
    """A place in an input: a bundle-relative file, a JSON Pointer (RFC 6901) in it, a 1-based line.

    `pointer` is "" for the whole file. `line` is 0 where it is not known (it is looked up only when a
    finding is reported, and takes no part in equality).
    """

    file: str
    pointer: str = ""
    line: int = field(default=0, compare=False)

    def child(self, *keys: str | int) -> "Place":
        """The place of a member, below any number of keys."""
        return Place(self.file, self.pointer + pointer_of(keys))

    def __str__(self) -> str:
        """For people: safe for a terminal, on one line, and cut where it is very long. Not an identity."""
        line = f":{self.line}" if self.line else ""
        pointer = f"#{one_line(self.pointer, _SHOWN_POINTER)}" if self.pointer else ""
        return f"{one_line(self.file, _SHOWN_FILE)}{line}{pointer}"

    def as_record(self) -> dict[str, Any]:
        """The place as it is, whole."""
        return {"file": self.file, "pointer": self.pointer, "line": self.line or None}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to look at. `rule` is kebab-case and stable; `message` is one plain sentence."""

    rule: str
    severity: Severity
    where: Place
    message: str

    def as_record(self) -> dict[str, Any]:
        """The record of `schemas/finding.schema.json`, its message bounded."""
        return {
            "rule": self.rule,
            "severity": str(self.severity),
            "where": self.where.as_record(),
            "message": cut_in_the_middle(self.message, MAX_MESSAGE),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Finding":
        """Raises KeyError, TypeError or ValueError where the record is none of a finding."""
        where = record["where"]
        place = Place(where["file"], where["pointer"], where["line"] or 0)
        return cls(record["rule"], Severity(record["severity"]), place, record["message"])

    def __str__(self) -> str:
        """One line of a terminal."""
        where = f"{self.where}: " if self.where.file else ""
        return f"{where}{one_line(self.message, _SHOWN_MESSAGE)} [{self.rule}]"


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings without repetition, in an order that depends on nothing but themselves."""
    unique = {(f.where.file, f.where.line, f.where.pointer, f.rule, f.message): f for f in findings}
    return tuple(unique[key] for key in sorted(unique))
