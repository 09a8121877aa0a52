"""What a JSON Schema validator says, as one plain sentence a fault, at the deepest place that tells.

No value of the definition is quoted, but for the words that stand where the specification allows only some
(`in: querry`), shortened.
"""

from collections.abc import Callable, Iterator
from typing import Any

from jsonschema_rs import ValidationError

from hanpon.contracts.definitions import Dialect, Node
from hanpon.contracts.findings import Finding, Place
from hanpon.contracts.pointers import pointer_of
from hanpon.sources.definitions.complaint_branches import Fault, telling
from hanpon.sources.definitions.complaint_words import (
    FORMATS,
    alternatives,
    form_wanted,
    kind_of_value,
    object_of,
    types_wanted,
)
from hanpon.sources.definitions.official_schemas import known_keys
from hanpon.sources.definitions.references import is_reference, nearest
from hanpon.sources.texts.text_problems import problem, shown
from hanpon.sources.texts.yaml_scalars import plain_scalar

_DATA = frozenset({"default", "example", "examples", "value", "enum", "const"})

_NAMES_OF_TYPES = {int: "integer", float: "number", bool: "boolean"}

_OLD_BOOLEANS = ("yes", "no", "on", "off", "Yes", "No", "On", "Off", "YES", "NO", "ON", "OFF")

_KEYS_WANTED = {
    "responses": 'a status code such as "200" or "4XX", or `default`,',
    "paths": "a path that begins with `/`",
}

Said = tuple[str, tuple[str | int, ...], str]
"""A rule, steps below the error's own place, and the sentence."""


def complaints(error: ValidationError, node: Node, dialect: Dialect) -> Iterator[Finding]:
    """The sentences for one error of a validator that was given `node`."""
    for fault in telling(Fault.of(error)):
        for rule, steps, message in _SAYINGS.get(fault.keyword, _something)(fault, dialect):
            pointer = node.pointer + pointer_of([*fault.path, *steps])
            yield problem(rule, Place(node.file, pointer), message[:1].upper() + message[1:])


def _definition_name(fault: Fault) -> str:
    return str(fault.schema_path[1]).lower() if len(fault.schema_path) > 1 else ""


def _no_response() -> Said:
    return "required-key-missing", (), "an operation needs at least one response: a status code or `default`."


def _required(fault: Fault, _: Dialect) -> Iterator[Said]:
    name = fault.facts["property"]
    if is_reference(fault.instance):
        return  # that a reference stands here is the fault, and has its own sentence
    if _definition_name(fault) == "responses":
        yield _no_response()
        return
    yield "required-key-missing", (), f"{object_of(fault.schema_path)} needs {shown(name)}, which is missing."


def _type(fault: Fault, _: Dialect) -> Iterator[Said]:
    wanted = fault.facts["types"]
    found = fault.instance
    hint = ""
    if "string" in wanted and isinstance(found, (int, float)):
        hint = "; quote it"
    elif isinstance(found, str) and _NAMES_OF_TYPES.get(type(plain_scalar(found)), "") in wanted:
        hint = "; write it without quotes"
    elif "boolean" in wanted and found in _OLD_BOOLEANS:
        hint = f"; YAML 1.2 reads {shown(found)} as text, so write `true` or `false`"
    elif found is None and "null" not in wanted:
        hint = "; is a value missing, or indented wrongly?"
    words = f"{kind_of_value(found)} stands where {types_wanted(wanted)} is wanted{hint}"
    if is_reference(found):
        words = f"a reference stands where {types_wanted(wanted)} is wanted"
    yield "wrong-type", (), words + ("" if hint.endswith("?") else ".")


def _unknown(fault: Fault, dialect: Dialect) -> Iterator[Said]:
    known = known_keys(dialect, tuple(fault.schema_path[:-1]))
    for key in fault.facts["unexpected"]:
        if key in known:
            continue  # it is known; what stands under it is at fault, and has its own sentence
        if key == "$ref":
            place = object_of(fault.schema_path)
            yield "unknown-key", (key,), f"a reference may not stand in the place of {place}."
        elif _definition_name(fault) in _KEYS_WANTED:
            wanted = _KEYS_WANTED[_definition_name(fault)]
            yield "unknown-key", (key,), f"{shown(key)} stands where {wanted} is wanted."
        else:
            meant = nearest(key, known)
            yield "unknown-key", (key,), f"{object_of(fault.schema_path)} has no key {shown(key)}{meant or '.'}"


def _enum(fault: Fault, _: Dialect) -> Iterator[Said]:
    options = [str(option) for option in fault.facts["options"]]
    yield _not_allowed(fault, options)


def _constant(fault: Fault, _: Dialect) -> Iterator[Said]:
    wanted = fault.facts["expected_value"]
    yield _not_allowed(fault, [str(wanted).lower() if isinstance(wanted, bool) else str(wanted)])


