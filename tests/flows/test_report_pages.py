"""Artifacts: tables and pages that show what is in a report, and nothing that a bundle's author smuggles in."""

from dataclasses import replace

import comrak
import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from flows.report_pages import SHOWN_FINDINGS, check_page, check_table, in_short, plain, release_page, release_table
from hanpon.contracts.checks import CheckReport, EditionCheck
from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.errors import UsageError
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.contracts.lines import one_line
from hanpon.contracts.reports import Counts, EditionReport, RunReport, Status

EDITION = Edition(Kind.API, "shop", "v1")


def finding(message: str, severity: Severity = Severity.WARNING, file: str = "shop.yaml") -> Finding:
    return Finding("odd-shape", severity, Place(file), message)


def report(*findings: Finding) -> RunReport:
    edition = EditionReport(
        edition=EDITION, status=Status.PUBLISHED, counts=Counts(added=2, unchanged=1), names=3, findings=findings
    )
    return RunReport(run="r1", dry_run=False, editions=(edition,))


READER = comrak.ExtensionOptions(
    autolink=True, strikethrough=True, table=True, tasklist=True, footnotes=True, math_dollars=True, shortcodes=True
)
"""A reader that takes as much for markup as any that shows artifacts."""


def shown(markdown: str) -> BeautifulSoup:
    page = comrak.markdown_to_html(markdown, READER, comrak.ParseOptions(), comrak.RenderOptions(unsafe_=True))
    return BeautifulSoup(page, "html.parser")


def test_a_row_has_the_counts_of_its_edition() -> None:
    (row,) = release_table([("shop", report(finding("odd"), finding("wrong", Severity.ERROR)))])
    wanted = {"name": "shop", "version": "v1", "status": "published", "documents": 3, "added": 2, "unchanged": 1}
    assert wanted.items() <= row.items()
    assert (row["errors"], row["warnings"], row["names"]) == (1, 1, 3)


def test_editions_that_failed_come_first_and_several_bundles_are_told_apart() -> None:
    failed = report()
    failed = replace(failed, editions=(replace(failed.editions[0], status=Status.FAILED),))
    rows = release_table([("shop", report()), ("stock", failed)])
    assert [(row["bundle"], row["status"]) for row in rows] == [("stock", "failed"), ("shop", "published")]


def test_errors_come_before_warnings_and_what_is_left_out_is_counted() -> None:
    many = [finding(f"odd {number}") for number in range(SHOWN_FINDINGS + 5)]
    page = shown(release_page([("shop", report(*many, finding("wrong", Severity.ERROR)))]))
    items = [item.get_text() for item in page.find_all("li")]
    assert items[0].startswith("error shop.yaml: wrong")
    assert items[-1] == "and 6 more, in the report that storage keeps"


def test_a_dry_run_says_so() -> None:
    assert "nothing was written" in release_page([("shop", replace(report(), dry_run=True))])


def test_a_run_that_reached_nothing_says_why() -> None:
    refused = RunReport.not_begun("r1", UsageError("shop does not exist"), dry_run=False)
    assert in_short([refused]) == "no edition was reached; shop does not exist"
    assert "shop does not exist" in shown(release_page([("shop", refused)])).get_text()
    assert release_table([("shop", refused)]) == []


def test_a_check_shows_what_was_looked_at() -> None:
    looked = EditionCheck(
        edition=EDITION, documents=3, objects=5, rows=3, findings=(finding("gone", Severity.ERROR),)
    )
    check = CheckReport(run="r1", dry_run=False, editions=(looked,))
    (row,) = check_table(check)
    assert {"name": "shop", "status": "drifted", "objects": 5, "rows": 3, "errors": 1}.items() <= row.items()
    assert "gone" in shown(check_page(check)).get_text()
    assert in_short([check]) == "1 drifted"


HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "[click](javascript:alert(1))",
    "![x](http://elsewhere.example/x.png)",
    "# heading\n- item",
    "**bold** `code` ~~gone~~ | cell | $x$",
    "http://elsewhere.example and me@elsewhere.example",
    "&lt;b&gt; &amp; \\",
    "1. one",
    "www.elsewhere.example",
    "\x1b[31mred",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    page = shown(release_page([(text, report(finding(text, file=text)))]))
    assert {tag.name for tag in page.find_all()} <= {"h1", "h2", "p", "ul", "li", "strong"}
    assert one_line(text) in page.get_text()


@given(st.text(max_size=200))
def test_any_text_is_shown_as_it_is(text: str) -> None:
    page = shown(f"- x{plain(text)}x")
    assert {tag.name for tag in page.find_all()} == {"ul", "li"}
    assert page.get_text().split() == f"x{one_line(text)}x".split()
