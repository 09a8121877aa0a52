"""The consistency check as a flow: what is published against storage and datastore."""

from typing import Any

from prefect import flow
from prefect.client.schemas.objects import State

from flows.beginnings import look
from flows.endings import ended, show
from flows.parameters import Check, Stores
from flows.report_pages import check_page, check_table, in_short


@flow(name="check-consistency", flow_run_name="check", persist_result=False)
def check_consistency(check: Check = Check(), stores: Stores = Stores()) -> State[Any]:
    """Look at every edition and mend nothing. Fails where something is served otherwise than published."""
    report = look(check, stores)
    show("check", "What was found of each edition", check_table(report), check_page(report))
    return ended(in_short([report]), report.exit_code, report)
