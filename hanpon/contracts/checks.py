"""The report of a consistency check: what `check --json` prints and `checks/{run}.json` keeps."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import HanponError
from hanpon.contracts.findings import Finding, Severity
from hanpon.contracts.reports import reasons_of, worst

DRIFT = 1
"""Exit code of a check that found something served otherwise than published."""


class Consistency(StrEnum):
    """What a check found of an edition; `failed`: it could not be looked at."""

    CONSISTENT = "consistent"
    DRIFTED = "drifted"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionCheck:
    """One edition looked at: how many documents, stored objects and rows were compared, and what is not as it should.

    An error is something that a reader meets; a warning is something that the next release or rebuild puts right
    and that nobody meets before.
    """

    edition: Edition
    documents: int = 0
    objects: int = 0
    rows: int = 0
    findings: tuple[Finding, ...] = ()
    failure: int = 0
    """The exit code of the error that kept it from being looked at, 0 where there was none."""

    @property
    def status(self) -> Consistency:
        if self.failure:
            return Consistency.FAILED
        drifted = any(finding.severity is Severity.ERROR for finding in self.findings)
        return Consistency.DRIFTED if drifted else Consistency.CONSISTENT

    @property
    def exit_code(self) -> int:
        return self.failure or (DRIFT if self.status is Consistency.DRIFTED else 0)

    def as_record(self) -> dict[str, Any]:
        return {
            **self.edition.as_address(),
            "status": str(self.status),
            "documents": self.documents,
            "objects": self.objects,
            "rows": self.rows,
            "findings": [finding.as_record() for finding in self.findings],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """What a check found. `findings` concern the check as a whole, those of an edition stand with it."""

    run: str
    dry_run: bool
    editions: tuple[EditionCheck, ...] = ()
    findings: tuple[Finding, ...] = ()
    exit_code_of_run: int = 0

    @classmethod
    def not_begun(cls, run: str, error: HanponError, *, dry_run: bool) -> "CheckReport":
        """The report of a check that looked at nothing, with the reason among its findings."""
        return cls(run=run, dry_run=dry_run, findings=reasons_of(error), exit_code_of_run=error.exit_code)

    @property
    def exit_code(self) -> int:
        """0 where all is consistent, 1 where something has drifted, else the gravest failure."""
        return worst([self.exit_code_of_run, *(each.exit_code for each in self.editions)])

    def as_record(self) -> dict[str, Any]:
        """The record of `schemas/check.schema.json`."""
        return {
            "run": self.run,
            "dry_run": self.dry_run,
            "editions": [each.as_record() for each in self.editions],
            "findings": [finding.as_record() for finding in self.findings],
        }

    def as_kept(self, at: str, by: str) -> Mapping[str, Any]:
        """The record with when and by whom it was made, as storage keeps it."""
        return {**self.as_record(), "at": at, "by": by}
