"""Taking access away: before anything else of a release happens, and whatever becomes of the rest."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hanpon.contracts.bundle import FilesItem, Item
from hanpon.contracts.digests import canonical_json
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import HanponError, Unavailable
from hanpon.contracts.findings import Finding, Severity
from hanpon.contracts.ports import BundleTree, StorageView
from hanpon.contracts.publications import Pointer
from hanpon.contracts.reports import EditionReport, Status
from hanpon.contracts.texts import clean
from hanpon.releases.access import ReadersOf, narrowed_further, narrowings
from hanpon.runs.drafting import access_of
from hanpon.runs.publishing import Press
from hanpon.runs.survey import fetch_pointer, pointer_key, read_manifest
from hanpon.sources.texts.inputs import Inputs


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowed:
    """Who lost access to an edition, or why those who should have did not."""

    lost: tuple[str, ...] = ()
    error: Exception | None = None


def readers_by_source(item: Item, tree: BundleTree) -> ReadersOf:
    """Who may see what is made of each file of an item.

    Where the access file is wrong in part, it is not known who is meant for the files that it grants to nobody.
    Raises InvalidInput where it cannot be read at all.
    """
    access, findings = access_of(item, Inputs(tree))
    unclear = any(finding.severity is Severity.ERROR for finding in findings)
    files = {clean(file): file for file in item.files} if isinstance(item, FilesItem) else {}

    def readers_of(source: str) -> tuple[str, ...] | None:
        grant = access.of(_file_in(source, files))
        if grant is not None:
            return grant.readers
        return None if unclear else ()

    return readers_of


def _file_in(source: str, files: Mapping[str, str]) -> str:
    """The file that a source begins with, the longest of those known: a name may have a `#` of its own (`C#.md`)."""
    begun = source
    while begun not in files and "#" in begun:
        begun = begun.rpartition("#")[0]
    return files.get(begun, source)


def wants_narrowing(edition: Edition, readers_of: ReadersOf, press: Press) -> bool:
    """Whether somebody may see a document who may not from now on, by the rows or by what is published."""
    if narrowings(press.datastore.rows(edition), readers_of):
        return True
    pointer, _ = fetch_pointer(edition, press.storage)
    return pointer is not None and _narrowed_pointer(edition, pointer, readers_of, press.storage) != pointer


def narrow(edition: Edition, readers_of: ReadersOf, press: Press) -> tuple[str, ...]:
    """Take documents away from all but their readers; those who lost rows. The edition must be held.

    Storage comes first: what is not known there, a database that is filled again from it would give back. The rows
    change in a transaction of their own, and all the same where storage cannot be written.
    """
    try:
        pointer, token = fetch_pointer(edition, press.storage)
        if pointer is not None:
            after = _narrowed_pointer(edition, pointer, readers_of, press.storage)
            if after != pointer:
                press.storage.replace(pointer_key(edition), canonical_json(after.as_record()), token)
    finally:
        lost = _narrow_rows(edition, readers_of, press)
    return lost


def _narrowed_pointer(edition: Edition, pointer: Pointer, readers_of: ReadersOf, storage: StorageView) -> Pointer:
    manifest = read_manifest(edition, pointer.manifest, storage)
    entries = manifest.entries if manifest else ()
    return replace(pointer, narrowed=narrowed_further(pointer.narrowed, entries, readers_of))


def _narrow_rows(edition: Edition, readers_of: ReadersOf, press: Press) -> tuple[str, ...]:
    with press.datastore.change(edition) as change:
        rows = change.rows()
        remaining = narrowings(rows, readers_of)
        press.progress.step(edition, "narrow", len(remaining), len(remaining))
        change.restrict(remaining)
        change.commit()
    return tuple(
        sorted({reader for key, kept in remaining.items() for reader in rows[key].readers if reader not in kept})
    )


def with_narrowing(report: EditionReport, item: Item, narrowed: Narrowed) -> EditionReport:
    """The report, with what became of access where the rest of it does not say so."""
    if report.status is not Status.FAILED:
        return report
    if narrowed.error is not None:
        code = narrowed.error.exit_code if isinstance(narrowed.error, HanponError) else Unavailable.exit_code
        finding = _open_still(item, narrowed.error)
        return replace(report, findings=(*report.findings, finding), exit_code=max(report.exit_code, code))
    if narrowed.lost:
        return replace(report, findings=(*report.findings, _narrowed_all_the_same(item, narrowed.lost)))
    return report


def _open_still(item: Item, error: Exception) -> Finding:
    words = f"{item.edition}: readers who lose access may have it still, for it could not be taken away ({error})"
    return Finding("readers-not-narrowed", Severity.ERROR, item.place, words)


def _narrowed_all_the_same(item: Item, lost: tuple[str, ...]) -> Finding:
    words = f"{item.edition}: access was taken from {', '.join(lost)}; nothing else of this release was published"
    return Finding("readers-narrowed", Severity.WARNING, item.place, words)
