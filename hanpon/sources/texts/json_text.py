"""JSON as RFC 8259 has it: repeated keys, NaN and lone surrogates are refused, and the limits are kept."""

import json
import math
import re
from itertools import chain
from typing import Any, NoReturn

from hanpon.contracts.definitions import MAX_DEPTH, MAX_NODES
from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Finding, Place
from hanpon.contracts.pointers import pointer_of
from hanpon.sources.texts.json_lines import first_too_deep, json_lines, repeated_keys
from hanpon.sources.texts.json_outline import outlined_json
from hanpon.sources.texts.outlines import Outline
from hanpon.sources.texts.text_problems import MOST_PROBLEMS, problem, shown, too_deep, too_many_values

_SURROGATES = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}(?:\\u[dD][89a-fA-F][0-9a-fA-F]{2})*")
_PAIRS = re.compile(r"(?:\\u[dD][89abAB]..\\u[dD][c-fC-F]..)+")


class NotJson(InvalidInput):
    """The text is not JSON at all, so that it may be read as something else."""


def parse_json(text: str, file: str) -> Any:
    """The value of a JSON text. Raises NotJson where the grammar is broken, else InvalidInput with its problems."""
    return parse_outlined_json(text, file)[0]


def parse_outlined_json(text: str, file: str, data: bytes = b"") -> tuple[Any, Outline]:
    """The value of a JSON text, and where its upper keys stand; raises the same.

    `data` is the same text in UTF-8, where it is at hand: in it, marks are counted several times as fast.
    """
    try:
        value, outline = outlined_json(text, parse_float=_finite, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise NotJson([_syntax(error, file)]) from None
    except RecursionError:
        raise InvalidInput([too_deep(Place(file, "", first_too_deep(text)))]) from None
    except ValueError as error:
        # Python's own limit on the digits of an integer comes here too
        raise InvalidInput([_bad_number(str(error), text, file)]) from None
    keys = refuse_beyond_limits(value, text, file)
    if not _surely_holds(data or text.encode(errors="surrogatepass"), keys) and _repeats_a_key(text):
        raise InvalidInput(_repetitions(text, file))
    return value, outline


def _surely_holds(data: bytes, keys: int) -> bool:
    """Whether a JSON text has just as many keys as its value: then none is repeated. False says nothing.

    Without blanks, `":` ends a key, or begins a value with a colon; inside a text a backslash stands before it. So at
    least all keys are counted, as long as none ends in a backslash.
    """
    dense = data.translate(None, b" \t\r\n")
    return rb'\\":' not in dense and dense.count(b'":') - dense.count(rb"\":") == keys


def _repeats_a_key(text: str) -> bool:
    repeated = False

    def mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeated
        made = dict(pairs)
        repeated = repeated or len(made) != len(pairs)
        return made

    json.loads(text, object_pairs_hook=mapping)
    return repeated


def refuse_beyond_limits(value: Any, text: str, file: str) -> int:
    """How many keys a value holds. Raises InvalidInput where it is nested too deep, too large or no Unicode."""
    members = [value]
    depth = keys = count = 0
    while True:
        mappings = [member for member in members if type(member) is dict]
        lists = [member for member in members if type(member) is list]
        if not mappings and not lists:
            break
        depth += 1
        if depth > MAX_DEPTH:
            raise InvalidInput([too_deep(Place(file, "", first_too_deep(text)))])
        members = [*chain.from_iterable(map(dict.values, mappings)), *chain.from_iterable(lists)]
        keys += sum(map(len, mappings))
        count += len(members)
        if count > MAX_NODES:
            raise InvalidInput([too_many_values(Place(file))])
    # a backslash that is itself escaped looks the same: the walk will tell
    if not all(_PAIRS.fullmatch(run.group()) for run in _SURROGATES.finditer(text)):
        _refuse_surrogates(value, text, file)
    return keys


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
