"""A release job: what one run reads with, writes to and is stamped with, and its record."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from hanpon.contracts.digests import canonical_json
from hanpon.contracts.errors import HanponError
from hanpon.contracts.ports import Steps
from hanpon.contracts.reports import RunRecord, RunReport, Status
from hanpon.releases.edition_print import JSON
from hanpon.runs.printing import Workshop
from hanpon.runs.publishing import Press


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseOptions:
    """How a release is to go about it."""

    only: tuple[str, ...] = ()
    dry_run: bool = False
    allow_removals: bool = False
    take_over: bool = False
    wait: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseRun:
    """One run: what it reads with, writes to and is stamped with."""

    run: str
    workshop: Workshop
    press: Press
    steps: Steps
    options: ReleaseOptions
    by: str
    now: Callable[[], datetime]
    keep: int


def put_on_record_at_last(report: RunReport, job: ReleaseRun) -> None:
    """The whole report, where something was published and something else came after it."""
    published = [done.edition for done in report.editions if done.status is Status.PUBLISHED]
    if published and published[-1] != report.editions[-1].edition:
        with suppress(HanponError), job.press.storage.hold(published[-1], job.run, job.options.wait):
            record_run(report, job)


def record_run(report: RunReport, job: ReleaseRun) -> None:
    """Write `runs/{run}.json`; an edition must be held."""
    tree = job.workshop.tree
    at = job.now().isoformat(timespec="seconds")
    record = RunRecord(report=report, at=at, by=job.by, origin=tree.origin, ref=tree.ref)
    job.press.storage.put(f"runs/{job.run}.json", canonical_json(record.as_record()), JSON)
