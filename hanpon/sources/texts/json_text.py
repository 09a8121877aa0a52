"""JSON as RFC 8259 has it: repeated keys, NaN and lone surrogates are refused, and the limits are kept."""

import json
import math
import re
from typing import Any, NoReturn

from hanpon.contracts.definitions import MAX_DEPTH, MAX_NODES
from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Finding, Place
from hanpon.contracts.pointers import pointer_of
from hanpon.sources.texts.json_lines import first_too_deep, json_lines, repeated_keys
from hanpon.sources.texts.text_problems import MOST_PROBLEMS, problem, shown, too_deep, too_many_values

_SURROGATES = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}(?:\\u[dD][89a-fA-F][0-9a-fA-F]{2})*")
_PAIRS = re.compile(r"(?:\\u[dD][89abAB]..\\u[dD][c-fC-F]..)+")


class NotJson(InvalidInput):
    """The text is not JSON at all, so that it may be read as something else."""


def parse_json(text: str, file: str) -> Any:
    """The value of a JSON text. Raises NotJson where the grammar is broken, else InvalidInput with its problems."""
    repeated = False

    def mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeated
        made = dict(pairs)
        repeated = repeated or len(made) != len(pairs)
        return made

    try:
        value = json.loads(text, object_pairs_hook=mapping, parse_float=_finite, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise NotJson([_syntax(error, file)]) from None
    except RecursionError:
        raise InvalidInput([too_deep(Place(file, "", first_too_deep(text)))]) from None
    except ValueError as error:
        # Python's own limit on the digits of an integer comes here too
        raise InvalidInput([_bad_number(str(error), text, file)]) from None
    if repeated:
        raise InvalidInput(_repetitions(text, file))
    refuse_beyond_limits(value, text, file)
    return value


def refuse_beyond_limits(value: Any, text: str, file: str) -> None:
    """Raise InvalidInput where a value is nested too deep, holds too many values or text that is no Unicode."""
    level = [value] if isinstance(value, (dict, list)) else []
    depth = count = 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise InvalidInput([too_deep(Place(file, "", first_too_deep(text)))])
        count += sum(map(len, level))
        if count > MAX_NODES:
            raise InvalidInput([too_many_values(Place(file))])
        level = [
            member
            for box in level
            for member in (box.values() if type(box) is dict else box)
            if type(member) is dict or type(member) is list
        ]
    # a backslash that is itself escaped looks the same: the walk will tell
    if not all(_PAIRS.fullmatch(run.group()) for run in _SURROGATES.finditer(text)):
        _refuse_surrogates(value, text, file)


def _refuse_surrogates(value: Any, text: str, file: str) -> None:
    found: list[str] = []
    waiting: list[tuple[Any, tuple[str | int, ...]]] = [(value, ())]
    while waiting:
        here, steps = waiting.pop()
        if isinstance(here, str) and _is_broken(here):
            found.append(pointer_of(list(steps)))
        elif isinstance(here, list):
            waiting.extend((member, (*steps, index)) for index, member in enumerate(here))
        elif isinstance(here, dict):
            found.extend(pointer_of(list(steps)) for key in here if _is_broken(key))
            waiting.extend((member, (*steps, key)) for key, member in here.items() if not _is_broken(key))
    if found:
        found = sorted(found)[:MOST_PROBLEMS]
        lines = json_lines(text, found)
        message = "The text holds half of a surrogate pair, which is no Unicode character."
        places = [Place(file, pointer, lines[pointer]) for pointer in found]
        raise InvalidInput([problem("lone-surrogate", place, message) for place in places])


def _is_broken(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


def _repetitions(text: str, file: str) -> list[Finding]:
    return [
        problem(
            "duplicate-key",
            Place(file, pointer_of(list(steps)), line),
            f"The key {shown(steps[-1])} stands here a second time; the first is in line {first}.",
        )
        for steps, first, line in repeated_keys(text)
    ]


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(digits)
    return number


def _no_number(word: str) -> NoReturn:
    raise ValueError(word)


def _bad_number(reason: str, text: str, file: str) -> Finding:
    if reason in {"NaN", "Infinity", "-Infinity"}:
        line = _line_of(text, re.compile(rf"(?<=[\[:,\s]){re.escape(reason)}(?=[\],}}\s])"))
        return problem("number-out-of-range", Place(file, "", line), f"{reason} is no number in JSON (RFC 8259).")
    where = re.compile(re.escape(reason)) if reason[:1] in "-0123456789" else re.compile(r"[0-9]{1000}")
    return problem(
        "number-out-of-range", Place(file, "", _line_of(text, where)), "A number here is too large to read."
    )


def _line_of(text: str, wanted: re.Pattern[str]) -> int:
    found = wanted.search(text)
    return text.count("\n", 0, found.start()) + 1 if found else 0


def _syntax(error: json.JSONDecodeError, file: str) -> Finding:
    reason = error.msg[:1].lower() + error.msg[1:]
    return problem(
        "json-syntax", Place(file, "", error.lineno), f"This is not JSON: {reason} (column {error.colno})."
    )
