"""Search: words that occur, within what a filter lets through and the caller may read."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

from google.cloud import discoveryengine_v1 as v1

from tests.cloud.discovery_engine import filters, results
from tests.cloud.discovery_engine.callers import Caller
from tests.cloud.discovery_engine.messages import Json, written
from tests.cloud.discovery_engine.refusals import absent, invalid, unimplemented
from tests.cloud.discovery_engine.resource_names import parts
from tests.cloud.discovery_engine.schemas import EMPTY, indexable
from tests.cloud.discovery_engine.state import UNSET, State
from tests.cloud.discovery_engine.stores import DataStore, HeldDocument, Version
from tests.cloud.discovery_engine.words import score, words

_PAGE, _LARGEST_PAGE = 50, 100
_CONFIGS = {"default_serving_config", "default_config", "default_search"}
_HEEDED = {"servingConfig", "branch", "query", "pageSize", "pageToken", "offset", "filter", "contentSearchSpec"}
_WITHOUT_EFFECT = {
    "canonicalFilter", "userInfo", "languageCode", "queryExpansionSpec", "spellCorrectionSpec", "userPseudoId",
    "safeSearch", "userLabels", "relevanceThreshold", "relevanceScoreSpec",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Found:
    """A version that answers, with what search counted; `chunk` is the number of a chunk, None for a document."""

    held: HeldDocument
    version: Version
    score: int
    chunk: int | None = None


def search(state: State, request: Json, caller: Caller) -> Json:
    store = _searched(state, request["servingConfig"])
    state.quotas.count("searches")
    _check(request)
    mode = _mode(state, store, request.get("contentSearchSpec", {}))
    schema = store.schema or EMPTY
    finds_missing = state.conduct.not_finds_missing
    passes = filters.parse(request.get("filter", ""), indexable(schema), not_finds_missing=finds_missing)
    filters.parse(request.get("canonicalFilter", ""), indexable(schema), not_finds_missing=finds_missing)
    seen = [(held, version) for held, version in _visible(state, store, caller) if passes(version)]
    wanted = frozenset(words(request.get("query", "")))
    found = [each for held, version in seen for each in _found(held, version, wanted, chunks=mode == "CHUNKS")]
    found.sort(key=lambda each: (-each.score, each.held.id, each.chunk or 0))
    return _page(state, store, request, found)


def _searched(state: State, name: str) -> DataStore:
    kind, owner, config = parts(state.names.inner(name), "*/*/servingConfigs/*")
    if config not in _CONFIGS:
        raise absent(f"ServingConfig {name} not found.")
    if kind == "dataStores":
        return state.store(owner)
    if kind != "engines" or owner not in state.engines:
        raise absent(f"Engine {owner} not found.")
    return state.store(state.engines[owner])


def _check(request: Json) -> None:
    unheeded = sorted(request.keys() - _HEEDED - _WITHOUT_EFFECT)
    if unheeded:
        raise unimplemented(f"the double does not search with {', '.join(unheeded)}")
    for field in ("pageSize", "offset"):
        if request.get(field, 0) < 0:
            raise invalid(f"{field} must not be negative.")
    if len(request.get("userPseudoId", "")) > 128:
        raise invalid("user_pseudo_id must have at most 128 characters.")
    if len(request.get("userLabels", {})) > 64:
        raise invalid("At most 64 user_labels are taken.")


def _mode(state: State, store: DataStore, spec: Json) -> str:
    if store.chunking is not None and "extractiveContentSpec" in spec:
        raise invalid("extractive_content_spec must be not defined when the datastore is using 'chunking config'")
    unheeded = sorted(spec.keys() - {"searchResultMode", "chunkSpec", "snippetSpec"})
    if unheeded:
        raise unimplemented(f"the double does not search with {', '.join(unheeded)}")
    mode = str(spec.get("searchResultMode", state.conduct.mode_unspecified if store.chunking else "DOCUMENTS"))
    if mode == "CHUNKS" and store.chunking is None:
        raise invalid("search_result_mode CHUNKS is for data stores with a chunking config only.")
    if "chunkSpec" in spec and mode != "CHUNKS":
        raise invalid("chunk_spec must not be defined unless search_result_mode is CHUNKS.")
    return mode


def _visible(state: State, store: DataStore, caller: Caller) -> Iterator[tuple[HeldDocument, Version]]:
    """What search knows and the caller may read. Who the request says the user is counts for nothing."""
    now = state.clock()
    provided = store.provider != UNSET
    for held in store.shown(now):
        version = held.indexed(now)
        if version is None:
            continue
        if not store.access_controlled or (provided and caller.reads(version.readers)):
            yield held, version


def _found(held: HeldDocument, version: Version, wanted: frozenset[str], *, chunks: bool) -> Iterator[Found]:
    """The answers of one version; with nothing wanted, everything answers."""
    if chunks:
        for number, held_words in enumerate(version.body.counted if version.body is not None else ()):
            points = score(wanted, held_words)
            if points or not wanted:
                yield Found(held, version, points, number)
        return
    points = score(wanted, version.counted)
    if points or not wanted:
        yield Found(held, version, points)


def _page(state: State, store: DataStore, request: Json, found: list[Found]) -> Json:
    size = min(request.get("pageSize", 0) or _PAGE, _LARGEST_PAGE)
    same = {key: value for key, value in request.items() if key not in {"pageToken", "offset"}}
    mark = hashlib.sha256(json.dumps(same, sort_keys=True).encode()).hexdigest()[:16]
    start = request.get("offset", 0)
    if token := request.get("pageToken"):
        told, _, at = token.partition("/")
        if told != mark or not at.isdigit():
            raise invalid("page_token belongs to a call with other parameters.")
        start = int(at)
    page = found[start : start + size]
    reply: Json = {
        "results": [results.shown(state, store, each, request.get("contentSearchSpec", {})) for each in page],
        "totalSize": len(found),
        "attributionToken": mark,
    }
    if start + size < len(found):
        reply["nextPageToken"] = f"{mark}/{start + size}"
    return written(v1.SearchResponse, reply)
