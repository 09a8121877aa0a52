"""Storage in a bucket of Cloud Storage (`gs://BUCKET/PREFIX`).

Objects are created in the background by a bounded pool, and never over one that somebody else made: each write names
the generation that it replaces. A run writes only while it holds the lease of an edition.
"""

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import quote

from google.api_core.retry import Retry
from google.cloud.storage import Client

from hanpon.adapters.gcs_bucket import GcsBucket, Moved, Outgoing, always, crc32c_of
from hanpon.adapters.gcs_client import THREADS, GcsAddress, default_client
from hanpon.adapters.gcs_lease import JSON, LEASE, NO_STORE, Lease, Leases, Notes, Terms
from hanpon.adapters.gcs_uploads import Uploads
from hanpon.contracts.digests import digest_of
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import Conflict, Missing, UsageError
from hanpon.contracts.ports import Stored

T = TypeVar("T")

IMMUTABLE = "private, max-age=31536000, immutable"
"""Of objects that never change. `private`: who may read one is for the bucket to say, not for a cache on the way."""

MOST_RACES = 5
"""How often an object that is created may turn out to be another one than a moment ago."""


@dataclass(frozen=True, slots=True)
class _Sent:
    """What this process created under a key, as its uploads were checked against the service's answers."""

    sha256: str
    crc32c: str


def open_gcs(address: str) -> "GcsStorage":
    """The storage of a `gs://` address, with the machine's default credentials. Raises UsageError.

    Where the environment names an emulator (`STORAGE_EMULATOR_HOST`), it is asked instead, without credentials.
    """
    return GcsStorage(GcsAddress.from_text(address), default_client())


