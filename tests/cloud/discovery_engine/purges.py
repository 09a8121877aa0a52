"""PurgeDocuments: documents named one by one, or all of them; a dry run where `force` is not set."""

from collections.abc import Iterator

from google.cloud import discoveryengine_v1 as v1

from tests.cloud.discovery_engine import gcs_sources
from tests.cloud.discovery_engine.messages import Json
from tests.cloud.discovery_engine.operations import Outcome
from tests.cloud.discovery_engine.refusals import Refused, invalid
from tests.cloud.discovery_engine.resource_names import parts
from tests.cloud.discovery_engine.state import State
from tests.cloud.discovery_engine.stores import BRANCH, DataStore, HeldDocument

_TYPES = (v1.PurgeDocumentsMetadata, v1.PurgeDocumentsResponse)
_SAMPLE = 100


def purge_documents(state: State, request: Json) -> Json:
    store = state.store_of_branch(state.names.inner(request["parent"]))
    state.quotas.count("purges", "batch requests")
    state.quotas.admit("purges", state.operations.under_way("purge-documents"))
    _check(state, request)
    prefix = gcs_sources.check_error_prefix(state, request)
    if "gcsSource" in request and not state.conduct.late_refusals:
        gcs_sources.files(state, request["gcsSource"])
    parent = state.names.full(f"dataStores/{store.id}/branches/{BRANCH}")
    return state.operations.begin(parent, "purge-documents", _TYPES, lambda: _purge(state, store, request, prefix))


def _check(state: State, request: Json) -> None:
    named = "gcsSource" in request or "inlineSource" in request
    allowed = {"*", ""} if named and not state.conduct.purge_wants_filter else {"*"}
    if request.get("filter", "") not in allowed:
        raise invalid('Unsupported filter: the only supported value is "*".')
    if "gcsSource" in request:
        if request["gcsSource"].get("dataSchema") != "document_id":
            raise invalid('Unsupported data_schema: a purge takes "document_id".')
        gcs_sources.check_uris(request["gcsSource"])


def _purge(state: State, store: DataStore, request: Json, prefix: str) -> Outcome:
    there = {held.id: held for held in store.shown(state.clock()) if _found(state, held)}
    errors: list[Json] = []
    wanted: list[str] = []
    for document_id in _named(state, store, request, there):
        if isinstance(document_id, Refused):
            errors.append(document_id.sample())
        else:
            wanted.append(document_id)
    found = [there[each] for each in dict.fromkeys(wanted) if each in there]
    names = [state.names.full(store.inner_name(held.id)) for held in found]
    if not request.get("force"):
        return Outcome({}, {"purgeCount": str(len(found)), "purgeSample": names[-_SAMPLE:]})
    for held in found:
        held.gone = state.clock() + state.conduct.removal_lag
    gcs_sources.leave_errors(state, prefix, errors)
    counts = {
        "successCount": str(len(found)),
        "failureCount": str(len(errors)),
        "ignoredCount": str(len(wanted) - len(found)),
    }
    return Outcome(counts, {"purgeCount": str(len(found))})


def _found(state: State, held: HeldDocument) -> bool:
    """Whether a purge meets the document: not where it is purged already, nor, by default, before it was indexed."""
    waiting = held.indexed(state.clock()) is None and held.latest.searchable != float("inf")
    return held.gone is None and not (waiting and state.conduct.early_removals_are_lost)


def _named(state: State, store: DataStore, request: Json, there: dict[str, HeldDocument]) -> Iterator[str | Refused]:
    if "gcsSource" in request:
        for file in gcs_sources.files(state, request["gcsSource"]):
            for line in gcs_sources.lines(state, file):
                yield line.strip().decode("utf-8", errors="replace")
    elif "inlineSource" in request:
        for name in request["inlineSource"].get("documents", []):
            yield _id_of(state, store, name)
    else:
        yield from there


def _id_of(state: State, store: DataStore, name: str) -> str | Refused:
    try:
        store_id, branch, document_id = parts(state.names.inner(name), "dataStores/*/branches/*/documents/*")
    except Refused as refusal:
        return refusal
    if store_id != store.id or branch not in {BRANCH, "default_branch"}:
        return invalid(f"{name} is not in the branch that is purged.")
    return document_id
