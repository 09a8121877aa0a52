"""How a flow's work is begun: as the command line begins it, with every step on record."""

from pathlib import Path

from flows.parameters import Check, Stores
from flows.recorded_steps import RecordedSteps
from hanpon.contracts.checks import CheckReport
from hanpon.contracts.errors import HanponError
from hanpon.contracts.reports import RunReport
from hanpon.runs.silence import Silence
from hanpon.wiring import ReleaseFlags, check_of, new_run, release_of


def release(bundle: str, flags: ReleaseFlags, stores: Stores) -> RunReport:
    """Release a bundle; what kept it from beginning is a finding of the report."""
    try:
        return release_of(Path(bundle), flags, stores.settings, Silence(), RecordedSteps())()
    except HanponError as error:
        return RunReport.not_begun(new_run(), error, dry_run=flags.dry_run)


def look(check: Check, stores: Stores) -> CheckReport:
    """Check what is published; what kept it from beginning is a finding of the report."""
    try:
        steps = RecordedSteps()
        return check_of(stores.settings, Silence(), dry_run=check.dry_run, wait=check.wait, steps=steps)()
    except HanponError as error:
        return CheckReport.not_begun(new_run(), error, dry_run=check.dry_run)
