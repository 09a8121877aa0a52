"""Filling a datastore from what is published: manifests and storage alone, without the bundles."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hanpon.contracts.digests import digest_of
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import HanponError, Unavailable, UsageError
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.contracts.manifests import Entry, Row, manifest_key
from hanpon.contracts.ports import Datastore, Progress, Storage, StorageView
from hanpon.contracts.rebuilds import Rebuilt, Refilled
from hanpon.releases.access import served
from hanpon.runs.publishing import verify_rows
from hanpon.runs.survey import pointer_key, published_editions, read_manifest, read_pointer


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuildJob:
    """What a rebuild reads from and writes to."""

    run: str
    storage: Storage
    datastore: Datastore
    progress: Progress
    dry_run: bool = False
    wait: float = 0.0


def rebuild(job: RebuildJob) -> Rebuilt:
    """Bring every edition's rows to what is published of it; rows of what is not published are removed.

    Raises UsageError where storage holds nothing at all and the datastore does.

    Edition by edition, each held and changed in one transaction: a reader of one sees it before or after, and a
    rebuild that was stopped is finished by the next. An edition that cannot be filled keeps its rows and is told.
    """
    published = published_editions(job.storage)
    if not published:
        _refuse_to_empty(job)
    renewed = not job.dry_run and job.datastore.renew()
    rows_of, in_rows = _readable_rows(job)
    editions = sorted({*in_rows, *published})
    done = [_refill_or_tell(edition, job, rows_of) for edition in editions]
    return Rebuilt(dry_run=job.dry_run, renewed=renewed, editions=tuple(done))


def _refuse_to_empty(job: RebuildJob) -> None:
    """Raises UsageError where storage holds nothing and the datastore does: the storage is likely mistyped."""
    if job.datastore.editions():
        raise UsageError(
            f"{job.storage.address} holds no published edition, and {job.datastore.address} has rows: is this the "
            "right storage (--storage, HANPON_STORAGE)? Nothing was removed; where it is, remove the database by hand"
        )


RowsOf = Callable[[Edition], Mapping[str, Row]]


def _readable_rows(job: RebuildJob) -> tuple[RowsOf, Sequence[Edition]]:
    """The rows that are there; none in a dry run over a store of another form, which a rebuild would empty."""
    try:
        return job.datastore.rows, job.datastore.editions()
    except UsageError:
        if not job.dry_run:
            raise
        return (lambda _: {}), ()


def _refill_or_tell(edition: Edition, job: RebuildJob, rows_of: RowsOf) -> Refilled:
    try:
        if job.dry_run:
            return _counted(edition, _entries(edition, job.storage), rows_of(edition))
        with job.storage.hold(edition, job.run, job.wait):
            return _refill(edition, job)
    except HanponError as error:
        told = Finding(error.rule, Severity.ERROR, Place(pointer_key(edition)), f"{edition}: {error}")
        return Refilled(edition=edition, findings=(told,), exit_code=error.exit_code)


def _refill(edition: Edition, job: RebuildJob) -> Refilled:
    entries = _entries(edition, job.storage)
    counted = _counted(edition, entries, job.datastore.rows(edition))
    if not (counted.written or counted.removed):
        return counted
    with job.datastore.change(edition) as change:
        rows = change.rows()
        wanted = [entry for entry in entries if rows.get(entry.id) != entry.row]
        job.progress.step(edition, "import", 0, len(wanted))
        change.upsert(wanted, lambda entry: _page(entry, job.storage))
        change.remove(sorted(rows.keys() - {entry.id for entry in entries}))
        verify_rows(entries, change.rows(), job.datastore.address)
        change.commit()
    return counted


def _counted(edition: Edition, entries: Sequence[Entry], rows: Mapping[str, Row]) -> Refilled:
    wanted = {entry.id: entry.row for entry in entries}
    return Refilled(
        edition=edition,
        documents=len(wanted),
        written=sum(rows.get(identifier) != row for identifier, row in wanted.items()),
        removed=len(rows.keys() - wanted.keys()),
    )


def _entries(edition: Edition, storage: StorageView) -> tuple[Entry, ...]:
    """What is published, () where nothing is. Raises Unavailable where its manifest is damaged.

    Readers are those of the manifest without whom a refused release took access from: a database that is filled again
    must not let them in.
    """
    pointer = read_pointer(edition, storage)
    if pointer is None:
        return ()
    manifest = read_manifest(edition, pointer.manifest, storage)
    if manifest is None:
        key = manifest_key(edition, pointer.manifest)
        raise Unavailable(f"{storage.address}/{key}: the manifest is gone or damaged; release {edition} again")
    return served(manifest.entries, pointer.narrowed)


def _page(entry: Entry, storage: StorageView) -> bytes:
    """The page of an entry. Raises Unavailable where it is not what the manifest says."""
    page = storage.read(entry.key)
    if digest_of(page) != entry.content_digest:
        raise Unavailable(f"{storage.address}/{entry.key}: the page is damaged; release its edition again")
    return page
