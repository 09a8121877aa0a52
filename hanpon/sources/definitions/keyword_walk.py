"""A walk over the mappings of a file in which keys are keywords, without knowing what kind of object each is."""

from collections.abc import Container, Iterator
from typing import Any

from hanpon.contracts.pointers import escaped

Chain = tuple["Chain | None", str | int] | None
"""A path as a chain of (path of the container, key): walking shares it, and few are ever written out."""

_LITERALS = frozenset({"example", "default", "enum", "const", "dataValue"})

NAME_MAPS = frozenset(
    {
        "properties",
        "patternProperties",
        "dependentSchemas",
        "$defs",
        "definitions",
        "schemas",
        "responses",
        "parameters",
        "examples",
        "requestBodies",
        "headers",
        "securitySchemes",
        "securityDefinitions",
        "links",
        "callbacks",
        "pathItems",
        "mediaTypes",
        "paths",
        "webhooks",
        "content",
        "encoding",
        "variables",
        "additionalOperations",
    }
)
"""Keywords whose mapping has names for keys: a property called `default` or `$ref` is a property."""


def is_literal(key: str, value: Any) -> bool:
    """True for data under a keyword (`example`, `enum`, an extension): nothing in it is a reference or keyword."""
    return key in _LITERALS or key.startswith("x-") or (key == "examples" and isinstance(value, list))


def mappings_of(root: Any, known: Container[int] = ()) -> Iterator[tuple[dict[str, Any], Chain]]:
    """Every mapping whose keys are keywords, as far as that can be told from the keywords above it.

    Mappings whose `id` is among the known are left out, with all that stands in them.
    """
    waiting: list[tuple[Any, Chain, bool]] = [(root, None, False)]
    while waiting:
        value, chain, names = waiting.pop()
        if isinstance(value, list):
            waiting.extend((member, (chain, index), False) for index, member in enumerate(value) if _holds(member))
            continue
        if not isinstance(value, dict) or id(value) in known:
            continue
        if not names:
            yield value, chain
        for key, member in value.items():
            if _holds(member) and (names or not is_literal(key, member)):
                waiting.append((member, (chain, key), not names and key in NAME_MAPS))


def pointer_of_chain(chain: Chain) -> str:
    """The JSON Pointer of a path."""
    pointer = ""
    while chain is not None:
        chain, step = chain
        pointer = f"/{escaped(step)}{pointer}"
    return pointer


def _holds(value: Any) -> bool:
    return isinstance(value, (dict, list))
