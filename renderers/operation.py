"""API definitions: one page per operation and per webhook.

A page stands alone: the method and the path are its h1 in one piece of text, every heading names its part in
full, parameters, bodies, responses and errors are static text. The same source gives the same bytes.
"""

from collections.abc import Iterator
from functools import cache
from typing import Literal

from hanpon.contracts.documents import Document, Metadata, identify
from hanpon.contracts.operations import ApiSource, Operation
from hanpon.contracts.versions import version_rank
from renderers.operation_page import OperationPages, title_of
from renderers.schema_rows import MAX_DEPTH, MAX_ROWS

RECIPE = 2
"""Raised by hand whenever the same source gives other bytes; a test ties it to the golden cases."""

MAX_BYTES = 2_500_000
"""Vertex AI Search takes HTML up to this size."""

_SIZES = ((MAX_ROWS, MAX_DEPTH), (100, 5), (30, 3), (10, 2))
"""Rows and levels of a table; the smaller ones for a page that would be too large otherwise."""


def render(source: ApiSource) -> Iterator[Document]:
    """A document for every operation and webhook of the source, in its order."""
    rank = version_rank(source.item.version)
    printer = cache(lambda size: OperationPages(source, *size, examples=size is not _SIZES[-1]))
    for operation in source.documented:
        pages = (printer(size).page(operation) for size in _SIZES)
        content = next((page for page in pages if len(page) < MAX_BYTES), b"")
        yield _document(source, operation, content or printer(_SIZES[-1]).page(operation, MAX_BYTES), rank)


def _document(source: ApiSource, operation: Operation, content: bytes, rank: int) -> Document:
    item = source.item
    identifier, slug = identify(item.edition, "api_spec", operation.logical_path)
    deprecated: Literal["true", "false"] = "true" if operation.deprecated else "false"
    return Document(
        id=identifier,
        slug=slug,
        edition=item.edition,
        readers=item.readers,
        content=content,
        metadata=Metadata(
            title=title_of(operation),
            doc_type="api_spec",
            api=item.name,
            api_version=item.version,
            version_rank=rank,
            deprecated=deprecated,
            owner=item.owner,
            language=item.language,
            section=operation.heading,
            method=operation.method,
            path=operation.target,
            operation_id=operation.operation_id,
            tags=tuple(tag.name for tag in operation.tags),
            groups=item.readers,
            source=f"{operation.place.file}#{operation.place.pointer}",
        ),
    )
