"""The lease on an edition in a bucket: whose it is, when it ends, and the notes that it keeps."""

import json
import math
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from typing import Any

import pytest
import requests
from google.api_core.retry import Retry
from google.auth.credentials import AnonymousCredentials
from google.cloud.storage import Bucket

from hanpon.adapters import gcs_lease
from hanpon.adapters.gcs_client import GcsAddress, client_for
from hanpon.adapters.gcs_lease import Terms
from hanpon.adapters.gcs_storage import GcsStorage
from hanpon.adapters.google_calls import passes
from hanpon.contracts.errors import Conflict, Held, Unavailable
from tests.cloud import faults
from tests.cloud.faults import FaultProxy, in_front_of
from tests.editions import CUSTOMER

HTML = "text/html"
LEASE = "api/customer/v1/lease.json"
OF_LEASE = "uploadType="
SHORT = Terms(lifetime=0.4, renewal=0.05, poll=0.02)
"""Good for writing until 0.3 seconds after the last renewal."""
IDLE = Terms(renewal=60, poll=0.02)
"""As long as in earnest, and never renewed within a test."""

Opened = Callable[..., GcsStorage]


@pytest.fixture
def proxy(gcs_endpoint: str) -> Iterator[FaultProxy]:
    with in_front_of(gcs_endpoint) as running:
        yield running


@pytest.fixture
def opened(proxy: FaultProxy, bucket: Bucket) -> Opened:
    """Opens the storage anew, as another process would; `ahead` is how far its service's clock is, in seconds."""

    def open_it(terms: Terms = IDLE, ahead: float = 0) -> GcsStorage:
        nobody = AnonymousCredentials()
        client = client_for(nobody, "p", endpoint=proxy.endpoint)

        def shift(response: requests.Response, *_: Any, **__: Any) -> None:
            if date := response.headers.get("Date"):
                response.headers["Date"] = format_datetime(
                    parsedate_to_datetime(date) + timedelta(seconds=ahead), usegmt=True
                )

        client._http.hooks["response"].insert(0, shift)
        tries = Retry(predicate=passes, initial=0.001, maximum=0.02, timeout=5)
        return GcsStorage(GcsAddress(bucket.name), client, tries=tries, terms=terms)

    return open_it


def stored(bucket: Bucket) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(bucket.blob(LEASE).download_as_bytes())
    return record


def plant(bucket: Bucket, **record: Any) -> None:
    """A lease as a killed run left it."""
    bucket.blob(LEASE).upload_from_string(json.dumps({"holder": "dead", "since": "noon", "notes": {}} | record))


def test_a_lease_says_who_holds_the_edition_since_when_and_goes_at_the_end(
    opened: Opened,
    bucket: Bucket,
) -> None:
    with opened().hold(CUSTOMER, "first", 0):
        record = stored(bucket)
        assert (record["holder"], record["notes"]) == ("first", {})
        assert abs((datetime.fromisoformat(record["since"]) - datetime.now(UTC)).total_seconds()) < 60
        assert bucket.get_blob(LEASE).cache_control == "no-store"
    assert bucket.get_blob(LEASE) is None


def test_taking_and_ending_a_lease_are_a_call_each(opened: Opened, proxy: FaultProxy) -> None:
    with opened().hold(CUSTOMER, "first", 0):
        pass
    assert [call.method for call in proxy.calls()] == ["POST", "DELETE"]


