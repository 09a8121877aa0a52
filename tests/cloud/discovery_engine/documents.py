"""Reading documents one by one and by pages; not on access-controlled stores."""

import json

from google.cloud import discoveryengine_v1 as v1

from tests.cloud.discovery_engine.messages import Json, written
from tests.cloud.discovery_engine.operations import moment
from tests.cloud.discovery_engine.refusals import absent, invalid
from tests.cloud.discovery_engine.resource_names import parts
from tests.cloud.discovery_engine.state import State
from tests.cloud.discovery_engine.stores import DataStore, HeldDocument, Version

_PAGE, _LARGEST_PAGE = 100, 1000


def get_document(state: State, request: Json) -> Json:
    store_id, branch, document_id = parts(state.names.inner(request["name"]), "dataStores/*/branches/*/documents/*")
    store = state.store_of_branch(f"dataStores/{store_id}/branches/{branch}")
    state.quotas.count("document reads")
    if store.access_controlled:
        raise state.hidden()
    held = {each.id: each for each in store.shown(state.clock())}.get(document_id)
    if held is None:
        raise absent(f"Document {request['name']} not found.")
    return written(v1.Document, _document(state, store, held))


def list_documents(state: State, request: Json) -> Json:
    store = state.store_of_branch(state.names.inner(request["parent"]))
    state.quotas.count("document reads")
    if store.access_controlled:
        raise state.hidden()
    size = int(request.get("pageSize", 0))
    if size < 0:
        raise invalid("page_size must not be negative.")
    size = min(size or _PAGE, _LARGEST_PAGE)
    after = _after(request.get("pageToken", ""), store, size)
    rest = [held for held in store.shown(state.clock()) if held.id > after]
    reply: Json = {"documents": [_document(state, store, held) for held in rest[:size]]}
    if len(rest) > size:
        reply["nextPageToken"] = f"{store.id}/{size}/{rest[size - 1].id}"
    return written(v1.ListDocumentsResponse, reply)


def message_of(state: State, store: DataStore, held: HeldDocument, version: Version) -> Json:
    """A document of one of its versions, without access and index status: what Get and search have in common."""
    data = {"jsonData": json.dumps(version.struct)} if version.json_form else {"structData": version.struct}
    body = version.body
    content = {"content": {"mimeType": body.mime_type, "uri": body.uri}} if body is not None and body.uri else {}
    name = state.names.full(store.inner_name(held.id))
    return {"name": name, "id": held.id, "schemaId": "default_schema", **data, **content}


def _document(state: State, store: DataStore, held: HeldDocument) -> Json:
    version = held.latest
    access = {"aclInfo": version.access} if version.access else {}
    return {**message_of(state, store, held, version), **access, **_index(state, version)}


def _index(state: State, version: Version) -> Json:
    if version.searchable <= state.clock():
        time = moment(version.searchable)
        return {"indexTime": time, "indexStatus": {"indexTime": time}}
    if version.searchable == float("inf") and version.body is not None:
        message = f"Number of chunks: {len(version.body.chunks)}, while threshold is {state.conduct.chunk_limit}"
        return {"indexStatus": {"errorSamples": [{"code": 3, "message": message}]}}
    return {"indexStatus": {"pendingMessage": "The document is being indexed."}}


def _after(token: str, store: DataStore, size: int) -> str:
    if not token:
        return ""
    told, _, after = token.rpartition("/")
    if told != f"{store.id}/{size}":
        raise invalid("page_token belongs to a call with other parameters.")
    return after
