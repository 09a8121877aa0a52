"""ImportDocuments: what is refused at once, and what an import does once its operation ends."""

from collections.abc import Iterator

from google.cloud import discoveryengine_v1 as v1

from tests.cloud.discovery_engine import gcs_sources
from tests.cloud.discovery_engine.lines import ALL, Batch, place, take
from tests.cloud.discovery_engine.messages import Json, read_text
from tests.cloud.discovery_engine.objects import split
from tests.cloud.discovery_engine.operations import Outcome
from tests.cloud.discovery_engine.refusals import Refused, invalid, unimplemented
from tests.cloud.discovery_engine.state import State
from tests.cloud.discovery_engine.stores import BRANCH, DataStore

_TYPES = (v1.ImportDocumentsMetadata, v1.ImportDocumentsResponse)
_SOURCES = {"inlineSource", "gcsSource"}


def import_documents(state: State, request: Json) -> Json:
    store = state.store_of_branch(state.names.inner(request["parent"]))
    state.quotas.count("imports" if "gcsSource" in request else "batch requests")
    state.quotas.admit("imports", state.operations.under_way("import-documents"))
    _check_source(request)
    mask = _mask(state, request)
    prefix = gcs_sources.check_error_prefix(state, request)
    late = state.conduct.late_refusals
    if "gcsSource" in request and not late:
        gcs_sources.files(state, request["gcsSource"])
    parent = state.names.full(f"dataStores/{store.id}/branches/{BRANCH}")
    work = _Import(state, store, request, mask, prefix)
    return state.operations.begin(parent, "import-documents", _TYPES, work.done)


class _Import:
    """The work of one import."""

    def __init__(self, state: State, store: DataStore, request: Json, mask: frozenset[str], prefix: str) -> None:
        self._state = state
        self._store = store
        self._request = request
        self._mask = mask
        self._prefix = prefix
        self._errors: list[Json] = []
        self._taken: dict[str, None] = {}
        self._successes = 0

    def done(self) -> Outcome:
        for file, line in self._lines():
            self._take(file, line)
        if self._request.get("reconciliationMode") == "FULL":
            self._remove_others()
        gcs_sources.leave_errors(self._state, self._prefix, self._errors)
        counts = {
            "successCount": str(self._successes),
            "failureCount": str(len(self._errors)),
            "totalCount": str(self._successes + len(self._errors)),
        }
        response: Json = {"errorSamples": self._errors[: self._state.conduct.samples]}
        if self._prefix:
            response["errorConfig"] = self._request["errorConfig"]
        return Outcome(counts, response)

    def _lines(self) -> Iterator[tuple[str, bytes | Json]]:
        if "inlineSource" in self._request:
            yield from (("inline_source", each) for each in self._request["inlineSource"].get("documents", []))
            return
        for file in gcs_sources.files(self._state, self._request["gcsSource"]):
            yield from ((file, line) for line in gcs_sources.lines(self._state, file))

    def _take(self, file: str, line: bytes | Json) -> None:
        where = file
        try:
            message = self._parsed(line) if isinstance(line, bytes) else line
            where = place(message, file)
            if message.get("id") in self._taken and self._state.conduct.duplicate_ids == "fails":
                raise invalid("Another document of this import has the same id.")
            bucket = split(file)[0] if isinstance(line, bytes) else ""
            refresh = bool(self._request.get("forceRefreshContent"))
            self._taken[take(self._state, Batch(self._store, self._mask, refresh, bucket), message)] = None
            self._successes += 1
        except Refused as refusal:
            self._errors.append({"code": refusal.code, "message": f"{where}: {refusal.message}"})

    def _parsed(self, line: bytes) -> Json:
        if len(line) > self._state.conduct.row_limit:
            raise invalid(f"A line has {len(line)} bytes, at most {self._state.conduct.row_limit} are taken.")
        try:
            return read_text(v1.Document, line.decode())
        except UnicodeDecodeError as error:
            raise invalid("A line is not UTF-8.") from error

    def _remove_others(self) -> None:
        gone = self._state.clock() + self._state.conduct.removal_lag
        for held in self._store.shown(self._state.clock()):
            if held.id not in self._taken:
                held.gone = gone


def _check_source(request: Json) -> None:
    sources = [key for key in request if key.endswith("Source")]
    if not sources:
        raise invalid("A source of documents is required.")
    if sources[0] not in _SOURCES:
        raise unimplemented(f"the double does not import from {sources[0]}")
    if sources[0] != "gcsSource":
        return
    data_schema = request["gcsSource"].get("dataSchema", "document")
    if data_schema not in {"document", "content", "custom", "csv"}:
        raise invalid(f'Unsupported data_schema "{data_schema}".')
    if data_schema == "document" and (request.get("autoGenerateIds") or request.get("idField")):
        raise invalid("auto_generate_ids and id_field are for the data schemas custom and csv only.")
    if data_schema != "document":
        raise unimplemented(f"the double does not import the data schema {data_schema}")
    gcs_sources.check_uris(request["gcsSource"])


def _mask(state: State, request: Json) -> frozenset[str]:
    named = frozenset(path for path in request.get("updateMask", "").split(",") if path)
    allowed = ALL if state.conduct.mask_takes_access else ALL - {"aclInfo"}
    if not named <= allowed:
        raise invalid(f"update_mask: unsupported path {', '.join(sorted(named - allowed))}.")
    return named or ALL
