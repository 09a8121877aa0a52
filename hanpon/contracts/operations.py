"""The OpenAPI model: one set of nouns for 2.0, 3.0, 3.1 and 3.2, with references resolved and defaults applied.

Texts called `description` are Markdown as written (OpenAPI 3.1.1 §4.6); every other text is plain. No text holds
control characters or lone surrogates, so that it can stand in any page.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from hanpon.contracts.bundle import ApiItem
from hanpon.contracts.definitions import Dialect
from hanpon.contracts.findings import Finding, Place
from hanpon.contracts.frozen import checked_frozen
from hanpon.contracts.schemas import Schema

Location = Literal["path", "query", "querystring", "header", "cookie"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalDocs:
    """Where more is written (OpenAPI 3.1.1 §4.8.11); the address is never fetched."""

    url: str
    description: str = ""


@checked_frozen(kw_only=True)
class Example:
    """`text` is the payload as it is printed; `url` is where it stands instead. Neither is ever fetched."""

    name: str = ""
    summary: str = ""
    description: str = ""
    text: str = ""
    is_json: bool = True
    url: str = ""
    unresolved: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoding:
    """How one property of a multipart or form body is sent (OpenAPI 3.1.1 §4.8.15)."""

    property: str
    content_type: str = ""
    style: str = ""
    explode: bool | None = None
    allow_reserved: bool = False
    headers: "tuple[Parameter, ...]" = ()


@checked_frozen(kw_only=True)
class MediaType:
    """A kind of body; `schema` is a key of `ApiSource.schemas`, "" where there is none."""

    name: str
    schema: str = ""
    item_schema: str = ""
    """Schema of each item of a stream (OpenAPI 3.2)."""
    examples: tuple[Example, ...] = ()
    encodings: tuple[Encoding, ...] = ()


@checked_frozen(kw_only=True)
class Parameter:
    """A parameter, or a header of a response or part. `schema` or `media_type` says what it holds."""

    name: str
    location: Location
    description: str = ""
    required: bool = False
    deprecated: bool = False
    schema: str = ""
    media_type: MediaType | None = None
    style: str = ""
    """Only where it is not the default of the location; collectionFormat of 2.0 is translated."""
    explode: bool | None = None
    allow_empty: bool = False
    allow_reserved: bool = False
    examples: tuple[Example, ...] = ()
    unresolved: str = ""
    place: Place

    @property
    def identity(self) -> tuple[str, ...]:
        """Name and location; names that are shown alike because they hold what cannot be shown stay two."""
        told_apart_by = (self.place.file, self.place.pointer) if "\ufffd" in self.name else ()
        return (self.name, self.location, *told_apart_by)


@checked_frozen(kw_only=True)
class RequestBody:
    """What is sent with a request, in one of several media types (OpenAPI 3.1.1 §4.8.13)."""

    description: str = ""
    required: bool = False
    content: tuple[MediaType, ...] = ()
    unresolved: str = ""
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """An address below which operations are called, with its variables as `{name}` (OpenAPI 3.1.1 §4.8.5)."""

    url: str
    description: str = ""
    variables: "tuple[ServerVariable, ...]" = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerVariable:
    """What may stand in the place of `{name}` in a server's address; `enum` is () where anything may."""

    name: str
    default: str = ""
    enum: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """What can be called next with values of this response (OpenAPI 3.1.1 §4.8.20)."""

    name: str
    operation: str = ""
    parameters: tuple[tuple[str, str], ...] = ()
    request_body: str = ""
    description: str = ""
    server: Server | None = None
    unresolved: str = ""


