"""The JSON Schemas that the OpenAPI Initiative publishes, as openapi-spec-validator ships them, compiled once."""

import importlib.util
import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs

from hanpon.contracts.definitions import Dialect
from hanpon.contracts.errors import UsageError
from hanpon.sources.definitions.dialects import OWN_DIALECTS, SCHEMA_DIALECT
from hanpon.sources.definitions.positions import Kind
from hanpon.sources.definitions.references import walk_pointer

_CAPITALS = {"media-type": "MediaType", "path-item": "PathItem", "request-body": "RequestBody"}


@cache
def official_schema(dialect: Dialect) -> dict[str, Any]:
    """The schema of a whole definition. Raises UsageError where openapi-spec-validator does not ship it."""
    # importing the package itself takes a second
    found = importlib.util.find_spec("openapi_spec_validator")
    for folder in (found.submodule_search_locations or []) if found else []:
        file = Path(folder) / "resources" / "schemas" / f"v{dialect}" / "schema.json"
        if file.is_file():
            return _corrected(json.loads(file.read_text(encoding="utf-8")), dialect)
    raise UsageError(f"The schema of OpenAPI {dialect} is not there; install openapi-spec-validator 0.9 anew.")


def _corrected(schema: dict[str, Any], dialect: Dialect) -> dict[str, Any]:
    """Without the slips of the pen that refuse what the specification allows."""
    parts = schema.get("$defs", {})
    if dialect == "3.1":
        # a link's `server` is called `body` there; OpenAPI 3.1.1, section 4.8.20, and the schema of 3.2 agree
        properties = parts["link"]["properties"]
        properties.setdefault("server", properties.get("body", True))
        # beside a path item's `$ref` its other keys may stand (3.1.1, section 4.8.9); in 3.2 the schema says so too
        parts["path-item"]["properties"].setdefault("$ref", {"type": "string", "format": "uri-reference"})
        parts["path-item-or-reference"] = {"$ref": "#/$defs/path-item"}
    if dialect in {"3.1", "3.2"}:
        # a callback may have extensions (3.1.1, section 4.8.18), and they are no path items
        parts["callbacks"].setdefault("patternProperties", {"^x-": True})
    return schema


@cache
def validator(
    dialect: Dialect, kind: Kind = "document", *, own_dialect: bool = False, formats: bool = False
) -> "jsonschema_rs.Validator":
    """A compiled validator of a kind of object.

    Since 3.1 a schema is checked as JSON Schema 2020-12 too, which the official schema leaves open, unless it or
    (`own_dialect`) the definition names another dialect. `formats` checks URIs and the like as the draft has it,
    which openapi-spec-validator does. Nothing is fetched.
    """
    schema = official_schema(dialect)
    if dialect in {"3.1", "3.2"} and not own_dialect:
        named = {"required": ["$schema"], "properties": {"$schema": {"not": {"pattern": OWN_DIALECTS}}}}
        described = {**schema["$defs"]["schema"], "if": {"not": named}, "then": {"$ref": SCHEMA_DIALECT}}
        schema = {**schema, "$defs": {**schema["$defs"], "schema": described}}
    if kind != "document":
        schema = _part(schema, dialect, kind)
    return jsonschema_rs.validator_for(schema, validate_formats=None if formats else False, offline=True)


def _part(schema: dict[str, Any], dialect: Dialect, kind: Kind) -> dict[str, Any]:
    holder = "definitions" if dialect in {"2.0", "3.0"} else "$defs"
    head: dict[str, Any] = {key: schema[key] for key in ("$schema", "$id") if key in schema}
    return {**head, holder: schema[holder], "allOf": [{"$ref": f"#/{holder}/{_name(dialect, kind)}"}]}


def _name(dialect: Dialect, kind: Kind) -> str:
    if dialect == "3.0":
        return _CAPITALS.get(kind, kind.title().replace("-", ""))
    if dialect == "2.0":
        return {"path-item": "pathItem"}.get(kind, kind)
    return {"callback": "callbacks"}.get(kind, kind)


@cache
def known_keys(dialect: Dialect, schema_path: tuple[str | int, ...]) -> frozenset[str]:
    """The keys that the official schema names for what stands at a place in it; empty where it is no such place."""
    root = official_schema(dialect)
    here: Any = root
    for step in schema_path:
        try:
            here = here[step]
        except (KeyError, IndexError, TypeError):
            return frozenset()
    return frozenset(_keys(here, root))


def _keys(schema: Any, root: dict[str, Any]) -> set[str]:
    """Also of what is applied to the same value."""
    if not isinstance(schema, dict):
        return set()
    keys = set(schema.get("properties", ()))
    parts: list[Any] = [schema.get(keyword) for keyword in ("if", "then", "else")]
    parts += [part for keyword in ("allOf", "anyOf", "oneOf") for part in schema.get(keyword, ())]
    parts += list(schema.get("dependentSchemas", {}).values())
    reference = schema.get("$ref", "")
    if reference.startswith("#/"):
        parts.append(walk_pointer(root, reference[1:])[1])
    for part in parts:
        keys |= _keys(part, root)
    return keys
