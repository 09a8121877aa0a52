"""`hanpon check`."""

import sys
from collections.abc import Iterator

import click

from hanpon.cli.options import (
    Settings,
    counted,
    json_option,
    print_json,
    print_lines,
    setting_options,
    tell_findings,
    wait_option,
)
from hanpon.cli.progress import shown_progress
from hanpon.contracts.checks import CheckReport, Consistency, EditionCheck
from hanpon.contracts.settings import STORES
from hanpon.wiring import check_of


@click.command(epilog="Example: hanpon check --json")
@click.option("--dry-run", is_flag=True, help="Keep no report; a release at work may then be taken for drift.")
@wait_option
@json_option
@setting_options(*STORES)
def check(*, dry_run: bool, wait: float, as_json: bool, settings: Settings) -> None:
    """Hold what is published against storage and datastore.

    Reads every published page, and every row. Exit 1 where something is served otherwise than published; what
    differs is told with what to do. Mends nothing, and keeps its report in storage.
    """
    with shown_progress(quiet=as_json) as progress:
        report = check_of(settings, progress, dry_run=dry_run, wait=wait)()
    if as_json:
        print_json(report.as_record())
    else:
        _show(report)
    sys.exit(report.exit_code)


def _show(report: CheckReport) -> None:
    for edition in report.editions:
        print_lines(_lines(edition))
        tell_findings(edition.findings, indent="  ")
    tell_findings(report.findings)
    if not report.editions and not report.findings:
        print_lines(["nothing is published, and the datastore has no rows"])


def _lines(edition: EditionCheck) -> Iterator[str]:
    if edition.status is Consistency.FAILED:
        yield f"{edition.edition}: could not be looked at"
        return
    looked_at = (
        counted(edition.documents, "document"),
        counted(edition.objects, "object"),
        counted(edition.rows, "row"),
    )
    yield f"{edition.edition}: {edition.status}, {', '.join(looked_at)}"
