"""Reports as Prefect's artifacts show them: a table with a row for each edition, and a page in Markdown."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from hanpon.contracts.checks import CheckReport, EditionCheck
from hanpon.contracts.editions import Edition
from hanpon.contracts.findings import Finding, Severity
from hanpon.contracts.lines import one_line
from hanpon.contracts.reports import EditionReport, RunReport, Status

Table = list[dict[str, str | int]]

SHOWN_FINDINGS = 50
"""Findings of an edition that a page shows, errors first; the report in storage has all."""

SHOWN_TEXT, SHOWN_REASON = 1000, 300

MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!|~>$:@])")
"""What Markdown, or a reader of it that goes further, may take for more than itself."""


def plain(text: str) -> str:
    """Text of a bundle's files as Markdown that shows just that text, on one line."""
    escaped = one_line(text, SHOWN_TEXT).replace("&", "&amp;").replace("<", "&lt;")
    return MARKS.sub(r"\\\1", escaped)


def release_table(reports: Sequence[tuple[str, RunReport]]) -> Table:
    """A row for each edition, those that failed first; with the bundle where there is more than one."""
    rows = [(bundle, edition) for bundle, report in reports for edition in report.editions]
    rows.sort(key=lambda row: row[1].status is not Status.FAILED)
    if len(reports) == 1:
        return [_release_row(edition) for _, edition in rows]
    return [{"bundle": bundle, **_release_row(edition)} for bundle, edition in rows]


def _release_row(report: EditionReport) -> dict[str, str | int]:
    counts = report.counts
    return {
        **_named(report.edition),
        "status": str(report.status),
        **_numbers(report.findings),
        "documents": counts.documents,
        "added": counts.added,
        "changed": counts.changed,
        "other readers": counts.access_changed,
        "other metadata": counts.metadata_changed,
        "unchanged": counts.unchanged,
        "removed": counts.removed,
        "failed": counts.failed,
        "names": report.names,
    }


def check_table(report: CheckReport) -> Table:
    return [_check_row(edition) for edition in report.editions]


def _check_row(check: EditionCheck) -> dict[str, str | int]:
    return {
        **_named(check.edition),
        "status": str(check.status),
        **_numbers(check.findings),
        "documents": check.documents,
        "objects": check.objects,
        "rows": check.rows,
    }


def _named(edition: Edition) -> dict[str, str]:
    """Name and version apart: in one cell `log@3.1` would be shown as an address of mail."""
    return {"name": edition.name, "version": edition.version}


def _numbers(findings: Iterable[Finding]) -> dict[str, int]:
    counted = Counter(finding.severity for finding in findings)
    return {f"{severity}s": counted[severity] for severity in (Severity.ERROR, Severity.WARNING)}


def release_page(reports: Sequence[tuple[str, RunReport]]) -> str:
    """A page over the bundles of a run, each with its report."""
    lines: list[str] = []
    for bundle, report in reports:
        lines += [f"# {plain(bundle)}", "", _summary(report), ""]
        if report.dry_run:
            lines += ["A dry run: nothing was written.", ""]
        lines += _listed(report.findings)
        for edition in report.editions:
            lines += _section(f"{edition.edition}: {edition.status}", edition.findings)
    return "\n".join(lines)


def check_page(report: CheckReport) -> str:
    """The report of a check as Markdown: what each edition is, and what was found of it."""
    lines = ["# What is published, held against storage and datastore", ""]
    lines += [_summary(report), "", *_listed(report.findings)]
    for each in report.editions:
        lines += _section(f"{each.edition}: {each.status}", each.findings)
    return "\n".join(lines)


def _summary(report: RunReport | CheckReport) -> str:
    return f"Run {plain(report.run)}: {plain(in_short([report]))}."


def in_short(reports: Iterable[RunReport | CheckReport]) -> str:
    """`2 published, 1 failed`, and what kept a bundle or the whole run from being begun."""
    statuses = Counter[str]()
    reasons = []
    for report in reports:
        statuses.update(str(edition.status) for edition in report.editions)
        reasons += [finding.message for finding in report.findings if finding.severity is Severity.ERROR]
    counted = ", ".join(f"{number} {status}" for status, number in sorted(statuses.items()))
    return "; ".join(
        [counted or "no edition was reached", *(one_line(reason, SHOWN_REASON) for reason in reasons[:1])]
    )


def _section(title: str, findings: Sequence[Finding]) -> Iterator[str]:
    if findings:
        yield from (f"## {plain(title)}", "", *_listed(findings))


def _listed(findings: Sequence[Finding]) -> Iterator[str]:
    ordered = sorted(findings, key=lambda finding: list(Severity).index(finding.severity))
    for finding in ordered[:SHOWN_FINDINGS]:
        where = f"{plain(str(finding.where))}: " if finding.where.file else ""
        yield f"- **{finding.severity}** {where}{plain(finding.message)} ({plain(finding.rule)})"
    if len(ordered) > SHOWN_FINDINGS:
        yield f"- and {len(ordered) - SHOWN_FINDINGS} more, in the report that storage keeps"
    if ordered:
        yield ""
