"""Imports into Vertex AI Search: lines are laid into the bucket, one request names them, its counts are judged."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from google.cloud import discoveryengine_v1 as discoveryengine
from google.protobuf.field_mask_pb2 import FieldMask

from hanpon.adapters.google_calls import TRY
from hanpon.adapters.vertex_bucket import Bucket
from hanpon.adapters.vertex_documents import Line, document_of, jsonl, metadata_of
from hanpon.adapters.vertex_failures import Failures
from hanpon.adapters.vertex_notes import Notebook
from hanpon.adapters.vertex_operations import unpacked
from hanpon.adapters.vertex_requests import FOLDER, Requests

MOST_FILES = 100
"""Files that a request may name."""

MOST_BYTES = 20_000_000
"""Bytes of lines in a file, about; the service takes 2 GB, and one file at a time is in memory here."""

JSON_LINES = "application/jsonl"


class Imports:
    """Imports lines, INCREMENTAL always: what they do not name stays as it is."""

    def __init__(
        self,
        documents: discoveryengine.DocumentServiceClient,
        branch: str,
        bucket: Bucket,
        requests: Requests,
        *,
        access: bool,
    ) -> None:
        self._documents, self._branch, self._bucket, self._requests = documents, branch, bucket, requests
        self._access = access

    def whole(self, lines: Sequence[Line], notebook: Notebook) -> None:
        """Import documents with address, metadata and readers.

        Returns once the service has taken every one of them. Raises InvalidInput with every document that it did
        not take and why, Unavailable where it may take them another time or says nothing clear, UsageError where it
        refuses the request. Whatever is raised, some of the lines may have been taken.
        """
        self._bring(lines, self._document, [], notebook)

    def metadata(self, lines: Sequence[Line], notebook: Notebook) -> None:
        """The same for the metadata of documents that are there, whose content and address stay as they are."""
        self._bring(lines, metadata_of, ["struct_data"], notebook)

    def _document(self, line: Line) -> dict[str, Any]:
        return document_of(line, self._bucket.uri(line.key), access=self._access)

    def _bring(
        self, lines: Sequence[Line], record: Callable[[Line], Mapping[str, Any]], mask: list[str], notebook: Notebook
    ) -> None:
        files = _files_of((line, jsonl(record(line))) for line in lines)
        for first in files:
            self._requests.announce(notebook)
            keys: list[str] = []
            sent: list[Line] = []
            for file in itertools.chain([first], itertools.islice(files, MOST_FILES - 1)):
                keys.append(f"{FOLDER}{self._requests.name()}.jsonl")
                self._bucket.put(keys[-1], b"".join(data for _, data in file), JSON_LINES)
                sent += [line for line, _ in file]
            self._import(keys, sent, mask, notebook)

    def _import(self, keys: Sequence[str], sent: Sequence[Line], mask: list[str], notebook: Notebook) -> None:
        errors = f"{FOLDER}errors/{keys[0].removeprefix(FOLDER).removesuffix('.jsonl')}/"

        def begin(attempt: int) -> str:
            request = discoveryengine.ImportDocumentsRequest(
                parent=self._branch,
                gcs_source=discoveryengine.GcsSource(
                    input_uris=[self._bucket.uri(key) for key in keys], data_schema="document"
                ),
                # a try whose answer was lost may be writing there: every try has a folder that is new and empty
                error_config=discoveryengine.ImportErrorConfig(gcs_prefix=self._bucket.uri(f"{errors}{attempt}/")),
                reconciliation_mode=discoveryengine.ImportDocumentsRequest.ReconciliationMode.INCREMENTAL,
                update_mask=FieldMask(paths=mask) if mask else None,
            )
            self._requests.wait_for_quota()
            return str(self._documents.import_documents(request, retry=None, timeout=TRY).operation.name)

        what = f"{self._branch}: importing {len(sent):,} documents"
        operation = self._requests.carry_out(what, begin, notebook)
        metadata = unpacked(operation.metadata, discoveryengine.ImportDocumentsMetadata)
        response = unpacked(operation.response, discoveryengine.ImportDocumentsResponse)
        failures = Failures({self._bucket.uri(line.key): line for line in sent})
        failures.add((sample.code, sample.message) for sample in response.error_samples)
        if failures.samples or metadata.failure_count or metadata.success_count != len(sent):
            failures.read(self._bucket, errors)
        failures.judge(what, taken=metadata.success_count, failed=metadata.failure_count, sent=len(sent))
        self._requests.tidy()


def _files_of(lines: Iterable[tuple[Line, bytes]]) -> Iterator[list[tuple[Line, bytes]]]:
    file: list[tuple[Line, bytes]] = []
    size = 0
    for line, data in lines:
        if file and size + len(data) > MOST_BYTES:
            yield file
            file, size = [], 0
        file.append((line, data))
        size += len(data)
    if file:
        yield file
