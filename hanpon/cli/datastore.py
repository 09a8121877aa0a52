"""`hanpon datastore`."""

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
from hanpon.contracts.rebuilds import Rebuilt
from hanpon.wiring import DATASTORE, STORAGE, rebuild_of


@click.group(epilog="Example: hanpon datastore rebuild --dry-run")
def datastore() -> None:
    """Look after the datastore."""


@datastore.command(epilog="Example: hanpon datastore rebuild --datastore sqlite:out/new.db")
@click.option("--dry-run", is_flag=True, help="Show what would be done; write nothing.")
@wait_option
@json_option
@setting_options(STORAGE, DATASTORE)
def rebuild(*, dry_run: bool, wait: float, as_json: bool, settings: Settings) -> None:
    """Fill the datastore from what is published in storage, without the bundles.

    Rows that are missing or damaged are written, rows of what is not published are removed. A database of another
    hanpon version, or with a damaged index, is emptied first.
    """
    with shown_progress(quiet=as_json) as progress:
        rebuilt = rebuild_of(settings, progress, dry_run=dry_run, wait=wait)()
    if as_json:
        print_json(rebuilt.as_record())
    else:
        print_lines(_lines(rebuilt))
        tell_findings([finding for edition in rebuilt.editions for finding in edition.findings])
    sys.exit(rebuilt.exit_code)


def _lines(rebuilt: Rebuilt) -> Iterator[str]:
    if rebuilt.renewed:
        yield "the database was of another hanpon version, or its index was damaged: it was emptied first"
    for edition in rebuilt.editions:
        if not edition.findings:
            rows = f"{counted(edition.written, 'row')} written, {edition.removed:,} removed"
            yield f"{edition.edition}: {counted(edition.documents, 'document')}, {rows}"
    if not rebuilt.editions:
        yield "nothing is published, and the datastore has no rows"
    if rebuilt.dry_run:
        yield "dry run: nothing was written"
