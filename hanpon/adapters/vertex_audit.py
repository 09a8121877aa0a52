"""Looking for rows by searching, as an identity that may read them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from google.cloud import discoveryengine_v1 as discoveryengine

from hanpon.adapters.google_calls import TRY, google_errors_in_words, patience
from hanpon.adapters.vertex_documents import Line, edition_of, readers_in, struct_of
from hanpon.adapters.vertex_filters import of_versions, written
from hanpon.adapters.vertex_names import StoreNames
from hanpon.contracts.datastore_form import CONTENT_DIGEST
from hanpon.contracts.editions import Edition, Kind

PAGE = 100
"""Results that one answer may hold."""

MOST_PAIRS = 50
"""Apis and versions that one search asks for."""


class Auditor:
    """Finds what its identity may read: a member of the readers' groups, never a reader that was added for it."""

    def __init__(self, searches: discoveryengine.SearchServiceClient, names: StoreNames, folder: str) -> None:
        self._searches, self._names, self._folder = searches, names, folder

    def found(self, edition: Edition, lines: Mapping[str, Line]) -> dict[str, Line]:
        """The documents of an edition that it sees, by id; looked for where those of `lines` are, and its own."""
        pairs = _pairs(edition, lines.values())
        found = {}
        while part := list(islice(pairs, MOST_PAIRS)):
            for document in self._search(written(of_versions(part))):
                known = lines.get(document.id)
                line = self._line(type(document).pb(document), known)
                if edition_of(line.key) == edition:
                    found[line.id] = line
        return found

    def _search(self, expression: str) -> Iterator[discoveryengine.Document]:
        request = discoveryengine.SearchRequest(
            serving_config=self._names.serving_config,
            filter=expression,
            page_size=PAGE,
            content_search_spec=discoveryengine.SearchRequest.ContentSearchSpec(
                search_result_mode=discoveryengine.SearchRequest.ContentSearchSpec.SearchResultMode.DOCUMENTS
            ),
        )
        with google_errors_in_words(f"{self._names.serving_config}: searching as the auditor"):
            for result in self._searches.search(request, retry=patience(), timeout=TRY):
                yield result.document

    def _line(self, message: Any, known: Line | None) -> Line:
        """A result names no media type and not always an address; what was known of the document stands for them."""
        metadata = struct_of(message.struct_data)
        content = str(metadata.pop(CONTENT_DIGEST, ""))
        readers = readers_in(metadata)
        uri = message.content.uri or str(struct_of(message.derived_struct_data).get("link", ""))
        key = uri.removeprefix(self._folder) if uri.startswith(self._folder) else ""
        return Line(
            id=message.id,
            key=key or (known.key if known and not uri else ""),
            media_type=known.media_type if known else "",
            content=content,
            metadata=metadata,
            readers=readers,
            in_doubt=not readers,
        )


def _pairs(edition: Edition, lines: Iterable[Line]) -> Iterator[tuple[str, str]]:
    pairs = {(str(line.metadata.get("api", "")), str(line.metadata.get("api_version", ""))) for line in lines}
    own: Sequence[tuple[str, str]] = (
        [(edition.name, edition.version)] if edition.kind in (Kind.API, Kind.COMPONENT) else []
    )
    return iter(sorted({*pairs, *own}))
