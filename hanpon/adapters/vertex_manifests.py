"""What a store may hold where nobody knows what became of a run: the documents of every manifest that lies there."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from hanpon.adapters.vertex_documents import Line, Lines, line_of
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import Missing
from hanpon.contracts.manifests import Entry, Manifest
from hanpon.contracts.ports import StorageView


def lines_of(entries: Iterable[Entry]) -> Lines:
    return {entry.id: line_of(entry) for entry in entries}


def in_doubt(edition: Edition, known: Mapping[str, Line], storage: StorageView) -> Lines:
    """What is known and what any manifest of the edition names, all of it in doubt.

    A run lays its manifest down before it imports, so whatever one that was killed may have brought is among them.
    Of a document in several, all who may read it by one of them.
    """
    lines: Lines = {}
    for each in (known, *(lines_of(manifest.entries) for manifest in _manifests(edition, storage))):
        for key, line in each.items():
            before = lines.get(key, line)
            readers = tuple(sorted({*before.readers, *line.readers}))
            lines[key] = replace(before.with_readers(readers), in_doubt=True)
    return lines


def _manifests(edition: Edition, storage: StorageView) -> Iterator[Manifest]:
    for key in sorted(storage.list(f"{edition.folder}/manifests/")):
        with suppress(Missing, ValueError, KeyError, TypeError, RecursionError):  # a damaged one tells nothing
            manifest = Manifest.from_bytes(storage.read(key))
            if manifest.key == key and manifest.edition == edition:
                yield manifest
