"""Plain scalars by the YAML 1.2 core schema (YAML 1.2.2, section 10.3.2)."""

import math
import re

Scalar = str | int | float | bool | None

_INT = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEX = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")

_LONGEST_NUMBER = 1000

WORDS: dict[str, Scalar] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
"""The plain scalars that are neither text nor numbers."""


def plain_scalar(text: str) -> Scalar:
    """The value of an untagged plain scalar.

    `on`, `off`, `yes`, `no`, dates, times, `=` and `1_000` are text; `0o17` is 15 and `0123` is 123. `.inf` and
    `.nan` stay text as written, and so does a number that no JSON reader could take (`1e999`, or more than 1,000
    characters): nothing that comes out of here is beyond canonical JSON.
    """
    if text in WORDS:
        return WORDS[text]
    if text[0] not in "0123456789+-." or len(text) > _LONGEST_NUMBER:
        return text
    return _number(text)


def _number(text: str) -> Scalar:
    if _INT.fullmatch(text):
        return int(text)
    if _OCTAL.fullmatch(text):
        return int(text[2:], 8)
    if _HEX.fullmatch(text):
        return int(text[2:], 16)
    if _FLOAT.fullmatch(text):
        number = float(text)
        return number if math.isfinite(number) else text
    return text


_TAG = "tag:yaml.org,2002:"


def tagged_scalar(tag: str, text: str) -> Scalar:
    """The value of a scalar with one of the core schema's tags. Raises ValueError where the two do not fit."""
    if tag in {"!", _TAG + "str"}:
        return text
    wanted = _TYPES.get(tag.removeprefix(_TAG))
    value = plain_scalar(text)
    if wanted is None or (isinstance(value, bool) and bool not in wanted) or not isinstance(value, wanted):
        raise ValueError(tag)
    return float(value) if wanted == _TYPES["float"] and isinstance(value, int) else value


_TYPES: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (float, int),
    "bool": (bool,),
    "null": (type(None),),
}
