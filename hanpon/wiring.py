"""Settings into adapters: the one composition root, and the only reader of the settings in the environment."""

import getpass
import os
import secrets
import socket
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

from hanpon.contracts.credentials import without_credentials
from hanpon.contracts.datastore_form import DatastoreForm, StoreDescription
from hanpon.contracts.diagnoses import Diagnosis
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import UsageError
from hanpon.contracts.ports import Datastore, Progress, Steps, Storage
from hanpon.contracts.reports import RunReport
from hanpon.contracts.settings import DATASTORE, STORAGE, Setting, Settings

if TYPE_CHECKING:
    from hanpon.contracts.checks import CheckReport
    from hanpon.contracts.rebuilds import Rebuilt


def settings_from(flags: Mapping[str, str | None], environment: Mapping[str, str] = os.environ) -> Settings:
    """Settings by their flags' names (`--storage` …). Raises UsageError, naming where each was looked for."""
    return Settings.of(flags, environment)


def open_storage(settings: Settings) -> Storage:
    """The storage of an address. Raises UsageError for an address of no known form."""
    if settings.uses_bucket:
        from hanpon.adapters.gcs_storage import open_gcs

        return open_gcs(settings.storage)
    from hanpon.adapters.file_storage import FileStorage

    return FileStorage(Path(_rest_of(settings.storage, "file:", STORAGE)))


def open_datastore(settings: Settings, storage: Storage | None = None, *, traceless: bool = False) -> Datastore:
    """The datastore of an address; `traceless` for commands that must not write.

    Vertex AI Search reads pages from storage, and is given the one that a run holds editions in. Raises UsageError
    for an address of no known form, and for a store that is not as the settings want it.
    """
    if settings.uses_vertex:
        return _open_vertex(settings, storage or open_storage(settings))
    from hanpon.adapters.sqlite_datastore import SqliteDatastore

    return SqliteDatastore(Path(_rest_of(settings.datastore, "sqlite:", DATASTORE)), traceless=traceless)


def _open_vertex(settings: Settings, storage: Storage) -> Datastore:
    if not settings.uses_bucket:
        raise UsageError(
            f"{STORAGE.flag} or {STORAGE.variable}: expected gs://BUCKET/PREFIX, for Vertex AI Search reads pages "
            f"from Cloud Storage alone, found {without_credentials(settings.storage)!r}"
        )
    from hanpon.adapters.gcs_storage import GcsStorage
    from hanpon.adapters.vertex_form import refuse_other_form
    from hanpon.adapters.vertex_opening import open_vertex

    refuse_other_form(_wanted_form(settings), settings.google_endpoint)
    return open_vertex(
        settings.datastore,
        cast("GcsStorage", storage),
        access=settings.access,
        run=new_run(),
        auditor=settings.auditor,
        endpoint=settings.google_endpoint,
    )


def _rest_of(address: str, scheme: str, setting: Setting) -> str:
    if not address.startswith(scheme) or address == scheme:
        found = without_credentials(address)  # a database's address may hold a password
        other = "gs://BUCKET/PREFIX" if setting is STORAGE else "vertex://PROJECT/LOCATION/DATA_STORE"
        raise UsageError(f"{setting.flag} or {setting.variable}: expected {scheme}PATH or {other}, found {found!r}")
    return readable(address, setting.flag).removeprefix(scheme)


def readable(text: str, what: str) -> str:
    """The text. Raises UsageError where it is no UTF-8: it will stand in records and messages."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{what}: {text!r} is no UTF-8; give the folder another name") from None
    return text


def new_run() -> str:
    """A name for a run that sorts by time and meets no other."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}"


