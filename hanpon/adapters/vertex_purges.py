"""Removal from Vertex AI Search: documents are named one by one, never by what is left out."""

from collections.abc import Callable, Sequence
from typing import Any

from google.api_core.exceptions import BadRequest
from google.cloud import discoveryengine_v1 as discoveryengine

from hanpon.adapters.google_calls import TRY
from hanpon.adapters.vertex_bucket import Bucket
from hanpon.adapters.vertex_names import StoreNames
from hanpon.adapters.vertex_notes import Notebook
from hanpon.adapters.vertex_operations import unpacked
from hanpon.adapters.vertex_requests import FOLDER, Requests
from hanpon.contracts.errors import Unavailable, UsageError

MOST_INLINE = 100
"""Names of documents that one request may hold; more are laid into the bucket."""


class Purges:
    """Removes documents by id."""

    def __init__(
        self,
        documents: discoveryengine.DocumentServiceClient,
        names: StoreNames,
        bucket: Bucket,
        requests: Requests,
    ) -> None:
        self._documents, self._names, self._bucket, self._requests = documents, names, bucket, requests

    def remove(self, ids: Sequence[str], notebook: Notebook) -> int:
        """Remove these documents; how many of them were removed: the others are gone, or not indexed yet.

        What is not indexed yet would come back. Raises Unavailable where the counts are not those of the ids,
        UsageError where the request is refused.
        """
        self._requests.announce(notebook)
        source = self._source(ids)
        try:
            operation = self._purge(source, ids, notebook)
        except UsageError as error:
            if not isinstance(error.__cause__, BadRequest):
                raise
            operation = self._purge_with_filter(source, ids, notebook)
        counts = unpacked(operation.metadata, discoveryengine.PurgeDocumentsMetadata)
        if counts.failure_count or counts.success_count + counts.ignored_count != len(ids):
            raise Unavailable(
                f"{self._what(ids)}: {counts.success_count:,} were removed, {counts.ignored_count:,} were not there, "
                f"{counts.failure_count:,} failed; try again"
            )
        self._requests.tidy()
        return int(counts.success_count)

    def _purge_with_filter(self, source: dict[str, Any], ids: Sequence[str], notebook: Notebook) -> Any:
        """Whether a purge of ids wants a filter, and takes them for all that it means, is not written: it is tried.

        Without force nothing is removed, and the count says what would be.
        """
        tried = self._purge({**source, "filter": "*", "force": False}, ids, notebook)
        would = unpacked(tried.response, discoveryengine.PurgeDocumentsResponse).purge_count
        if would > len(ids):
            raise UsageError(f"{self._what(ids)}: the service would remove {would:,}; nothing was removed")
        return self._purge({**source, "filter": "*"}, ids, notebook)

    def _purge(self, source: dict[str, Any], ids: Sequence[str], notebook: Notebook) -> Any:
        request = discoveryengine.PurgeDocumentsRequest({"parent": self._names.branch, "force": True, **source})
        return self._requests.carry_out(self._what(ids), self._begin(request), notebook)

    def _begin(self, request: discoveryengine.PurgeDocumentsRequest) -> Callable[[int], str]:
        return lambda _: str(self._documents.purge_documents(request, retry=None, timeout=TRY).operation.name)

    def _source(self, ids: Sequence[str]) -> dict[str, Any]:
        if len(ids) <= MOST_INLINE:
            return {"inline_source": {"documents": [self._names.document(identifier) for identifier in ids]}}
        key = f"{FOLDER}{self._requests.name()}.txt"
        self._bucket.put(key, "".join(f"{identifier}\n" for identifier in ids).encode(), "text/plain")
        return {"gcs_source": {"input_uris": [self._bucket.uri(key)], "data_schema": "document_id"}}

    def _what(self, ids: Sequence[str]) -> str:
        return f"{self._names.branch}: removing {len(ids):,} documents"
