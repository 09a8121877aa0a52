"""Whether a record is an answer: its form by `schemas/answer.schema.json`, and what a schema cannot say.

No message quotes a value of the record.
"""

from collections.abc import Iterator
from datetime import datetime
from difflib import get_close_matches
from functools import cache
from itertools import islice
from typing import Any

import jsonschema_rs

from hanpon.contracts.editions import EVERY_API, EVERY_VERSION
from hanpon.sources.access.holding import holding_problem
from hanpon.sources.answers.record_secrets import FIELDS
from schemas import load

Misfit = tuple[str, str]
"""A rule and a sentence."""

_SAY_ANOTHER_THING = frozenset(
    {
        *("apiversion", "apiversions", "ver", "vers", "version", "バージョン", "対象バージョン", "版"),
        *(
            "obsolete",
            "outdated",
            "stale",
            "deprecated",
            "withdrawn",
            "supersededby",
            "supersedes",
            "replacedby",
            "廃止",
        ),
        *("validuntil", "validfrom", "expires", "expiresat", "expired", "apis", "apiname", "lib", "library"),
    }
)
"""Keys, without `_` and `-`, that seem to say which versions an answer holds for, or that it no longer does."""

_MOST = 20


def misfits_of(value: Any) -> tuple[Misfit, ...]:
    """What keeps a record from being an answer; () where it is one."""
    if not isinstance(value, dict):
        return (
            ("answer-misfit", "Expected a JSON object with `id`, `question` and `answer`, found something else."),
        )
    found = [*_misspelt(value), *_misfits_of_form(value)]
    return tuple(dict.fromkeys(found or _misfits_of_meaning(value)))


def unknown_keys(value: dict[str, Any]) -> tuple[str, ...]:
    """Keys that an answer does not have."""
    return tuple(key for key in value if key not in FIELDS)


def versions_of(value: dict[str, Any]) -> tuple[str, ...]:
    """The versions that a sound record names, each once; () where it names none."""
    said = value.get("versions", [])
    return tuple(dict.fromkeys([said] if isinstance(said, str) else said))


def _misspelt(value: dict[str, Any]) -> Iterator[Misfit]:
    """Keys that nobody would read, though they seem to say what somebody relies on."""
    for key in unknown_keys(value):
        plain = key.casefold().replace("_", "").replace("-", "").replace(" ", "")
        near = get_close_matches(plain, FIELDS, n=1, cutoff=0.82)
        if near:
            yield (
                "unknown-key",
                f"A key here is spelt otherwise than `{near[0]}` and would not be read; write `{near[0]}`.",
            )
        elif plain in _SAY_ANOTHER_THING:
            message = (
                "A key here seems to say which versions the answer holds for, or that it no longer does, and would "
                "not be read; write `api` or `component`, `versions` and `superseded`."
            )
            yield "unknown-key", message


@cache
def _validator() -> Any:
    return jsonschema_rs.validator_for(load("answer"))


def _misfits_of_form(value: dict[str, Any]) -> Iterator[Misfit]:
    described = load("answer")["properties"]
    for error in islice(_validator().iter_errors(value), _MOST):
        steps = error.instance_path
        if steps:
            field = str(steps[0])
            yield _rule_of(field, error), f"Expected `{field}` to be {described[field]['description']}."
        elif error.kind.name == "required" and error.kind.property != "versions":
            field = error.kind.property
            yield "answer-misfit", f"This answer has no `{field}`; add it: {described[field]['description']}."
    if "api" in value and "component" in value:
        yield (
            "answer-misfit",
            "This answer names both an `api` and a `component`; it is about one of them: keep that.",
        )
    elif "versions" not in value and ("component" in value or value.get("api", EVERY_API) != EVERY_API):
        message = "This answer says what it is about and not which `versions` it holds for; name them, or write ALL."
        yield "answer-misfit", message


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
