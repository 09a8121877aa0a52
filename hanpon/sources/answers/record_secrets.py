"""Whether a record holds a secret, and in which of its fields; never what."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from hanpon.sources.answers.records import Record
from hanpon.sources.texts.secret_shapes import is_name
from hanpon.sources.texts.secrets import (
    KINDS,
    Secret,
    announcing_words_in,
    lines_of,
    secrets_in,
    shapes_beside_words_in,
)

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
        return tuple((_UNREAD, kind) for kind in sorted({secret.kind for secret in _in_line(record.written)}))
    pieces = [*_pieces(record.value), *_question_with_answer(record.value)]
    owners = [field for field, text in pieces for _ in range(_lines(text) + 1)]
    found = secrets_in("\n\n".join(text for _, text in pieces)) or _shapes_in(pieces)
    return tuple(dict.fromkeys((owners[secret.line], secret.kind) for secret in found))


def _shapes_in(pieces: Sequence[tuple[str, str]]) -> tuple[Secret, ...]:
    """What has the shape of a secret in the fields that are published: other keys hold digests and links."""
    return shapes_beside_words_in(
        "\n\n".join(text if field in FIELDS else "\n" * (_lines(text) - 1) for field, text in pieces)
    )


def _in_line(text: str) -> tuple[Secret, ...]:
    return secrets_in(text) or shapes_beside_words_in(text)


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
        if _ASKS_FOR_VALUE.search(question):
            values = (found.group(1) for found in islice(_VALUE_ALONE.finditer(answer), _MOST_VALUES))
            yield from (("answer", f"password: {value}") for value in values if not is_name(value))


_ASKS_FOR_VALUE = re.compile(
    r"(?i:\b(?:what|which|where|give|tell|send|need|know)\b[^?\n]{0,60}\b"
    r"(?:pass|password|passphrase|passcode|token|(?:api|secret|access) ?key|secret|credentials?)\s{0,2}(?:\?|$))"
    r"|(?:パスワード|パスフレーズ|暗証番号|トークン|キー|シークレット|認証情報)(?:は|って|を)?\s?(?:何|なん|なに|教え|[?？]|$)"
)
"""A question for the value itself, not for how it is made or changed."""

_VALUE_ALONE = re.compile(
    r"(?:`|^[ \t]{0,8}|(?<=[ぁ-ヿ一-龥])|(?:は|です|[:：])[ \t]{0,3}|\b(?:is|use|try|it's|to|one)[ \t])"
    r"([a-zA-Z0-9!#$%^&*+@?~_-]{6,64})"
    r"(?=`|[ \t]{0,8}$|[ \t]{0,2}(?:です|でした|に|[.。]))",
    re.MULTILINE,
)
_MOST_VALUES = 50


def _lines(text: str) -> int:
    return len(lines_of(text))
