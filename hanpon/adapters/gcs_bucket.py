"""Calls on one bucket of Cloud Storage: each with a time limit, tries, checksums, and its refusals in words."""

import base64
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import google_crc32c
import requests
from google.api_core import exceptions as refusals
from google.api_core.retry import Retry
from google.cloud.storage import Client

from hanpon.adapters.google_calls import TRY, DamagedAnswer, google_errors_in_words, patience
from hanpon.adapters.google_rights import making_command
from hanpon.contracts.errors import HanponError, UsageError

T = TypeVar("T")

LISTED_FIELDS = "items(name,size,crc32c,generation),nextPageToken"
PAGE = 1000
"""Names that the service gives at most in one answer to a listing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What the service says of an object; `crc32c` in base64, as it writes it."""

    name: str
    size: int
    crc32c: str
    generation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """Bytes on their way into an object, and the headers that they will be given out with."""

    data: bytes
    crc32c: str
    content_type: str
    cache_control: str


class Moved(Exception):
    """The object is not of the generation that a call was for; `state` is what it is now, None where it is gone."""

    def __init__(self, state: State | None) -> None:
        super().__init__("the object is of another generation")
        self.state = state


def always() -> None:
    """Permits a call."""


def crc32c_of(data: bytes) -> str:
    """The CRC32C of bytes as Cloud Storage writes it: big-endian, in base64."""
    return base64.b64encode(google_crc32c.value(data).to_bytes(4, "big")).decode()


class GcsBucket:
    """A bucket's objects under their whole names.

    Safe to be used by several threads. Every method raises Unavailable where the service does not do its part within
    the tries of `tries`, and UsageError where it refuses. `permit` is asked before each try of a call that changes
    something; what it raises ends the call.
    """

    def __init__(self, client: Client, name: str, *, tries: Retry | None = None, time_limit: float = TRY) -> None:
        # Where traces are on, the client asks for the bucket itself, which takes a right that nothing else needs.
        client._bucket_metadata_cache = None  # noqa: SLF001  there is no other switch than the environment
        self.name = name
        self._client = client
        self._bucket = client.bucket(name)
        self._tries = tries or patience()
        self._time_limit = time_limit
        self._exists = False
        self._answer = threading.local()
        client._http.hooks["response"].append(self._note_time)  # noqa: SLF001  as the client's own parts use it

    def uri(self, name: str) -> str:
        return f"gs://{self.name}/{name}"

    def time_of_answer(self) -> datetime | None:
        """The service's clock, in whole seconds, in the last answer to this thread."""
        found: datetime | None = getattr(self._answer, "time", None)
        return found

    def objects(self, prefix: str) -> Iterator[State]:
        """All objects below a prefix, by as many calls as the service makes pages of it."""
        with google_errors_in_words(f"storage: {self.uri(prefix)}"):
            try:
                for blob in self._client.list_blobs(
                    self._bucket,
                    prefix=prefix,
                    fields=LISTED_FIELDS,
                    page_size=PAGE,
                    timeout=self._time_limit,
                    retry=self._tries,
                ):
                    yield _state(blob)
            except refusals.NotFound:
                raise self._missing() from None
        self._exists = True

    def state(self, name: str) -> tuple[State, datetime] | None:
        """What is known of an object, and when it was last written by the service's clock; None where it is not."""

        def ask() -> tuple[State, datetime]:
            blob = self._bucket.blob(name)
            blob.reload(timeout=self._time_limit, retry=None)
            return _state(blob), blob.updated

        return self._found(name, ask)

    def read(self, name: str, generation: int | None = None) -> tuple[bytes, int] | None:
        """An object's bytes and generation; None where there is none, or none of the generation asked for."""

        def ask() -> tuple[bytes, int]:
            blob = self._bucket.blob(name, generation=generation)
            data: bytes = blob.download_as_bytes(timeout=self._time_limit, checksum=None, retry=None)
            if blob.crc32c and blob.crc32c != crc32c_of(data):
                raise DamagedAnswer(f"the bytes that arrived do not have the checksum {blob.crc32c}")
            return data, int(blob.generation)

        return self._found(name, ask)

    def write(
        self, name: str, outgoing: Outgoing, generation: int | None, permit: Callable[[], None] = always
    ) -> int:
        """Write an object of this generation (0: there is none; None: whatever is there); its new generation.

        Raises Moved. An answer may be lost, and the next try then meets what the first one wrote: that is success.
        """
        tried = 0

        def send() -> int:
            nonlocal tried
            permit()
            tried += 1
            blob = self._bucket.blob(name)
            blob.cache_control = outgoing.cache_control
            blob.upload_from_string(
                outgoing.data,
                content_type=outgoing.content_type,
                if_generation_match=generation,
                timeout=self._time_limit,
                checksum="crc32c",
                retry=None,
            )
            if blob.crc32c != outgoing.crc32c:
                raise DamagedAnswer(f"stored with checksum {blob.crc32c}, sent with {outgoing.crc32c}")
            return int(blob.generation)

        with google_errors_in_words(f"storage: {self.uri(name)}"):
            try:
                return self._tries(send)()
            except refusals.PreconditionFailed:
                found = self.state(name)
            except refusals.NotFound:
                raise self._missing() from None
        now = found[0] if found else None
        if tried > 1 and now is not None and (now.crc32c, now.size) == (outgoing.crc32c, len(outgoing.data)):
            return now.generation
        raise Moved(now)

    def delete(self, name: str, generation: int | None = None, permit: Callable[[], None] = always) -> None:
        """Remove an object; one that is gone counts as done, and so does one of another generation than asked for."""

        def ask() -> None:
            permit()
            self._bucket.blob(name).delete(if_generation_match=generation, timeout=self._time_limit, retry=None)

        with google_errors_in_words(f"storage: {self.uri(name)}"):
            try:
                self._tries(ask)()
            except (refusals.NotFound, refusals.PreconditionFailed):
                return

    def _found(self, name: str, ask: Callable[[], T]) -> T | None:
        with google_errors_in_words(f"storage: {self.uri(name)}"):
            try:
                found = self._tries(ask)()
            except refusals.NotFound:
                self._require_bucket()
                return None
        self._exists = True
        return found

    def _require_bucket(self) -> None:
        """Raise UsageError where it is the bucket that does not exist: the service answers 404 for both."""
        if not self._exists:
            with google_errors_in_words(f"storage: gs://{self.name}"):
                try:
                    ask = {"max_results": 1, "fields": "items(name)", "timeout": self._time_limit}
                    list(self._client.list_blobs(self._bucket, retry=self._tries, **ask))
                except refusals.NotFound:
                    raise self._missing() from None
            self._exists = True

    def _missing(self) -> HanponError:
        return UsageError(
            f"storage: the bucket {self.name} does not exist; "
            f"create it (`{making_command(self.name, '', 'US')}`, or in EU where data has to stay there) "
            "or name another with --storage"
        )

    def _note_time(self, response: requests.Response, *_: Any, **__: Any) -> None:
        try:
            self._answer.time = parsedate_to_datetime(response.headers.get("Date", ""))
        except ValueError:
            self._answer.time = None


def _state(blob: Any) -> State:
    return State(name=blob.name, size=int(blob.size), crc32c=blob.crc32c or "", generation=int(blob.generation))
