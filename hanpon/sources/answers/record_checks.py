"""Whether a record is an answer: its form by `schemas/answer.schema.json`, and what a schema cannot say.

No message quotes a value of the record.
"""

import re
from collections.abc import Container, Iterator
from datetime import datetime
from difflib import get_close_matches
from functools import cache
from itertools import islice
from typing import Any

import jsonschema_rs

from hanpon.contracts.editions import EVERY_API, EVERY_VERSION
from hanpon.sources.access.holding import holding_problem
from hanpon.sources.answers.record_secrets import FIELDS
from hanpon.sources.texts.text_problems import shown
from schemas import load

Misfit = tuple[str, str]
"""A rule and a sentence."""

_SAY_ANOTHER_THING = frozenset(
    {
        *("apiversion", "apiversions", "ver", "vers", "version", "apis", "apiname", "lib", "library", "バージョン"),
        *("対象バージョン", "版"),
        *("obsolete", "outdated", "stale", "deprecated", "withdrawn", "supersededby", "supersedes", "replacedby"),
        "廃止",
        *("validuntil", "validfrom", "expires", "expiresat", "expired"),
    }
)
"""Keys, without `_` and `-`, that seem to say which versions an answer holds for, or that it no longer does."""

PLAIN_KEY = re.compile(r"[^\W\d]{1,20}(?:[_-][^\W\d]{1,20}){0,2}")
"""Keys that may be shown."""

_MOST = 20


def misfits_of(value: Any) -> tuple[Misfit, ...]:
    """What keeps a record from being an answer; () where it is one."""
    if not isinstance(value, dict):
        return (
            ("answer-misfit", "Expected a JSON object with `id`, `question` and `answer`, found something else."),
        )
    found = [*_misspelt(value), *_misfits_of_form(value, {meant for _, meant in _near_keys(value)})]
    return tuple(dict.fromkeys(found or _misfits_of_meaning(value)))


def unknown_keys(value: dict[str, Any]) -> tuple[str, ...]:
    """Keys that an answer does not have."""
    return tuple(key for key in value if key not in FIELDS)


def versions_of(value: dict[str, Any]) -> tuple[str, ...]:
    """The versions that a sound record names, each once; () where it names none."""
    said = value.get("versions", [])
    return tuple(dict.fromkeys([said] if isinstance(said, str) else said))


def _near_keys(value: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Keys that are almost one of an answer, with the one that is meant."""
    for key in unknown_keys(value):
        near = get_close_matches(_plain(key), FIELDS, n=1, cutoff=0.82)
        if near:
            yield key, near[0]


def _plain(key: str) -> str:
    return key.casefold().replace("_", "").replace("-", "").replace(" ", "")


def _misspelt(value: dict[str, Any]) -> Iterator[Misfit]:
    """Keys that nobody would read, though they seem to say what somebody relies on."""
    near = dict(_near_keys(value))
    for key in unknown_keys(value):
        # a key is text of the file as well: only a plain word is shown
        named = f"The key {shown(key)}" if PLAIN_KEY.fullmatch(key) else "A key here"
        if key in near:
            meant = near[key]
            yield "unknown-key", f"{named} is spelt otherwise than `{meant}` and would not be read; write `{meant}`."
        elif _plain(key) in _SAY_ANOTHER_THING:
            message = (
                f"{named} seems to say which versions the answer holds for, or that it no longer does, and would "
                "not be read; write `api` or `component`, `versions` and `superseded`."
            )
            yield "unknown-key", message


@cache
def _validator() -> Any:
    return jsonschema_rs.validator_for(load("answer"))


_KINDS = {bool: "true or false", str: "a text", int: "a number", float: "a number", list: "a list", dict: "an object"}


def _misfits_of_form(value: dict[str, Any], misspelt: Container[str]) -> Iterator[Misfit]:
    described = load("answer")["properties"]
    for error in islice(_validator().iter_errors(value), _MOST):
        steps = error.instance_path
        if steps:
            field = str(steps[0])
            yield _rule_of(field, error), _expected(field, described[field]["description"], error)
        elif error.kind.name == "required" and error.kind.property != "versions":
            field = error.kind.property
            if field in misspelt:
                continue  # told already
            yield "answer-misfit", f"This answer has no `{field}`; add it: {described[field]['description']}."
    if "api" in value and "component" in value:
        yield (
            "answer-misfit",
            "This answer names both an `api` and a `component`; it is about one of them: keep that.",
        )
    elif (
        "versions" not in value
        and "versions" not in misspelt
        and ("component" in value or value.get("api", EVERY_API) != EVERY_API)
    ):
        message = "This answer says what it is about and not which `versions` it holds for; name them, or write ALL."
        yield "answer-misfit", message


def _expected(field: str, described: str, error: Any) -> str:
    """What a field is to be, and of which kind it is where that is another."""
    if error.kind.name != "type":
        return f"Expected `{field}` to be {described}."
    inside = "a list with " if len(error.instance_path) > 1 else ""
    return f"Expected `{field}` to be {described}; found {inside}{_KINDS.get(type(error.instance), 'null')}."


def _rule_of(field: str, error: Any) -> str:
    is_number = field == "versions" and error.kind.name == "type" and len(error.instance_path) == 2
    return "version-not-text" if is_number or _is_bare_version(field, error) else "answer-misfit"


def _is_bare_version(field: str, error: Any) -> bool:
    return field == "versions" and error.kind.name == "type" and isinstance(error.instance, (int, float))


def _misfits_of_meaning(value: dict[str, Any]) -> Iterator[Misfit]:
    versions = versions_of(value)
    if EVERY_VERSION in versions and len(versions) > 1:
        yield "answer-misfit", "Expected `versions` to be ALL or a list of versions, found both; keep one of the two."
    api = value.get("api", value.get("component", EVERY_API))
    for version in versions or (EVERY_VERSION,):
        said = holding_problem(api, version)
        if said:
            yield said.rule, said.message
    if "component" in value and api == EVERY_API:
        yield "reserved-name", "COMMON stands for every API and is no component; write it as `api`, or name one."
    if "date" in value and not _is_moment(value["date"]):
        yield (
            "answer-misfit",
            "Expected `date` to be a day of the calendar (ISO 8601), found one that does not exist.",
        )


def _is_moment(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
