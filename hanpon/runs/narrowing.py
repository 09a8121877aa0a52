"""Taking access away: before anything else of a release happens, and whatever becomes of the rest."""

from dataclasses import dataclass, replace

from hanpon.contracts.bundle import Item
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import HanponError, Unavailable
from hanpon.contracts.findings import Finding, Severity
from hanpon.contracts.ports import BundleTree, Datastore, Progress
from hanpon.contracts.reports import EditionReport, Status
from hanpon.releases.access import ReadersOf, narrowings
from hanpon.runs.drafting import access_of
from hanpon.sources.texts.inputs import Inputs


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowed:
    """Who lost access to an edition, or why those who should have did not."""

    lost: tuple[str, ...] = ()
    error: Exception | None = None


def readers_by_file(item: Item, tree: BundleTree) -> ReadersOf:
    """Who may see what is made of each file of an item.

    Where the access file is wrong in part, it is not known who is meant for the files that it grants to nobody.
    Raises InvalidInput where it cannot be read at all.
    """
    access, findings = access_of(item, Inputs(tree))
    unclear = any(finding.severity is Severity.ERROR for finding in findings)

    def readers_of(file: str) -> tuple[str, ...] | None:
        grant = access.of(file)
        if grant is not None:
            return grant.readers
        return None if unclear else ()

    return readers_of


def wants_narrowing(edition: Edition, readers_of: ReadersOf, datastore: Datastore) -> bool:
    """Whether somebody may see a row who may not from now on."""
    return bool(narrowings(datastore.rows(edition), readers_of))


def narrow(edition: Edition, readers_of: ReadersOf, datastore: Datastore, progress: Progress) -> tuple[str, ...]:
    """Take rows away from all but their readers, in a transaction of its own; those who lost access to any."""
    with datastore.change(edition) as change:
        rows = change.rows()
        remaining = narrowings(rows, readers_of)
        progress.step(edition, "narrow", len(remaining), len(remaining))
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
    words = f"{item.edition}: readers who lose their access still have it, for it could not be taken away ({error})"
    return Finding("readers-not-narrowed", Severity.ERROR, item.place, words)


def _narrowed_all_the_same(item: Item, lost: tuple[str, ...]) -> Finding:
    words = f"{item.edition}: access was taken from {', '.join(lost)}; nothing else of this release was published"
    return Finding("readers-narrowed", Severity.WARNING, item.place, words)
