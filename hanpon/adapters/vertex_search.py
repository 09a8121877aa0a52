"""Search in Vertex AI Search: by chunks where the store has them, one hit for each document."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from google.cloud import discoveryengine_v1 as discoveryengine

from hanpon.adapters.google_calls import TRY, google_errors_in_words, patience
from hanpon.adapters.vertex_documents import readers_in, struct_of
from hanpon.adapters.vertex_filters import for_readers, written
from hanpon.adapters.vertex_names import StoreNames
from hanpon.contracts.access import EVERYONE
from hanpon.contracts.datastore_form import CONTENT_DIGEST
from hanpon.contracts.errors import UsageError
from hanpon.contracts.search import Hit, Query
from hanpon.search.page_sections import STEP
from hanpon.search.snippets import snippet
from hanpon.search.tokens import query_tokens

PAGE = 100
"""Results that one answer may hold."""

MOST_RESULTS = 2000
"""Results that are looked through: pieces of a document come one by one, and count once."""

_MODES = discoveryengine.SearchRequest.ContentSearchSpec.SearchResultMode
_HEADING = re.compile(r"#{1,6} +(.+)")
_NAME = re.compile(r".*/documents/([^/]+)(?:/chunks/[^/]+)?")


@dataclass(frozen=True, slots=True)
class _Found:
    """A result: of which document, and the words it was found by where the service gives them."""

    id: str
    uri: str
    metadata: Mapping[str, Any]
    text: str


class Search:
    """Searches one store as the identity of its client.

    In a store with `access` control that identity decides what is found; in one without, a filter on `groups` does,
    and what comes back is looked at once more: an index may lag behind.
    """

    def __init__(
        self, searches: discoveryengine.SearchServiceClient, names: StoreNames, folder: str, *, access: bool
    ) -> None:
        self._searches, self._names, self._folder, self._access = searches, names, folder, access

    def best(self, query: Query, *, by_chunk: bool) -> list[Hit]:
        """`contracts.ports.Datastore.search`; `by_chunk` for a store that cuts its documents."""
        if self._access and query.principals:
            raise UsageError(
                f"--as: {self._names.address} is a store with access control, where the caller's own credentials "
                "decide what is found; leave it out, and search with the credentials of the person who asks"
            )
        tokens = tuple(query_tokens(query.text))
        if not tokens or query.limit < 1:
            return []
        may_read = {*query.principals, EVERYONE}
        hits: dict[str, Hit] = {}
        for found in self._results(query, by_chunk=by_chunk):
            if not self._access and may_read.isdisjoint(readers_in(found.metadata)):
                continue
            if found.id not in hits:
                hits[found.id] = self._hit(found, len(hits) + 1, tokens)
            if len(hits) == query.limit:
                break
        return list(hits.values())

    def _results(self, query: Query, *, by_chunk: bool) -> Iterator[_Found]:
        tree = query.filter if self._access else for_readers(query.filter, query.principals)
        request = discoveryengine.SearchRequest(
            serving_config=self._names.serving_config,
            query=query.text,
            filter=written(tree),
            page_size=PAGE if by_chunk else min(PAGE, query.limit),
            content_search_spec=discoveryengine.SearchRequest.ContentSearchSpec(
                search_result_mode=_MODES.CHUNKS if by_chunk else _MODES.DOCUMENTS
            ),
        )
        with google_errors_in_words(f"{self._names.address}: searching"):
            for number, result in enumerate(self._searches.search(request, retry=patience(), timeout=TRY)):
                if number >= MOST_RESULTS:
                    return
                message = type(result).pb(result)
                yield _of_chunk(message.chunk) if by_chunk else _of_document(message.document)

    def _hit(self, found: _Found, rank: int, tokens: tuple[str, ...]) -> Hit:
        metadata = {name: value for name, value in found.metadata.items() if name != CONTENT_DIGEST}
        title, section = str(metadata.get("title", "")), str(metadata.get("section", ""))
        trail, text = _parted(found.text)
        return Hit(
            id=found.id,
            key=found.uri.removeprefix(self._folder),
            title=title,
            section=section,
            trail=trail or ((title,) if title else ()),
            anchor="",  # the service cuts at headings, and forgets their ids
            snippet=snippet(text or STEP.join(trail) or title, tokens),
            score=round(1 / rank, 6),
            metadata=metadata,
        )


def _of_chunk(chunk: Any) -> _Found:
    about = chunk.document_metadata
    return _Found(_id_in(chunk.name), about.uri, struct_of(about.struct_data), chunk.content)


def _of_document(document: Any) -> _Found:
    link = struct_of(document.derived_struct_data).get("link", "")
    identifier = document.id or _id_in(document.name)
    return _Found(identifier, document.content.uri or str(link), struct_of(document.struct_data), "")


def _id_in(name: str) -> str:
    match = _NAME.fullmatch(name)
    return match[1] if match else ""


def _parted(chunk: str) -> tuple[tuple[str, ...], str]:
    """The headings that a chunk begins with, as lines of Markdown, and its text."""
    lines = chunk.splitlines()
    trail = []
    while lines and (not lines[0].strip() or _HEADING.fullmatch(lines[0].strip())):
        if heading := _HEADING.fullmatch(lines.pop(0).strip()):
            trail.append(heading[1])
    return tuple(trail), "\n".join(lines)
