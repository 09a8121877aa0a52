"""A lease on an edition in a bucket: `lease.json` in its folder, renewed while its run lives, good for two minutes.

Whether another's lease has run out is judged by the service's clock on both sides: when the object was last written,
and the `Date` of the answer that says so. Whether one's own still holds is judged by the time since the last renewal
was *asked for*, on a clock that also counts sleep; it ends early enough for a try that has begun to end within it.
"""

import json
import random
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from hanpon.adapters.gcs_bucket import GcsBucket, Moved, Outgoing, State, always, crc32c_of
from hanpon.adapters.google_calls import TRY
from hanpon.contracts.digests import canonical_json
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import Conflict, HanponError, Held, Unavailable

LEASE = "lease.json"
LIFETIME = 120.0
RENEWAL = 40.0
POLL = 2.0
"""Seconds between two looks at a lease that another run holds, give or take a half by lot."""

ENDING = 1.0
"""Seconds that the end of a run waits for a renewal that is under way; its generation keeps it from doing harm."""

NO_STORE = "no-store"
JSON = "application/json"
Notes = Mapping[str, Any]
NO_NOTES: Notes = MappingProxyType({})

_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""Linux's monotonic clock stands still while the machine sleeps, and a lease does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What `lease.json` says; `holder` is "" where it only keeps notes. `key` tells two holders of one name apart."""

    holder: str = ""
    since: str = ""
    key: str = ""
    notes: Notes = field(default_factory=dict)

    @classmethod
    def from_bytes(cls, data: bytes) -> "Record":
        """Raises ValueError, KeyError or TypeError for anything else."""
        record = json.loads(data)
        return cls(
            holder=str(record["holder"]),
            since=str(record["since"]),
            key=str(record.get("key", "")),
            notes=dict(record["notes"]),
        )

    def as_bytes(self) -> bytes:
        return canonical_json(
            {"holder": self.holder, "since": self.since, "key": self.key, "notes": dict(self.notes)}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How long a lease lasts unrenewed, how often it is renewed, how often one that is held is looked at: seconds."""

    lifetime: float = LIFETIME
    renewal: float = RENEWAL
    poll: float = POLL

    @property
    def fit_for(self) -> float:
        """How long after its last renewal a lease is good enough to begin a write under it."""
        return self.lifetime - min(TRY, self.lifetime / 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A lease object as it was seen."""

    record: Record
    generation: int
    has_expired: bool

    @property
    def is_free(self) -> bool:
        return self.has_expired or not self.record.holder


class Lease:
    """A lease that this process holds. Safe to be used by several threads."""

    def __init__(self, bucket: GcsBucket, name: str, edition: Edition, terms: Terms) -> None:
        self._bucket = bucket
        self._name = name
        self._edition = edition
        self._terms = terms
        self._record = Record()
        self._generation = 0
        self._asked = 0.0
        self._lost = ""
        self._writing = threading.Lock()
        self._ended = threading.Event()
        self._renewing = threading.Thread(target=self._renew, name=f"lease {edition}", daemon=True)

    @property
    def notes(self) -> Notes:
        return self._record.notes

    def take(self, record: Record, generation: int) -> bool:
        """Write the lease where its object is of this generation (0: there is none), and begin to renew it."""
        self._generation = generation
        try:
            self._write(record)
        except Moved:
            return False
        self._renewing.start()
        return True

    def check(self) -> None:
        """Raises Conflict where the lease is lost, or was not renewed in time to write anything under it."""
        if not self._lost and _now() - self._asked > self._terms.fit_for:
            self._lost = f"it could not be renewed within {self._terms.lifetime:.0f} seconds"
        if self._lost:
            raise Conflict(
                f"storage: the lease of {self._edition} is lost: {self._lost}; nothing more is written, try again"
            )

    def note(self, notes: Notes) -> None:
        """Put these notes in the place of those before. They are stored once this returns. Raises as `check` does."""
        self.check()
        with self._writing:
            record = self._record
            noted = Record(holder=record.holder, since=record.since, key=record.key, notes=dict(notes))
            self._write_again(noted, self.check)
        self.check()

    def end(self) -> None:
        """Remove the lease, or leave its notes without a holder. Where that fails, the lease runs out by itself."""
        self._ended.set()
        self._renewing.join(ENDING)
        with suppress(HanponError, Moved):
            self.check()
            if self._record.notes:
                self._write(Record(notes=self._record.notes, since=self._record.since), self.check)
            else:
                self._bucket.delete(self._name, self._generation, self.check)

    def _renew(self) -> None:
        while not self._ended.wait(self._terms.renewal):
            with self._writing:
                try:
                    self._write_again(self._record, self._may_renew)
                except HanponError as error:
                    self._lost = self._lost or str(error)
            if self._lost:
                return

    def _may_renew(self) -> None:
        """Asked before each try: what is tried after the end could meet the lease of somebody else."""
        if self._ended.is_set():
            raise Unavailable("storage: the run has ended")
        self.check()

    def _write_again(self, record: Record, permit: Callable[[], None]) -> None:
        try:
            self._write(record, permit)
        except Moved as moved:
            self._lost = self._taken_by(moved.state)

    def _write(self, record: Record, permit: Callable[[], None] = always) -> None:
        data = record.as_bytes()
        asked = _now()
        outgoing = Outgoing(data=data, crc32c=crc32c_of(data), content_type=JSON, cache_control=NO_STORE)
        self._generation = self._bucket.write(self._name, outgoing, self._generation, permit)
        self._record, self._asked = record, asked

    def _taken_by(self, state: State | None) -> str:
        if state is None:
            return "somebody removed it"
        with suppress(HanponError, ValueError, KeyError, TypeError):
            read = self._bucket.read(self._name)
            if read is not None and (holder := Record.from_bytes(read[0]).holder):
                return f"run {holder} has taken it over"
        return "another run has taken it over"


class Leases:
    """The leases of a storage, whose editions lie below `prefix` in a bucket."""

    def __init__(self, bucket: GcsBucket, prefix: str, terms: Terms) -> None:
        self._bucket = bucket
        self._prefix = prefix
        self._terms = terms

    @contextmanager
    def held(self, edition: Edition, holder: str, wait: float) -> Iterator[Lease]:
        """Hold the lease of an edition, with the notes that the last holder left.

        Raises Held, naming the holder, where another's does not end within `wait` seconds.
        """
        lease = self._take(edition, holder, wait)
        try:
            yield lease
        finally:
            lease.end()

    def noted(self, edition: Edition) -> Notes:
        """The notes in an edition's lease, whoever holds it."""
        found = self._look(self._name(edition))
        return found.record.notes if found else NO_NOTES

    def _name(self, edition: Edition) -> str:
        return f"{self._prefix}{edition.folder}/{LEASE}"

    def _take(self, edition: Edition, holder: str, wait: float) -> Lease:
        name, until = self._name(edition), _now() + wait
        key = secrets.token_hex(8)
        found = None  # most often nobody holds it, and one call is enough
        while True:
            if found is None or found.is_free:
                lease = Lease(self._bucket, name, edition, self._terms)
                notes = found.record.notes if found else NO_NOTES
                record = Record(holder=holder, since=self._time(), key=key, notes=notes)
                if lease.take(record, found.generation if found else 0):
                    return lease
            found = self._look(name)
            if found is not None and not found.is_free:
                self._pause(edition, found.record, until - _now())
                found = self._look(name)

    def _pause(self, edition: Edition, held: Record, left: float) -> None:
        if left <= 0:
            by = f"run {held.holder} (since {held.since})"
            raise Held(f"{edition} is held by {by}; try again later or pass --wait SECONDS")
        time.sleep(min(self._terms.poll * random.uniform(0.5, 1.5), left))  # noqa: S311  no secret

    def _look(self, name: str) -> _Found | None:
        while (seen := self._bucket.state(name)) is not None:
            state, written = seen
            now = self._bucket.time_of_answer()
            read = self._bucket.read(name, state.generation)
            if read is None:
                continue  # written anew between the two calls
            expired = now is not None and (now - written).total_seconds() > self._terms.lifetime
            return _Found(record=self._understood(name, read[0]), generation=state.generation, has_expired=expired)
        return None

    def _understood(self, name: str, data: bytes) -> Record:
        try:
            return Record.from_bytes(data)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise Unavailable(
                f"storage: {self._bucket.uri(name)}: expected a lease, found something else ({error}); "
                "make sure that no run is at work on this edition and remove the object"
            ) from error

    def _time(self) -> str:
        """Now, by the service's clock as far as it is known."""
        return (self._bucket.time_of_answer() or datetime.now(UTC)).isoformat(timespec="seconds")


def _now() -> float:
    return time.clock_gettime(_CLOCK)
