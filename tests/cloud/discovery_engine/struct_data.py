"""Metadata of documents against the schema: refused, dropped, or taken up as new fields."""

import math
import re
from datetime import datetime
from typing import Any

from tests.cloud.discovery_engine.messages import Json
from tests.cloud.discovery_engine.refusals import invalid

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(T.*)?")


def conforming(data: Json, schema: Json) -> Json:
    """The metadata that the schema keeps. Raises Refused where a value is not of its field's type.

    An unknown field is dropped where `dynamic` is "false"; else it becomes a field of the schema, with the type its
    value looks like and no marks, and can never be changed again.
    """
    if schema.get("dynamic", "true") == "true":
        _learn(data, schema, detects_dates=schema.get("datetime_detection", True))
    return _kept(data, schema, "")


def _kept(data: Json, schema: Json, start: str) -> Json:
    known = schema.get("properties", {})
    return {name: _fitting(value, known[name], f"{start}{name}") for name, value in data.items() if name in known}


def _fitting(value: Any, field: Json, path: str) -> Any:
    kind = field["type"]
    if kind == "array" and isinstance(value, list):
        return [_fitting(item, field["items"], f"{path}[]") for item in value]
    if kind == "object" and isinstance(value, dict):
        return _kept(value, field, f"{path}.")
    if not _fits(value, kind):
        raise invalid(f'The value of field "{path}" does not conform to the schema: expected {kind}.')
    return value


def _fits(value: Any, kind: str) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return {
        "string": isinstance(value, str),
        "number": number,
        "integer": number and math.isfinite(value) and value == int(value),
        "boolean": isinstance(value, bool),
        "datetime": isinstance(value, str) and instant(value) is not None,
        "geolocation": isinstance(value, dict | str),
    }.get(kind, False)


def instant(text: str) -> datetime | None:
    """A moment in ISO 8601, or None."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _learn(data: Json, schema: Json, *, detects_dates: bool) -> None:
    known = schema.setdefault("properties", {})
    for name, value in data.items():
        if name not in known:
            field = _field_like(value, detects_dates=detects_dates)
            if field is not None:
                known[name] = field
        if name in known and isinstance(value, dict) and known[name]["type"] == "object":
            _learn(value, known[name], detects_dates=detects_dates)


def _field_like(value: Any, *, detects_dates: bool) -> Json | None:
    if isinstance(value, bool):
        return {"type": "boolean"}
    if isinstance(value, int | float):
        return {"type": "number"}
    if isinstance(value, dict):
        return {"type": "object", "properties": {}}
    if isinstance(value, list):
        items = _field_like(value[0], detects_dates=detects_dates) if value else None
        return {"type": "array", "items": items} if items else None
    if isinstance(value, str):
        return {"type": "datetime" if detects_dates and _DATE.fullmatch(value) else "string"}
    return None
