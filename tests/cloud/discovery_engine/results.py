"""How search shows what it found: chunks or documents, with the metadata that may be shown."""

from typing import TYPE_CHECKING, Any

from tests.cloud.discovery_engine.documents import message_of
from tests.cloud.discovery_engine.messages import Json
from tests.cloud.discovery_engine.schemas import key_field, leaves
from tests.cloud.discovery_engine.state import State
from tests.cloud.discovery_engine.stores import DataStore, Version

if TYPE_CHECKING:
    from tests.cloud.discovery_engine.searching import Found

_MOST_NEIGHBOURS = 3
_SNIPPET = 200


def shown(state: State, store: DataStore, found: "Found", spec: Json) -> Json:
    """One result: a chunk without a document, or a document without a chunk."""
    if found.chunk is None:
        return _document(state, store, found, spec)
    return {"chunk": _chunk(state, store, found, spec.get("chunkSpec", {}))}


def _document(state: State, store: DataStore, found: "Found", spec: Json) -> Json:
    version = found.version
    document = message_of(state, store, found.held, version)
    document.pop("jsonData", None)
    document["structData"] = _retrievable(state, store, version)
    derived: Json = {"title": _title(store, version), "link": version.body.uri if version.body else ""}
    if spec.get("snippetSpec", {}).get("returnSnippet") and version.body is not None:
        text = next(iter(version.body.chunks), "")[:_SNIPPET]
        derived["snippets"] = [{"snippet": text, "snippet_status": "SUCCESS"}]
    return {"id": found.held.id, "document": {**document, "derivedStructData": derived}}


def _chunk(state: State, store: DataStore, found: "Found", spec: Json) -> Json:
    chunks = found.version.body.chunks if found.version.body is not None else ()
    number = found.chunk or 0
    name = f"{state.names.full(store.inner_name(found.held.id))}/chunks"
    about: Json = {"title": _title(store, found.version), "structData": _retrievable(state, store, found.version)}
    if found.version.body is not None:
        about["uri"] = found.version.body.uri

    def one(at: int) -> Json:
        return {"name": f"{name}/c{at + 1}", "id": f"c{at + 1}", "content": chunks[at], "documentMetadata": about}

    before = min(spec.get("numPreviousChunks", 0), _MOST_NEIGHBOURS)
    after = min(spec.get("numNextChunks", 0), _MOST_NEIGHBOURS)
    return {
        **one(number),
        "relevanceScore": min(1.0, found.score / 100_000),
        "chunkMetadata": {
            "previousChunks": [one(at) for at in range(max(0, number - before), number)],
            "nextChunks": [one(at) for at in range(number + 1, min(len(chunks), number + 1 + after))],
        },
    }


def _title(store: DataStore, version: Version) -> str:
    """The field that the schema calls the title, else the title of the page."""
    field = key_field(store.schema or {}, "title")
    value: Any = version.struct
    for name in field.split(".") if field else ():
        value = value.get(name) if isinstance(value, dict) else None
    return value if field and isinstance(value, str) else version.body.title if version.body else ""


def _retrievable(state: State, store: DataStore, version: Version) -> Json:
    if not state.conduct.only_retrievable:
        return version.struct
    kept = {path for path, field in leaves(store.schema or {}).items() if field.get("retrievable")}
    return _only(version.struct, kept, "")


def _only(struct: Json, kept: set[str], start: str) -> Json:
    found: Json = {}
    for name, value in struct.items():
        path = f"{start}{name}"
        if path in kept:
            found[name] = value
        elif isinstance(value, dict) and (inner := _only(value, kept, f"{path}.")):
            found[name] = inner
    return found
