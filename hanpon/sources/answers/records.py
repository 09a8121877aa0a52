"""The records of an answers file: one JSON object in each line, or one JSON array in a file named `.json`.

What is wrong with a record is told without quoting it: it may hold a secret that nobody has found.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from hanpon.contracts.digests import canonical_json
from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Finding, Place
from hanpon.sources.texts.json_lines import json_lines
from hanpon.sources.texts.json_text import parse_json
from hanpon.sources.texts.text_problems import problem

MAX_RECORD = 1024 * 1024
"""Bytes of one record; a longer one is not read."""


@dataclass(frozen=True, slots=True)
class Record:
    """A record as it stands in a file: parsed, or `written` as it is where it could not be."""

    line: int
    value: Any = None
    written: str = ""
    problems: tuple[Finding, ...] = ()


def records_in(text: str, file: str) -> Iterator[Record]:
    """The records of a text, in order; blank lines are none. What cannot be read is a record with problems."""
    if file.lower().endswith(".json"):
        yield from _members(text, file)
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield _record(line.removesuffix("\r"), number, file)


def _record(line: str, number: int, file: str) -> Record:
    if _is_too_long(line):
        return _too_long(number, file)
    try:
        return Record(number, parse_json(line, file))
    except InvalidInput as invalid:
        return Record(number, written=as_read(line), problems=_without_text(invalid, file, number))


def _is_too_long(written: str) -> bool:
    return len(written) > MAX_RECORD or (4 * len(written) > MAX_RECORD and len(written.encode()) > MAX_RECORD)


def _too_long(line: int, file: str) -> Record:
    message = f"An answer has more than {MAX_RECORD:,} bytes and is not read; shorten it, or make several of it."
    return Record(line, problems=(problem("too-large", Place(file, "", line), message),))


def _members(text: str, file: str) -> Iterator[Record]:
    try:
        value = parse_json(text, file)
    except InvalidInput as invalid:
        first = next((each.where.line for each in invalid.problems if each.where.line), 1)
        # of more than a record's length no secret is looked for: it would take minutes, and none of it is shown
        yield Record(first, written=as_read(text[:MAX_RECORD]), problems=_without_text(invalid, file, first))
        return
    if not isinstance(value, list):
        message = "Expected a list of answers; a file with one answer in each line is named .jsonl."
        yield Record(1, problems=(problem("answer-misfit", Place(file, "", 1), message),))
        return
    lines = json_lines(text, [f"/{index}" for index in range(len(value))])
    for index, member in enumerate(value):
        line = lines[f"/{index}"]
        is_too_long = len(canonical_json(member)) > MAX_RECORD
        yield _too_long(line, file) if is_too_long else Record(line, member)


def _without_text(invalid: InvalidInput, file: str, line: int) -> tuple[Finding, ...]:
    """The problems with keys and pointers, which are text of the file, left out."""
    told = {
        (each.rule, "A key stands twice in this record." if each.rule == "duplicate-key" else each.message)
        for each in invalid.problems
    }
    return tuple(problem(rule, Place(file, "", line), message) for rule, message in sorted(told))


_ESCAPE_OR_END = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)|\"")


def as_read(written: str) -> str:
    """A JSON text, sound or not, with escapes resolved as far as there are any: as one, and each string by itself."""
    return "\n\n".join(_ESCAPE_OR_END.sub(partial(_resolved, end), written) for end in ('"', "\n"))


def _resolved(end: str, found: re.Match[str]) -> str:
    sign = found.group()
    if sign == '"':
        return end
    try:
        return str(json.loads(f'"{sign}"'))
    except json.JSONDecodeError:
        return sign
