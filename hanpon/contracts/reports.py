"""The report of a run: what `release --json` prints and `runs/{run}.json` keeps."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from hanpon.contracts.editions import Edition
from hanpon.contracts.findings import Finding


class Status(StrEnum):
    """What became of an edition in a run."""

    PUBLISHED = "published"
    UNCHANGED = "unchanged"
    PLANNED = "planned"
    COVERED = "covered"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """A document counts once: `documents` is the sum of all but `removed`."""

    added: int = 0
    changed: int = 0
    access_changed: int = 0
    metadata_changed: int = 0
    unchanged: int = 0
    failed: int = 0
    removed: int = 0

    @property
    def documents(self) -> int:
        return self.added + self.changed + self.access_changed + self.metadata_changed + self.unchanged + self.failed

    @property
    def all_failed(self) -> "Counts":
        """The same documents where none of the changes came about."""
        failed = self.added + self.changed + self.access_changed + self.metadata_changed + self.failed
        return Counts(failed=failed, unchanged=self.unchanged)


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionReport:
    """What became of one edition. `exit_code` is 0 unless it failed."""

    edition: Edition
    status: Status
    counts: Counts = field(default_factory=Counts)
    names: int = 0
    findings: tuple[Finding, ...] = ()
    exit_code: int = 0

    def as_record(self) -> dict[str, Any]:
        counts = self.counts
        return {
            "kind": str(self.edition.kind),
            "name": self.edition.name,
            "version": self.edition.version,
            "status": str(self.status),
            "documents": counts.documents,
            "added": counts.added,
            "changed": counts.changed,
            "access_changed": counts.access_changed,
            "metadata_changed": counts.metadata_changed,
            "unchanged": counts.unchanged,
            "removed": counts.removed,
            "failed": counts.failed,
            "names": self.names,
            "findings": [finding.as_record() for finding in self.findings],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """What became of a run. `findings` concern the bundle as a whole, those of an edition stand with it."""

    run: str
    dry_run: bool
    editions: tuple[EditionReport, ...] = ()
    findings: tuple[Finding, ...] = ()
    exit_code_of_run: int = 0

    @property
    def exit_code(self) -> int:
        """0, or the gravest of what failed: 5, then 4, then 3, then 2."""
        return worst([self.exit_code_of_run, *(report.exit_code for report in self.editions)])

    def as_record(self) -> dict[str, Any]:
        """The record of `schemas/run.schema.json`."""
        return {
            "run": self.run,
            "dry_run": self.dry_run,
            "editions": [edition.as_record() for edition in self.editions],
            "findings": [finding.as_record() for finding in self.findings],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """A report as `runs/{run}.json` keeps it: when, by whom and from what it published."""

    report: RunReport
    at: str
    by: str
    origin: str
    ref: str

    def as_record(self) -> dict[str, Any]:
        """The record of `schemas/run.schema.json`."""
        return {**self.report.as_record(), "at": self.at, "by": self.by, "origin": self.origin, "ref": self.ref}


def worst(codes: Iterable[int]) -> int:
    """The exit code that stands for several: the highest."""
    return max(codes, default=0)
