"""Request bodies, responses and links from OpenAPI 3.0 on."""

from dataclasses import replace

from hanpon.contracts.definitions import Node
from hanpon.contracts.operations import Link, RequestBody, Response
from hanpon.contracts.schemas import literal
from hanpon.contracts.texts import clean
from hanpon.sources.openapi.fields import Reader, as_shown, fields
from hanpon.sources.openapi.payloads import Payloads
from hanpon.sources.openapi.security import server_of

_BODY = frozenset({"description", "content", "required", "$ref", "summary"})
_RESPONSE = frozenset({"summary", "description", "headers", "content", "links", "$ref"})
_LINK = fields("operationRef operationId parameters requestBody description server $ref")


class Responses:
    """Reads bodies and responses; shared ones are read once."""

    def __init__(self, reader: Reader, payloads: Payloads) -> None:
        self._reader = reader
        self._payloads = payloads
        self._responses: dict[tuple[str, str], Response] = {}

    def request_body(self, owner: Node) -> RequestBody | None:
        if owner.value.get("requestBody") is None:
            return None
        node = owner.child("requestBody")
        referred = self._reader.referred(node)
        target = referred.node
        if target is None:
            if not referred.unresolved:
                return None
            return RequestBody(description=referred.description, unresolved=referred.unresolved, place=node.place)
        self._reader.unknown("request bodies", target, _BODY)
        return RequestBody(
            description=referred.description or self._reader.text(target, "description"),
            required=self._reader.flag(target, "required"),
            content=self._payloads.content(target),
            place=target.place,
        )

    def responses(self, owner: Node) -> tuple[Response, ...]:
        """Responses in the order of the definition; statuses are text, whatever YAML made of them."""
        found = []
        for status, node in self._reader.members(owner, "responses"):
            if status.startswith("x-"):
                self._reader.unshown("responses", status, owner.child("responses"))
            elif (response := self._response(clean(status), node)) is not None:
                found.append(response)
        return tuple(found)

    def _response(self, status: str, node: Node) -> Response | None:
        referred = self._reader.referred(node)
        target = referred.node
        if target is None:
            if not referred.unresolved:
                return None
            return Response(
                status=status,
                summary=referred.summary,
                description=referred.description,
                unresolved=referred.unresolved,
                place=node.place,
            )
        known = (status, target.identity)
        if known not in self._responses:
            self._responses[known] = self._read(status, target)
        response = self._responses[known]
        if referred.summary or referred.description:
            return replace(
                response,
                summary=referred.summary or response.summary,
                description=referred.description or response.description,
                place=node.place,
            )
        return response

    def _read(self, status: str, node: Node) -> Response:
        self._reader.unknown("responses", node, _RESPONSE)
        return Response(
            status=status,
            summary=self._reader.text(node, "summary"),
            description=self._reader.text(node, "description"),
            headers=self._payloads.headers(node),
            content=self._payloads.content(node),
            links=self._links(node),
            place=node.place,
        )

    def _links(self, owner: Node) -> tuple[Link, ...]:
        reader = self._reader
        found = []
        for name, node in reader.members(owner, "links"):
            referred = reader.referred(node)
            target = referred.node
            if target is None:
                if referred.unresolved:
                    found.append(Link(name=clean(name), unresolved=referred.unresolved))
                continue
            reader.unknown("links", target, _LINK)
            parameters = reader.object(target, "parameters")
            server = reader.object(target, "server")
            body = target.value.get("requestBody")
            found.append(
                Link(
                    name=clean(name),
                    operation=reader.text(target, "operationId") or as_shown(reader.text(target, "operationRef")),
                    parameters=_expressions(parameters),
                    request_body="" if body is None else clean(literal(body)),
                    description=referred.description or reader.text(target, "description"),
                    server=server_of(server, reader) if server is not None else None,
                )
            )
        return tuple(found)


def _expressions(parameters: Node | None) -> tuple[tuple[str, str], ...]:
    if parameters is None:
        return ()
    return tuple((clean(name), clean(literal(value))) for name, value in parameters.value.items())
