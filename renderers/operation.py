"""API definitions: one page per operation and per webhook.

A page stands alone: the method and the path are its h1 in one piece of text, every heading names its part in
full, parameters, bodies, responses and errors are static text. The same source gives the same bytes.
"""

from dataclasses import replace
from typing import Literal, NamedTuple

from hanpon.contracts.bundle import ApiItem
from hanpon.contracts.documents import Document, Metadata, Rendered, identify
from hanpon.contracts.editions import Edition
from hanpon.contracts.operations import ApiSource, Operation
from hanpon.contracts.texts import bounded, clean
from hanpon.contracts.versions import version_rank
from renderers.operation_losses import losses
from renderers.operation_page import OperationPages, Printed, heading_of, title_of
from renderers.page import LONGEST_TITLE
from renderers.page_parts import MAX_PARTS, Limits

RECIPE = 4
"""Raised by hand whenever the same source gives other bytes; a test ties it to the golden cases."""

LIMITS = Limits()

MOST_FURTHER_PARTS = 400
"""Of all pages of a source, beside their first parts: what many operations share might be large."""


def render(source: ApiSource) -> Rendered:
    """A document for every operation and webhook of the source, in its order; more for a page that is too large."""
    release = _Release(source.item, source.item.edition, version_rank(source.item.version))
    pages = OperationPages(source, LIMITS)
    documents: list[Document] = []
    cut: list[tuple[Operation, Printed]] = []
    left = MOST_FURTHER_PARTS
    for operation in source.documented:
        printed = pages.page(operation, most_parts=min(MAX_PARTS, left + 1))
        count = len(printed.parts)
        left -= count - 1
        for index, content in enumerate(printed.parts, 1):
            logical_path = operation.logical_path + (f" part {index}" if index > 1 else "")
            document = _document(release, operation, content, logical_path)
            name = pages.part_name(index, count)
            documents.append(document if index == 1 else _named(document, operation, name))
        if count > 1 or printed.lost.is_something:
            cut.append((operation, printed))
    return Rendered(tuple(documents), losses(source, pages.rows, cut))


class _Release(NamedTuple):
    """What all documents of a source have in common."""

    item: ApiItem
    edition: Edition
    rank: int


def _document(release: _Release, operation: Operation, content: bytes, logical_path: str) -> Document:
    item, edition, rank = release
    identifier, slug = identify(edition, "api_spec", logical_path)
    deprecated: Literal["true", "false"] = "true" if operation.deprecated else "false"
    return Document(
        id=identifier,
        slug=slug,
        edition=edition,
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
            section=heading_of(operation),
            method=bounded(operation.method, LONGEST_TITLE),
            path=bounded(operation.target, LONGEST_TITLE),
            operation_id=bounded(operation.operation_id, LONGEST_TITLE),
            tags=tuple(bounded(tag.name, LONGEST_TITLE) for tag in operation.tags),
            groups=item.readers,
            source=clean(f"{operation.place.file}#{operation.place.pointer}"),
        ),
    )


def _named(document: Document, operation: Operation, part: str) -> Document:
    """A further part: its title and section say so, whatever else it is found by is that of the operation."""
    section = f"{heading_of(operation)} ({part})"
    return replace(document, metadata=replace(document.metadata, title=title_of(operation, part), section=section))
