"""The words in which faults of form are told."""

import re
from collections.abc import Sequence
from typing import Any

_JSON_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "array": "a list",
    "object": "a mapping",
    "null": "null",
}

FORMATS = {
    "uri": "a URI",
    "uri-reference": "a URI or a relative reference",
    "email": "a mail address",
    "regex": "a regular expression",
}
"""Formats of the official schemas, in words."""

_OBJECTS = {
    "ParameterLocation": "a parameter",
    "SchemaXORContent": "a parameter or header",
    "ExampleXORExamples": "this",
    "nonBodyParameter": "a parameter",
    "simpleTypes": "this",
    "schemaArray": "this",
    "nonNegativeInteger": "this",
    "stringArray": "this",
    "Info": "`info`",
    "info": "`info`",
}

_PATTERNS = {
    "[a-zA-Z0-9": "a name of letters, digits, `.`, `-` and `_`",
    "^[^{}/ :": "a host name without scheme and path",
    "^x-": "a key that begins with `x-`",
    "^/": "a path that begins with `/`",
    "^[1-5]": 'a status code such as "200" or "2XX"',
    r"^3\.": "a version such as 3.0.3",
    "[^/#?]": "a name without `/`, `#` and `?`",
}


def kind_of_value(value: Any) -> str:
    """What a value is, without quoting it."""
    if value is None:
        return "`null`"
    if isinstance(value, bool):
        return "`true`" if value else "`false`"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, list) else "a mapping"


def types_wanted(types: Sequence[str]) -> str:
    """The JSON Schema types as words: `text or a list`."""
    words = [_JSON_TYPES.get(name, name) for name in types if name != "boolean"]
    return alternatives([*words, "true", "false"] if "boolean" in types else words)


def alternatives(words: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " or " + words[-1]


def object_of(schema_path: Sequence[str | int]) -> str:
    """The object that a place in an official schema is about: `a path item`, `the definition`, at a loss `this`."""
    if len(schema_path) == 1:
        return "the definition"
    if schema_path[0] not in {"definitions", "$defs"}:
        return "this"
    name = str(schema_path[1])
    if name in _OBJECTS:
        return _OBJECTS[name]
    if "ecurityScheme" in name or name.endswith("Security"):
        return "a security scheme"
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|-", " ", name).lower().removesuffix(" sub schema")
    return with_article(words)


def with_article(words: str) -> str:
    """`a path item`, `an operation`; `components` and the like as they are."""
    if words.endswith("s"):
        return f"`{words}`"
    return ("an " if words[0] in "aeiou" else "a ") + words


def form_wanted(pattern: str) -> str:
    """What a pattern of the official schemas asks for."""
    for beginning, words in _PATTERNS.items():
        if pattern.lstrip("^").startswith(beginning.lstrip("^")):
            return words
    return f"text of the form `{pattern[:80]}`"
