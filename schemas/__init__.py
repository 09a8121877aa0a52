"""The JSON Schemas (2020-12) of every record that hanpon reads or writes, hand-written; no I/O beyond its own files.

A schema's `$id` is `urn:hanpon:schema:` and its name. Schemas refer to one another by `$id`, so whoever checks a
record registers `by_id()`; `bundle` refers to no other, so that an editor can be pointed at its file.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

_SUFFIX = ".schema.json"


@cache
def names() -> tuple[str, ...]:
    """The name of every schema, sorted."""
    return tuple(sorted(entry.name.removesuffix(_SUFFIX) for entry in _folder().iterdir() if _is_schema(entry.name)))


@cache
def load(name: str) -> dict[str, Any]:
    """The schema `NAME.schema.json`. The same object at every call: not to be changed. Raises KeyError."""
    if name not in names():
        raise KeyError(name)
    schema: dict[str, Any] = json.loads(_folder().joinpath(name + _SUFFIX).read_text("utf-8"))
    return schema


def by_id() -> dict[str, dict[str, Any]]:
    """Every schema by its `$id`."""
    return {load(name)["$id"]: load(name) for name in names()}


def _folder() -> Any:
    return files(__name__)


def _is_schema(name: str) -> bool:
    return name.endswith(_SUFFIX)