class GcsStorage:
    """The promises of `contracts.ports.Storage` on a bucket, and notes that outlive a killed run."""

    def __init__(
        self,
        address: GcsAddress,
        client: Client,
        *,
        threads: int = THREADS,
        terms: Terms | None = None,
        tries: Retry | None = None,
    ) -> None:
        self._address = address
        self._bucket = GcsBucket(client, address.bucket, tries=tries)
        self._leases = Leases(self._bucket, address.prefix, terms or Terms())
        self._threads = threads
        self._lease: Lease | None = None
        self._uploads: Uploads | None = None
        self._sent: dict[str, _Sent] = {}

    @property
    def address(self) -> str:
        return str(self._address)

    def uri(self, key: str) -> str:
        """The object's address for Google's other services."""
        return self._bucket.uri(self._name(key))

    def link(self, key: str) -> str:
        return f"https://storage.cloud.google.com/{self._address.bucket}/{quote(self._name(key))}"

    def list(self, prefix: str) -> Mapping[str, int]:
        return {key: size for key, (size, _) in self._listed(prefix).items()}

    def read(self, key: str) -> bytes:
        if (found := self._read(key)) is None:
            raise Missing(f"storage: {self.uri(key)} does not exist")
        return found[0]

    def fetch(self, key: str) -> Stored | None:
        found = self._read(key)
        return Stored(found[0], str(found[1])) if found else None

    def create(self, key: str, data: bytes, media_type: str) -> None:
        lease, uploads = self._held()
        name, outgoing = self._name(key), _outgoing(data, media_type, IMMUTABLE)

        def permit() -> None:
            uploads.permit()
            lease.check()

        def send() -> None:
            self._create(name, outgoing, permit)
            self._sent[key] = _Sent(digest_of(data), outgoing.crc32c)

        uploads.send(key, len(data), send)

    def _create(self, name: str, outgoing: Outgoing, permit: Callable[[], None]) -> None:
        generation = 0
        for _ in range(MOST_RACES):
            try:
                self._bucket.write(name, outgoing, generation, permit)
            except Moved as moved:
                state = moved.state
                if state and (state.crc32c, state.size) == (outgoing.crc32c, len(outgoing.data)):
                    return
                generation = state.generation if state else 0
            else:
                return
        raise Conflict(f"storage: {self._bucket.uri(name)} is being written by someone else; try again")

    def replace(self, key: str, data: bytes, expected: str | None) -> None:
        lease, uploads = self._held()
        uploads.settle()  # what a pointer leads to is there before it
        generation = _generation(expected)
        try:
            self._bucket.write(self._name(key), _outgoing(data, "", NO_STORE, key), generation, lease.check)
        except Moved:
            raise Conflict(f"storage: {self.uri(key)} was changed by someone else meanwhile") from None

    def settle(self) -> None:
        if self._uploads is not None:
            self._uploads.settle()

    def put(self, key: str, data: bytes, media_type: str) -> None:
        lease, uploads = self._held()
        uploads.wait()
        self._bucket.write(self._name(key), _outgoing(data, media_type, NO_STORE), None, lease.check)

    def delete(self, keys: Iterable[str]) -> None:
        self._wait()
        permit = self._lease.check if self._lease is not None else always
        for _ in self._each(list(keys), lambda key: self._bucket.delete(self._name(key), permit=permit)):
            pass

    def differing(self, digests: Mapping[str, str], seen: Callable[[int], None]) -> Sequence[str]:
        self._wait()
        sent = {key: made for key, made in self._sent.items() if digests.get(key) == made.sha256}
        listed = self._listed(_folder_of(sent)) if sent else {}
        differing = {key for key, made in sent.items() if listed.get(key, (0, ""))[1] != made.crc32c}
        done = len(sent)
        seen(done)
        others = [key for key in digests if key not in sent]
        for key, is_sound in zip(others, self._each(others, lambda key: self._holds(key, digests[key])), strict=True):
            done += 1
            seen(done)
            if not is_sound:
                differing.add(key)
        return [key for key in digests if key in differing]

    @contextmanager
    def hold(self, edition: Edition, holder: str, wait: float) -> Iterator[None]:
        if self._lease is not None:
            raise AssertionError("a storage holds one edition at a time")
        with self._leases.held(edition, holder, wait) as lease:
            self._lease, self._uploads, self._sent = lease, Uploads(self._threads), {}
            try:
                yield
                self._uploads.settle()
            finally:
                self._uploads.close()
                self._lease, self._uploads = None, None

    def note(self, notes: Notes) -> None:
        """Keep notes for whoever holds this edition next, in place of those before; they are stored on return.

        They go with the lease where the run ends and has left none. Raises Conflict where the lease is lost.
        """
        self._held()[0].note(notes)

    def still_held(self) -> None:
        """Raises Conflict where the lease is lost: for what is written elsewhere in the name of this edition."""
        self._held()[0].check()

    def noted(self, edition: Edition) -> Notes:
        """The notes of an edition's last holder, or of the present one, whoever it is."""
        return self._leases.noted(edition)

    def tidy(self) -> None:
        """Nothing: what killed runs leave is a lease, and it runs out."""

    def _held(self) -> tuple[Lease, Uploads]:
        if self._lease is None or self._uploads is None:
            raise AssertionError("storage is written only while an edition is held")
        return self._lease, self._uploads

    def _wait(self) -> None:
        """What was created is there before it is read, listed or removed; failures are told by `settle`."""
        if self._uploads is not None:
            self._uploads.wait()

    def _read(self, key: str) -> tuple[bytes, int] | None:
        self._wait()
        return self._bucket.read(self._name(key))

    def _listed(self, prefix: str) -> dict[str, tuple[int, str]]:
        """Size and crc32c by key. Leases are no objects of a storage, nor are the folders that consoles make."""
        self._wait()
        front = self._address.prefix
        found = {}
        for state in self._bucket.objects(self._name(prefix)):
            key = state.name.removeprefix(front)
            if not key.endswith("/") and not _is_lease(key):
                found[key] = (state.size, state.crc32c)
        return found

    def _holds(self, key: str, digest: str) -> bool:
        found = self._bucket.read(self._name(key))
        return found is not None and digest_of(found[0]) == digest

    def _each(self, keys: Sequence[str], work: Callable[[str], T]) -> Iterator[T]:
        """What `work` gives for each key, in order, several at a time. The first failure ends it."""
        with ThreadPoolExecutor(self._threads, thread_name_prefix="gcs") as pool:
            yield from pool.map(work, keys)

    def _name(self, key: str) -> str:
        if ".." in key.split("/"):
            raise UsageError(f"storage: {key} leads outside {self._address}")
        return self._address.prefix + key


def _outgoing(data: bytes, media_type: str, cache_control: str, key: str = "") -> Outgoing:
    found = media_type or (JSON if key.endswith(".json") else "application/octet-stream")
    content_type = f"{found}; charset=utf-8" if found.startswith("text/") and "charset" not in found else found
    return Outgoing(data=data, crc32c=crc32c_of(data), content_type=content_type, cache_control=cache_control)


def _generation(token: str | None) -> int:
    return int(token) if token is not None else 0


def _folder_of(keys: Iterable[str]) -> str:
    """The folder that all keys lie in, with a slash at the end, or "" where they have none in common."""
    common = posixpath.commonpath([key.rpartition("/")[0] for key in keys])
    return f"{common}/" if common else ""


def _is_lease(key: str) -> bool:
    return key.count("/") == 3 and key.endswith(f"/{LEASE}")
