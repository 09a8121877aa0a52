"""What a machine is told where a command is refused: one JSON value, in the command's own shape where it has room.

Commands that print a report print it with nothing in it but the reason; `doctor` prints one diagnosis; of all others
it is `{"findings": […]}`.
"""

from typing import Any

from hanpon.contracts.checks import CheckReport
from hanpon.contracts.diagnoses import Diagnosis
from hanpon.contracts.errors import HanponError
from hanpon.contracts.rebuilds import Rebuilt
from hanpon.contracts.reports import RunReport, reasons_of
from hanpon.wiring import new_run


def refusal_of(command: str, error: HanponError, *, dry_run: bool) -> Any:
    """The record of a refusal of a command, by its words (`datastore rebuild`)."""
    findings = {"findings": [finding.as_record() for finding in reasons_of(error)]}
    match command:
        case "release":
            return RunReport.not_begun(new_run(), error, dry_run=dry_run).as_record()
        case "check":
            return CheckReport.not_begun(new_run(), error, dry_run=dry_run).as_record()
        case "datastore rebuild":
            return Rebuilt(dry_run=dry_run).as_record() | findings
        case "doctor":
            advice = "give another value; hanpon doctor --help says which settings there are"
            refused = Diagnosis(subject="settings", found=str(error), advice=advice, exit_code=error.exit_code)
            return [refused.as_record()]
        case _:
            return findings