def this_person() -> str:
    """Who runs this, for the record: user and host."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container's numeric user has no name
        user = str(os.getuid())
    return f"{user}@{socket.gethostname()}".encode("utf-8", "replace").decode()


def utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseFlags:
    """What a person asks of one release, besides the settings."""

    only: tuple[str, ...] = ()
    dry_run: bool = False
    validation: str = "strict"
    allow_removals: bool = False
    take_over: bool = False
    wait: float = 0.0


def release_of(
    bundle: Path, flags: ReleaseFlags, settings: Settings, progress: Progress, steps: Steps | None = None
) -> Callable[[], RunReport]:
    """A release, ready to be called. Raises UsageError where bundle or stores cannot be used as named."""
    from hanpon.adapters.folder_tree import FolderTree
    from hanpon.adapters.subprocess_validator import SubprocessValidator
    from hanpon.runs.printing import Validation, Workshop
    from hanpon.runs.publishing import Press
    from hanpon.runs.release import release
    from hanpon.runs.release_job import ReleaseOptions, ReleaseRun
    from hanpon.runs.steps import AtOnce

    readable(os.path.realpath(bundle), "BUNDLE")
    storage = open_storage(settings)
    job = ReleaseRun(
        run=new_run(),
        workshop=Workshop(
            tree=FolderTree(bundle, without=_own_places(settings)),
            validator=SubprocessValidator(
                settings.cache, time_limit=settings.validator_timeout, keeps_verdicts=not flags.dry_run
            ),
            validation=Validation(flags.validation),
        ),
        press=Press(
            storage=storage,
            datastore=open_datastore(settings, storage, traceless=flags.dry_run),
            progress=progress,
        ),
        steps=steps or AtOnce(),
        options=ReleaseOptions(
            only=flags.only,
            dry_run=flags.dry_run,
            allow_removals=flags.allow_removals,
            take_over=flags.take_over,
            wait=flags.wait,
        ),
        by=this_person(),
        now=utc_now,
        keep=settings.keep,
    )
    return lambda: release(job)


def rebuild_of(settings: Settings, progress: Progress, *, dry_run: bool, wait: float) -> "Callable[[], Rebuilt]":
    """A rebuild, ready to be called. Raises UsageError where the stores cannot be used as named."""
    from hanpon.runs.rebuilding import RebuildJob, rebuild

    storage = open_storage(settings)
    job = RebuildJob(
        run=new_run(),
        storage=storage,
        datastore=open_datastore(settings, storage, traceless=dry_run),
        progress=progress,
        dry_run=dry_run,
        wait=wait,
    )
    return lambda: rebuild(job)


def _own_places(settings: Settings) -> Iterator[Path]:
    """Where hanpon writes on this machine; SQLite keeps files of its own beside a database."""
    yield settings.cache
    if not settings.uses_bucket:
        yield Path(settings.storage.removeprefix("file:"))
    if settings.uses_vertex:
        return
    database = settings.datastore.removeprefix("sqlite:")
    yield from (Path(database + suffix) for suffix in ("", "-wal", "-shm", "-journal"))


def check_of(
    settings: Settings, progress: Progress, *, dry_run: bool = False, wait: float = 0.0, steps: Steps | None = None
) -> "Callable[[], CheckReport]":
    """A check, ready to be called. Raises UsageError where the stores cannot be used as named."""
    from hanpon.runs.checking import CheckRun, check
    from hanpon.runs.steps import AtOnce

    storage = open_storage(settings)
    job = CheckRun(
        run=new_run(),
        storage=storage,
        datastore=open_datastore(settings, storage, traceless=True),
        progress=progress,
        steps=steps or AtOnce(),
        by=this_person(),
        now=utc_now,
        dry_run=dry_run,
        wait=wait,
    )
    return lambda: check(job)


def index_link(edition: Edition, settings: Settings) -> str:
    """Where a person opens the index page of an edition."""
    from hanpon.runs.survey import index_key

    return open_storage(settings).link(index_key(edition))


def store_description(settings: Settings) -> StoreDescription:
    """What is wanted of the datastore, what is there, and what making it would do. Writes nothing.

    Raises UsageError or Unavailable where it cannot be told.
    """
    if not settings.uses_vertex:
        return StoreDescription(address=f"sqlite:{_rest_of(settings.datastore, 'sqlite:', DATASTORE)}")
    from hanpon.adapters.vertex_form import describe_store

    return describe_store(_wanted_form(settings), settings.google_endpoint)


def make_store(settings: Settings) -> StoreDescription:
    """Make the datastore, or what is missing of it; tells what is there then. Deletes nothing.

    Raises UsageError where a store of another form is there, or none can be made as wanted.
    """
    from hanpon.adapters.vertex_form import create_store

    return create_store(_wanted_form(settings), settings.google_endpoint)


def _wanted_form(settings: Settings) -> DatastoreForm:
    from hanpon.adapters.vertex_names import StoreNames

    names = StoreNames.of(settings.datastore)
    return DatastoreForm.wanted(
        names.project, names.location, names.store, access=settings.access, chunk_size=settings.chunk_size
    )


def diagnoses(settings: Settings) -> list[Diagnosis]:
    """What is reachable, what is missing, what to do. Writes nothing and never raises for a bad store."""
    from hanpon.adapters.machine_diagnosis import diagnose_machine

    return [*diagnose_machine(), *_cloud_diagnoses(settings), *_local_diagnoses(settings)]


def _cloud_diagnoses(settings: Settings) -> list[Diagnosis]:
    if not settings.uses_bucket and not settings.uses_vertex:
        return []
    from hanpon.adapters.cloud_diagnosis import diagnose_cloud
    from hanpon.adapters.cloud_looks import CloudPlaces

    try:
        form = _wanted_form(settings) if settings.uses_vertex else None
    except UsageError as error:
        advice = f"name it with {DATASTORE.flag} or {DATASTORE.variable}"
        return [Diagnosis(subject="datastore", found=str(error), advice=advice, exit_code=error.exit_code)]
    places = CloudPlaces(
        storage=settings.storage if settings.uses_bucket else "",
        form=form,
        auditor=settings.auditor,
        endpoint=settings.google_endpoint,
    )
    return [*diagnose_cloud(places), *_misplaced(settings)]


def _misplaced(settings: Settings) -> Iterator[Diagnosis]:
    if settings.uses_vertex and not settings.uses_bucket:
        found = f"{without_credentials(settings.storage)} cannot be read by {settings.datastore}"
        advice = f"name a bucket with {STORAGE.flag} or {STORAGE.variable}: gs://BUCKET/PREFIX"
        yield Diagnosis(subject="storage", found=found, advice=advice, exit_code=UsageError.exit_code)


def _local_diagnoses(settings: Settings) -> Iterator[Diagnosis]:
    from hanpon.adapters.store_diagnosis import diagnose_datastore, diagnose_storage

    if not settings.uses_bucket:
        yield diagnose_storage(lambda: open_storage(settings), Path(settings.storage.removeprefix("file:")))
    if not settings.uses_vertex:
        database = Path(settings.datastore.removeprefix("sqlite:"))
        yield diagnose_datastore(lambda: open_datastore(settings, traceless=True), database)
