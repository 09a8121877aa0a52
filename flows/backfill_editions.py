"""Older versions after the fact, as a flow: release bundle after bundle."""

from typing import Any

from prefect import flow
from prefect.client.schemas.objects import State

from flows.beginnings import release
from flows.endings import ended, show
from flows.parameters import Backfill, Stores
from flows.report_pages import in_short, release_page, release_table
from hanpon.contracts.reports import worst


@flow(name="backfill-editions", flow_run_name="backfill", persist_result=False)
def backfill_editions(backfill: Backfill, stores: Stores = Stores()) -> State[Any]:
    """Release the bundles in their order. One that fails does not stop those after it, but the run fails."""
    reports = [release(bundle, backfill.flags, stores) for bundle in backfill.bundles]
    pairs = list(zip(backfill.bundles, reports, strict=True))
    show("backfill", "What became of each edition", release_table(pairs), release_page(pairs))
    return ended(in_short(reports), worst(report.exit_code for report in reports), reports)
