"""The words of a filter: what it is cut into before it is understood."""

import re
from dataclasses import dataclass
from typing import Literal

from tests.cloud.discovery_engine.refusals import Refused, invalid

Kind = Literal["text", "number", "word", "operator", "mark", "end"]

_WORDS = re.compile(
    r"""\s*(?:
      (?P<text>"(?:[^"\\]|\\["\\])*")
    | (?P<number>-?\d+(?:\.\d+)?(?![\w.-]))
    | (?P<bound>-?\d+(?:\.\d+)?[ei](?![\w.-]))
    | (?P<word>[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)
    | (?P<operator><=|>=|!=|<|>|=|:)
    | (?P<mark>[(),*-])
    )""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word with the place it begins at; of a text, what stands between its quotes, unescaped."""

    kind: Kind
    value: str
    at: int


def cut(text: str) -> list[Word]:
    """The words of a filter, an end behind the last. Raises Refused at anything else."""
    found: list[Word] = []
    at = 0
    end = len(text.rstrip())
    while at < end:
        match = _WORDS.match(text, at)
        if match is None:
            raise syntax(text, at)
        found.append(_word(match))
        at = match.end()
    return [*found, Word("end", "", end)]


def syntax(text: str, at: int) -> Refused:
    return invalid(f"Invalid filter syntax '{text}'. Parsing filter failed with error: syntax error at position {at}")


def _word(match: re.Match[str]) -> Word:
    kind = match.lastgroup
    value = match[kind or 0]
    at = match.start(kind or 0)
    if kind == "text":
        return Word("text", re.sub(r"\\(.)", r"\1", value[1:-1]), at)
    if kind in {"number", "bound"}:
        return Word("number", value, at)
    if kind == "word":
        return Word("word", value, at)
    return Word("operator" if kind == "operator" else "mark", value, at)
