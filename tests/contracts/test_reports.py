"""Reports add up."""

from dataclasses import astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.contracts.reports import Counts, EditionReport, RunReport, Status
from tests.editions import CUSTOMER

COUNTS = st.builds(Counts, **dict.fromkeys(Counts.__slots__, st.integers(0, 99)))


@given(COUNTS)
def test_a_document_counts_once_and_what_is_removed_stands_apart(counts: Counts) -> None:
    assert counts.documents + counts.removed == sum(astuple(counts))


@given(COUNTS)
def test_where_nothing_came_about_the_same_documents_are_left(counts: Counts) -> None:
    failed = counts.all_failed
    assert (failed.documents, failed.unchanged, failed.removed) == (counts.documents, counts.unchanged, 0)


@pytest.mark.parametrize(("codes", "worst"), [([], 0), ([0, 3], 3), ([4, 3, 5, 2], 5), ([2, 0], 2)])
def test_a_run_ends_as_its_gravest_edition(codes: list[int], worst: int) -> None:
    editions = tuple(EditionReport(edition=CUSTOMER, status=Status.FAILED, exit_code=code) for code in codes)
    assert RunReport(run="r", dry_run=False, editions=editions).exit_code == worst


def test_a_bundle_that_was_refused_ends_the_run_as_it_says() -> None:
    assert RunReport(run="r", dry_run=False, exit_code_of_run=3).exit_code == 3
