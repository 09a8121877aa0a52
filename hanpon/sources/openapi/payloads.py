"""What is sent: parameters, headers, media types, examples. Shared by every dialect from 3.0 on."""

from collections.abc import Sequence
from dataclasses import replace
from json.encoder import encode_basestring as quoted
from typing import cast, get_args

from hanpon.contracts.definitions import Node
from hanpon.contracts.operations import Encoding, Example, Location, MediaType, Parameter
from hanpon.contracts.schemas import json_text, literal
from hanpon.contracts.texts import clean
from hanpon.sources.openapi.fields import Reader, Referred, as_shown, fields
from hanpon.sources.openapi.schemas import SchemaReader

_PARAMETER = fields(
    "name in description required deprecated allowEmptyValue style explode allowReserved schema content example "
    "examples $ref summary"
)
_MEDIA = fields("schema itemSchema example examples encoding")
_EXAMPLE = fields("summary description value dataValue serializedValue externalValue $ref")
_ENCODING = fields("contentType headers style explode allowReserved")
_DEFAULT_STYLE = {"query": "form", "cookie": "form", "path": "simple", "header": "simple"}
_LOCATIONS = frozenset(get_args(Location))


class Payloads:
    """Reads what is sent. Shared parameters and headers are read once."""

    def __init__(self, reader: Reader, schemas: SchemaReader) -> None:
        self._reader = reader
        self._schemas = schemas
        self._parameters: dict[tuple[str, str], Parameter | None] = {}
        self._examples: dict[tuple[str, ...], Example] = {}

    def parameters(self, nodes: Sequence[Node]) -> tuple[Parameter, ...]:
        """Parameter lists laid over one another, the last one winning; identity is name and location."""
        found: dict[tuple[str, ...], Parameter] = {}
        for node in nodes:
            parameter = self._parameter(node)
            if parameter is not None:
                found[parameter.identity] = parameter
        return tuple(found.values())

    def headers(self, owner: Node) -> tuple[Parameter, ...]:
        """Header Objects: parameters whose name is their key."""
        found = (self._parameter(node, header=clean(name)) for name, node in self._reader.members(owner, "headers"))
        return tuple(header for header in found if header is not None)

    def _parameter(self, node: Node, header: str = "") -> Parameter | None:
        referred = self._reader.referred(node)
        target = referred.node
        if target is None:
            if not referred.unresolved:
                return None
            return Parameter(
                name=header or referred.unresolved.rsplit("/", 1)[-1],
                location="header" if header else "query",
                description=referred.description,
                unresolved=referred.unresolved,
                place=node.place,
            )
        known = (header, target.identity)
        if known not in self._parameters:
            self._parameters[known] = self._read_parameter(target, header)
        parameter = self._parameters[known]
        if parameter is not None and referred.description:
            return replace(parameter, description=referred.description, place=node.place)
        return parameter

    def _read_parameter(self, node: Node, header: str) -> Parameter | None:
        reader = self._reader
        reader.unknown("parameters", node, _PARAMETER)
        name = header or reader.text(node, "name")
        location = "header" if header else reader.text(node, "in")
        if not name or location not in _LOCATIONS:
            reader.note_skipped(node, "a parameter needs a name and one of " + ", ".join(sorted(_LOCATIONS)))
            return None
        style = reader.text(node, "style")
        media = self.content(node)
        default = _DEFAULT_STYLE.get(location, "form")
        explode = reader.optional_flag(node, "explode")
        # `deepObject` has but one form, whatever `explode` says
        is_default = explode in (None, (style or default) in ("form", "cookie")) or style == "deepObject"
        return Parameter(
            name=name,
            location=cast(Location, location),
            description=reader.text(node, "description"),
            required=reader.flag(node, "required"),
            deprecated=reader.flag(node, "deprecated"),
            schema=self._schema(node, "schema"),
            media_type=media[0] if media else None,
            style="" if style == default and is_default else style or ("" if is_default else default),
            explode=None if is_default else explode,
            allow_empty=reader.flag(node, "allowEmptyValue"),
            allow_reserved=reader.flag(node, "allowReserved"),
            examples=self.examples(node, ""),
            place=node.place,
        )

    def content(self, owner: Node) -> tuple[MediaType, ...]:
        return tuple(
            media
            for name, node in self._reader.members(owner, "content")
            if (media := self._media_type(clean(name), node)) is not None
        )

    def _media_type(self, name: str, node: Node) -> MediaType | None:
        referred = self._reader.referred(node)
        if referred.node is None:
            return MediaType(name=name) if referred.unresolved else None
        node = referred.node
        self._reader.unknown("media types", node, _MEDIA)
        return MediaType(
            name=name,
            schema=self._schema(node, "schema"),
            item_schema=self._schema(node, "itemSchema"),
            examples=self.examples(node, name),
            encodings=self._encodings(node),
        )

    def _schema(self, owner: Node, key: str) -> str:
        return self._schemas.key_of(owner.child(key)) if owner.value.get(key) is not None else ""

    def _encodings(self, media: Node) -> tuple[Encoding, ...]:
        reader = self._reader
        found = []
        for name, node in reader.members(media, "encoding"):
            if not isinstance(node.value, dict):
                reader.odd(node, "an object")
                continue
            reader.unknown("encodings", node, _ENCODING)
            style, explode = reader.text(node, "style"), reader.optional_flag(node, "explode")
            found.append(
                Encoding(
                    property=clean(name),
                    content_type=reader.text(node, "contentType"),
                    style=style,
                    explode=True if style == "form" and explode is None else explode,
                    allow_reserved=reader.flag(node, "allowReserved"),
                    headers=self.headers(node),
                )
            )
        return tuple(found)

    def examples(self, owner: Node, media_type: str) -> tuple[Example, ...]:
        """`example` and the named `examples` of a parameter, header or media type."""
        found = []
        if "example" in owner.value:
            text, is_json = payload_text(owner.value["example"], media_type)
            found.append(Example(text=text, is_json=is_json))
        if "examples" in owner.value:
            for name, node in self._reader.members(owner, "examples"):
                found += self._example(clean(name), node, media_type)
        return tuple(found)

    def _example(self, name: str, node: Node, media_type: str) -> list[Example]:
        referred = self._reader.referred(node)
        if referred.node is None:
            if not referred.unresolved:
                return []
            return [Example(name=name, description=referred.description, unresolved=referred.unresolved)]
        known = (name, referred.node.identity, media_type, referred.summary, referred.description)
        if known not in self._examples:
            self._examples[known] = self._read_example(name, referred, referred.node, media_type)
        return [self._examples[known]]

    def _read_example(self, name: str, referred: Referred, node: Node, media_type: str) -> Example:
        reader = self._reader
        value = node.value
        reader.unknown("examples", node, _EXAMPLE)
        text, is_json = "", True
        for key in ("value", "dataValue"):
            if key in value:
                text, is_json = payload_text(value[key], media_type)
        if "serializedValue" in value:
            text, is_json = reader.text(node, "serializedValue"), False
        return Example(
            name=name,
            summary=referred.summary or reader.text(node, "summary"),
            description=referred.description or reader.text(node, "description"),
            text=text,
            is_json=is_json,
            url=as_shown(reader.text(node, "externalValue")),
        )


