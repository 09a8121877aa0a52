"""What an operation takes, gives and needs, in the words of OpenAPI 2.0 (Swagger)."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from hanpon.contracts.definitions import Node
from hanpon.contracts.operations import (
    Example,
    Location,
    MediaType,
    Parameter,
    RequestBody,
    Response,
    Security,
    Server,
)
from hanpon.contracts.schemas import Child, Schema
from hanpon.contracts.texts import clean
from hanpon.sources.openapi.fields import Reader, fields
from hanpon.sources.openapi.payloads import payload_text
from hanpon.sources.openapi.schemas import SchemaReader
from hanpon.sources.openapi.security import SecurityReader

_STYLES: dict[str, tuple[str, bool | None]] = {
    "csv": ("form", False),
    "multi": ("form", True),
    "ssv": ("spaceDelimited", None),
    "pipes": ("pipeDelimited", None),
    "tsv": ("tabDelimited", None),
}
_SCHEMA_WORDS = fields(
    "type format items default maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern "
    "maxItems minItems uniqueItems enum multipleOf x-nullable x-example example"
)
_PARAMETER = _SCHEMA_WORDS | {
    "name",
    "in",
    "description",
    "required",
    "schema",
    "collectionFormat",
    "allowEmptyValue",
}
_RESPONSE = frozenset({"description", "schema", "headers", "examples", "$ref"})
_FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")


class Parts2:
    """`paths.Parts` for 2.0: body and form parameters become request bodies, hosts become servers."""

    def __init__(self, reader: Reader, schemas: SchemaReader) -> None:
        self._reader = reader
        self._schemas = schemas
        self._security = SecurityReader(reader)
        self._root_security = self._security.of(reader.definition.root)

    def parameters(self, nodes: Sequence[Node]) -> tuple[Parameter, ...]:
        found: dict[tuple[str, ...], Parameter] = {}
        for node, unresolved in self._followed(nodes):
            parameter = self._parameter(node, unresolved)
            if parameter is not None:
                found[parameter.identity] = parameter
        return tuple(found.values())

    def _followed(self, nodes: Sequence[Node]) -> Iterator[tuple[Node, str]]:
        for node in nodes:
            referred = self._reader.referred(node)
            if referred.node is not None:
                yield referred.node, ""
            elif referred.unresolved:
                yield node, referred.unresolved

    def _parameter(self, node: Node, unresolved: str) -> Parameter | None:
        reader = self._reader
        if unresolved:
            name = unresolved.rsplit("/", 1)[-1]
            return Parameter(name=name, location="query", unresolved=unresolved, place=node.place)
        location, name = reader.text(node, "in"), reader.text(node, "name")
        if location in {"body", "formData"}:
            return None
        if not name or location not in {"path", "query", "header"}:
            reader.note_skipped(node, "a parameter needs a name and one of path, query, header, body, formData")
            return None
        reader.unknown("parameters", node, _PARAMETER)
        style, explode = self._style(node)
        return Parameter(
            name=name,
            location=cast(Location, location),
            description=reader.text(node, "description"),
            required=reader.flag(node, "required"),
            schema=self._schemas.key_of(_as_schema(node)),
            style=style,
            explode=explode,
            allow_empty=reader.flag(node, "allowEmptyValue"),
            place=node.place,
        )

    def _style(self, node: Node) -> tuple[str, bool | None]:
        """How an array is written; comma-separated is 2.0's default, but not what 3.x readers expect of a query."""
        if node.value.get("type") != "array":
            return "", None
        return _STYLES.get(self._reader.text(node, "collectionFormat") or "csv", _STYLES["csv"])

    def request_body(self, operation: Node, nodes: Sequence[Node]) -> RequestBody | None:
        followed = [node for node, unresolved in self._followed(nodes) if not unresolved]
        bodies = [node for node in followed if node.value.get("in") == "body"]
        form = [node for node in followed if node.value.get("in") == "formData"]
        if bodies:
            return self._body(operation, bodies[-1])
        return self._form_body(operation, form) if form else None

    def _body(self, operation: Node, node: Node) -> RequestBody:
        reader = self._reader
        reader.unknown("body parameters", node, frozenset({"name", "in", "description", "required", "schema"}))
        key = self._schemas.key_of(node.child("schema")) if node.value.get("schema") is not None else ""
        names = self._media_names(operation, "consumes")
        return RequestBody(
            description=reader.text(node, "description"),
            required=reader.flag(node, "required"),
            content=tuple(MediaType(name=name, schema=key) for name in names),
            place=node.place,
        )

    def _form_body(self, operation: Node, form: Sequence[Node]) -> RequestBody:
        reader = self._reader
        latest = {reader.text(node, "name"): node for node in form}
        place = operation.place.child("parameters")
        key = " & ".join((f"{operation.identity}/parameters", *(node.identity for node in latest.values())))
        children = tuple(
            Child(
                "property",
                name,
                self._schemas.key_of(_as_schema(node, described=True)),
                reader.flag(node, "required"),
            )
            for name, node in latest.items()
        )
        self._schemas.add(Schema(key=key, definition=key, types=("object",), children=children, place=place))
        has_file = any(node.value.get("type") == "file" for node in form)
        names = tuple(name for name in self._media_names(operation, "consumes", "") if name in _FORMS)
        names = names or (_FORMS[0] if has_file else _FORMS[1],)
        return RequestBody(
            required=any(child.required for child in children),
            content=tuple(MediaType(name=name, schema=key) for name in names),
            place=place,
        )

    def _media_names(self, operation: Node, field: str, default: str = "application/json") -> tuple[str, ...]:
        for owner in (operation, self._reader.definition.root):
            if owner.value.get(field) and (names := self._reader.texts(owner, field)):
                return names
        return (default,)

    def responses(self, operation: Node) -> tuple[Response, ...]:
        found = []
        for status, node in self._reader.members(operation, "responses"):
            if status.startswith("x-"):
                self._reader.unshown("responses", status, operation.child("responses"))
                continue
            referred = self._reader.referred(node)
            if referred.node is not None:
                found.append(self._response(clean(status), referred.node, operation))
            elif referred.unresolved:
                found.append(Response(status=clean(status), unresolved=referred.unresolved, place=node.place))
        return tuple(found)

    def _response(self, status: str, node: Node, operation: Node) -> Response:
        reader = self._reader
        reader.unknown("responses", node, _RESPONSE)
        return Response(
            status=status,
            description=reader.text(node, "description"),
            headers=tuple(
                self._header(clean(name), header)
                for name, header in reader.members(node, "headers")
                if isinstance(header.value, dict)
            ),
            content=self._content(node, operation),
            place=node.place,
        )

    def _content(self, node: Node, operation: Node) -> tuple[MediaType, ...]:
        examples: dict[str, Any] = {}
        if (stated := self._reader.object(node, "examples")) is not None:
            examples = {clean(name): value for name, value in stated.value.items()}
        key = self._schemas.key_of(node.child("schema")) if node.value.get("schema") is not None else ""
        names = self._media_names(operation, "produces") if key else ()
        return tuple(
            MediaType(
                name=name,
                schema=key,
                examples=(_example(examples[name], name),) if name in examples else (),
            )
            for name in dict.fromkeys((*names, *examples))
        )

    def _header(self, name: str, node: Node) -> Parameter:
        style, explode = self._style(node)
        return Parameter(
            name=name,
            location="header",
            description=self._reader.text(node, "description"),
            schema=self._schemas.key_of(_as_schema(node)),
            style=style,
            explode=explode,
            place=node.place,
        )

    def servers(self, owners: Sequence[Node]) -> tuple[Server, ...]:
        """`schemes`, `host` and `basePath` as addresses; without a host the path alone."""
        reader = self._reader
        root = reader.definition.root
        host, base = reader.text(root, "host"), reader.text(root, "basePath")
        schemes = next((reader.texts(o, "schemes") for o in (*owners, root) if o.value.get("schemes")), ())
        if not host:
            return (Server(url=base),) if base else ()
        addresses = [f"{scheme}://{host}{base}" for scheme in schemes] or [f"//{host}{base}"]
        return tuple(Server(url=address) for address in addresses)

    def security(self, operation: Node) -> Security | None:
        stated = self._security.of(operation)
        return self._root_security if stated is None else stated


def _as_schema(node: Node, *, described: bool = False) -> Node:
    """The words of a parameter or header of 2.0 that a schema would have."""
    words = {key: value for key, value in node.value.items() if key in _SCHEMA_WORDS}
    if described and "description" in node.value:
        words["description"] = node.value["description"]
    if described and "collectionFormat" in node.value:
        words["collectionFormat"] = node.value["collectionFormat"]
    return Node(node.file, node.pointer, words)


def _example(value: Any, media_type: str) -> Example:
    text, is_json = payload_text(value, media_type)
    return Example(text=text, is_json=is_json)
