"""Which address of the REST API is which method, and how its request is put together."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote

from google.cloud import discoveryengine_v1 as v1
from google.cloud import discoveryengine_v1beta as v1beta

from tests.cloud.discovery_engine import data_stores, documents, imports, purges, searching
from tests.cloud.discovery_engine.callers import Caller
from tests.cloud.discovery_engine.messages import Json, read
from tests.cloud.discovery_engine.refusals import forbidden, invalid, unimplemented
from tests.cloud.discovery_engine.state import State

Handler = Callable[[State, Json], Json]

_SCOPE = r"projects/[^/]+/locations/[^/]+"
_STORES = rf"{_SCOPE}(?:/collections/[^/]+)?/dataStores"
_BRANCH = rf"{_STORES}/[^/]+/branches/[^/]+"
_PARAMETERS = {"pageSize", "pageToken", "dataStoreId", "updateMask", "allowMissing", "skipDefaultSchemaCreation"}
_IGNORED = {"$alt", "createAdvancedSiteSearch", "disableCmek", "filter"}


@dataclass(frozen=True, slots=True)
class Route:
    """A method; `path` finds the resource as its first group, which fills `field` (`a.b`: b of the message in a).

    `body` is the field that the body of the request fills, "*" for the whole request.
    """

    method: str
    verb: str
    path: str
    field: str
    request: Any
    handler: Handler
    body: str = ""


ROUTES = (
    Route("CreateDataStore", "POST", rf"/v1/({_SCOPE}(?:/collections/[^/]+)?)/dataStores", "parent",
          v1.CreateDataStoreRequest, data_stores.create_data_store, "dataStore"),
    Route("ListDataStores", "GET", rf"/v1/({_SCOPE}(?:/collections/[^/]+)?)/dataStores", "parent",
          v1.ListDataStoresRequest, data_stores.list_data_stores),
    Route("GetDataStore", "GET", rf"/v1/({_STORES}/[^/]+)", "name",
          v1.GetDataStoreRequest, data_stores.get_data_store),
    Route("UpdateDataStore", "PATCH", rf"/v1/({_STORES}/[^/]+)", "dataStore.name",
          v1.UpdateDataStoreRequest, data_stores.update_data_store, "dataStore"),
    Route("GetSchema", "GET", rf"/v1/({_STORES}/[^/]+/schemas/[^/]+)", "name",
          v1.GetSchemaRequest, data_stores.get_schema),
    Route("UpdateSchema", "PATCH", rf"/v1/({_STORES}/[^/]+/schemas/[^/]+)", "schema.name",
          v1.UpdateSchemaRequest, data_stores.update_schema, "schema"),
    Route("ImportDocuments", "POST", rf"/v1/({_BRANCH})/documents:import", "parent",
          v1.ImportDocumentsRequest, imports.import_documents, "*"),
    Route("PurgeDocuments", "POST", rf"/v1/({_BRANCH})/documents:purge", "parent",
          v1.PurgeDocumentsRequest, purges.purge_documents, "*"),
    Route("ListDocuments", "GET", rf"/v1/({_BRANCH})/documents", "parent",
          v1.ListDocumentsRequest, documents.list_documents),
    Route("GetDocument", "GET", rf"/v1/({_BRANCH}/documents/[^/]+)", "name",
          v1.GetDocumentRequest, documents.get_document),
    Route("GetAclConfig", "GET", rf"/v1beta/({_SCOPE}/aclConfig)", "name",
          v1beta.GetAclConfigRequest, data_stores.get_acl_config),
    Route("UpdateAclConfig", "PATCH", rf"/v1beta/({_SCOPE}/aclConfig)", "aclConfig.name",
          v1beta.UpdateAclConfigRequest, data_stores.update_acl_config, "aclConfig"),
)  # fmt: skip

_SEARCH = re.compile(
    rf"/v1/({_SCOPE}(?:/collections/[^/]+)?/(?:dataStores|engines)/[^/]+/servingConfigs/[^/]+):search"
)
_OPERATION = re.compile(r"/v1/(projects/.+/operations/[^/:]+)")
_OPERATIONS = re.compile(r"/v1/(projects/.+)/operations")


def answer(state: State, verb: str, target: str, body: bytes, caller: Caller) -> tuple[str, Json]:
    """The method that a request calls, and its reply. Raises Refused.

    The caller holds the state's lock. Operations whose time has come end before the request is looked at.
    """
    state.operations.settle()
    path, _, query = target.partition("?")
    path, asked = unquote(path), dict(parse_qsl(query, keep_blank_values=True))
    if verb == "POST" and (match := _SEARCH.fullmatch(path)):
        _enter(state, "Search")
        request = read(v1.SearchRequest, {**_object(body), "servingConfig": match[1]})
        return "Search", searching.search(state, request, caller)
    if verb == "GET" and (match := _OPERATION.fullmatch(path)):
        _enter(state, "GetOperation")
        return "GetOperation", state.operations.get(_ours(state, match[1]))
    if verb == "GET" and (match := _OPERATIONS.fullmatch(path)):
        _enter(state, "ListOperations")
        return "ListOperations", {"operations": state.operations.below(_ours(state, match[1]))}
    for route in ROUTES:
        if route.verb == verb and (match := re.fullmatch(route.path, path)):
            _enter(state, route.method)
            return route.method, route.handler(state, _request(route, match[1], asked, body))
    raise unimplemented(f"the double does not answer {verb} {path}")


def _enter(state: State, method: str) -> None:
    state.calls.append(method)
    if method in state.conduct.denied:
        raise forbidden(f"Permission denied: {method}.")


def _request(route: Route, resource: str, asked: dict[str, str], body: bytes) -> Json:
    unknown = sorted(asked.keys() - _PARAMETERS - _IGNORED)
    if unknown:
        raise invalid(f'Invalid JSON payload received. Unknown name "{unknown[0]}".')
    request: Json = {key: _value(value) for key, value in asked.items() if key in _PARAMETERS}
    sent = _object(body)
    request |= sent if route.body == "*" else {route.body: sent} if route.body else {}
    place, _, field = route.field.rpartition(".")
    holder = request.setdefault(place, {}) if place else request
    holder[field] = resource
    return read(route.request, request)


def _value(text: str) -> Any:
    return text == "true" if text in {"true", "false"} else text


def _object(body: bytes) -> Json:
    try:
        value = json.loads(body or b"{}")
    except ValueError as error:
        raise invalid(f"Invalid JSON payload received. {error}") from error
    if not isinstance(value, dict):
        raise invalid("Invalid JSON payload received. Expected an object.")
    return value


def _ours(state: State, name: str) -> str:
    """A name as operations are kept under, whichever form the caller wrote."""
    inner = state.names.inner(name)
    return state.names.full(re.sub(r"/branches/default_branch(?=/|$)", "/branches/0", inner))
