"""What an operation takes, gives and needs, in the words of OpenAPI 3.0 to 3.2."""

from collections.abc import Sequence

from hanpon.contracts.definitions import Node
from hanpon.contracts.operations import Parameter, RequestBody, Response, Security, Server
from hanpon.sources.openapi.fields import Reader
from hanpon.sources.openapi.payloads import Payloads
from hanpon.sources.openapi.responses import Responses
from hanpon.sources.openapi.schemas import SchemaReader
from hanpon.sources.openapi.security import SecurityReader, servers_of


class Parts3:
    """`paths.Parts` for 3.0, 3.1 and 3.2."""

    def __init__(self, reader: Reader, schemas: SchemaReader) -> None:
        self._reader = reader
        self._payloads = Payloads(reader, schemas)
        self._responses = Responses(reader, self._payloads)
        self._security = SecurityReader(reader)
        self._root_servers = servers_of(reader.definition.root, reader)
        self._root_security = self._security.of(reader.definition.root)

    def parameters(self, nodes: Sequence[Node]) -> tuple[Parameter, ...]:
        return self._payloads.parameters(nodes)

    def request_body(self, operation: Node, nodes: Sequence[Node]) -> RequestBody | None:  # noqa: ARG002  2.0 needs them
        return self._responses.request_body(operation)

    def responses(self, operation: Node) -> tuple[Response, ...]:
        return self._responses.responses(operation)

    def servers(self, owners: Sequence[Node]) -> tuple[Server, ...]:
        """Of the first owner that states any, else the definition's."""
        for owner in owners:
            if owner.value.get("servers") and (stated := servers_of(owner, self._reader)):
                return stated
        return self._root_servers

    def security(self, operation: Node) -> Security | None:
        stated = self._security.of(operation)
        return self._root_security if stated is None else stated
