"""Which kind of object stands where in a definition, and which of its positions may hold references.

One table for 3.0 to 3.2 (OpenAPI 3.2.0, sections 4.1 to 4.27; later versions only add), one for 2.0.
"""

from dataclasses import dataclass
from typing import Literal

from hanpon.contracts.definitions import Dialect

Kind = Literal[
    "document",
    "components",
    "path-item",
    "operation",
    "parameter",
    "request-body",
    "response",
    "media-type",
    "encoding",
    "schema",
    "header",
    "example",
    "link",
    "callback",
    "security-scheme",
]

Shape = Literal["one", "list", "names", "names-or-extensions"]
"""How a key holds objects of a kind: as one (where an array may stand, of each), as a list, or as a mapping whose
keys are names; under `paths` and `responses`, names that begin with `x-` are extensions."""


@dataclass(frozen=True, slots=True)
class Slot:
    """What stands under a key."""

    shape: Shape
    kind: Kind


Grammar = dict[Kind, dict[str, Slot]]

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
"""Keys of a path item that are operations (`query` since 3.2, where it is known)."""


def _slots(**kinds: tuple[Shape, Kind]) -> dict[str, Slot]:
    return {key: Slot(*slot) for key, slot in kinds.items()}


_ONE_SCHEMA: tuple[Shape, Kind] = ("one", "schema")
_SCHEMA_LIST: tuple[Shape, Kind] = ("list", "schema")
_SCHEMA_NAMES: tuple[Shape, Kind] = ("names", "schema")

_SCHEMA: dict[str, Slot] = {
    "properties": Slot(*_SCHEMA_NAMES),
    "patternProperties": Slot(*_SCHEMA_NAMES),
    "dependentSchemas": Slot(*_SCHEMA_NAMES),
    "$defs": Slot(*_SCHEMA_NAMES),
    "definitions": Slot(*_SCHEMA_NAMES),
    "allOf": Slot(*_SCHEMA_LIST),
    "anyOf": Slot(*_SCHEMA_LIST),
    "oneOf": Slot(*_SCHEMA_LIST),
    "prefixItems": Slot(*_SCHEMA_LIST),
    **{
        key: Slot(*_ONE_SCHEMA)
        for key in (
            "additionalProperties",
            "items",
            "additionalItems",
            "not",
            "if",
            "then",
            "else",
            "contains",
            "propertyNames",
            "unevaluatedItems",
            "unevaluatedProperties",
            "contentSchema",
        )
    },
}

_CARRIER = _slots(schema=_ONE_SCHEMA, content=("names", "media-type"), examples=("names", "example"))

_OPENAPI: Grammar = {
    "document": _slots(
        paths=("names-or-extensions", "path-item"), webhooks=("names", "path-item"), components=("one", "components")
    ),
    "components": _slots(
        schemas=_SCHEMA_NAMES,
        responses=("names", "response"),
        parameters=("names", "parameter"),
        examples=("names", "example"),
        requestBodies=("names", "request-body"),
        headers=("names", "header"),
        securitySchemes=("names", "security-scheme"),
        links=("names", "link"),
        callbacks=("names", "callback"),
        pathItems=("names", "path-item"),
        mediaTypes=("names", "media-type"),
    ),
    "path-item": {
        **{method: Slot("one", "operation") for method in METHODS},
        "additionalOperations": Slot("names", "operation"),
        "parameters": Slot("list", "parameter"),
    },
    "operation": _slots(
        parameters=("list", "parameter"),
        requestBody=("one", "request-body"),
        responses=("names-or-extensions", "response"),
        callbacks=("names", "callback"),
    ),
    "parameter": _CARRIER,
    "header": _CARRIER,
    "request-body": _slots(content=("names", "media-type")),
    "response": _slots(headers=("names", "header"), content=("names", "media-type"), links=("names", "link")),
    "media-type": _slots(
        schema=_ONE_SCHEMA,
        itemSchema=_ONE_SCHEMA,
        examples=("names", "example"),
        encoding=("names", "encoding"),
        prefixEncoding=("list", "encoding"),
        itemEncoding=("one", "encoding"),
    ),
    "encoding": _slots(
        headers=("names", "header"),
        encoding=("names", "encoding"),
        prefixEncoding=("list", "encoding"),
        itemEncoding=("one", "encoding"),
    ),
    "schema": _SCHEMA,
    "callback": {},  # every key is an expression: see `slot`
    "example": {},
    "link": {},
    "security-scheme": {},
}

_SWAGGER: Grammar = {
    "document": _slots(
        paths=("names-or-extensions", "path-item"),
        definitions=_SCHEMA_NAMES,
        parameters=("names", "parameter"),
        responses=("names", "response"),
    ),
    "path-item": {
        **{method: Slot("one", "operation") for method in METHODS[:7]},
        "parameters": Slot("list", "parameter"),
    },
    "operation": _slots(parameters=("list", "parameter"), responses=("names-or-extensions", "response")),
    "parameter": _slots(schema=_ONE_SCHEMA),
    "response": _slots(schema=_ONE_SCHEMA, headers=("names", "header")),
    "header": {},
    "schema": _SCHEMA,
}

_PATH_ITEM = Slot("one", "path-item")


def grammar_of(dialect: Dialect) -> Grammar:
    """The slots of each kind of object in a dialect."""
    return _SWAGGER if dialect == "2.0" else _OPENAPI


def slot(grammar: Grammar, kind: Kind, key: str) -> Slot | None:
    """What stands under a key of an object of this kind; None where no reference can stand below it."""
    if kind == "callback":
        return None if key.startswith("x-") else _PATH_ITEM
    return grammar[kind].get(key)


def kind_at(grammar: Grammar, steps: list[str]) -> Kind | None:
    """The kind of object at a path from a definition's root; None where the grammar knows none."""
    kind: Kind = "document"
    held: Slot | None = None
    for step in steps:
        if held is not None:
            if held.shape == "names-or-extensions" and step.startswith("x-"):
                return None
            kind, held = held.kind, None
            continue
        found = slot(grammar, kind, step)
        if found is None:
            return None
        if found.shape == "one":
            kind = found.kind
        else:
            held = found
    return None if held is not None else kind
