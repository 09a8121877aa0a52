"""What a person or an event gives to a flow; Prefect makes forms and checks of it."""

import os
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from hanpon.contracts.datastore_form import ENFORCED, FILTERED, LARGEST_CHUNK, SMALLEST_CHUNK
from hanpon.contracts.lines import one_line
from hanpon.contracts.settings import (
    ACCESS,
    ACCOUNT,
    AUDITOR,
    CACHE,
    CHUNK_SIZE,
    DATASTORE,
    ENDPOINT,
    GOOGLE_ENDPOINT,
    KEEP,
    LONGEST_WAIT,
    MOST,
    STORAGE,
    VALIDATOR_TIMEOUT,
    Setting,
    Settings,
)
from hanpon.wiring import ReleaseFlags, settings_from

Only = Annotated[
    list[str], Field(description="These editions alone (NAME or NAME@VERSION); all, where none is named")
]
DryRun = Annotated[bool, Field(description="Show what would be done; write nothing")]
Validation = Annotated[
    Literal["strict", "report"],
    Field(description="strict refuses an edition whose definition is invalid; report publishes what can be shown"),
]
AllowRemovals = Annotated[bool, Field(description="Let a release remove more than half of an edition")]
TakeOver = Annotated[bool, Field(description="Release editions that another bundle published before")]
Wait = Annotated[
    float, Field(ge=0, le=LONGEST_WAIT, description="Seconds to wait for other runs that hold an edition")
]


class Parameters(BaseModel):
    """A misspelt parameter is refused, not ignored."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Folder = Annotated[str, Field(pattern="^[^\\x00]+$")]

SHOWN_NAME = 100


class _Flags(Parameters):
    only: Only = []
    dry_run: DryRun = False
    validation: Validation = "strict"
    allow_removals: AllowRemovals = False
    take_over: TakeOver = False
    wait: Wait = 0.0

    @property
    def flags(self) -> ReleaseFlags:
        return ReleaseFlags(
            only=tuple(self.only),
            dry_run=self.dry_run,
            validation=self.validation,
            allow_removals=self.allow_removals,
            take_over=self.take_over,
            wait=self.wait,
        )


class _Bundle(Parameters):
    bundle: Folder = Field(description="Folder with a hanpon.yaml, on the machine that runs the flow")

    @property
    def folder(self) -> str:
        """What the bundle's folder is called, for people; never longer than a name is wanted."""
        path = os.path.abspath(self.bundle)  # noqa: PTH100  whatever it is, a name must come out
        return one_line(os.path.basename(path) or self.bundle, SHOWN_NAME)  # noqa: PTH119


class Release(_Flags, _Bundle):
    """A bundle to release, and how to go about it."""

    @property
    def called(self) -> str:
        """What a run of it is called."""
        return f"{'dry run' if self.dry_run else 'release'} {self.folder}"


class _Bundles(Parameters):
    bundles: list[Folder] = Field(min_length=1, description="Folders with a hanpon.yaml each, oldest first")


class Backfill(_Flags, _Bundles):
    """Bundles to release one after the other, in this order. What is out already is published as far as it can be."""

    validation: Validation = "report"
    wait: Wait = 600.0


class Check(Parameters):
    """How a check goes about it."""

    dry_run: Annotated[bool, Field(description="Keep no report; a release at work may then be taken for drift")] = (
        False
    )
    wait: Wait = 600.0


def _meaning(setting: Setting) -> str:
    left_empty = f"{setting.variable} of the machine that runs the flow, else {setting.default or 'none'}"
    return f"{setting.meaning}; left empty: {left_empty}"


ANYTHING, NO_PASSWORD = r"[^\x00]+", r"[^\x00@]+"
"""The rest of an address: a path may be called anything, what names a user before an `@` is refused."""


def _text(setting: Setting, pattern: str = ANYTHING) -> Any:
    return Field(default=None, pattern=f"^({pattern})?$", description=_meaning(setting))


def _number(setting: Setting) -> Any:
    return Field(default=None, gt=0, lt=MOST, description=_meaning(setting))


class Stores(Parameters):
    """Where to publish. What may hold a password is refused before a run is made: Prefect keeps it in the clear."""

    storage: str | None = _text(STORAGE, rf"file:{ANYTHING}|gs://{NO_PASSWORD}")
    datastore: str | None = _text(DATASTORE, rf"sqlite:{ANYTHING}|vertex://{NO_PASSWORD}")
    cache: str | None = _text(CACHE)
    validator_timeout: float | None = _number(VALIDATOR_TIMEOUT)
    keep: int | None = _number(KEEP)
    access: str | None = _text(ACCESS, f"{ENFORCED}|{FILTERED}")
    chunk_size: int | None = Field(
        default=None, ge=SMALLEST_CHUNK, le=LARGEST_CHUNK, description=_meaning(CHUNK_SIZE)
    )
    auditor: str | None = _text(AUDITOR, ACCOUNT)
    google_endpoint: str | None = _text(GOOGLE_ENDPOINT, ENDPOINT)

    @property
    def settings(self) -> Settings:
        """Raises UsageError, as the command line does."""
        given = {name: value for name, value in self.model_dump().items() if value is not None}
        return settings_from({f"--{name.replace('_', '-')}": str(value) for name, value in given.items()})
