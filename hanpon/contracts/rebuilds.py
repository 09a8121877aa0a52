"""The report of a rebuild: what `datastore rebuild --json` prints."""

from dataclasses import dataclass
from typing import Any

from hanpon.contracts.editions import Edition
from hanpon.contracts.findings import Finding
from hanpon.contracts.reports import worst


@dataclass(frozen=True, slots=True, kw_only=True)
class Refilled:
    """What became of one edition's rows. `exit_code` is 0 unless it could not be filled."""

    edition: Edition
    documents: int = 0
    written: int = 0
    removed: int = 0
    findings: tuple[Finding, ...] = ()
    exit_code: int = 0

    def as_record(self) -> dict[str, Any]:
        return {
            **self.edition.as_address(),
            "documents": self.documents,
            "written": self.written,
            "removed": self.removed,
            "findings": [finding.as_record() for finding in self.findings],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """What became of a datastore. `renewed`: it had another form, or a damaged index, and was emptied first."""

    dry_run: bool
    renewed: bool = False
    editions: tuple[Refilled, ...] = ()

    @property
    def exit_code(self) -> int:
        return worst(edition.exit_code for edition in self.editions)

    def as_record(self) -> dict[str, Any]:
        """The record of `schemas/rebuild.schema.json`."""
        return {
            "dry_run": self.dry_run,
            "renewed": self.renewed,
            "editions": [edition.as_record() for edition in self.editions],
        }
