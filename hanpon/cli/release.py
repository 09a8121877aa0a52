"""`hanpon release`."""

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click

from hanpon.cli.options import (
    SETTINGS,
    Settings,
    counted,
    json_option,
    print_json,
    print_lines,
    setting_options,
    tell,
    tell_findings,
    wait_option,
)
from hanpon.cli.progress import shown_progress
from hanpon.contracts.editions import Edition
from hanpon.contracts.findings import Severity
from hanpon.contracts.reports import Affected, EditionReport, Intent, RunReport, Status
from hanpon.wiring import ReleaseFlags, index_link, release_of

SHOWN_CHANGES = 10
"""Documents of each kind of change that a dry run shows on a terminal; --json has everything."""

SHOWN_FINDINGS = 20
"""Warnings and infos of an edition that a terminal is shown (more errors are); --json has everything."""


@click.command(epilog="Example: hanpon release examples/shop-platform --only customer@v1 --dry-run")
@click.argument("bundle", type=click.Path(path_type=Path))
@click.option(
    "--only", multiple=True, metavar="NAME[@VERSION]", help="Release these editions alone; may be repeated."
)
@click.option("--dry-run", is_flag=True, help="Show what would be done; write nothing.")
@click.option(
    "--validation",
    type=click.Choice(["strict", "report"]),
    default="strict",
    show_default=True,
    help="strict refuses an edition whose definition is invalid; report publishes what can be shown and says so.",
)
@click.option("--allow-removals", is_flag=True, help="Let a release remove more than half of an edition.")
@click.option("--take-over", is_flag=True, help="Release editions that another bundle published before.")
@click.option(
    "--flow", is_flag=True, help="Put the run on record in Prefect (PREFECT_API_URL, else a temporary server)."
)
@wait_option
@json_option
@setting_options(*SETTINGS)
def release(
    *,
    bundle: Path,
    only: tuple[str, ...],
    dry_run: bool,
    validation: str,
    allow_removals: bool,
    take_over: bool,
    flow: bool,
    wait: float,
    as_json: bool,
    settings: Settings,
) -> None:
    """Release the editions of a bundle.

    BUNDLE is a folder with a hanpon.yaml. Each edition is published whole, or not at all.
    """
    flags = ReleaseFlags(
        only=only,
        dry_run=dry_run,
        validation=validation,
        allow_removals=allow_removals,
        take_over=take_over,
        wait=wait,
    )
    if flow:
        from flows.recording import record_release

        report = record_release(bundle, flags, settings)
    else:
        with shown_progress(quiet=as_json) as progress:
            report = release_of(bundle, flags, settings, progress)()
    if as_json:
        print_json(report.as_record())
    else:
        _show(report, lambda edition: index_link(edition, settings))
    sys.exit(report.exit_code)


def _show(report: RunReport, link_of: Callable[[Edition], str]) -> None:
    tell_findings(report.findings)
    for edition in report.editions:
        print_lines(_lines(edition, link_of))
        if edition.intent:
            print_lines(_intended(edition.intent))
        _show_findings(edition)
    if report.dry_run and report.editions:
        print_lines(["dry run: nothing was written"])


def _lines(report: EditionReport, link_of: Callable[[Edition], str]) -> list[str]:
    counts = report.counts
    parts = [
        f"{number} {words}"
        for number, words in (
            (counts.added, "added"),
            (counts.changed, "changed"),
            (counts.access_changed, "with other readers"),
            (counts.metadata_changed, "with other metadata"),
            (counts.unchanged, "unchanged"),
            (counts.failed, "failed"),
            (counts.removed, "removed"),
        )
        if number
    ]
    details = f" ({', '.join(parts)})" if parts else ""
    if report.status is Status.FAILED:
        return [f"{report.edition}: failed{details}; run it again once this is mended"]
    documents = counted(counts.documents, "document")
    line = f"{report.edition}: {report.status}, {documents}{details}, {counted(report.names, 'name')}"
    return [line, f"  {link_of(report.edition)}"] if report.status is Status.PUBLISHED else [line]


_SIGNS = {
    "added": "+",
    "changed": "~",
    "access_changed": "~ readers of",
    "metadata_changed": "~ metadata of",
    "removed": "-",
}


def _intended(intent: Intent) -> Iterator[str]:
    for change, sign in _SIGNS.items():
        affected = intent.changes.get(change, ())
        yield from (f"  {sign} {each.title or each.id}" for each in affected[:SHOWN_CHANGES])
        yield from _further(affected, f"{sign} …")
    for each in intent.narrowed[:SHOWN_CHANGES]:
        yield f"  ! taken first from {', '.join(each.lost)}: {each.title or each.id}"
    yield from _further(intent.narrowed, "! …")
    for each in intent.widened[:SHOWN_CHANGES]:
        yield f"  ! given to {', '.join(each.gained)}: {each.title or each.id}"
    yield from _further(intent.widened, "! given …")
    estimate = intent.estimate
    if estimate.documents:
        tokens = f"about {estimate.tokens:,} tokens, give or take {estimate.error:.0%}"
        yield f"  to import: {estimate.documents:,} documents in {estimate.pieces:,} pieces, {tokens}"


def _further(affected: Sequence[Affected], sign: str) -> Iterator[str]:
    if len(affected) > SHOWN_CHANGES:
        yield f"  {sign} and {len(affected) - SHOWN_CHANGES:,} more; --json lists them all"


def _show_findings(report: EditionReport) -> None:
    errors = [finding for finding in report.findings if finding.severity is Severity.ERROR]
    others = [finding for finding in report.findings if finding.severity is not Severity.ERROR]
    tell_findings(errors, indent="  ")
    if report.status is not Status.UNCHANGED:
        tell_findings(others, indent="  ", most=SHOWN_FINDINGS)
    elif others:
        tell(f"  {counted(len(others), 'finding')} as before; --json lists what was found")
