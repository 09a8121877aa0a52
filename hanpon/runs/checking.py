"""The consistency check: manifests, storage and datastore against one another. Mends nothing."""

import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from hanpon.contracts.checks import DRIFT, CheckReport, Consistency, EditionCheck
from hanpon.contracts.digests import canonical_json, digest_of
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import HanponError, Held, InvalidInput, Missing, Unavailable, UsageError
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.contracts.manifests import Manifest, manifest_key
from hanpon.contracts.ports import Datastore, Progress, Steps, Storage
from hanpon.contracts.publications import Pointer
from hanpon.contracts.reports import worst
from hanpon.releases.access import served
from hanpon.releases.drift import Standing, drift, index_damaged, manifest_lost, nothing_published, unpublished
from hanpon.releases.edition_print import JSON
from hanpon.runs.survey import (
    index_key,
    index_of,
    pointer_key,
    published_editions,
    read_manifest,
    read_pointer,
)

ONLY_LOOK = "where storage may only be read, check with --dry-run"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRun:
    """One check: what it looks at and what it is stamped with."""

    run: str
    storage: Storage
    datastore: Datastore
    progress: Progress
    steps: Steps
    by: str
    now: Callable[[], datetime]
    dry_run: bool = False
    """Keep no report and hold no edition: what a release is writing just then may be taken for drift."""
    wait: float = 0.0


def check(job: CheckRun) -> CheckReport:
    """Look at every edition that is published or has rows, and keep the report.

    Raises UsageError where the stores cannot be used as named. What cannot be looked at is told, and the rest is
    looked at all the same.
    """
    published = published_editions(job.storage)
    in_rows, report = _in_rows(job)
    if in_rows and not published:
        finding = nothing_published(job.storage.address, len(in_rows))
        return replace(report, findings=(finding,), exit_code_of_run=DRIFT)
    editions = sorted({*published, *in_rows})
    if not job.datastore.finds_its_rows():
        code = worst((DRIFT, report.exit_code_of_run))
        report = replace(report, findings=(*report.findings, index_damaged()), exit_code_of_run=code)
    report = replace(report, editions=tuple(_check_or_tell(edition, job) for edition in editions))
    return report if job.dry_run else _kept(report, job)


def _in_rows(job: CheckRun) -> tuple[Sequence[Edition], CheckReport]:
    """The editions that have rows, and the report so far: that some row is of none that there can be."""
    report = CheckReport(run=job.run, dry_run=job.dry_run)
    try:
        return job.datastore.editions(), report
    except UsageError as error:
        job.datastore.finds_its_rows()  # raises where the store as a whole cannot be read
        told = Finding(error.rule, Severity.ERROR, Place(""), str(error))
        return (), replace(report, findings=(told,), exit_code_of_run=error.exit_code)


def _check_or_tell(edition: Edition, job: CheckRun) -> EditionCheck:
    try:
        return job.steps.take("check", edition, lambda: _check(edition, job))
    except HanponError as error:
        return _not_looked_at(edition, error)
    except MemoryError:
        return _not_looked_at(edition, Unavailable("the machine has not enough memory to look at it; free some"))
    except Exception as error:  # noqa: BLE001  a slip of ours in one edition must not keep another from being looked at
        at = traceback.extract_tb(error.__traceback__)[-1]
        words = (
            f"{edition}: hanpon itself failed ({type(error).__name__} in {at.name}, line {at.lineno}); please report "
            "this; where its rows are damaged, move the database away and run `hanpon datastore rebuild`"
        )
        told = Finding("internal-error", Severity.ERROR, Place(pointer_key(edition)), words)
        return EditionCheck(edition=edition, findings=(told,), failure=InvalidInput.exit_code)


def _not_looked_at(edition: Edition, error: HanponError, seen: EditionCheck | None = None) -> EditionCheck:
    told = Finding(error.rule, Severity.ERROR, Place(pointer_key(edition)), f"{edition}: {error}")
    seen = seen or EditionCheck(edition=edition)
    return replace(seen, findings=(told, *seen.findings), failure=error.exit_code)


