"""Path items and operations: what belongs to which method, and what an operation takes from its surroundings."""

from collections.abc import Iterator, Sequence
from typing import Literal, Protocol

from hanpon.contracts.definitions import Node
from hanpon.contracts.findings import Severity
from hanpon.contracts.operations import (
    Callback,
    ExternalDocs,
    Operation,
    Parameter,
    RequestBody,
    Response,
    Security,
    Server,
    Tag,
)
from hanpon.contracts.texts import clean
from hanpon.sources.openapi.fields import Reader, fields
from hanpon.sources.texts.text_problems import shown

METHODS = {
    "2.0": ("get", "put", "post", "delete", "options", "head", "patch"),
    "3.0": ("get", "put", "post", "delete", "options", "head", "patch", "trace"),
    "3.1": ("get", "put", "post", "delete", "options", "head", "patch", "trace"),
    "3.2": ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query"),
}
"""The fixed fields of a path item that are operations; no other key ever is one."""

_ITEM = frozenset({"$ref", "summary", "description", "servers", "parameters", "additionalOperations", "x-internal"})
_OPERATION = fields(
    "tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated "
    "security servers x-internal consumes produces schemes $ref"
)
_TAG = frozenset({"name", "summary", "description", "x-displayName"})
_TAG_OF_3_2 = frozenset({"parent", "kind"})


class Parts(Protocol):
    """How a dialect says what an operation takes, gives and needs."""

    def parameters(self, nodes: Sequence[Node]) -> tuple[Parameter, ...]: ...

    def request_body(self, operation: Node, nodes: Sequence[Node]) -> RequestBody | None: ...

    def responses(self, operation: Node) -> tuple[Response, ...]: ...

    def servers(self, owners: Sequence[Node]) -> tuple[Server, ...]: ...

    def security(self, operation: Node) -> Security | None: ...


