"""Which version of the specification a definition is written in."""

import re
from typing import Any

from hanpon.contracts.definitions import Dialect
from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Finding, Place
from hanpon.sources.texts.text_problems import problem, shown

_KNOWN: tuple[tuple[str, re.Pattern[str], Dialect], ...] = (
    ("openapi", re.compile(r"3\.0(\.\d+)?([-+].*)?"), "3.0"),
    ("openapi", re.compile(r"3\.1(\.\d+)?([-+].*)?"), "3.1"),
    ("openapi", re.compile(r"3\.2(\.\d+)?([-+].*)?"), "3.2"),
    ("swagger", re.compile(r"2\.0"), "2.0"),
)


SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"
"""What schemas are written in since 3.1, unless they or the definition name another dialect."""

OWN_DIALECTS = "^(" + re.escape(SCHEMA_DIALECT) + r"|https://spec\.openapis\.org/oas/3\.)"
"""The dialects whose schemas can be checked as such."""


def names_another_dialect(holder: Any, key: str) -> bool:
    """True where the text under a key of a mapping names a dialect of JSON Schema that is not OpenAPI's."""
    named = holder.get(key) if isinstance(holder, dict) else None
    return isinstance(named, str) and re.match(OWN_DIALECTS, named) is None


def dialect_of(value: Any, file: str) -> Dialect:
    """The dialect that a definition's root says it is in; an unquoted number counts as the text it was meant for.

    Raises InvalidInput where the root is no mapping, names no version, or names one that is not supported.
    """
    if value is None:
        raise InvalidInput([problem("definition-empty", Place(file), "The file is empty.")])
    if not isinstance(value, dict):
        what = "a list" if isinstance(value, list) else "a single value"
        message = f"An OpenAPI definition is a mapping; this file holds {what}."
        raise InvalidInput([problem("definition-not-a-mapping", Place(file), message)])
    for key in ("openapi", "swagger"):
        if key in value:
            return _dialect(key, value[key], file)
    message = "There is neither `openapi` nor `swagger` at the top: this is no OpenAPI definition."
    raise InvalidInput([problem("version-missing", Place(file), message)])


def _dialect(key: str, version: Any, file: str) -> Dialect:
    written = str(version) if isinstance(version, (str, float)) else ""
    for known_key, pattern, dialect in _KNOWN:
        if key == known_key and pattern.fullmatch(written):
            return dialect
    what = shown(version) if isinstance(version, (str, int, float)) else "something else"
    message = f"`{key}` is {what}; 2.0 (as `swagger`), 3.0, 3.1 and 3.2 (as `openapi`) can be read."
    raise InvalidInput([problem("version-unknown", Place(file).child(key), message)])


def unquoted_versions(root: Any, file: str) -> list[Finding]:
    """An error for each version that is a number because it is not quoted."""
    info = root.get("info")
    found: list[tuple[tuple[str, ...], Any]] = [((key,), root.get(key)) for key in ("openapi", "swagger")]
    found.append((("info", "version"), info.get("version") if isinstance(info, dict) else None))
    return [
        problem(
            "version-not-text",
            Place(file).child(*keys),
            f"A version is text, and this is a number; {_hint(keys, value)}.",
        )
        for keys, value in found
        if isinstance(value, (int, float)) and not isinstance(value, bool)
    ]


def _hint(keys: tuple[str, ...], value: float) -> str:
    return f'write it as "{value}.0"' if keys == ("openapi",) else f'quote it: "{value}"'