def _check(edition: Edition, job: CheckRun) -> EditionCheck:
    """Look without holding the edition; where something differs, hold it and look again.

    Between the commit of rows and the pointer that announces them a release looks like drift.
    """
    seen = _look(edition, job)
    if job.dry_run or not seen.findings:
        return seen
    try:
        with job.storage.hold(edition, job.run, job.wait):
            return _look(edition, job)
    except Unavailable as error:  # as where storage may only be read; what was seen is told all the same
        words = f"it could not be held, so what was seen may be a release at work ({error}); {ONLY_LOOK}"
        return _not_looked_at(edition, Unavailable(words), seen)


def _look(edition: Edition, job: CheckRun) -> EditionCheck:
    job.progress.step(edition, "check")
    pointer, rows = read_pointer(edition, job.storage), job.datastore.rows(edition)
    if pointer is None:
        findings = (unpublished(edition, len(rows)),) if rows else ()
        return EditionCheck(edition=edition, rows=len(rows), findings=findings)
    manifest = read_manifest(edition, pointer.manifest, job.storage)
    if manifest is None or manifest.edition != edition:
        lost = manifest_lost(edition, manifest_key(edition, pointer.manifest))
        return EditionCheck(edition=edition, rows=len(rows), findings=(lost,))
    stored = job.storage.list(f"{edition.folder}/")
    standing = Standing(
        manifest=manifest,
        entries=served(manifest.entries, pointer.narrowed),
        digests=_digests(edition, [key for key in manifest.digests if key in stored], job),
        rows=rows,
        kept=_former(edition, pointer, job.storage),
        stored=stored,
        index_of=index_of(edition, job.storage) if index_key(edition) in stored else "",
        is_narrowed=bool(pointer.narrowed),
        unseen=job.datastore.unseen(edition),
    )
    return EditionCheck(
        edition=edition,
        documents=len(manifest.entries),
        objects=len(standing.digests),
        rows=len(rows),
        findings=drift(standing),
    )


def _digests(edition: Edition, wanted: Sequence[str], job: CheckRun) -> dict[str, str]:
    """The digests of the bytes that stand under keys, one object in memory at a time."""
    found = {}
    for done, key in enumerate(wanted, 1):
        job.progress.step(edition, "read", done, len(wanted))
        with suppress(Missing):
            found[key] = digest_of(job.storage.read(key))
    return found


def _former(edition: Edition, pointer: Pointer, storage: Storage) -> dict[str, Manifest | None]:
    return {digest: read_manifest(edition, digest, storage) for digest in pointer.previous}


def _kept(report: CheckReport, job: CheckRun) -> CheckReport:
    """Write `checks/{run}.json`, holding an edition that was looked at; the report says if that failed."""
    looked_at = [each.edition for each in report.editions if each.status is not Consistency.FAILED]
    if not looked_at:
        return report
    record = canonical_json(report.as_kept(job.now().isoformat(timespec="seconds"), job.by))
    try:
        _keep(record, looked_at, job)
    except HanponError as error:
        words = f"the report of this check is not kept: {error}; {ONLY_LOOK}"
        told = Finding("run-not-recorded", Severity.WARNING, Place(f"checks/{job.run}.json"), words)
        return replace(report, findings=(*report.findings, told), exit_code_of_run=error.exit_code)
    return report


def _keep(record: bytes, looked_at: Sequence[Edition], job: CheckRun) -> None:
    """Any edition will do, so the first is taken that no other run holds."""
    for edition in looked_at:
        is_last = edition == looked_at[-1]
        try:
            with job.storage.hold(edition, job.run, job.wait if is_last else 0):
                job.storage.put(f"checks/{job.run}.json", record, JSON)
        except Held:
            if is_last:
                raise
        else:
            return
