"""What schemas that hold together say of one value: bounds, types, allowed values, annotations."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from hanpon.contracts.definitions import Node
from hanpon.contracts.schemas import literal
from hanpon.contracts.texts import clean
from hanpon.sources.openapi.fields import Reader

LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains")
UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains")
TEXTS = ("pattern", "contentEncoding", "contentMediaType", "collectionFormat")
CONSTRAINTS = (
    "multipleOf",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
    "contentEncoding",
    "contentMediaType",
    "collectionFormat",
)
_SHARPENED = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
_CONSTRAINT_SET = frozenset(CONSTRAINTS)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def constraints_of(members: Sequence[Node], reader: Reader) -> tuple[tuple[str, str], ...]:
    """All constraints of schemas that hold together: of bounds the tightest, of patterns every one."""
    found: dict[str, list[Any]] = {}
    for member in members:
        if _CONSTRAINT_SET.isdisjoint(member.value):
            continue
        for keyword, value in _stated(member, reader):
            found.setdefault(keyword, []).append(value)
    if not found:
        return ()
    return tuple(
        (keyword, literal(value))
        for keyword in CONSTRAINTS
        if keyword in found
        for value in _tightest(keyword, found[keyword])
    )


def _stated(member: Node, reader: Reader) -> Iterable[tuple[str, Any]]:
    for keyword in CONSTRAINTS:
        if keyword not in member.value:
            continue
        value = member.value[keyword]
        if keyword == "uniqueItems":
            if value is True and _is_of_arrays(member.value.get("type")):
                yield keyword, True
        elif keyword in TEXTS:
            if isinstance(value, str):
                yield keyword, clean(value)
            else:
                reader.odd(member.child(keyword), "text")
        else:
            yield from _bound(member, keyword, reader)


def _is_of_arrays(kind: Any) -> bool:
    """Kubernetes says `uniqueItems` of texts, where it means nothing (JSON Schema 2020-12 validation §6.4.3)."""
    return not isinstance(kind, (str, list)) or "array" in kind


def _bound(member: Node, keyword: str, reader: Reader) -> Iterable[tuple[str, Any]]:
    """A bound; in 2.0 and 3.0 (JSON Schema draft 4) `exclusiveMinimum: true` sharpens the `minimum` beside it."""
    schema = member.value
    value = schema[keyword]
    if isinstance(value, bool) and keyword in _SHARPENED:
        bound = schema.get(_SHARPENED[keyword])
        if value and is_number(bound):
            yield keyword, bound
    elif not is_number(value):
        reader.odd(member.child(keyword), "a number")
    elif not any(schema.get(sharper) is True for sharper, blunt in _SHARPENED.items() if blunt == keyword):
        yield keyword, value


def _tightest(keyword: str, values: list[Any]) -> list[Any]:
    if keyword in LOWER:
        return [max(values)]
    if keyword in UPPER:
        return [min(values)]
    return list(dict.fromkeys(values))


def types_of(members: Sequence[Node], reader: Reader) -> tuple[tuple[str, ...], bool | None]:
    """The types that all members allow, without "null", and whether they allow null (None: nothing is said).

    Where members contradict each other the first one is believed, and a finding says so.
    """
    if len(members) == 1 and isinstance(kind := members[0].value.get("type"), str):
        return (clean(kind),), kind == "null"
    stated = [(member, types) for member in members if (types := _types(member, reader))]
    if not stated:
        return (), None
    allowed = list(stated[0][1])
    for member, types in stated[1:]:
        both = [kind for kind in allowed if kind in types or (kind == "integer" and "number" in types)]
        both += [kind for kind in types if kind == "integer" and "number" in allowed and kind not in both]
        if any(kind != "null" for kind in both):
            allowed = both
        elif not set(allowed) & set(types):
            reader.odd(member.child("type"), "a type that agrees with what the schema is merged with")
    kinds = tuple(kind for kind in allowed if kind != "null")
    return kinds or ("null",), "null" in allowed


def _types(member: Node, reader: Reader) -> list[str]:
    stated = member.value.get("type")
    if isinstance(stated, str):
        return [clean(stated)]
    if stated is None:
        return []
    return list(dict.fromkeys(reader.texts(member, "type")))


def type_of_values(values: Iterable[Any]) -> tuple[str, ...]:
    """The types of given values, each once, without null."""
    names = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return tuple(dict.fromkeys(names[type(value)] for value in values if type(value) in names))


def allowed_values(members: Sequence[Node], reader: Reader) -> list[tuple[Any, str]] | None:
    """Values that every `enum` allows, each with its text (`x-enumDescriptions`); None without `enum`."""
    allowed: list[tuple[Any, str]] | None = None
    for member in members:
        if "enum" not in member.value:
            continue
        values = member.value["enum"]
        if not isinstance(values, list):
            reader.odd(member.child("enum"), "a list")
            continue
        described = [(value, _text_of_value(member, index, value)) for index, value in enumerate(values)]
        if allowed is None:
            allowed = described
        else:
            known = {_as_json(value) for value in values}
            allowed = [pair for pair in allowed if _as_json(pair[0]) in known]
    return allowed


def with_texts(
    allowed: Sequence[tuple[Any, str]] | None, constants: Sequence[tuple[Any, str]]
) -> Sequence[tuple[Any, str]] | None:
    """Values that `enum` and a choice between constants allow, with the texts of both."""
    if allowed is None or not constants:
        return constants or allowed
    texts = {_as_json(value): text for value, text in constants}
    return [
        (value, said or texts.get(_as_json(value), ""))
        for value, said in allowed
        if value is None or _as_json(value) in texts
    ]


def _text_of_value(member: Node, index: int, value: Any) -> str:
    for keyword in ("x-enumDescriptions", "x-enum-descriptions"):
        texts = member.value.get(keyword)
        if isinstance(texts, dict) and isinstance(text := texts.get(str(value)), str):
            return clean(text)
        if isinstance(texts, list) and index < len(texts) and isinstance(texts[index], str):
            return clean(texts[index])
    return ""


def _as_json(value: Any) -> tuple[str, Any]:
    """Equal where two values are equal as JSON: `1` is `1.0`, and neither is `true`."""
    if isinstance(value, (dict, list)):
        return "structure", json.dumps(value, sort_keys=True, default=str)
    return "truth" if isinstance(value, bool) else "", value


def first_text(members: Sequence[Node], keyword: str) -> str:
    """The first member's text wins: members are in order of closeness."""
    for member in members:
        value = member.value.get(keyword)
        if isinstance(value, str) and value:
            return clean(value)
    return ""


