"""One change of one edition's rows in Vertex AI Search: imported, read back, and only then is anything removed."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hanpon.adapters.vertex_documents import Line, Lines, line_of, refusals
from hanpon.adapters.vertex_imports import Imports
from hanpon.adapters.vertex_notes import Notebook, Notes, digest_of_rows
from hanpon.adapters.vertex_operations import Pace
from hanpon.adapters.vertex_purges import Purges
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import InvalidInput, Unavailable
from hanpon.contracts.manifests import Entry, Row


class Rows(Protocol):
    """What is known of a store's rows: as listed, or as published and seen by an auditor."""

    def editions(self) -> list[Edition]: ...

    def lines(self, edition: Edition, notes: Notes) -> Lines: ...

    def fresh(self, edition: Edition) -> Lines: ...

    def read_back(self, edition: Edition, wanted: Mapping[str, Line]) -> Lines: ...

    is_complete: bool
    """Whether what is not there for these methods is not there at all."""

    def still_there(self, edition: Edition, ids: Collection[str]) -> set[str]: ...

    def unseen(self, edition: Edition) -> list[str]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What a change works with."""

    rows: Rows
    imports: Imports
    purges: Purges
    notebook: Notebook
    pace: Pace
    access: bool
    """Whether the store is one with access control."""


class VertexChange:
    """`contracts.ports.DatastoreChange` as far as the service goes.

    `upsert`, `remove` and `restrict` only say what is wanted. `rows` imports what differs and reads it back, `commit`
    does the same where that was not done, and then removes. What was imported shows at once, and cannot be undone:
    where a change is left after that, the next one finds it and brings it to what is wanted then.
    """

    def __init__(self, edition: Edition, means: Means) -> None:
        self._edition, self._means = edition, means
        self._there = means.rows.fresh(edition)
        """What the store holds, as far as it is known; a line without readers is not in it."""
        self._wanted = dict(self._there)
        self._removed: set[str] = set()
        self._read: Lines | None = None

    def upsert(self, entries: Sequence[Entry], page_of: Callable[[Entry], bytes]) -> None:  # noqa: ARG002
        """The pages lie in the bucket already. Raises InvalidInput with all that the service would refuse."""
        if problems := refusals(entries, access=self._means.access):
            raise InvalidInput(problems)
        self._wanted.update((entry.id, line_of(entry)) for entry in entries)
        self._read = None

    def remove(self, ids: Iterable[str]) -> None:
        for identifier in ids:
            if self._wanted.pop(identifier, None):
                self._removed.add(identifier)

    def erase(self, ids: Iterable[str]) -> None:
        """The service says that a document is deleted, and nothing of when it is gone from its disks."""
        self.remove(ids)

    def restrict(self, readers: Mapping[str, tuple[str, ...]]) -> None:
        for identifier, remaining in readers.items():
            if identifier in self._wanted:
                self._wanted[identifier] = self._wanted[identifier].with_readers(remaining)
        self._read = None

    def rows(self) -> Mapping[str, Row]:
        read = self._read_back()
        leaving = self._leaving() | (self._removed - self._wanted.keys())
        return {
            **{key: line.row for key, line in read.items() if key not in leaving},
            **{key: line.row for key, line in self._wanted.items() if not line.readers},
        }

    def commit(self) -> None:
        """Removes last. Raises Unavailable where what was imported does not show in time."""
        if self._differing():
            rows = self.rows()
            lost = sorted(key for key, line in self._wanted.items() if rows.get(key) != line.row)
            if lost:
                raise Unavailable(f"{len(lost)} rows do not show as they were imported: {lost[:3]}; try again")
        if leaving := sorted(self._leaving()):
            self._purge(leaving)
        self._there = dict(self._wanted)
        self._settle_notes()

    def _read_back(self) -> Lines:
        """What is there once everything wanted has been imported."""
        differing = self._differing()
        if self._read is None or differing:
            self._import(differing)
            shown = {key: line for key, line in self._wanted.items() if line.readers}
            self._read = self._means.rows.read_back(self._edition, shown) if differing else dict(self._there)
            self._there.update((line.id, line) for line in differing)
        return self._read

    def _import(self, lines: Sequence[Line]) -> None:
        metadata = [line for line in lines if self._is_there_but_for_metadata(line)]
        known = {line.id for line in metadata}
        if whole := [line for line in lines if line.id not in known]:
            self._means.imports.whole(whole, self._means.notebook)
        if metadata:
            self._means.imports.metadata(metadata, self._means.notebook)

    def _differing(self) -> list[Line]:
        there = self._there
        return [
            line
            for key, line in sorted(self._wanted.items())
            if line.readers and not (key in there and there[key].row == line.row)
        ]

    def _is_there_but_for_metadata(self, line: Line) -> bool:
        before = self._there.get(line.id)
        if self._means.access or before is None or before.in_doubt or not before.readers:
            return False
        return (before.key, before.content, before.mime) == (line.key, line.content, line.mime)

    def _leaving(self) -> set[str]:
        """Ids that are in the store and are to go, or that nobody may read any more."""
        kept = {key for key, line in self._wanted.items() if line.readers}
        return {key for key, line in self._there.items() if key not in kept and (line.readers or line.in_doubt)}

    def _purge(self, ids: Sequence[str]) -> None:
        """Remove, again and again where some were not found: the service finds none that it has not indexed yet."""
        means, gone = self._means, 0
        still: set[str] = set()
        for _ in means.pace.until(means.pace.lag):
            if gone < len(ids):
                gone += means.purges.remove(ids, means.notebook)
            still = means.rows.still_there(self._edition, ids)
            if not still and (gone == len(ids) or means.rows.is_complete):
                return
        if still and gone < len(ids):
            raise Unavailable(f"{len(still)} documents that were removed show still: {sorted(still)[:3]}; try again")

    def _settle_notes(self) -> None:
        notebook = self._means.notebook
        if any(line.in_doubt for line in self._wanted.values()):
            return  # what is in doubt stays so, and whoever reads the notes is to know
        rows = digest_of_rows({key: line.row for key, line in self._wanted.items()})
        notes = Notes(rows=rows) if self._means.access else Notes()
        if notebook.read() != notes:
            notebook.write(notes)
