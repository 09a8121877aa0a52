"""Whether a record holds a secret, and in which of its fields; never what."""

from collections.abc import Iterator
from typing import Any

from hanpon.sources.answers.records import Record
from hanpon.sources.texts.secrets import KINDS, announcing_words_in, secrets_in

FIELDS = ("id", "question", "answer", "api", "component", "versions", "superseded", "date", "approved_by")
"""The keys that an answer has, as they may be named in a message: other keys are text of the file."""

_ELSEWHERE = "another key"
_UNREAD = "the line"

Holding = tuple[str, str]
"""A field and a kind of secret."""


def secrets_of(record: Record) -> tuple[Holding, ...]:
    """The kinds of secrets in a record, by field: looked for in every text and key, and in what keys say of texts.

    A record that could not be parsed is looked through as written.
    """
    if record.written:
        return tuple((_UNREAD, kind) for kind in sorted({secret.kind for secret in secrets_in(record.written)}))
    pieces = [*_pieces(record.value), *_question_with_answer(record.value)]
    owners = [field for field, text in pieces for _ in range(_lines(text) + 1)]
    found = secrets_in("\n\n".join(text for _, text in pieces))
    return tuple(dict.fromkeys((owners[secret.line], secret.kind) for secret in found))


def in_words(holdings: tuple[Holding, ...]) -> str:
    """The sentence about a record that is left out."""
    fields = dict.fromkeys(f"`{field}`" if field in FIELDS else field for field, _ in holdings)
    kinds = dict.fromkeys(KINDS[kind] for _, kind in holdings)
    return (
        f"This answer is left out: {_listed(list(fields))} looks as if it held {_listed(list(kinds))}; take that "
        "out of the record, and replace the secret where it is in use."
    )


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def _pieces(value: Any) -> Iterator[tuple[str, str]]:
    """Every text of a record with the field it is in."""
    waiting: list[tuple[str, str, Any]] = [("", "", value)]
    while waiting:
        field, key, here = waiting.pop()
        if isinstance(here, dict):
            inside = [(field or _field(name), name, member) for name, member in here.items()]
            waiting.extend(reversed(inside))
        elif isinstance(here, list):
            waiting.extend((field or _ELSEWHERE, key, member) for member in reversed(here))
        else:
            yield field or _ELSEWHERE, str(here)
            if key not in FIELDS:
                # apart from the text itself: in front of its first line a key would shift the columns of a table
                yield field or _ELSEWHERE, f"{key}: {here}".partition("\n")[0]


def _field(key: str) -> str:
    return key if key in FIELDS else _ELSEWHERE


def _question_with_answer(value: Any) -> Iterator[tuple[str, str]]:
    """The answer behind the words that its question asks for: "what is the password?" "Xy…"."""
    question, answer = (value.get(key) if isinstance(value, dict) else None for key in ("question", "answer"))
    if isinstance(question, str) and isinstance(answer, str):
        for word in announcing_words_in(question)[:5]:
            yield "answer", f"{word}: {answer.lstrip()[:400]}"


def _lines(text: str) -> int:
    """How many lines a text has, as `secrets_in` counts them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
