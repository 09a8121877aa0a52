"""What a store without access control lists: rows, read from the documents themselves."""

from collections.abc import Collection, Mapping

from google.cloud import discoveryengine_v1 as discoveryengine

from hanpon.adapters.google_calls import TRY, google_errors_in_words, patience
from hanpon.adapters.vertex_bucket import Bucket
from hanpon.adapters.vertex_documents import Line, Lines, edition_of, line_in, line_of
from hanpon.adapters.vertex_manifests import in_doubt
from hanpon.adapters.vertex_notes import Notes
from hanpon.adapters.vertex_operations import Operations, Pace
from hanpon.contracts.editions import Edition
from hanpon.releases.access import served
from hanpon.runs.survey import read_manifest, read_pointer

PAGE = 1000
"""Documents that one answer may list."""

KEPT = 60.0
"""Seconds for which a listing may be given out; each edition's part of it is given out once."""


class ListedRows:
    """Rows of a store that lists its documents: all of them at once, for it takes no filter."""

    def __init__(
        self,
        documents: discoveryengine.DocumentServiceClient,
        branch: str,
        bucket: Bucket,
        operations: Operations,
        pace: Pace,
    ) -> None:
        self._documents, self._branch, self._bucket = documents, branch, bucket
        self._operations, self._pace = operations, pace
        self._folder = bucket.uri("")
        self._listed: dict[Edition, Lines] = {}
        self._given: set[Edition] = set()
        self._until = float("-inf")
        self.unindexed = 0
        """Documents of the last listing of which the service says that it could not index them."""

    def editions(self) -> list[Edition]:
        self._list()
        return sorted(self._listed)

    def lines(self, edition: Edition, notes: Notes) -> Lines:
        """The rows of an edition, which another run may be changing.

        They are in doubt while an operation that the notes tell of is under way, and all that it may bring with them.
        """
        is_moving = any(map(self._operations.is_under_way, notes.operations)) or (
            notes.unanswered and bool(self._operations.any_under_way())
        )
        if edition in self._given or self._pace.clock() > self._until:
            self._list()
        self._given.add(edition)
        lines = {**self._withheld(edition), **self._listed.pop(edition, {})}
        return in_doubt(edition, lines, self._bucket) if is_moving else lines

    def fresh(self, edition: Edition) -> Lines:
        """The rows as they are now, when nothing that concerns them is under way."""
        self._until = float("-inf")
        return self.lines(edition, Notes())

    def read_back(self, edition: Edition, wanted: Mapping[str, Line]) -> Lines:
        """The rows, once all that are wanted are there, or after the time that a change may take to show."""
        lines: Lines = {}
        for _ in self._pace.until(self._pace.lag):
            lines = self.fresh(edition)
            if all(key in lines and lines[key].row == line.row for key, line in wanted.items()):
                break
        return lines

    is_complete = True

    def still_there(self, edition: Edition, ids: Collection[str]) -> set[str]:
        """Those of the ids that are listed."""
        self._list()
        return set(ids) & self._listed.get(edition, {}).keys()

    def unseen(self, edition: Edition) -> list[str]:  # noqa: ARG002  every document is listed
        return []

    def _withheld(self, edition: Edition) -> Lines:
        """Documents that nobody may read any more: they are removed from the store, and published still."""
        pointer = read_pointer(edition, self._bucket)
        if pointer is None or () not in pointer.narrowed.values():
            return {}
        manifest = read_manifest(edition, pointer.manifest, self._bucket)
        entries = served(manifest.entries, pointer.narrowed) if manifest else ()
        return {entry.id: line_of(entry) for entry in entries if not entry.readers}

    def _list(self) -> None:
        listed: dict[Edition, Lines] = {}
        unindexed = 0
        request = discoveryengine.ListDocumentsRequest(parent=self._branch, page_size=PAGE)
        with google_errors_in_words(f"{self._branch}: listing documents"):
            for document in self._documents.list_documents(request, retry=patience(), timeout=TRY):
                unindexed += bool(document.index_status.error_samples)
                line = line_in(document, self._folder)
                edition = edition_of(line.key) if line else None
                if line and edition:
                    listed.setdefault(edition, {})[line.id] = line
        self._listed, self._given, self.unindexed = listed, set(), unindexed
        self._until = self._pace.clock() + KEPT