def _not_allowed(fault: Fault, options: list[str]) -> Said:
    found, last = fault.instance, fault.path[-1] if fault.path else ""
    quotable = isinstance(found, str) and last not in _DATA
    what = shown(found) if quotable else kind_of_value(found)
    meant = nearest(found, options) if isinstance(found, str) else ""
    words = alternatives([f"`{option}`" for option in options])
    return "value-not-allowed", (), f"{what} stands where only {words} is allowed{meant or '.'}"


def _pattern(fault: Fault, _: Dialect) -> Iterator[Said]:
    yield "value-not-allowed", (), f"{form_wanted(fault.facts['pattern'])} is wanted here."


def _format(fault: Fault, _: Dialect) -> Iterator[Said]:
    name = fault.facts["format"]
    yield "value-not-allowed", (), f"text in the form of {FORMATS.get(name, name)} is wanted here."


def _names(fault: Fault, _: Dialect) -> Iterator[Said]:
    inner = Fault.of(fault.facts["error"])
    name, rule = inner.instance, inner.facts.get("pattern", "")
    wanted = form_wanted(rule) if rule else "another kind of name"
    yield "name-not-allowed", (str(name),), f"{shown(name)} is no name for this: {wanted} is wanted."


def _not(fault: Fault, _: Dialect) -> Iterator[Said]:
    if not isinstance(fault.instance, dict):
        return  # it is of another type than it should be, and that is told
    schema = fault.facts["schema"]
    keys = schema.get("required") if isinstance(schema, dict) else None
    if keys:
        names = " and ".join(shown(key) for key in keys)
        words = "exclude each other" if len(keys) > 1 else "is not allowed here"
        yield "keys-exclude-each-other", (), f"{names} {words}."
    elif _definition_name(fault) == "responses":
        yield _no_response()
    else:
        yield "value-not-allowed", (), f"{kind_of_value(fault.instance)} of this form is not allowed here."


def _branches(fault: Fault, dialect: Dialect) -> Iterator[Said]:
    """Told only where no branch is nearer than another."""
    needed = [branch[0].facts["property"] for branch in fault.branches if branch[0].keyword == "Required"]
    if needed and len(needed) == len(fault.branches):
        names = alternatives([f"`{name}`" for name in dict.fromkeys(needed)])
        yield "required-key-missing", (), f"{object_of(fault.schema_path)} needs {names}."
    else:
        yield from _something(fault, dialect)


def _several(fault: Fault, _: Dialect) -> Iterator[Said]:
    found = fault.instance
    for one, other in (("schema", "content"), ("operationId", "operationRef")):
        if isinstance(found, dict) and one in found and other in found:
            yield "keys-exclude-each-other", (), f"`{one}` and `{other}` exclude each other."
            return
    yield "value-not-allowed", (), f"{kind_of_value(found)} here fits more than one of the forms allowed."


def _count(words: str) -> Callable[[Fault, Dialect], Iterator[Said]]:
    def said(fault: Fault, _: Dialect) -> Iterator[Said]:
        if fault.keyword == "MinProperties" and _definition_name(fault) == "responses":
            yield _no_response()
            return
        limit = fault.facts.get("limit", "")
        yield "value-not-allowed", (), words.format(what=kind_of_value(fault.instance), limit=limit)

    return said


def _something(fault: Fault, _: Dialect) -> Iterator[Said]:
    found, wanted = kind_of_value(fault.instance), object_of(fault.schema_path)
    yield "value-not-allowed", (), f"{found} here does not have the form of {wanted}."


_SAYINGS: dict[str, Callable[[Fault, Any], Iterator[Said]]] = {
    "Required": _required,
    "Type": _type,
    "AdditionalProperties": _unknown,
    "UnevaluatedProperties": _unknown,
    "Enum": _enum,
    "Constant": _constant,
    "Pattern": _pattern,
    "Format": _format,
    "PropertyNames": _names,
    "Not": _not,
    "OneOfNotValid": _branches,
    "AnyOf": _branches,
    "OneOfMultipleValid": _several,
    "MinItems": _count("at least {limit} entry must stand here."),
    "MaxItems": _count("at most {limit} entries may stand here."),
    "MinProperties": _count("at least {limit} entry must stand here."),
    "MaxProperties": _count("at most {limit} entry may stand here."),
    "UniqueItems": _count("an entry stands in this list twice."),
    "Minimum": _count("a number not below {limit} is wanted here."),
    "Maximum": _count("a number not above {limit} is wanted here."),
    "ExclusiveMinimum": _count("a number above {limit} is wanted here."),
    "FalseSchema": _count("{what} may not stand here."),
}
