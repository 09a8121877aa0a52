"""JSON of requests and replies, taken through the real client's message types in both directions."""

import json
from collections.abc import Mapping
from typing import Any

from google.protobuf import json_format

from tests.cloud.discovery_engine.refusals import invalid

Json = dict[str, Any]
"""A message in the JSON of proto3: camelCase, int64 as text, what is unset left out."""


def read(kind: Any, value: Mapping[str, Any]) -> Json:
    """What a message of this type holds of `value`, enums as names. Raises Refused for what the type lacks."""
    return _through(kind, json_format.ParseDict, value)


def read_text(kind: Any, text: str) -> Json:
    """As `read`, of a text; a text that is no JSON object is refused."""
    try:
        no_object = not isinstance(json.loads(text), dict)
    except ValueError as error:
        raise invalid(f"Invalid JSON payload received. {error}") from error
    if no_object:
        raise invalid("Invalid JSON payload received. Expected an object.")
    return _through(kind, json_format.Parse, text)


def written(kind: Any, value: Mapping[str, Any]) -> Json:
    """A reply; raises ParseError where the double made one that the client could not read."""
    message: Json = json_format.MessageToDict(json_format.ParseDict(value, kind.pb(kind())))
    return message


def packed(kind: Any, value: Mapping[str, Any]) -> Json:
    """A reply as it stands inside of an operation, with its type."""
    return {"@type": f"type.googleapis.com/{kind.pb(kind()).DESCRIPTOR.full_name}", **written(kind, value)}


def _through(kind: Any, parse: Any, value: Any) -> Json:
    try:
        message: Json = json_format.MessageToDict(parse(value, kind.pb(kind())))
    except json_format.ParseError as error:
        raise invalid(f"Invalid JSON payload received. {error}") from error
    return message
