"""Where a storage in Cloud Storage lies, and the client that reaches it."""

import http
import os
import re
from dataclasses import dataclass
from typing import Any

import google.auth
import requests
from google.auth.credentials import AnonymousCredentials, Credentials
from google.auth.transport.requests import AuthorizedSession
from google.cloud.storage import Client
from requests.adapters import HTTPAdapter

from hanpon.adapters.google_calls import google_errors_in_words
from hanpon.contracts.credentials import without_credentials
from hanpon.contracts.errors import UsageError

THREADS = 16
"""Calls at a time: a call takes tens of milliseconds on the way, and two of a processor."""

SPARE_CONNECTIONS = 4
"""For the run's own calls and the renewal of the lease beside the pool's."""

SCOPE = "https://www.googleapis.com/auth/devstorage.read_write"
EMULATOR = "STORAGE_EMULATOR_HOST"

_BUCKET = re.compile(r"[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]")
_NOT_IN_PREFIX = re.compile(r"[\x00-\x1f\x7f*?#\[\]]")
"""Control characters, and what Google's tools read as a pattern where they are given a `gs://` address."""


@dataclass(frozen=True, slots=True)
class GcsAddress:
    """Where a storage lies: a bucket, and what stands in front of its keys ("" or with a slash at the end)."""

    bucket: str
    prefix: str = ""

    @classmethod
    def from_text(cls, text: str) -> "GcsAddress":
        """The address `gs://BUCKET` or `gs://BUCKET/PREFIX`. Raises UsageError."""
        bucket, _, prefix = text.removeprefix("gs://").partition("/")
        prefix = prefix.strip("/")
        parts = prefix.split("/") if prefix else []
        if not text.startswith("gs://") or not _BUCKET.fullmatch(bucket):
            shown = without_credentials(text)
            raise UsageError(f"storage: expected gs://BUCKET or gs://BUCKET/PREFIX in lower case, found {shown!r}")
        if any(part in {"", ".", ".."} for part in parts) or _NOT_IN_PREFIX.search(prefix):
            raise UsageError(
                f"storage: {text!r}: a prefix is made of names with `/` between them, without any of * ? # [ ]"
            )
        return cls(bucket, f"{prefix}/" if prefix else "")

    def __str__(self) -> str:
        return f"gs://{self.bucket}/{self.prefix}".rstrip("/")


def default_client(threads: int = THREADS) -> Client:
    """A client whose pool of connections fits `threads`. Raises UsageError where there are no credentials."""
    with google_errors_in_words("storage: credentials"):
        if os.environ.get(EMULATOR):
            return client_for(AnonymousCredentials(), "emulated", threads)
        credentials, project = google.auth.default(scopes=[SCOPE])
        return client_for(credentials, project, threads)


def client_for(credentials: Credentials, project: str | None, threads: int = THREADS, endpoint: str = "") -> Client:
    """A client that keeps a connection open for each of `threads`; `endpoint` other than Google's for tests."""
    session = AuthorizedSession(credentials)
    session.hooks["response"].append(_read_refusal_of_credentials)
    for scheme in ("https://", "http://"):
        session.mount(scheme, HTTPAdapter(pool_maxsize=threads + SPARE_CONNECTIONS))
    options = {"api_endpoint": endpoint} if endpoint else None
    return Client(project=project, credentials=credentials, _http=session, client_options=options)


def _read_refusal_of_credentials(response: requests.Response, *_: Any, **__: Any) -> None:
    """Google's library drops a 401 unread and calls again, which would leave a connection open each time."""
    if response.status_code == http.HTTPStatus.UNAUTHORIZED:
        response.content  # noqa: B018  reading it is the point
