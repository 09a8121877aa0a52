"""Rows of a store with access control, which lists nothing: what was published, and what an auditor sees of it."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from hanpon.adapters.vertex_audit import Auditor
from hanpon.adapters.vertex_bucket import Bucket
from hanpon.adapters.vertex_documents import Line, Lines, edition_of
from hanpon.adapters.vertex_manifests import in_doubt, lines_of
from hanpon.adapters.vertex_notes import Notebook, Notes, digest_of_rows
from hanpon.adapters.vertex_operations import Pace
from hanpon.contracts.editions import Edition, Kind
from hanpon.releases.access import served
from hanpon.runs.survey import published_editions, read_manifest, read_pointer


class LedgerRows:
    """Rows as the current manifest says, where the notes say that the last change of this very store ended with them.

    Without a note the store was never filled, or another was since: they are in doubt. Where a change was cut short,
    or what it brought was never announced, those of every manifest that lies there are in doubt: a run may have
    imported from any, and what the next does not want must go. Storage is told first of readers who lose access, so
    what it says of them is not taken for done.
    """

    def __init__(self, store: str, bucket: Bucket, auditor: Auditor | None, pace: Pace) -> None:
        self._store, self._bucket, self._auditor, self._pace = store, bucket, auditor, pace

    def editions(self) -> list[Edition]:
        """What is published, and what notes say that something was begun of."""
        published = set(published_editions(self._bucket))
        begun = {
            edition
            for kind in Kind
            for key in self._bucket.list(f"{kind}/")
            if (edition := edition_of(key)) and key.startswith(f"{edition.folder}/manifests/")
        }
        return sorted(published | {edition for edition in begun - published if self._may_have_rows(edition)})

    def lines(self, edition: Edition, notes: Notes) -> Lines:
        lines = self._written(edition, notes)
        if self._auditor is None or notes.unfinished:
            return lines
        return {**lines, **self._auditor.found(edition, lines)}

    def fresh(self, edition: Edition) -> Lines:
        """The rows as a change finds them; the notes are still those of the run before."""
        return self.lines(edition, self._notes(edition))

    def read_back(self, edition: Edition, wanted: Mapping[str, Line]) -> Lines:
        """What the auditor sees once it sees all that is wanted, or after the time that a change may take to show.

        Of what it does not see, the counts of the import have to be enough.
        """
        found: Lines = {}
        for _ in self._pace.until(self._pace.lag if self._auditor else 0.0):
            found = self._auditor.found(edition, wanted) if self._auditor else {}
            if all(key in found and found[key].row == line.row for key, line in wanted.items()):
                break
        return {**wanted, **found}

    is_complete = False

    def still_there(self, edition: Edition, ids: Collection[str]) -> set[str]:
        """Those of the ids that the auditor sees."""
        lines = in_doubt(edition, {}, self._bucket)
        return set(ids) & self._auditor.found(edition, lines).keys() if self._auditor else set()

    def unseen(self, edition: Edition) -> list[str]:
        """Ids of rows that the auditor does not see; all of them without one."""
        lines = {key: line for key, line in self._written(edition, self._notes(edition)).items() if line.readers}
        found = self._auditor.found(edition, lines) if self._auditor and lines else {}
        return sorted(lines.keys() - found.keys())

    def _may_have_rows(self, edition: Edition) -> bool:
        notes = self._notes(edition)
        return notes.unfinished or notes.rows not in {"", _digest({})}

    def _notes(self, edition: Edition) -> Notes:
        return Notebook(self._bucket, self._store, edition).read()

    def _written(self, edition: Edition, notes: Notes) -> Lines:
        """The rows that the last change wrote, as far as that is known."""
        pointer = read_pointer(edition, self._bucket)
        manifest = read_manifest(edition, pointer.manifest, self._bucket) if pointer else None
        entries = manifest.entries if manifest else ()
        plain = lines_of(entries)
        narrowed = lines_of(served(entries, pointer.narrowed)) if pointer else plain
        if not (notes.unfinished or notes.rows):
            return {key: replace(line, in_doubt=True) for key, line in plain.items()}
        for known in () if notes.unfinished else (narrowed, plain, {}):
            if _digest(known) == notes.rows:
                return known
        return in_doubt(edition, plain, self._bucket)


def _digest(lines: Mapping[str, Line]) -> str:
    return digest_of_rows({key: line.row for key, line in lines.items()})
