"""A release of the command line as a flow run on record."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile
from types import FrameType

from prefect.client.orchestration import get_client
from prefect.settings import get_current_settings

from flows import NOWHERE
from flows.endings import result_of
from flows.parameters import Release, Stores
from flows.release_editions import release_editions
from hanpon.contracts.credentials import without_credentials
from hanpon.contracts.errors import Unavailable
from hanpon.contracts.reports import RunReport
from hanpon.contracts.settings import Settings
from hanpon.wiring import ReleaseFlags, open_datastore, open_storage, readable


def record_release(bundle: Path, flags: ReleaseFlags, settings: Settings) -> RunReport:
    """Release a bundle as a run of the flow `release-editions`, in this process.

    Raises UsageError, before anything is on record, where the stores cannot be used as named: an address may hold a
    password. Raises Unavailable where Prefect cannot be reached, or fails so that it is not known what became of the
    run.
    """
    open_storage(settings)
    open_datastore(settings, traceless=True)
    settings = _from_anywhere(settings)
    release = Release(
        bundle=readable(os.path.abspath(bundle), "BUNDLE"),  # noqa: PTH100  a link may be meant
        only=[readable(name, "--only") for name in flags.only],
        dry_run=flags.dry_run,
        validation="strict" if flags.validation == "strict" else "report",
        allow_removals=flags.allow_removals,
        take_over=flags.take_over,
        wait=flags.wait,
    )
    stores = Stores(
        storage=settings.storage,
        datastore=settings.datastore,
        cache=readable(str(settings.cache), "--cache"),
        validator_timeout=settings.validator_timeout,
        keep=settings.keep,
        access=settings.access,
        chunk_size=settings.chunk_size,
        auditor=settings.auditor,
        google_endpoint=settings.google_endpoint,
    )
    try:
        # Prefect's server would take settings, and even code, from the current folder.
        with _ended_as_by_a_person(), chdir(NOWHERE):
            require_api()
            report = result_of(release_editions(release, stores, return_state=True))
    except Unavailable:
        raise
    except Exception as error:
        raise Unavailable(
            f"Prefect failed while it recorded the run ({type(error).__name__}: {error}); what was published until "
            "then is published: release again, with --flow or without"
        ) from error
    if not isinstance(report, RunReport):
        raise Unavailable(f"Prefect did not carry out the run ({report}); release again, with --flow or without")
    return report


@contextmanager
def _ended_as_by_a_person() -> Iterator[None]:
    """SIGTERM does what Ctrl-C does: Prefect's temporary server would live on without us, and keep our pipes open."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _from_anywhere(settings: Settings) -> Settings:
    """The same settings where paths are seen from another folder."""
    return replace(
        settings,
        storage=_absolute(settings.storage, "file:"),
        datastore=_absolute(settings.datastore, "sqlite:"),
        cache=Path(os.path.abspath(settings.cache)),  # noqa: PTH100  a link may be meant
    )


def _absolute(address: str, scheme: str) -> str:
    path = address.removeprefix(scheme)
    return scheme + os.path.abspath(path) if path != address else address  # noqa: PTH100


def require_api() -> None:
    """Raises Unavailable where neither the server of PREFECT_API_URL nor a temporary one answers."""
    try:
        prefect = get_current_settings()
        if not prefect.api.url:
            _require_home(prefect.home)
        with get_client(sync_client=True) as client:
            error = client.api_healthcheck()
    except Exception as raised:  # noqa: BLE001  its settings, its folder, its server: whatever it is, there is no API
        error = raised
    if error is not None:
        address = os.environ.get("PREFECT_API_URL")
        where = without_credentials(address) if address else "a temporary server, for PREFECT_API_URL is not set"
        raise Unavailable(f"Prefect ({where}) cannot be reached: {error}; start it, or release without --flow")


def _require_home(home: Path) -> None:
    """Raises OSError where a temporary server could not keep its database: it would say so in a traceback, late."""
    home.mkdir(parents=True, exist_ok=True)
    TemporaryFile(dir=home).close()
