"""The report of a run: what `release --json` prints and `runs/{run}.json` keeps."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import HanponError, InvalidInput
from hanpon.contracts.findings import Finding, Place, Severity


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
class Affected:
    """A document that a release changes or takes away; `title` is "" where it is not known any more.

    `lost` are the readers who lose it, `gained` those who get it and had it not.
    """

    id: str
    title: str
    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()

    def as_record(self) -> dict[str, Any]:
        lost = {"lost": list(self.lost)} if self.lost else {}
        gained = {"gained": list(self.gained)} if self.gained else {}
        return {"id": self.id, "title": self.title, **lost, **gained}


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What the datastore would be given: documents in pieces, and about how many tokens they have.

    The true number of tokens lies within `error` (a share of it: 0.3 is 30 %) for most texts.
    """

    documents: int
    pieces: int
    tokens: int
    error: float

    def as_record(self) -> dict[str, Any]:
        return {"documents": self.documents, "pieces": self.pieces, "tokens": self.tokens, "error": self.error}


CHANGES = ("added", "changed", "access_changed", "metadata_changed", "removed")
"""What a release may do to a document: names of `Counts`, in the order in which they are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """What a dry run says would be done to an edition. `changes` are by the names of `CHANGES`."""

    changes: Mapping[str, tuple[Affected, ...]]
    narrowed: tuple[Affected, ...]
    """Rows that somebody may see who may not from then on."""
    widened: tuple[Affected, ...]
    """Documents with a row that somebody may see from then on who may not see the row."""
    estimate: Estimate

    def as_record(self) -> dict[str, Any]:
        return {
            **{change: [each.as_record() for each in self.changes.get(change, ())] for change in CHANGES},
            "narrowed": [each.as_record() for each in self.narrowed],
            "widened": [each.as_record() for each in self.widened],
            "import": self.estimate.as_record(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionReport:
    """What became of one edition. `exit_code` is 0 unless it failed; `intent` is there in a dry run alone."""

    edition: Edition
    status: Status
    counts: Counts = field(default_factory=Counts)
    names: int = 0
    findings: tuple[Finding, ...] = ()
    exit_code: int = 0
    intent: Intent | None = None

    def as_record(self) -> dict[str, Any]:
        counts = self.counts
        return {
            **self.edition.as_address(),
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
            **({"plan": self.intent.as_record()} if self.intent else {}),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """What became of a run. `findings` concern the bundle as a whole, those of an edition stand with it."""

    run: str
    dry_run: bool
    editions: tuple[EditionReport, ...] = ()
    findings: tuple[Finding, ...] = ()
    exit_code_of_run: int = 0

    @classmethod
    def not_begun(cls, run: str, error: HanponError, *, dry_run: bool) -> "RunReport":
        """The report of a run that reached no edition, with the reason among its findings."""
        return cls(run=run, dry_run=dry_run, findings=reasons_of(error), exit_code_of_run=error.exit_code)

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


def reasons_of(error: HanponError) -> tuple[Finding, ...]:
    """Why a run did not begin, as findings."""
    if isinstance(error, InvalidInput):
        return error.problems
    return (Finding("not-begun", Severity.ERROR, Place(""), str(error)),)


def worst(codes: Iterable[int]) -> int:
    """The exit code that stands for several: the highest."""
    return max(codes, default=0)