@pytest.mark.parametrize("hours", [-9, 9])
def test_a_clock_of_this_machine_that_is_hours_off_neither_breaks_a_lease_nor_keeps_one(
    hours: int,
    opened: Opened,
    bucket: Bucket,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Wrong(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> "Wrong":
            return cls.fromtimestamp(time.time() + hours * 3600, tz)

    monkeypatch.setattr(gcs_lease, "datetime", Wrong)
    plant(bucket)
    for ahead in (0, 118):
        with (
            pytest.raises(Held, match="customer@v1 is held by run dead"),
            opened(ahead=ahead).hold(CUSTOMER, "me", 0),
        ):
            pytest.fail("a lease was broken")
    with opened(ahead=123).hold(CUSTOMER, "me", 0):
        assert stored(bucket)["holder"] == "me"


def test_a_lease_is_renewed_as_long_as_its_run_lives(opened: Opened, bucket: Bucket) -> None:
    storage = opened(SHORT)
    with storage.hold(CUSTOMER, "first", 0):
        before = bucket.get_blob(LEASE).generation
        time.sleep(0.6)
        storage.put("a", b"1", HTML)
        assert bucket.get_blob(LEASE).generation != before
    threads = [thread.name for thread in threading.enumerate()]
    assert "lease customer@v1" not in threads


def writes(storage: GcsStorage) -> list[Callable[[], object]]:
    def create() -> None:
        storage.create("a", b"2", HTML)
        storage.settle()

    return [
        lambda: storage.note({"a": 1}),
        create,
        lambda: storage.put("a", b"2", HTML),
        lambda: storage.replace("a", b"2", None),
        lambda: storage.delete(["a"]),
        storage.still_held,
    ]


def test_a_run_that_could_not_renew_its_lease_in_time_writes_nothing_more(
    opened: Opened,
    proxy: FaultProxy,
    bucket: Bucket,
) -> None:
    storage = opened(SHORT)
    with storage.hold(CUSTOMER, "first", 0):
        storage.put("a", b"1", HTML)
        proxy.plan(faults.status(503, "POST", OF_LEASE, times=math.inf))
        time.sleep(0.5)
        proxy.plan()
        for write in writes(storage):
            with pytest.raises(Conflict, match="the lease of customer@v1 is lost: it could not be renewed"):
                write()
        assert storage.read("a") == b"1"
    assert stored(bucket)["holder"] == "first"  # it runs out by itself


def test_a_renewal_that_succeeds_in_time_is_no_loss(opened: Opened, proxy: FaultProxy) -> None:
    storage = opened(Terms(lifetime=2, renewal=0.05))
    with storage.hold(CUSTOMER, "first", 0):
        proxy.plan(faults.status(503, "POST", OF_LEASE, times=3), faults.lost("POST", OF_LEASE, first=5))
        time.sleep(0.4)
        storage.put("a", b"1", HTML)


def test_a_lease_that_another_run_took_is_lost(opened: Opened, bucket: Bucket) -> None:
    storage = opened(Terms(renewal=0.02))
    with storage.hold(CUSTOMER, "first", 0):
        storage.put("a", b"1", HTML)
        plant(bucket, holder="second")
        time.sleep(0.2)
        for write in writes(storage):
            with pytest.raises(Conflict, match="is lost: run second has taken it over"):
                write()
    assert stored(bucket)["holder"] == "second"


def test_a_lease_that_was_removed_is_lost(opened: Opened, bucket: Bucket) -> None:
    storage = opened()
    with storage.hold(CUSTOMER, "first", 0):
        bucket.blob(LEASE).delete()
        with pytest.raises(Conflict, match="somebody removed it"):
            storage.note({"a": 1})
    assert bucket.get_blob(LEASE) is None


def test_notes_are_stored_at_once_and_go_when_none_are_left(opened: Opened, bucket: Bucket) -> None:
    storage = opened()
    assert storage.noted(CUSTOMER) == {}
    with storage.hold(CUSTOMER, "first", 0):
        storage.note({"operations": ["imports/1"]})
        assert opened().noted(CUSTOMER) == storage.noted(CUSTOMER) == {"operations": ["imports/1"]}
        storage.note({})
        assert opened().noted(CUSTOMER) == {}
    assert bucket.get_blob(LEASE) is None
    with pytest.raises(AssertionError):
        storage.note({"a": 1})


def test_notes_that_are_left_stay_without_a_holder_and_are_inherited(
    opened: Opened,
    bucket: Bucket,
) -> None:
    with opened().hold(CUSTOMER, "first", 0):
        storage = opened()
        with pytest.raises(Held), storage.hold(CUSTOMER, "second", 0):
            pytest.fail("held twice")
    storage = opened()
    with storage.hold(CUSTOMER, "first", 0):
        storage.note({"operations": ["imports/1"]})
    assert (stored(bucket)["holder"], opened().noted(CUSTOMER)) == ("", {"operations": ["imports/1"]})
    assert opened().list("") == {}
    heir = opened()
    with heir.hold(CUSTOMER, "second", 0):
        assert stored(bucket)["holder"] == "second"
        assert heir.noted(CUSTOMER) == {"operations": ["imports/1"]}
        heir.note({})
    assert bucket.get_blob(LEASE) is None


def test_what_a_killed_run_held_is_taken_over_when_it_has_run_out_with_its_notes(
    opened: Opened,
    proxy: FaultProxy,
    bucket: Bucket,
) -> None:
    program = textwrap.dedent("""
        import os, signal
        from google.auth.credentials import AnonymousCredentials
        from hanpon.adapters.gcs_client import GcsAddress, client_for
        from hanpon.adapters.gcs_storage import GcsStorage
        from tests.editions import CUSTOMER
        client = client_for(AnonymousCredentials(), "p", endpoint=os.environ["ENDPOINT"])
        storage = GcsStorage(GcsAddress(os.environ["BUCKET"]), client)
        with storage.hold(CUSTOMER, "killed", 0):
            storage.note({"operation": "imports/1"})
            os.kill(os.getpid(), signal.SIGKILL)
    """)
    environment = {"ENDPOINT": proxy.endpoint, "BUCKET": bucket.name, "PYTHONPATH": ":".join(filter(None, sys.path))}
    killed = subprocess.run([sys.executable, "-c", program], env=environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    with pytest.raises(Held, match="held by run killed"), opened().hold(CUSTOMER, "next", 0):
        pytest.fail("taken too early")
    storage = opened(ahead=123)
    with storage.hold(CUSTOMER, "next", 0):
        assert storage.noted(CUSTOMER) == {"operation": "imports/1"}


def test_of_many_who_race_one_holds_at_a_time(opened: Opened) -> None:
    inside: list[int] = []
    most: list[int] = []

    def come_and_go(number: int) -> None:
        with opened().hold(CUSTOMER, "one name for all", 20):
            inside.append(number)
            most.append(len(inside))
            time.sleep(0.01)
            inside.remove(number)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(come_and_go, range(8))) == [None] * 8
    assert most == [1] * 8


def test_of_two_who_find_a_lease_without_holder_one_takes_it(opened: Opened, bucket: Bucket) -> None:
    for _ in range(5):
        plant(bucket, holder="", notes={"a": 1})
        seen, done = threading.Barrier(2), threading.Barrier(2)

        def take(number: int, seen: threading.Barrier = seen, done: threading.Barrier = done) -> bool:
            storage = opened()
            look = storage._leases._look

            def look_together(name: str) -> Any:
                found = look(name)
                if found is not None and not found.record.holder:
                    seen.wait(5)
                return found

            storage._leases._look = look_together  # type: ignore[method-assign]
            try:
                with storage.hold(CUSTOMER, f"heir {number}", 0):
                    done.wait(5)
                    return True
            except Held:
                done.wait(5)
                return False

        with ThreadPoolExecutor(2) as pool:
            assert sorted(pool.map(take, range(2))) == [False, True]


def test_a_run_waits_as_long_as_it_was_told(opened: Opened) -> None:
    with opened().hold(CUSTOMER, "first", 0):
        begun = time.monotonic()
        with pytest.raises(Held, match=r"held by run first \(since .*\); try again later or pass --wait"):
            opened().hold(CUSTOMER, "second", 0.2).__enter__()
        assert time.monotonic() - begun >= 0.2


@pytest.mark.parametrize("content", [b"", b"[]", b'{"holder": "x"}', b"\xff", b'{"holder":"x","since":"","notes":3}'])
def test_a_damaged_lease_is_told_and_left_alone(opened: Opened, bucket: Bucket, content: bytes) -> None:
    bucket.blob(LEASE).upload_from_string(content)
    with pytest.raises(Unavailable, match=r"lease\.json: expected a lease"), opened().hold(CUSTOMER, "me", 0):
        pytest.fail("held")
    assert bucket.blob(LEASE).download_as_bytes() == content


def test_a_lease_that_cannot_be_removed_spoils_nothing_and_runs_out(
    opened: Opened,
    proxy: FaultProxy,
    bucket: Bucket,
) -> None:
    with opened().hold(CUSTOMER, "first", 0):
        proxy.plan(faults.status(403, "DELETE", "", times=math.inf))
    assert stored(bucket)["holder"] == "first"
    with opened(ahead=123).hold(CUSTOMER, "second", 0):
        pass
