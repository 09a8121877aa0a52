"""How `hanpon doctor` looks at Google Cloud: where, as whom, and for how long."""

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import requests
from google.auth.exceptions import GoogleAuthError, TransportError

from hanpon.adapters.gcs_client import EMULATOR, GcsAddress
from hanpon.adapters.google_calls import LOGIN
from hanpon.adapters.vertex_clients import is_bare
from hanpon.adapters.vertex_names import StoreNames
from hanpon.contracts.datastore_form import DatastoreForm
from hanpon.contracts.diagnoses import Diagnosis
from hanpon.contracts.errors import HanponError, Unavailable

PATIENCE = 8.0
"""Seconds for one look, which may make several calls."""

_NETWORK = "see that this machine may reach *.googleapis.com on port 443, through HTTPS_PROXY where there is a proxy"

Look = Callable[[], Sequence[Diagnosis]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudPlaces:
    """What of Google Cloud the settings name; "" and None for what is elsewhere. The other fields are for tests."""

    storage: str
    form: DatastoreForm | None
    auditor: str
    endpoint: str
    manager: str = "https://cloudresourcemanager.googleapis.com"
    iam: str = "https://iam.googleapis.com"
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    patience: float = PATIENCE

    @property
    def bucket(self) -> str:
        """Raises UsageError where the address is none of a bucket."""
        return GcsAddress.from_text(self.storage).bucket

    @property
    def prefix(self) -> str:
        return GcsAddress.from_text(self.storage).prefix

    @property
    def host(self) -> str:
        """Where the first call goes, with its scheme."""
        if self.form is None:
            return os.environ.get(EMULATOR) or "https://storage.googleapis.com"
        served = self.endpoint or StoreNames.of_form(self.form).endpoint
        return served if "://" in served else f"https://{served}"

    @property
    def is_bare(self) -> bool:
        """Whether no credentials are sent: an emulator on this machine, or a proxy that adds its own."""
        return is_bare(self.host)


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Whom the credentials are of, as policies write it; `credentials` is None where none are sent."""

    credentials: Any = None
    member: str = ""


def within(subject: str, look: Look, patience: float) -> Sequence[Diagnosis]:
    """What a look finds, or that it took too long, or that it failed; nothing is raised."""
    found: list[Diagnosis] = []

    def looking() -> None:
        try:
            found.extend(look())
        except HanponError as error:
            advice = _NETWORK if isinstance(error, Unavailable) else "mend that, and run `hanpon doctor` again"
            found.append(trouble(subject, str(error), advice, error))
        except (requests.RequestException, TransportError) as error:
            found.append(trouble(subject, f"cannot be reached ({type(error).__name__})", _NETWORK, exit_code=4))
        except GoogleAuthError as error:
            found.append(trouble(subject, f"the credentials are not accepted ({brief(error)})", LOGIN))
        except Exception as error:  # noqa: BLE001  a diagnosis tells of whatever there is
            found.append(trouble(subject, f"cannot be told ({type(error).__name__}: {brief(error)})", _NETWORK))

    # a daemon: a look that hangs must not keep the command from ending
    thread = threading.Thread(target=looking, daemon=True)
    thread.start()
    thread.join(patience)
    late = trouble(subject, f"no answer within {patience:g} seconds", _NETWORK, exit_code=4)
    return [late] if thread.is_alive() else found


def trouble(
    subject: str, found: str, advice: str, error: HanponError | None = None, *, exit_code: int = 2
) -> Diagnosis:
    """A diagnosis of something that has to be mended."""
    return Diagnosis(subject=subject, found=found, advice=advice, exit_code=error.exit_code if error else exit_code)


def brief(error: Exception) -> str:
    """What an error says, on one line."""
    return " ".join(str(error).split())[:300]
