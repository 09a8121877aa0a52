"""The schema of a data store: which keywords are allowed, what a new one may change, which fields it names."""

import re
from collections.abc import Iterator
from typing import Any

from tests.cloud.discovery_engine.conduct import Conduct
from tests.cloud.discovery_engine.messages import Json
from tests.cloud.discovery_engine.refusals import invalid

TYPES = {"string", "number", "integer", "boolean", "object", "array", "datetime", "geolocation"}
KEY_PROPERTIES = {"title", "description", "uri", "category"}
MARKS = {"indexable", "searchable", "retrievable", "dynamicFacetable", "completable"}

_ROOT = {"$schema", "type", "properties", "dynamic", "datetime_detection", "geolocation_detection"}
_PROPERTY = {"type", "properties", "items", "keyPropertyMapping"} | MARKS
_FIELD = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_-]*")
_MOST = {"indexable": 50, "searchable": 50}

EMPTY: Json = {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {}}
"""The schema of a store that was made without one."""


def checked(schema: Json, conduct: Conduct) -> Json:
    """The schema itself. Raises Refused for unknown keywords, marks that do not fit and too many marked fields."""
    _known(schema, _ROOT, "the schema")
    if schema.get("type") != "object":
        raise invalid("Schema: the root must be of type object.")
    if schema.get("dynamic", "true") not in {"true", "false"}:
        raise invalid('Schema: "dynamic" must be the string "true" or "false".')
    for keyword in ("datetime_detection", "geolocation_detection"):
        if not isinstance(schema.get(keyword, True), bool):
            raise invalid(f'Schema: "{keyword}" must be a boolean.')
    for path, field in _raw_fields(schema):
        _check_field(path, field)
    for mark, most in {**_MOST, "retrievable": conduct.retrievable_limit}.items():
        marked = [path for path, field in leaves(schema).items() if has(field, mark)]
        if len(marked) > most:
            raise invalid(f"Schema: {len(marked)} fields are {mark}, at most {most} may be.")
    return schema


def check_change(old: Json, new: Json) -> None:
    """Raises Refused where a field is gone or has another type."""
    before, after = dict(_raw_fields(old)), dict(_raw_fields(new))
    gone = sorted(before.keys() - after.keys())
    if gone:
        raise invalid(f"Schema update doesn't support removing fields: {', '.join(gone)}.")
    for path, field in before.items():
        if field.get("type") != after[path].get("type"):
            raise invalid(f'Schema update is not backward compatible: the type of "{path}" changes.')


def leaves(schema: Json) -> dict[str, Json]:
    """The fields that hold values, by dotted path; of an array its items, whose marks and type count."""
    return {path: field for path, field in _fields(schema, "") if field.get("type") != "object"}


def has(field: Json, mark: str) -> bool:
    """Whether a field has a mark, be it for its place as title, description, URI or category."""
    return bool(field.get(mark)) or (mark in {"indexable", "searchable"} and "keyPropertyMapping" in field)


def indexable(schema: Json) -> dict[str, str]:
    """The types of the fields that filters may name, by path."""
    return {path: str(field["type"]) for path, field in leaves(schema).items() if has(field, "indexable")}


def key_field(schema: Json, key: str) -> str | None:
    """The path of the field that is the title, or another key property."""
    return next((path for path, field in leaves(schema).items() if field.get("keyPropertyMapping") == key), None)


def _raw_fields(schema: Json, start: str = "") -> Iterator[tuple[str, Json]]:
    """Every field by path; `[]` behind that of an array stands for its items."""
    for name, field in schema.get("properties", {}).items():
        if not isinstance(field, dict):
            raise invalid(f'Schema: "{start}{name}" must be an object.')
        yield f"{start}{name}", field
        if isinstance(field.get("items"), dict):
            yield f"{start}{name}[]", field["items"]
            yield from _raw_fields(field["items"], f"{start}{name}[].")
        yield from _raw_fields(field, f"{start}{name}.")


def _fields(schema: Json, start: str) -> Iterator[tuple[str, Json]]:
    for name, declared in schema.get("properties", {}).items():
        field = declared.get("items", {}) if declared.get("type") == "array" else declared
        yield f"{start}{name}", field
        yield from _fields(field, f"{start}{name}.")


def _check_field(path: str, field: Json) -> None:
    _known(field, _PROPERTY, f'"{path}"')
    kind = field.get("type")
    if kind not in TYPES:
        raise invalid(f'Schema: "{path}" has the unknown type {kind!r}.')
    if not _FIELD.fullmatch(path.rsplit(".", 1)[-1].removesuffix("[]")):
        raise invalid(f'Schema: "{path}" is not a name of a field.')
    if (kind == "array") != ("items" in field):
        raise invalid(f'Schema: "{path}": an array, and nothing else, must have "items".')
    _check_marks(path, field)


def _check_marks(path: str, field: Json) -> None:
    kind = field["type"]
    for mark in MARKS & field.keys():
        if not isinstance(field[mark], bool):
            raise invalid(f'Schema: "{mark}" of "{path}" must be a boolean.')
    if kind in {"object", "array"} and any(field.get(mark) for mark in MARKS):
        raise invalid(f'Schema: "{path}" is of type {kind}, which takes no marks.')
    if field.get("searchable") and kind != "string":
        raise invalid(f'Schema: "{path}" is searchable, but only strings can be.')
    if field.get("dynamicFacetable") and not has(field, "indexable"):
        raise invalid(f'Schema: "{path}" is dynamicFacetable, so it must be indexable.')
    if "keyPropertyMapping" in field and (field["keyPropertyMapping"] not in KEY_PROPERTIES or kind != "string"):
        raise invalid(f'Schema: "{path}" has a keyPropertyMapping that is unknown, or is no string.')


def _known(value: Json, keywords: set[str], where: str) -> None:
    unknown: list[Any] = sorted(value.keys() - keywords)
    if unknown:
        raise invalid(f"Schema: unknown keyword {unknown[0]!r} in {where}.")
