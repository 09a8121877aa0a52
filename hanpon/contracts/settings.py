"""The settings, declared once: flags, variables, defaults, and what each may say."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hanpon.contracts.credentials import without_credentials
from hanpon.contracts.datastore_form import ENFORCED, FILTERED, LARGEST_CHUNK, SMALLEST_CHUNK, Access
from hanpon.contracts.errors import UsageError


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting, declared once: a flag outweighs the variable, the variable the default."""

    flag: str
    variable: str
    default: str
    meaning: str


STORAGE = Setting(
    "--storage",
    "HANPON_STORAGE",
    "file:out/storage",
    "where pages and manifests go: file:PATH or gs://BUCKET/PREFIX",
)
DATASTORE = Setting(
    "--datastore",
    "HANPON_DATASTORE",
    "sqlite:out/hanpon.db",
    "where rows go: sqlite:PATH or vertex://PROJECT/LOCATION/DATA_STORE",
)
CACHE = Setting("--cache", "HANPON_CACHE", "out/cache", "folder of kept verdicts; may be deleted at any time")
VALIDATOR_TIMEOUT = Setting(
    "--validator-timeout", "HANPON_VALIDATOR_TIMEOUT", "300", "seconds that the full validator may take"
)
KEEP = Setting("--keep", "HANPON_KEEP", "5", "publications of an edition that stay readable")
ACCESS = Setting(
    "--access",
    "HANPON_ACCESS",
    ENFORCED,
    "what keeps a document of a vertex: store from others: enforced (the store) or filtered (your backend)",
)
CHUNK_SIZE = Setting(
    "--chunk-size", "HANPON_CHUNK_SIZE", "500", "tokens of a piece in a vertex: store, decided when it is made"
)
AUDITOR = Setting(
    "--auditor", "HANPON_AUDITOR", "", "service account that a vertex: store is searched as to see what is in it"
)
GOOGLE_ENDPOINT = Setting(
    "--google-endpoint",
    "HANPON_GOOGLE_ENDPOINT",
    "",
    "host that serves a vertex: store, where it is not that of its location",
)

SETTINGS = (STORAGE, DATASTORE, CACHE, VALIDATOR_TIMEOUT, KEEP, ACCESS, CHUNK_SIZE, AUDITOR, GOOGLE_ENDPOINT)

STORES = (STORAGE, DATASTORE, ACCESS, CHUNK_SIZE, AUDITOR, GOOGLE_ENDPOINT)
"""What names the stores and says how to use them."""

MOST = 1e6
"""All numbers are below it."""

ACCOUNT = r"[^@\s:]+@[^@\s:]+"
ENDPOINT = r"(https?://)?[\w.-]+(:\d+)?"
"""What an auditor and an endpoint look like, as regular expressions: nothing that could hold a password."""

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
    access: Access
    chunk_size: int
    auditor: str
    google_endpoint: str

    @property
    def uses_bucket(self) -> bool:
        """Whether pages and manifests go to Cloud Storage."""
        return self.storage.startswith("gs:")

    @property
    def uses_vertex(self) -> bool:
        """Whether rows go to Vertex AI Search."""
        return self.datastore.startswith("vertex:")

    @classmethod
    def of(cls, flags: Mapping[str, str | None], environment: Mapping[str, str]) -> "Settings":
        """Settings by their flags' names (`--storage` …); a flag outweighs its variable.

        Raises UsageError, naming where each was looked for.
        """

        def value(setting: Setting) -> str:
            return flags.get(setting.flag) or environment.get(setting.variable) or setting.default

        return cls(
            storage=value(STORAGE),
            datastore=value(DATASTORE),
            cache=Path(value(CACHE)),
            validator_timeout=_number(VALIDATOR_TIMEOUT, value(VALIDATOR_TIMEOUT), float),
            keep=int(_number(KEEP, value(KEEP), int)),
            access=_access(value(ACCESS)),
            chunk_size=_chunk_size(value(CHUNK_SIZE)),
            auditor=_matching(AUDITOR, value(AUDITOR), ACCOUNT, "the e-mail address of a service account"),
            google_endpoint=_matching(GOOGLE_ENDPOINT, value(GOOGLE_ENDPOINT), ENDPOINT, "HOST[:PORT]"),
        )


def _number(setting: Setting, text: str, kind: type[int] | type[float]) -> float:
    try:
        number = kind(text)
    except ValueError:
        number = 0
    if not 0 < number < MOST:
        raise UsageError(f"{setting.flag} or {setting.variable}: expected a number above 0, found {text!r}")
    return number


def _access(text: str) -> Access:
    if text == ENFORCED:
        return ENFORCED
    if text == FILTERED:
        return FILTERED
    expected = f"expected {ENFORCED} or {FILTERED}, found {text!r}"
    raise UsageError(f"{ACCESS.flag} or {ACCESS.variable}: {expected}")


def _chunk_size(text: str) -> int:
    size = _number(CHUNK_SIZE, text, int)
    if not SMALLEST_CHUNK <= size <= LARGEST_CHUNK:
        expected = f"expected {SMALLEST_CHUNK} to {LARGEST_CHUNK} tokens, found {text!r}"
        raise UsageError(f"{CHUNK_SIZE.flag} or {CHUNK_SIZE.variable}: {expected}")
    return int(size)


def _matching(setting: Setting, text: str, pattern: str, expected: str) -> str:
    if text and not re.fullmatch(pattern, text):
        found = without_credentials(text)
        raise UsageError(f"{setting.flag} or {setting.variable}: expected {expected}, found {found!r}")
    return text
