"""The datastore in Google Cloud (`vertex://PROJECT/LOCATION/DATA_STORE`): Vertex AI Search over pages in a bucket."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from google.cloud import discoveryengine_v1 as discoveryengine

from hanpon.adapters.google_calls import TRY, google_errors_in_words, patience
from hanpon.adapters.vertex_audit import Auditor
from hanpon.adapters.vertex_bucket import Bucket
from hanpon.adapters.vertex_change import Means, Rows, VertexChange
from hanpon.adapters.vertex_documents import refusals
from hanpon.adapters.vertex_imports import Imports
from hanpon.adapters.vertex_ledger import LedgerRows
from hanpon.adapters.vertex_names import StoreNames
from hanpon.adapters.vertex_notes import Notebook
from hanpon.adapters.vertex_operations import Operations, Pace
from hanpon.adapters.vertex_purges import Purges
from hanpon.adapters.vertex_requests import Requests
from hanpon.adapters.vertex_rows import ListedRows
from hanpon.adapters.vertex_search import Search
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import UsageError
from hanpon.contracts.findings import Finding
from hanpon.contracts.manifests import Entry, Row
from hanpon.contracts.ports import DatastoreChange
from hanpon.contracts.search import Hit, Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Clients:
    """The service's clients, all of one endpoint. `auditor` searches as another identity, where one is named."""

    documents: discoveryengine.DocumentServiceClient
    stores: discoveryengine.DataStoreServiceClient
    searches: discoveryengine.SearchServiceClient
    auditor: discoveryengine.SearchServiceClient | None = None


class VertexDatastore:
    """The promises of `contracts.ports.Datastore`, as far as the service keeps them.

    It has no transactions. What a change imports shows before `commit`, and a change that is left after that is not
    undone: the next one finds what is there. Removal comes last. Runs are kept apart by the edition being held in
    storage, not by this. With `access` the store is one with access control, of which nothing can be listed: rows
    are then what was published, as far as the auditor does not see otherwise. `run` names files in the bucket, and
    is to be this datastore's alone.
    """

    def __init__(
        self, names: StoreNames, bucket: Bucket, clients: Clients, *, access: bool, run: str, pace: Pace | None = None
    ) -> None:
        self._pace = pace = pace or Pace()
        folder = bucket.uri("")
        self._names, self._bucket, self._access, self._clients = names, bucket, access, clients
        operations = Operations(clients.documents, names.resource, pace)
        auditor = Auditor(clients.auditor, names, folder) if clients.auditor else None
        self._listed = None if access else ListedRows(clients.documents, names.branch, bucket, operations, pace)
        self._rows: Rows = self._listed or LedgerRows(names.resource, bucket, auditor, pace)
        self._requests = Requests(bucket, operations, pace, run)
        self._imports = Imports(clients.documents, names.branch, bucket, self._requests, access=access)
        self._purges = Purges(clients.documents, names, bucket, self._requests)
        self._search = Search(clients.searches, names, folder, access=access)
        self._store: discoveryengine.DataStore | None = None

    @property
    def address(self) -> str:
        return self._names.address

    def editions(self) -> Sequence[Edition]:
        self._check()
        return self._rows.editions()

    def rows(self, edition: Edition) -> Mapping[str, Row]:
        """They equal none that is wanted while a change that was cut short may still be at work."""
        self._check()
        notes = self._notebook(edition).read()
        return {key: line.row for key, line in self._rows.lines(edition, notes).items()}

    def unseen(self, edition: Edition) -> Sequence[str]:
        self._check()
        return self._rows.unseen(edition)

    def refused(self, entries: Sequence[Entry]) -> Sequence[Finding]:
        return refusals(entries, access=self._access)

    @contextmanager
    def change(self, edition: Edition) -> Iterator[DatastoreChange]:
        """Begin a change of an edition that is held; what a former run left under way is waited for first."""
        self._check()
        notebook = self._notebook(edition)
        self._requests.recover(notebook)
        means = Means(
            rows=self._rows,
            imports=self._imports,
            purges=self._purges,
            notebook=notebook,
            pace=self._pace,
            access=self._access,
        )
        yield VertexChange(edition, means)

    def renew(self) -> bool:
        """Never: what a store is made with cannot be changed, and another takes its place under another name."""
        return False

    def finds_its_rows(self) -> bool:
        """Whether the service tells of no listed document that it could not index; more it does not let be asked."""
        self._check()
        if self._listed is None:
            return True
        self._listed.editions()
        return not self._listed.unindexed

    def search(self, query: Query) -> Sequence[Hit]:
        store = self._check()
        return self._search.best(query, by_chunk="chunking_config" in store.document_processing_config)

    def _notebook(self, edition: Edition) -> Notebook:
        return Notebook(self._bucket, self._names.resource, edition)

    def _check(self) -> discoveryengine.DataStore:
        """The store's settings, asked for once. Raises UsageError where its access control is not as was said."""
        if self._store is None:
            with google_errors_in_words(f"{self.address}: reading its settings"):
                store = self._clients.stores.get_data_store(name=self._names.resource, retry=patience(), timeout=TRY)
            if store.acl_enabled != self._access:
                found, wanted = ("on", "filtered") if store.acl_enabled else ("off", "enforced")
                raise UsageError(
                    f"{self.address}: access control is {found} in this data store, which can never be changed, and "
                    f"HANPON_ACCESS says {wanted}; set the other, or name another data store"
                )
            self._store = store
        return self._store
