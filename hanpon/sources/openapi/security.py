"""Security requirements with the details of their schemes, and servers."""

from hanpon.contracts.definitions import Node
from hanpon.contracts.operations import Flow, SchemeUse, Security, Server, ServerVariable
from hanpon.contracts.texts import clean
from hanpon.sources.openapi.fields import Reader, fields

_SCHEME = fields(
    "type description name in scheme bearerFormat flows openIdConnectUrl deprecated oauth2MetadataUrl flow "
    "authorizationUrl tokenUrl scopes $ref"
)
_SERVER = frozenset({"url", "description", "variables", "name"})
_URLS = ("authorizationUrl", "deviceAuthorizationUrl", "tokenUrl", "refreshUrl")
_FLOWS_OF_2 = {"application": "clientCredentials", "accessCode": "authorizationCode"}


class SecurityReader:
    """Reads `security` fields; each list of requirements is read once."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._read: dict[str, Security | None] = {}
        self._schemes = self._defined()

    def of(self, owner: Node) -> Security | None:
        """The alternatives that an object states; None where it states nothing (OpenAPI 3.1.1 §4.8.30)."""
        if owner.value.get("security") is None:
            return None
        if not isinstance(owner.value["security"], list):
            self._reader.odd(owner.child("security"), "a list")
            return None
        identity = f"{owner.identity}/security"
        if identity not in self._read:
            alternatives = []
            for node in self._reader.elements(owner, "security"):
                if isinstance(node.value, dict):
                    alternatives.append(tuple(self._use(node, name) for name in node.value))
                else:
                    self._reader.odd(node, "an object")
            self._read[identity] = tuple(alternatives)
        return self._read[identity]

    def _defined(self) -> dict[str, Node]:
        root = self._reader.definition.root
        owner: Node | None = root
        key = "securityDefinitions"
        if self._reader.dialect != "2.0":
            owner, key = self._reader.object(root, "components"), "securitySchemes"
        found = {}
        for name, node in self._reader.members(owner, key) if owner is not None else ():
            referred = self._reader.referred(node)
            if referred.node is not None:
                self._reader.unknown("security schemes", referred.node, _SCHEME)
                found[name] = referred.node
        return found

    def _use(self, requirement: Node, name: str) -> SchemeUse:
        reader = self._reader
        wanted = reader.texts(requirement, name)
        scheme = self._schemes.get(name)
        if scheme is None:
            return SchemeUse(name=clean(name), scopes=tuple((scope, "") for scope in wanted))
        flows, texts = self._flows(scheme)
        kind = reader.text(scheme, "type")
        is_basic = kind == "basic"  # 2.0
        return SchemeUse(
            name=clean(name),
            type="http" if is_basic else kind,
            description=reader.text(scheme, "description"),
            scopes=tuple((scope, texts.get(scope, "")) for scope in wanted),
            parameter=reader.text(scheme, "name"),
            location=reader.text(scheme, "in"),
            scheme="basic" if is_basic else reader.text(scheme, "scheme"),
            bearer_format=reader.text(scheme, "bearerFormat"),
            url=reader.text(scheme, "openIdConnectUrl") or reader.text(scheme, "oauth2MetadataUrl"),
            flows=flows,
            deprecated=reader.flag(scheme, "deprecated"),
        )

    def _flows(self, scheme: Node) -> tuple[tuple[Flow, ...], dict[str, str]]:
        texts: dict[str, str] = {}
        if self._reader.dialect == "2.0":
            if scheme.value.get("type") != "oauth2":
                return (), texts
            name = self._reader.text(scheme, "flow")
            return (self._flow(_FLOWS_OF_2.get(name, name), scheme, texts),), texts
        flows = []
        for name, node in self._reader.members(scheme, "flows"):
            if isinstance(node.value, dict):
                flows.append(self._flow(clean(name), node, texts))
            elif not name.startswith("x-"):
                self._reader.odd(node, "an object")
        return tuple(flows), texts

    def _flow(self, name: str, node: Node, texts: dict[str, str]) -> Flow:
        owner = self._reader.object(node, "scopes")
        for scope in owner.value if owner is not None else ():
            texts.setdefault(clean(scope), self._reader.text(owner, scope) if owner else "")
        urls = ((key, self._reader.text(node, key)) for key in _URLS)
        return Flow(name=name, urls=tuple((key, url) for key, url in urls if url))


def servers_of(owner: Node, reader: Reader) -> tuple[Server, ...]:
    """The servers that an object states (OpenAPI 3.1.1 §4.8.5)."""
    found = []
    for node in reader.elements(owner, "servers"):
        if isinstance(node.value, dict):
            found.append(server_of(node, reader))
        else:
            reader.odd(node, "an object")
    return tuple(found)


def server_of(node: Node, reader: Reader) -> Server:
    """A server with its variables; what is no such thing is noted by the reader."""
    reader.unknown("servers", node, _SERVER)
    variables = []
    for name, variable in reader.members(node, "variables"):
        if not isinstance(variable.value, dict):
            reader.odd(variable, "an object")
            continue
        variables.append(
            ServerVariable(
                name=clean(name),
                default=reader.text(variable, "default"),
                enum=reader.texts(variable, "enum"),
                description=reader.text(variable, "description"),
            )
        )
    description = reader.text(node, "description")
    name = reader.text(node, "name")
    return Server(
        url=reader.text(node, "url"),
        description=f"{name}: {description}" if name and description else name or description,
        variables=tuple(variables),
    )
