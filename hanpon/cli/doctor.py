"""`hanpon doctor`."""

import sys

import click

from hanpon.cli.options import Settings, json_option, print_json, print_lines, setting_options
from hanpon.contracts.diagnoses import Diagnosis
from hanpon.contracts.reports import worst
from hanpon.contracts.settings import SETTINGS
from hanpon.wiring import diagnoses


@click.command(epilog="Example: hanpon doctor --storage file:out/storage")
@json_option
@setting_options(*SETTINGS)
def doctor(*, as_json: bool, settings: Settings) -> None:
    """Say what is reachable and what is missing.

    Says what to do about it, too. Writes nothing.
    """
    found = diagnoses(settings)
    if as_json:
        print_json([diagnosis.as_record() for diagnosis in found])
    else:
        print_lines(line for diagnosis in found for line in _lines(diagnosis))
    sys.exit(worst(diagnosis.exit_code for diagnosis in found))


def _lines(diagnosis: Diagnosis) -> list[str]:
    verdict = "problem" if diagnosis.exit_code else "ok"
    advice = [f"{'':8}{diagnosis.advice}"] if diagnosis.advice else []
    return [f"{verdict:8}{diagnosis.subject}: {diagnosis.found}", *advice]
