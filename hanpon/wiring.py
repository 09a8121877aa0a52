"""Settings into adapters: the one composition root, and the only reader of the settings in the environment."""

import getpass
import os
import secrets
import socket
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hanpon.contracts.credentials import without_credentials
from hanpon.contracts.diagnoses import Diagnosis
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import UsageError
from hanpon.contracts.ports import Datastore, Progress, Steps, Storage
from hanpon.contracts.reports import RunReport

if TYPE_CHECKING:
    from hanpon.contracts.checks import CheckReport
    from hanpon.contracts.rebuilds import Rebuilt


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting, declared once: a flag outweighs the variable, the variable the default."""

    flag: str
    variable: str
    default: str
    meaning: str


STORAGE = Setting("--storage", "HANPON_STORAGE", "file:out/storage", "where pages and manifests go: file:PATH")
DATASTORE = Setting("--datastore", "HANPON_DATASTORE", "sqlite:out/hanpon.db", "where rows go: sqlite:PATH")
CACHE = Setting("--cache", "HANPON_CACHE", "out/cache", "folder of kept verdicts; may be deleted at any time")
VALIDATOR_TIMEOUT = Setting(
    "--validator-timeout", "HANPON_VALIDATOR_TIMEOUT", "300", "seconds that the full validator may take"
)
KEEP = Setting("--keep", "HANPON_KEEP", "5", "publications of an edition that stay readable")

SETTINGS = (STORAGE, DATASTORE, CACHE, VALIDATOR_TIMEOUT, KEEP)

LONGEST_WAIT = 7 * 24 * 60 * 60
"""Seconds that a run may be told to wait for others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the command line and the environment say, checked."""

    storage: str
    datastore: str
    cache: Path
    validator_timeout: float
    keep: int


def settings_from(flags: Mapping[str, str | None], environment: Mapping[str, str] = os.environ) -> Settings:
    """Settings by their flags' names (`--storage` …). Raises UsageError, naming where each was looked for."""

    def value(setting: Setting) -> str:
        return flags.get(setting.flag) or environment.get(setting.variable) or setting.default

    return Settings(
        storage=value(STORAGE),
        datastore=value(DATASTORE),
        cache=Path(value(CACHE)),
        validator_timeout=_number(VALIDATOR_TIMEOUT, value(VALIDATOR_TIMEOUT), float),
        keep=int(_number(KEEP, value(KEEP), int)),
    )


def _number(setting: Setting, text: str, kind: type[int] | type[float]) -> float:
    try:
        number = kind(text)
    except ValueError:
        number = 0
    if not 0 < number < 1e6:
        raise UsageError(f"{setting.flag} or {setting.variable}: expected a number above 0, found {text!r}")
    return number


def open_storage(settings: Settings) -> Storage:
    """The storage of an address. Raises UsageError for an address of no known form."""
    from hanpon.adapters.file_storage import FileStorage

    return FileStorage(Path(_rest_of(settings.storage, "file:", STORAGE)))


def open_datastore(settings: Settings, *, traceless: bool = False) -> Datastore:
    """The datastore of an address; `traceless` for commands that must not write. Raises UsageError."""
    from hanpon.adapters.sqlite_datastore import SqliteDatastore

    return SqliteDatastore(Path(_rest_of(settings.datastore, "sqlite:", DATASTORE)), traceless=traceless)


def _rest_of(address: str, scheme: str, setting: Setting) -> str:
    if not address.startswith(scheme) or address == scheme:
        found = without_credentials(address)  # a database's address may hold a password
        raise UsageError(f"{setting.flag} or {setting.variable}: expected {scheme}PATH, found {found!r}")
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
            storage=open_storage(settings),
            datastore=open_datastore(settings, traceless=flags.dry_run),
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

    job = RebuildJob(
        run=new_run(),
        storage=open_storage(settings),
        datastore=open_datastore(settings, traceless=dry_run),
        progress=progress,
        dry_run=dry_run,
        wait=wait,
    )
    return lambda: rebuild(job)


def _own_places(settings: Settings) -> Iterator[Path]:
    """Where hanpon writes on this machine; SQLite keeps files of its own beside a database."""
    yield Path(settings.storage.removeprefix("file:"))
    yield settings.cache
    database = settings.datastore.removeprefix("sqlite:")
    yield from (Path(database + suffix) for suffix in ("", "-wal", "-shm", "-journal"))


def check_of(
    settings: Settings, progress: Progress, *, dry_run: bool = False, wait: float = 0.0, steps: Steps | None = None
) -> "Callable[[], CheckReport]":
    """A check, ready to be called. Raises UsageError where the stores cannot be used as named."""
    from hanpon.runs.checking import CheckRun, check
    from hanpon.runs.steps import AtOnce

    job = CheckRun(
        run=new_run(),
        storage=open_storage(settings),
        datastore=open_datastore(settings, traceless=True),
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


def diagnoses(settings: Settings) -> list[Diagnosis]:
    """What is reachable, what is missing, what to do. Writes nothing and never raises for a bad store."""
    from hanpon.adapters.machine_diagnosis import diagnose_machine
    from hanpon.adapters.store_diagnosis import diagnose_datastore, diagnose_storage

    return [
        *diagnose_machine(),
        diagnose_storage(lambda: open_storage(settings), Path(settings.storage.removeprefix("file:"))),
        diagnose_datastore(
            lambda: open_datastore(settings, traceless=True), Path(settings.datastore.removeprefix("sqlite:"))
        ),
    ]