@checked_frozen(kw_only=True)
class Response:
    """`status` as written: `200`, `4XX`, `default`. `summary` is of OpenAPI 3.2."""

    status: str
    summary: str = ""
    description: str = ""
    headers: tuple[Parameter, ...] = ()
    content: tuple[MediaType, ...] = ()
    links: tuple[Link, ...] = ()
    unresolved: str = ""
    place: Place

    @property
    def is_error(self) -> bool:
        """4xx and 5xx; what `default` means depends on the others (`Operation.errors`)."""
        return self.status[:1] in {"4", "5"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """An OAuth 2.0 flow (RFC 6749) with its addresses as (field, URL) and all scopes it knows."""

    name: str
    urls: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeUse:
    """A security scheme as one operation uses it. `scopes` are what is required, each with its text.

    `type` is `apiKey`, `http`, `oauth2`, `openIdConnect`, `mutualTLS`, or "" where the scheme is not defined.
    """

    name: str
    type: str = ""
    description: str = ""
    scopes: tuple[tuple[str, str], ...] = ()
    parameter: str = ""
    location: str = ""
    scheme: str = ""
    bearer_format: str = ""
    url: str = ""
    flows: tuple[Flow, ...] = ()
    deprecated: bool = False


Security = tuple[tuple[SchemeUse, ...], ...]
"""Alternatives of combinations; an empty combination means that no authentication is needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Callback:
    """A request that the API sends to an address taken from `expression` (OpenAPI 3.1.1 §4.8.18)."""

    name: str
    expression: str
    operations: "tuple[Operation, ...]" = ()
    unresolved: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A tag of an operation with what the definition says of it; `title` is its display name.

    `parent` is the tag it is part of, `kind` what it is for (OpenAPI 3.2).
    """

    name: str
    title: str = ""
    description: str = ""
    parent: str = ""
    kind: str = ""


@checked_frozen(kw_only=True)
class Operation:
    """A method of a path, of a webhook, or of a callback.

    `target` is the path as written, the webhook's name, or the callback's expression; `written` is method and target
    where they hold what no page can show, else "". `parameters` are those of
    the path item with the operation's own laid over them (identity: name and location). `servers` are the
    operation's, else the path item's, else the root's; `security` the operation's, else the root's, None where
    nothing is said. The root's are those of the API, so webhooks and callbacks, which the API sends, take none of
    them.
    """

    kind: Literal["path", "webhook", "callback"]
    method: str
    target: str
    written: str = ""
    summary: str = ""
    description: str = ""
    path_summary: str = ""
    path_description: str = ""
    operation_id: str = ""
    tags: tuple[Tag, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    request_body: RequestBody | None = None
    responses: tuple[Response, ...] = ()
    servers: tuple[Server, ...] = ()
    security: Security | None = None
    deprecated: bool = False
    internal: bool = False
    callbacks: tuple[Callback, ...] = ()
    external_docs: ExternalDocs | None = None
    place: Place

    @property
    def heading(self) -> str:
        """`GET /customers/{id}`: the name in the inventory and the h1 of the page."""
        return f"{self.method} {self.target}"

    @property
    def errors(self) -> tuple[Response, ...]:
        """4xx, 5xx and, where a success is described as well, `default`."""
        is_success_described = any(
            not response.is_error and response.status != "default" for response in self.responses
        )
        return tuple(
            response
            for response in self.responses
            if response.is_error or (response.status == "default" and is_success_described)
        )

    @property
    def logical_path(self) -> str:
        """What its document's id is made of (`contracts.documents.identify`): one for each target."""
        path = self.heading if self.kind == "path" else f"{self.kind} {self.heading}"
        # no heading holds a NUL, and ASCII keeps lone surrogates apart
        return f"{path}\x00{json.dumps(self.written)}" if self.written else path


@dataclass(frozen=True, kw_only=True)
class ApiSource:
    """An API definition, read. Operations and webhooks are in the order of the definition.

    Where the item hides internal operations, they are in neither list, so pages and inventory cannot differ.
    `schemas` holds every schema that an operation leads to, by key.
    """

    item: ApiItem
    dialect: Dialect
    title: str
    info_version: str = ""
    operations: tuple[Operation, ...] = ()
    webhooks: tuple[Operation, ...] = ()
    schemas: Mapping[str, Schema] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()

    @property
    def documented(self) -> tuple[Operation, ...]:
        """Every operation that has a page of its own."""
        return self.operations + self.webhooks