def payload_text(value: object, media_type: str) -> tuple[str, bool]:
    """An example as it is printed, and whether it is JSON. Text for JSON that holds JSON already stays as it is.

    Without a media type (a parameter's) it is one line.
    """
    if not media_type:
        return clean(literal(value)), not isinstance(value, str)
    if not isinstance(value, str):
        return _clean_json(indented_json(value)), True
    if "json" not in media_type.lower():
        return clean(value), False
    is_document = value.lstrip()[:1] in {"{", "["}
    return clean(value if is_document else json_text(value)), True


def _clean_json(text: str) -> str:
    """`contracts.texts.clean` of JSON, in which control characters are escaped: ASCII can hold but one still."""
    return text if text.isascii() and "\x7f" not in text else clean(text)


def indented_json(value: object, margin: str = "\n") -> str:
    """JSON over several lines, as `json.dumps` indents it; that takes five times as long, for none of it is in C."""
    if not value or not isinstance(value, (dict, list)):
        return _scalar(value)
    inner = margin + "  "
    if isinstance(value, list):
        members = [quoted(entry) if isinstance(entry, str) else indented_json(entry, inner) for entry in value]
        return f"[{inner}{f',{inner}'.join(members)}{margin}]"
    members = [
        f"{quoted(name)}: {quoted(entry) if isinstance(entry, str) else indented_json(entry, inner)}"
        for name, entry in value.items()
    ]
    return f"{{{inner}{f',{inner}'.join(members)}{margin}}}"


def _scalar(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if type(value) is int else json_text(value)
