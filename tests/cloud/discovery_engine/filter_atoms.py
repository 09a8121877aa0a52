"""Single conditions of a filter, by the type of their field."""

import math
import operator
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.cloud.discovery_engine.filter_words import Word, syntax
from tests.cloud.discovery_engine.refusals import invalid
from tests.cloud.discovery_engine.stores import Version
from tests.cloud.discovery_engine.struct_data import instant

Test = Callable[[Version], bool]

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
}
_PARTS = {4: "%Y", 7: "%Y-%m", 10: "%Y-%m-%d"}


def has_value(version: Version, field: str) -> bool:
    """Whether a version has a value that filters can see in a field."""
    return bool(values(version, field))


def values(version: Version, field: str) -> list[Any]:
    """The values of a field; none where the field was not indexable when the document was imported."""
    if field not in version.filterable:
        return []
    found: list[Any] = [version.struct]
    for name in field.split("."):
        found = [each[name] for item in found for each in _flat(item) if isinstance(each, dict) and name in each]
    return [each for item in found for each in _flat(item)]


def compared(field: str, kind: str, sign: str, word: Word, text: str) -> Test:
    """`field >= 3`. Raises Refused where the field's type, or what stands behind the sign, does not allow it."""
    if word.kind not in {"text", "number"} or (word.value.endswith(("e", "i")) and word.kind == "number"):
        raise syntax(text, word.at)
    if kind in {"number", "integer"} and word.kind == "number":
        return _any_value(field, lambda value: _COMPARE[sign](value, float(word.value)))
    if kind == "boolean" and sign == "=" and word.kind == "text" and word.value in {"true", "false"}:
        return _any_value(field, lambda value: value is (word.value == "true"))
    if kind == "datetime":
        return _dated(field, sign, word)
    raise invalid(f'Unsupported field on comparison operators: "{field}" is of type {kind}.')


def called(field: str, kind: str, function: str, arguments: Sequence[Word], text: str) -> Test:
    """`field: ANY("a")`, `field: IN(1, 2)`, `field: GEO_DISTANCE(1, 2, 300)`. Raises Refused as `compared` does."""
    if function == "ANY" and kind == "string":
        return _any_of(field, arguments, text)
    if function == "IN" and kind in {"number", "integer"}:
        return _within(field, arguments, text)
    if function == "GEO_DISTANCE" and kind == "geolocation":
        return _near(field, arguments, text)
    raise invalid(
        f"Unsupported field on ':' operator: \"{field}\" is of type {kind}, which {function} does not take."
    )


def _any_value(field: str, test: Callable[[Any], bool]) -> Test:
    return lambda version: any(test(value) for value in values(version, field))


def _any_of(field: str, arguments: Sequence[Word], text: str) -> Test:
    for word in arguments:
        if word.kind != "text":
            raise syntax(text, word.at)
    wanted = {word.value for word in arguments} - {""}  # measured: an empty text finds nothing
    return _any_value(field, wanted.__contains__)


def _within(field: str, arguments: Sequence[Word], text: str) -> Test:
    if len(arguments) != 2:
        raise syntax(text, arguments[-1].at)
    for word in arguments:
        if word.kind == "text":
            raise syntax(text, word.at)
    lower, upper = (word.value for word in arguments)
    least, most = (math.nan if end == "*" else float(end.rstrip("ei")) for end in (lower, upper))
    above = operator.gt if lower.endswith("e") else operator.ge
    below = operator.le if upper.endswith("i") else operator.lt
    return _any_value(
        field, lambda value: (lower == "*" or above(value, least)) and (upper == "*" or below(value, most))
    )


def _near(field: str, arguments: Sequence[Word], text: str) -> Test:
    if len(arguments) != 3 or any(word.kind != "number" for word in arguments):
        raise syntax(text, arguments[-1].at)
    north, east, metres = (float(word.value) for word in arguments)

    def near(value: Any) -> bool:
        return isinstance(value, dict) and _metres(north, east, value["latitude"], value["longitude"]) <= metres

    return _any_value(field, near)


def _dated(field: str, sign: str, word: Word) -> Test:
    if word.kind == "number":
        begin = datetime.fromtimestamp(0, UTC) + timedelta(microseconds=float(word.value))
        end = begin
    else:
        begin, end = _span(word.value)

    def holds(value: Any) -> bool:
        known = instant(value) if isinstance(value, str) else None
        if known is None:
            return False
        moment = _aware(known)
        if sign == "=":
            return begin <= moment <= end
        return _COMPARE[sign](moment, end if sign in {">", "<="} else begin)

    return _any_value(field, holds)


def _span(text: str) -> tuple[datetime, datetime]:
    """The first and the last moment that a date, or a part of one, stands for."""
    form = _PARTS.get(len(text))
    try:
        begin = _aware(datetime.strptime(text, form) if form else datetime.fromisoformat(text))  # noqa: DTZ007
    except ValueError as error:
        raise invalid(f'"{text}" in filter is no date.') from error
    days = {"%Y": 366, "%Y-%m": 31, "%Y-%m-%d": 1}.get(form or "", 0)
    if not days:
        return begin, begin
    after = begin + timedelta(days=days)
    cut = {"%Y": after.replace(month=1, day=1), "%Y-%m": after.replace(day=1)}.get(form or "", after)
    return begin, cut - timedelta(microseconds=1)


def _aware(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def _metres(north: float, east: float, other_north: float, other_east: float) -> float:
    one, other = math.radians(north), math.radians(other_north)
    half = math.sin((other - one) / 2) ** 2
    half += math.cos(one) * math.cos(other) * math.sin(math.radians(other_east - east) / 2) ** 2
    return 2 * 6_371_000 * math.asin(math.sqrt(half))


def _flat(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
