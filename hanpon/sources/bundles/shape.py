"""hanpon.yaml against its schema: every misfit as a finding that says what was expected and what was found."""

import re
import unicodedata
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from itertools import islice
from typing import Any

import jsonschema_rs

from hanpon.contracts.findings import Finding, Place
from hanpon.sources.bundles.expectations import Steps, expectation, kind_of, known_keys, value_at
from hanpon.sources.texts.structured_text import locate
from hanpon.sources.texts.text_problems import problem, shown
from schemas import load

BUNDLE_FILE = "hanpon.yaml"

MOST_MISFITS = 1000
"""More than these are not told: whoever writes as many has not written them by hand."""

_RULES = {
    "name": "bad-name",
    "api": "bad-name",
    "version": "bad-version",
    "api_version": "bad-version",
    "readers": "bad-principal",
}
"""Rules for text whose form is wrong, by the key it stands under."""


def shape_problems(raw: Any, text: str) -> Iterator[Finding]:
    """What in `raw`, read from `text`, does not fit `schemas/bundle.schema.json`; findings have no lines."""
    errors = [error for error in islice(_validator().iter_errors(raw), MOST_MISFITS) if not _may_hold_a_secret(error)]
    unquoted = [error for error in errors if _is_unquoted_version(error, raw)]
    lines = locate(text, [_place(error).pointer for error in unquoted]) if unquoted else {}
    for error in errors:
        if error in unquoted:
            yield _version_not_text(error, raw, text.split("\n")[lines[_place(error).pointer] - 1 :][:1])
        else:
            yield from _problems_of(error, raw)


def _may_hold_a_secret(error: Any) -> bool:
    """A misfit that is judged elsewhere, in words that do not quote the value: an address may hold a password."""
    return bool(error.instance_path == ["link_base"] and error.kind.name == "pattern")


@cache
def _validator() -> Any:
    return jsonschema_rs.validator_for(load("bundle"))


def _place(error: Any) -> Place:
    return Place(BUNDLE_FILE).child(*error.instance_path)


def _problems_of(error: Any, raw: Any) -> Iterator[Finding]:
    place, steps, fault = _place(error), tuple(error.instance_path), error.kind.name
    if fault == "additionalProperties":
        for key in error.kind.unexpected:
            yield problem("unknown-key", place.child(key), _unknown_key(key, steps, raw))
    elif fault == "required":
        key = error.kind.property
        message = f"{_thing(steps, raw)} has no {shown(key)}; add it: {expectation((*steps, key), raw)}."
        yield problem("missing-key", place, message)
    elif fault == "anyOf":
        yield problem("missing-key", place, f"{_thing(steps, raw)} has neither `readme` nor `code`; add one of them.")
    elif fault == "uniqueItems":
        yield problem("wrong-value", place, f"An entry stands twice in {shown(steps[-1])}; take one out.")
    else:
        rule = "wrong-type" if fault == "type" else _rule_of_misfit(steps, raw)
        found = _found(value_at(raw, steps), may_be_address=rule != "bad-principal")
        yield problem(rule, place, f"Expected {expectation(steps, raw)}, found {found}.")


def _rule_of_misfit(steps: Steps, raw: Any) -> str:
    keys = [step for step in steps if isinstance(step, str)]
    is_text = isinstance(value_at(raw, steps), str)
    return _RULES.get(keys[-1], "wrong-value") if keys and is_text else "wrong-value"


def _unknown_key(key: str, steps: Steps, raw: Any) -> str:
    known = known_keys(steps, raw)
    near = get_close_matches(key, known, n=1)
    advice = f"did you mean {shown(near[0])}?" if near else f"it may have: {', '.join(known)}."
    return f"{_thing(steps, raw)} has no key {shown(key)}; {advice}"


def _thing(steps: Steps, raw: Any) -> str:
    """What a mapping is, as the subject of a sentence."""
    if not steps:
        return BUNDLE_FILE
    if steps[-1] == "code":
        return "`code`"
    kind = kind_of(value_at(raw, steps))
    return f"This {kind} item" if kind else "This item"


def _is_unquoted_version(error: Any, raw: Any) -> bool:
    steps = error.instance_path
    if error.kind.name != "type" or not steps or steps[-1] not in {"version", "api_version"}:
        return False
    return isinstance(value_at(raw, steps), (bool, int, float))


def _version_not_text(error: Any, raw: Any, line: list[str]) -> Finding:
    key, value = error.instance_path[-1], value_at(raw, error.instance_path)
    # YAML's reading differs from what was written (3.10 becomes 3.1), so the advice quotes the line itself.
    written = re.search(rf"\b{key}[\"']?\s*:\s*([\w.+-]+)", "".join(line))
    advice = f'as `{key}: "{written[1]}"`' if written else "where it stands"
    message = f"Expected text, and YAML reads this version as {_found(value)}; put it in quotes, {advice}."
    return problem("version-not-text", _place(error), message)


def _found(value: Any, *, may_be_address: bool = True) -> str:
    if isinstance(value, str):
        return _found_text(value, shown(value, may_be_address=may_be_address))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return f"the number {shown(value)}"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    return "nothing" if value is None else "a mapping"


def _found_text(value: str, quoted: str) -> str:
    if not unicodedata.is_normalized("NFC", value):
        return f"{quoted}, which is not in Unicode NFC (composed characters)"
    if len(value) > 60:
        return f"{quoted}, {len(value)} characters"
    return quoted if value else "empty text"