def joined_texts(own: Sequence[Node], others: Sequence[Node], keyword: str) -> str:
    """The schema's own text, else the texts of everything it is merged from, one paragraph each."""
    if text := first_text(own, keyword):
        return text
    texts = (clean(node.value[keyword]) for node in others if isinstance(node.value.get(keyword), str))
    return "\n\n".join(dict.fromkeys(text for text in texts if text))


def examples_of(members: Sequence[Node], reader: Reader) -> tuple[str, ...]:
    """`examples`, and `example` before 3.1's list; falsy values are values."""
    found: list[str] = []
    for member in members:
        schema = member.value
        found.extend(literal(schema[keyword]) for keyword in ("example", "x-example") if keyword in schema)
        if "examples" in schema:
            if isinstance(schema["examples"], list):
                found.extend(literal(value) for value in schema["examples"])
            else:
                reader.odd(member.child("examples"), "a list")
        if found:
            break
    return tuple(clean(text) for text in dict.fromkeys(found))


def first_value(members: Sequence[Node], keyword: str) -> str | None:
    """The first value of a keyword in words; None where no member has it (null is a value)."""
    for member in members:
        if keyword in member.value:
            return clean(literal(member.value[keyword]))
    return None


def any_flag(members: Sequence[Node], keyword: str) -> bool:
    return any(member.value.get(keyword) is True for member in members)
