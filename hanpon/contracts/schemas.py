"""Effective schemas: one model for OpenAPI 2.0, 3.0, 3.1 and 3.2, after references and `allOf` were merged.

Schemas form a graph that may have cycles, so a schema names its neighbours by key and `ApiSource.schemas` holds
them all. Texts are Markdown as written; values are JSON texts or words (`contracts.schemas.literal`).
"""

import json
from dataclasses import dataclass
from typing import Any, Literal

from hanpon.contracts.findings import Place
from hanpon.contracts.frozen import checked_frozen

Step = Literal["property", "pattern", "rest", "item", "position"]
"""How a child lies below its parent: a named property, any property that matches a pattern, every other
property, each element of an array, the element at one position."""

Role = Literal[
    "oneOf",
    "anyOf",
    "subtype",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "dependentSchemas",
    "contentSchema",
]
"""What a schema that applies to the same value does there (JSON Schema 2020-12 §10); `subtype` is a schema that a
discriminator leads to without `oneOf` (OpenAPI 3.0.3 §4.7.25)."""


@checked_frozen()
class Child:
    """A schema one step below; `name` is the property's name, the pattern, or the position."""

    step: Step
    name: str
    key: str
    required: bool = False


@checked_frozen()
class Facet:
    """A schema that applies to the same value: one of `count` alternatives, what must not match, a condition.

    `values` are the discriminator values that select it.
    """

    role: Role
    key: str
    label: str = ""
    values: tuple[str, ...] = ()
    index: int = 1
    count: int = 1


@dataclass(frozen=True, slots=True)
class Discriminator:
    """Which property tells the alternatives apart, and value by value which schema it leads to (by name)."""

    property: str
    mapping: tuple[tuple[str, str], ...] = ()
    otherwise: str = ""
    """The schema for a property that is absent or has another value (`defaultMapping` of OpenAPI 3.2)."""


@dataclass(frozen=True, slots=True)
class Presence:
    """Alternatives that only say which properties must be there: at least one (`anyOf`) or exactly one (`oneOf`)."""

    role: Literal["oneOf", "anyOf", "not"]
    groups: tuple[tuple[str, ...], ...]


@checked_frozen(kw_only=True)
class Schema:
    """What a value must look like and what is said of it.

    `key` is the canonical place (`file#/pointer`), or several joined by ` & ` where members were merged: equal
    keys in one source are equal schemas. `definition` is the key by which a schema that is met again on the way
    down counts as the same one. `types` are without "null"; () is any. `constraints` are (keyword, value) in the
    order of the keywords in `sources`. `open` is False where no other property (or element) is allowed.
    """

    key: str
    definition: str
    name: str = ""
    title: str = ""
    description: str = ""
    types: tuple[str, ...] = ()
    nullable: bool = False
    format: str = ""
    constraints: tuple[tuple[str, str], ...] = ()
    enum: tuple[tuple[str, str], ...] = ()
    """Allowed values in words, each with what is said of it."""
    const: str | None = None
    default: str | None = None
    examples: tuple[str, ...] = ()
    read_only: bool = False
    write_only: bool = False
    deprecated: bool = False
    open: bool = True
    never: bool = False
    """The schema `false`: no value is allowed."""
    children: tuple[Child, ...] = ()
    required: tuple[str, ...] = ()
    """Required names that no child describes."""
    facets: tuple[Facet, ...] = ()
    discriminator: Discriminator | None = None
    presences: tuple[Presence, ...] = ()
    dependent: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Property, and the properties that must be there where it is (`dependentRequired`)."""
    link: tuple[str, str] = ("", "")
    """External documentation: address and text."""
    unresolved: tuple[str, ...] = ()
    """References that led nowhere, as written."""
    place: Place

    @property
    def choices(self) -> tuple[tuple[Facet, ...], ...]:
        """The alternatives of each `oneOf` and `anyOf`: a schema that was merged may have several, and all hold."""
        found: list[list[Facet]] = []
        for facet in self.facets:
            if facet.role in ("oneOf", "anyOf"):
                if facet.index == 1:
                    found.append([])
                found[-1].append(facet)
        return tuple(map(tuple, found))


def json_text(value: Any) -> str:
    """A JSON value on one line."""
    return _one_line(value)


_one_line = json.JSONEncoder(ensure_ascii=False, default=str).encode


def literal(value: Any) -> str:
    """A JSON value in words: text stands bare unless it would read as something else (`""`, `"1"`, `"null"`)."""
    if not isinstance(value, str):
        return json_text(value)
    return json_text(value) if _reads_as_another_value(value) else value


def _reads_as_another_value(text: str) -> bool:
    if not text or text != text.strip() or text[0] in '"[{' or "\n" in text:
        return True
    if text in {"true", "false", "null"}:
        return True
    if text[0] not in "-0123456789":
        return False
    try:
        float(text)
    except ValueError:
        return False
    return True
