"""A release of the command line as a flow run on record."""

import os
from pathlib import Path

from prefect.client.orchestration import get_client

from flows.endings import result_of
from flows.parameters import Release, Stores
from flows.release_editions import release_editions
from hanpon.contracts.credentials import without_credentials
from hanpon.contracts.errors import Unavailable
from hanpon.contracts.reports import RunReport
from hanpon.wiring import ReleaseFlags, Settings, readable


def record_release(bundle: Path, flags: ReleaseFlags, settings: Settings) -> RunReport:
    """Release a bundle as a run of the flow `release-editions`, in this process.

    Raises Unavailable where Prefect cannot be reached, or fails so that it is not known what became of the run.
    """
    release = Release(
        bundle=readable(os.path.abspath(bundle), "BUNDLE"),  # noqa: PTH100  a link may be meant
        only=list(flags.only),
        dry_run=flags.dry_run,
        validation="strict" if flags.validation == "strict" else "report",
        allow_removals=flags.allow_removals,
        take_over=flags.take_over,
        wait=flags.wait,
    )
    stores = Stores(
        storage=settings.storage,
        datastore=settings.datastore,
        cache=str(settings.cache),
        validator_timeout=str(settings.validator_timeout),
        keep=str(settings.keep),
    )
    require_api()
    try:
        report = result_of(release_editions(release, stores, return_state=True))
    except Exception as error:
        raise Unavailable(
            f"Prefect failed while it recorded the run ({type(error).__name__}: {error}); what was published until "
            "then is published: release again, with --flow or without"
        ) from error
    if not isinstance(report, RunReport):
        raise Unavailable(f"Prefect did not carry out the run ({report}); release again, with --flow or without")
    return report


def require_api() -> None:
    """Raises Unavailable where neither the server of PREFECT_API_URL nor a temporary one answers."""
    try:
        with get_client(sync_client=True) as client:
            error = client.api_healthcheck()
    except Exception as raised:  # noqa: BLE001  its settings, its folder, its server: whatever it is, there is no API
        error = raised
    if error is not None:
        address = os.environ.get("PREFECT_API_URL")
        where = without_credentials(address) if address else "a temporary server, for PREFECT_API_URL is not set"
        raise Unavailable(f"Prefect ({where}) cannot be reached: {error}; start it, or release without --flow")
