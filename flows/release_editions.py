"""The main job as a flow: release the editions of a bundle."""

from typing import Any

from prefect import flow
from prefect.client.schemas.objects import State

from flows.beginnings import release as begin
from flows.endings import ended, show
from flows.parameters import Release, Stores
from flows.report_pages import in_short, release_page, release_table


@flow(name="release-editions", flow_run_name="{release.called}", persist_result=False)
def release_editions(release: Release, stores: Stores = Stores()) -> State[Any]:
    """Release every edition of a bundle, each whole or not at all. Fails where one of them failed."""
    report = begin(release.bundle, release.flags, stores)
    pairs = [(release.bundle, report)]
    show("release", "What became of each edition", release_table(pairs), release_page(pairs))
    return ended(in_short([report]), report.exit_code, report)