class PathReader:
    """Reads path items into operations."""

    def __init__(self, reader: Reader, parts: Parts, *, hide_internal: bool) -> None:
        self._reader = reader
        self._parts = parts
        self._hide_internal = hide_internal
        self._tags = self._defined_tags()

    def operations(
        self, target: str, node: Node, kind: Literal["path", "webhook", "callback"] = "path"
    ) -> Iterator[Operation]:
        """The operations of a path item, in the order of the definition; a `$ref` of the item is followed.

        `target` is as written.
        """
        items = self._items(node)
        for method, place in self._methods(items):
            found = self._operation_node(place)
            if found is None:
                continue
            operation = self._read(found, items, kind=kind, method=method, target=target, place=place)
            if not (self._hide_internal and operation.internal):
                yield operation

    def _items(self, node: Node) -> list[Node]:
        """The item itself and, where it has a `$ref`, what that leads to: what stands here wins."""
        referred = self._reader.referred(node)
        items = [node] if isinstance(node.value, dict) else []
        if referred.node is not None and referred.node.identity != node.identity:
            items.append(referred.node)
        elif referred.unresolved:
            message = f"the path item {shown(referred.unresolved)} is missing, so its operations have no page"
            self._reader.note("not-rendered", Severity.ERROR, node.place, message)
        return items

    def _methods(self, items: Sequence[Node]) -> Iterator[tuple[str, Node]]:
        known = METHODS[self._reader.dialect]
        seen: set[str] = set()
        for item in items:
            for key in item.value:
                if key in known and key not in seen:
                    seen.add(key)
                    yield key.upper(), item.child(key)
                elif key not in known and key not in _ITEM:
                    self._reader.unshown("path items", key, item)
            if "additionalOperations" in item.value:
                yield from self._additional(item)

    def _additional(self, item: Node) -> Iterator[tuple[str, Node]]:
        if self._reader.dialect != "3.2":
            self._reader.unshown("path items", "additionalOperations", item)
            return
        for method, node in self._reader.members(item, "additionalOperations"):
            if method.lower() in METHODS["3.2"]:
                self._reader.note_skipped(node, f"{shown(method)} has a field of its own in a path item")
            else:
                yield method, node

    def _operation_node(self, node: Node) -> Node | None:
        """An operation, also where a `$ref` stands in its place, which no version allows but many definitions do."""
        referred = self._reader.referred(node)
        if referred.node is None:
            if referred.unresolved:
                return Node(node.file, node.pointer, {})
            return None
        if referred.node.identity != node.identity:
            self._reader.misplaced_ref("ref-in-place-of-operation", node)
        return referred.node

    def _read(
        self,
        node: Node,
        items: Sequence[Node],
        *,
        kind: Literal["path", "webhook", "callback"],
        method: str,
        target: str,
        place: Node,
    ) -> Operation:
        reader = self._reader
        reader.unknown("operations", node, _OPERATION)
        shown_method, shown_target = clean(method), clean(target)
        shared = [parameter for item in reversed(items) for parameter in reader.elements(item, "parameters")]
        listed = [*shared, *reader.elements(node, "parameters")]
        owners = (node, *items)
        # what the API sends (webhooks, callbacks) goes to no server of its own and needs none of its keys
        inherits = kind == "path"
        if kind == "callback" and "callbacks" in node.value:
            reader.unshown("callbacks", "callbacks", node)
        return Operation(
            kind=kind,
            method=shown_method,
            target=shown_target,
            written="" if (method, target) == (shown_method, shown_target) else f"{method} {target}",
            summary=reader.text(node, "summary"),
            description=reader.text(node, "description"),
            path_summary=self._first(items, "summary"),
            path_description=self._first(items, "description"),
            operation_id=reader.text(node, "operationId"),
            tags=tuple(self._tags.get(name) or Tag(name=name) for name in dict.fromkeys(reader.texts(node, "tags"))),
            parameters=self._parts.parameters(listed),
            request_body=self._parts.request_body(node, listed),
            responses=self._parts.responses(node),
            servers=self._parts.servers(owners) if inherits or any(o.value.get("servers") for o in owners) else (),
            security=self._parts.security(node) if inherits or node.value.get("security") is not None else None,
            deprecated=reader.flag(node, "deprecated"),
            internal=reader.flag(node, "x-internal") or any(reader.flag(item, "x-internal") for item in items),
            callbacks=self._callbacks(node) if kind != "callback" else (),
            external_docs=external_docs(node, reader),
            place=place.place,
        )

    def _first(self, items: Sequence[Node], key: str) -> str:
        return next((text for item in items if (text := self._reader.text(item, key))), "")

    def _callbacks(self, node: Node) -> tuple[Callback, ...]:
        found = []
        for name, owner in self._reader.members(node, "callbacks"):
            referred = self._reader.referred(owner)
            if referred.node is None:
                if referred.unresolved:
                    found.append(Callback(name=clean(name), expression="", unresolved=referred.unresolved))
                continue
            for expression in referred.node.value:
                item = referred.node.child(expression)
                if expression.startswith("x-"):
                    self._reader.unshown("callbacks", expression, referred.node)
                    continue
                operations = tuple(self.operations(expression, item, "callback"))
                found.append(Callback(name=clean(name), expression=clean(expression), operations=operations))
        return tuple(found)

    def _defined_tags(self) -> dict[str, Tag]:
        reader = self._reader
        found: dict[str, Tag] = {}
        for node in reader.elements(reader.definition.root, "tags"):
            if not isinstance(node.value, dict):
                reader.odd(node, "an object")
                continue
            reader.unknown("tags", node, _TAG | _TAG_OF_3_2 if reader.dialect == "3.2" else _TAG)
            name = reader.text(node, "name")
            title = reader.text(node, "x-displayName") or reader.text(node, "summary")
            is_nested = reader.dialect == "3.2"
            found[name] = Tag(
                name=name,
                title=title,
                description=reader.text(node, "description"),
                parent=reader.text(node, "parent") if is_nested else "",
                kind=reader.text(node, "kind") if is_nested else "",
            )
        return found


def external_docs(owner: Node, reader: Reader) -> ExternalDocs | None:
    """The external documentation of an object; None where it has none."""
    docs = reader.object(owner, "externalDocs")
    if docs is None:
        return None
    return ExternalDocs(url=reader.text(docs, "url"), description=reader.text(docs, "description"))
