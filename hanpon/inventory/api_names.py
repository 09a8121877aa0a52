"""The names of an API version: paths with methods, webhooks, callbacks. Made from the same source as the pages."""

from collections.abc import Iterator

from hanpon.contracts.documents import identify
from hanpon.contracts.editions import Edition
from hanpon.contracts.names import Inventory, Name
from hanpon.contracts.operations import ApiSource, Operation


def names_of(source: ApiSource) -> Inventory:
    """Every name that the source has, sorted by kind and name, each once.

    Paths and webhooks bear the id of their page (of its first part); two that differ only in what cannot be shown
    look alike and are two. A callback is described on the page of its operation. An operation that is hidden is in
    the source no more, so it is on no page and in no inventory.
    """
    edition = source.item.edition
    found: dict[tuple[str, str, str], Name] = {}
    for operation in source.documented:
        for name in _names_of(edition, operation):
            key = (name.kind, name.name, name.document)
            first = found.setdefault(key, name)
            if first.deprecated and not name.deprecated:
                found[key] = name
    return Inventory(edition, tuple(found[key] for key in sorted(found)))


def _names_of(edition: Edition, operation: Operation) -> Iterator[Name]:
    document, _ = identify(edition, "api_spec", operation.logical_path)
    yield Name(
        kind=operation.kind,
        name=operation.heading,
        deprecated=operation.deprecated,
        operation_id=operation.operation_id,
        document=document,
    )
    for callback in operation.callbacks:
        for called in callback.operations:
            yield Name(
                kind="callback",
                name=called.heading,
                deprecated=called.deprecated,
                operation_id=called.operation_id,
            )
