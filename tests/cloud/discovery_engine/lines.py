"""One document of an import: all that is refused of it, and what becomes of it."""

import json
import math
import re
from dataclasses import dataclass

from tests.cloud.discovery_engine.callers import readers_of
from tests.cloud.discovery_engine.contents import body_of
from tests.cloud.discovery_engine.messages import Json
from tests.cloud.discovery_engine.objects import split
from tests.cloud.discovery_engine.refusals import invalid
from tests.cloud.discovery_engine.schemas import indexable
from tests.cloud.discovery_engine.state import State
from tests.cloud.discovery_engine.stores import Body, DataStore, HeldDocument, Version
from tests.cloud.discovery_engine.struct_data import conforming

ALL = frozenset({"structData", "jsonData", "content", "aclInfo"})
"""Fields of a document that an import updates, by their names in JSON."""

_ID = re.compile(r"[a-zA-Z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Batch:
    """What all documents of an import have in common; `mask` are the fields to be updated, all of them or fewer."""

    store: DataStore
    mask: frozenset[str]
    refresh: bool
    bucket: str = ""


def take(state: State, batch: Batch, line: Json) -> str:
    """Put a document into its store, and give its id. Raises Refused where it fails."""
    document_id = line.get("id", "")
    _check_id(document_id, state)
    if document_id in state.conduct.failing:
        raise invalid(state.conduct.failing[document_id])
    now = state.clock()
    held = batch.store.documents.get(document_id)
    if held is not None and held.gone is not None and held.gone <= now:
        held = None
    version = _version(state, batch, line, held.latest if held else None)
    kept = (
        [] if held is None else [each for each in held.versions if each is held.indexed(now) or each.searchable > now]
    )
    batch.store.documents[document_id] = HeldDocument(document_id, [*kept, version])
    return str(document_id)


def place(line: Json, file: str) -> str:
    """How errors name a document: by the URI of its content, or of the file it stands in; never by its id."""
    return str(line.get("content", {}).get("uri") or file)


def _check_id(document_id: str, state: State) -> None:
    if not document_id:
        raise invalid('Field "document_id" is required.')
    if not _ID.fullmatch(document_id):
        raise invalid('Field "document_id" must match the pattern: [a-zA-Z0-9-_]*')
    if len(document_id) > state.conduct.id_limit:
        raise invalid(f'Field "document_id" must have at most {state.conduct.id_limit} characters.')


def _version(state: State, batch: Batch, line: Json, last: Version | None) -> Version:
    store, now = batch.store, state.clock()
    if store.schema is None:
        raise invalid("The data store has no schema.")
    struct, json_form = _struct(batch, line, last)
    body = _body(state, batch, line, last)
    access = line.get("aclInfo", {}) if "aclInfo" in batch.mask or last is None else last.access
    _check_access(state, store, access)
    struct = conforming(struct, store.schema)
    findable = body is None or len(body.chunks) <= state.conduct.chunk_limit
    return Version(
        struct=struct,
        json_form=json_form,
        body=body,
        access=access,
        readers=readers_of(access),
        filterable=frozenset(indexable(store.schema)),
        imported=now,
        searchable=now + state.conduct.indexing_lag if findable else math.inf,
    )


def _struct(batch: Batch, line: Json, last: Version | None) -> tuple[Json, bool]:
    if not batch.mask & {"structData", "jsonData"} and last is not None:
        return last.struct, last.json_form
    if "structData" in line:
        return line["structData"], False
    if "jsonData" not in line:
        raise invalid("struct_data is required.")
    try:
        data = json.loads(line["jsonData"])
    except ValueError as error:
        raise invalid("json_data is no JSON.") from error
    if not isinstance(data, dict):
        raise invalid("json_data is no object.")
    return data, True


def _body(state: State, batch: Batch, line: Json, last: Version | None) -> Body | None:
    store = batch.store
    if "content" not in batch.mask:
        body = last.body if last is not None else None
    elif "content" not in line:
        body = None
    elif not store.takes_content:
        raise invalid("To create document with content, content config of data store must be CONTENT_REQUIRED.")
    else:
        body = _read(state, batch, line["content"], last)
    if body is None and store.takes_content:
        raise invalid("To create document without content, content config of data store must be NO_CONTENT.")
    return body


def _read(state: State, batch: Batch, content: Json, last: Version | None) -> Body:
    uri = content.get("uri", "")
    known = last.body if last is not None else None
    if known is not None and uri and known.uri == uri and known.mime_type == content.get("mimeType"):
        if not batch.refresh:
            return known
    elif batch.store.access_controlled and batch.bucket and uri and split(uri)[0] != batch.bucket:
        raise invalid("With access control, the content must lie in the bucket of the file that names it.")
    return body_of(batch.store, content, state.objects, state.conduct)


def _check_access(state: State, store: DataStore, access: Json) -> None:
    entries = access.get("readers", [])
    principals = [principal for entry in entries for principal in entry.get("principals", [])]
    if len(principals) > state.conduct.readers_limit:
        raise invalid(f"acl_info has {len(principals)} principals, at most {state.conduct.readers_limit} are taken.")
    if any("externalEntityId" in each for each in principals) and not store.settings.get("identityMappingStore"):
        raise invalid("external_entity_id needs an identity mapping store.")
    if store.access_controlled and not entries and state.conduct.without_readers == "fails":
        raise invalid("acl_info is required where the data store has ACLs enabled.")
