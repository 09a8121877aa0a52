"""What hanpon.yaml may hold at a place, in the words of its schema."""

from collections.abc import Sequence
from typing import Any

from schemas import load

Steps = Sequence[str | int]
"""The keys and indexes that lead to a value."""

KINDS: tuple[str, ...] = tuple(load("bundle")["$defs"]["item"]["properties"]["kind"]["enum"])


def known_keys(steps: Steps, raw: Any) -> list[str]:
    """The keys that the mapping at a place may have."""
    return sorted(_resolved(_schema_at(steps, raw))["properties"])


def keys_of_kind(kind: str) -> frozenset[str]:
    """The keys that an item may have; those of every kind where there is no such kind."""
    definitions = load("bundle")["$defs"]
    return frozenset(key for each in KINDS if kind in {each, ""} for key in definitions[each]["properties"])


def kind_of(item: Any) -> str:
    """The kind of a raw item, "" where it has none that is known."""
    kind = item.get("kind") if isinstance(item, dict) else None
    return kind if isinstance(kind, str) and kind in KINDS else ""


def expectation(steps: Steps, raw: Any) -> str:
    """What may stand at a place, to be put after "expected" or "add"."""
    schema = _schema_at(steps, raw)
    while "description" not in schema:
        schema = _target(schema)
    return str(schema["description"])


def value_at(raw: Any, steps: Steps) -> Any:
    """The value at a place that exists."""
    for step in steps:
        raw = raw[step]
    return raw


def _schema_at(steps: Steps, raw: Any) -> dict[str, Any]:
    """The schema of a place; where it is a reference with words of its own, the reference."""
    schema = load("bundle")
    for index, step in enumerate(steps):
        schema = _resolved(schema)
        if isinstance(step, int):
            schema = schema["items"]
        elif step not in schema["properties"]:
            schema = load("bundle")["$defs"][kind_of(value_at(raw, steps[:index]))]["properties"][step]
        else:
            schema = schema["properties"][step]
    kind = kind_of(value_at(raw, steps)) if len(steps) == 2 and steps[0] == "items" else ""
    return load("bundle")["$defs"][kind] if kind else schema


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = _target(schema)
    return schema


def _target(schema: dict[str, Any]) -> dict[str, Any]:
    target: dict[str, Any] = load("bundle")["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    return target
