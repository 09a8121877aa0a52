"""`hanpon doctor`."""

import sys

import click

from hanpon.cli.options import Settings, json_option, print_json, setting_options
from hanpon.contracts.reports import worst
from hanpon.wiring import SETTINGS, diagnoses


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
        for diagnosis in found:
            click.echo(f"{'problem' if diagnosis.exit_code else 'ok':8}{diagnosis.subject}: {diagnosis.found}")
            if diagnosis.advice:
                click.echo(f"{'':8}{diagnosis.advice}")
    sys.exit(worst(diagnosis.exit_code for diagnosis in found))
