"""Storage in a bucket: faults at every call, what is stored beside the bytes, and how many calls it takes."""

import hashlib
import math
import threading
from collections.abc import Callable, Iterator

import google.auth
import pytest
from google.api_core.retry import Retry
from google.auth.credentials import AnonymousCredentials
from google.auth.exceptions import DefaultCredentialsError
from google.cloud.storage import Bucket

from hanpon.adapters import gcs_bucket, gcs_uploads
from hanpon.adapters.gcs_client import GcsAddress, client_for
from hanpon.adapters.gcs_storage import GcsStorage, open_gcs
from hanpon.adapters.gcs_uploads import Uploads
from hanpon.adapters.google_calls import passes
from hanpon.contracts.errors import Conflict, HanponError, Unavailable, UsageError
from tests.cloud import faults
from tests.cloud.faults import Fault, FaultProxy, in_front_of
from tests.editions import CUSTOMER

HTML = "text/html"
UPLOAD = "uploadType="
PAGES = {f"api/customer/v1/pages/{number}.html": f"頁 {number}".encode() for number in range(3)}
POINTER = "api/customer/v1/current.json"


@pytest.fixture
def proxy(gcs_endpoint: str) -> Iterator[FaultProxy]:
    with in_front_of(gcs_endpoint) as running:
        yield running


@pytest.fixture
def storage(proxy: FaultProxy, bucket: Bucket) -> GcsStorage:
    return through(proxy, bucket.name)


def through(proxy: FaultProxy, name: str, prefix: str = "", seconds: float = 5) -> GcsStorage:
    """The storage in a bucket, behind a proxy, whose tries last for some seconds."""
    nobody = AnonymousCredentials()
    client = client_for(nobody, "p", endpoint=proxy.endpoint)
    tries = Retry(predicate=passes, initial=0.001, maximum=0.02, timeout=seconds)
    return GcsStorage(GcsAddress(name, prefix), client, tries=tries)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def everything(storage: GcsStorage, prefix: str) -> None:
    """Every call that a run makes, below one prefix; leaves the pages but one, and the pointer."""
    pages = {prefix + key: data for key, data in PAGES.items()}
    first, pointer = next(iter(pages)), prefix + POINTER
    with storage.hold(CUSTOMER, "run", 0):
        storage.note({"operation": 1})
        for key, data in pages.items():
            storage.create(key, data, HTML)
        storage.settle()
        assert storage.differing({key: digest(data) for key, data in pages.items()}, lambda _: None) == []
        storage.replace(pointer, b"1", None)
        seen = storage.fetch(pointer)
        assert seen is not None
        storage.replace(pointer, b"2", seen.token)
        storage.put(f"{prefix}api/customer/v1/index.html", b"index", HTML)
        storage.delete([first, f"{prefix}api/customer/v1/index.html"])
        assert storage.noted(CUSTOMER) == {"operation": 1}
        storage.note({})


PASSING: list[Callable[[int], Fault]] = [
    lambda number: faults.status(429, "*", "", first=number),
    lambda number: faults.status(503, "*", "", first=number),
    lambda number: faults.reset("*", "", first=number),
    lambda number: faults.lost("*", "", first=number),
    lambda number: faults.cut("*", "", first=number),
]


@pytest.mark.parametrize("fault", PASSING, ids=["429", "503", "reset", "lost", "cut"])
def test_one_failure_at_any_call_changes_nothing(
    fault: Callable[[int], Fault], storage: GcsStorage, proxy: FaultProxy
) -> None:
    everything(storage, "clean/")
    calls = len(proxy.calls())
    for number in range(1, calls + 1):
        proxy.plan(fault(number))
        everything(storage, f"{number}/")
        proxy.plan()
        kept = [*list(PAGES)[1:], POINTER]
        assert sorted(storage.list(f"{number}/")) == sorted(f"{number}/{key}" for key in kept)
        assert storage.read(f"{number}/{POINTER}") == b"2"
        assert storage.list("api/") == {}
    assert storage.noted(CUSTOMER) == {}


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        (401, UsageError, "does not accept the credentials.*gcloud auth"),
        (403, UsageError, "not permitted.*planned fault.*hanpon doctor"),
        (400, UsageError, "refused.*planned fault"),
        (429, Unavailable, "no success after all tries; last: .*planned fault"),
        (503, Unavailable, "no success after all tries; last: .*planned fault"),
    ],
)
def test_a_refusal_that_lasts_is_told_by_its_kind_at_every_call(
    code: int,
    kind: type[HanponError],
    words: str,
    proxy: FaultProxy,
    bucket: Bucket,
) -> None:
    storage = through(proxy, bucket.name, seconds=0.05)

    def create() -> None:
        storage.create("a/b", b"1", HTML)
        storage.settle()

    calls: list[Callable[[], object]] = [
        create,
        lambda: storage.replace("p", b"1", None),
        lambda: storage.put("p", b"1", HTML),
        lambda: storage.fetch("p"),
        lambda: storage.read("p"),
        lambda: storage.list("a/"),
        lambda: storage.differing({"a/b": digest(b"1")}, lambda _: None),
        lambda: storage.delete(["p"]),
        lambda: storage.noted(CUSTOMER),
    ]
    with storage.hold(CUSTOMER, "run", 0):
        proxy.plan(faults.status(code, "*", "", times=math.inf))
        for call in calls:
            with pytest.raises(kind, match=words) as told:
                call()
            assert "http" not in str(told.value)
        proxy.plan()
    proxy.plan(faults.status(code, "*", "", times=math.inf))
    with pytest.raises(kind, match=words), storage.hold(CUSTOMER, "run", 0):
        pytest.fail("held")


def test_a_bucket_that_does_not_exist_is_a_wrong_setting(proxy: FaultProxy) -> None:
    storage = through(proxy, "nobody-made-this")
    for call in (lambda: storage.list("a/"), lambda: storage.fetch("a"), lambda: storage.noted(CUSTOMER)):
        with pytest.raises(UsageError, match="bucket nobody-made-this does not exist; create it"):
            call()
    with pytest.raises(UsageError, match="does not exist; create it"), storage.hold(CUSTOMER, "run", 0):
        pytest.fail("held")


def test_a_listing_is_read_page_by_page_and_never_half(
    monkeypatch: pytest.MonkeyPatch,
    proxy: FaultProxy,
    bucket: Bucket,
) -> None:
    monkeypatch.setattr(gcs_bucket, "PAGE", 2)
    storage = through(proxy, bucket.name, seconds=0.05)
    with storage.hold(CUSTOMER, "run", 0):
        for number in range(5):
            storage.create(f"a/{number}", b"1", HTML)
    proxy.forget()
    assert storage.list("a/") == {f"a/{number}": 1 for number in range(5)}
    assert len(proxy.calls("GET")) == 3
    for fault in (faults.cut, faults.reset, faults.lost):
        proxy.plan(fault("GET", "pageToken", first=2, times=math.inf))
        with pytest.raises(Unavailable):
            storage.list("a/")


def test_an_answer_that_is_late_is_asked_for_again(storage: GcsStorage, proxy: FaultProxy) -> None:
    storage._bucket._time_limit = 0.15
    with storage.hold(CUSTOMER, "run", 0):
        proxy.plan(faults.delay(0.4, "POST", UPLOAD), faults.delay(0.4, "GET", "alt=media"))
        storage.create("a/b", b"1", HTML)
        storage.settle()
        assert storage.read("a/b") == b"1"


def test_an_object_is_stored_with_its_type_and_how_long_it_may_be_kept(
    storage: GcsStorage,
    bucket: Bucket,
) -> None:
    with storage.hold(CUSTOMER, "run", 0):
        storage.create("pages/顧客.html", "本文".encode(), HTML)
        storage.create("manifests/1.json", b"{}", "application/json")
        storage.create("assets/1.png", b"png", "image/png")
        storage.replace("current.json", b"{}", None)
        storage.put("index.html", b"index", HTML)
    kept = "private, max-age=31536000, immutable"
    assert {blob.name: (blob.content_type, blob.cache_control) for blob in bucket.list_blobs()} == {
        "assets/1.png": ("image/png", kept),
        "current.json": ("application/json", "no-store"),
        "index.html": ("text/html; charset=utf-8", "no-store"),
        "manifests/1.json": ("application/json", kept),
        "pages/顧客.html": ("text/html; charset=utf-8", kept),
    }


def test_as_many_calls_are_made_as_there_are_objects_and_one_to_verify_them(
    storage: GcsStorage, proxy: FaultProxy
) -> None:
    pages = {f"api/customer/v1/pages/{number}": str(number).encode() for number in range(30)}
    with storage.hold(CUSTOMER, "run", 0):
        proxy.forget()
        for key, data in pages.items():
            storage.create(key, data, HTML)
        storage.settle()
        assert len(proxy.calls("POST")) == len(proxy.calls()) == 30
        proxy.forget()
        assert storage.differing({key: digest(data) for key, data in pages.items()}, lambda _: None) == []
        assert [call.method for call in proxy.calls()] == ["GET"]
        proxy.forget()
    assert [call.method for call in proxy.calls()] == ["DELETE"]


def test_what_another_run_created_is_not_sent_over(
    storage: GcsStorage,
    proxy: FaultProxy,
    bucket: Bucket,
) -> None:
    for _ in range(2):
        with storage.hold(CUSTOMER, "run", 0):
            storage.create("a/b", b"1", HTML)
            storage.settle()
            assert storage.differing({"a/b": digest(b"1")}, lambda _: None) == []
    assert storage.differing({"a/b": digest(b"2")}, lambda _: None) == ["a/b"]
    bucket.blob("a/b").upload_from_string(b"half")
    with storage.hold(CUSTOMER, "run", 0):
        storage.create("a/b", b"1", HTML)
    assert storage.read("a/b") == b"1"


def test_equal_bytes_of_somebody_else_are_a_conflict_for_a_pointer(
    storage: GcsStorage,
    bucket: Bucket,
) -> None:
    with storage.hold(CUSTOMER, "run", 0):
        bucket.blob("p").upload_from_string(b"1")
        with pytest.raises(Conflict, match="changed by someone else"):
            storage.replace("p", b"1", None)


def test_a_large_object_survives_a_lost_answer_too(storage: GcsStorage, proxy: FaultProxy) -> None:
    large = bytes(9 * 1024 * 1024)
    with storage.hold(CUSTOMER, "run", 0):
        proxy.plan(faults.lost("PUT", UPLOAD))
        storage.create("assets/large.pdf", large, "application/pdf")
        storage.settle()
        assert storage.differing({"assets/large.pdf": digest(large)}, lambda _: None) == []
    assert storage.read("assets/large.pdf") == large


def test_bytes_that_arrive_damaged_are_asked_for_again(storage: GcsStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    with storage.hold(CUSTOMER, "run", 0):
        storage.create("a", b"1", HTML)
    sums = iter(["AAAAAA=="])
    right = gcs_bucket.crc32c_of
    monkeypatch.setattr(gcs_bucket, "crc32c_of", lambda data: next(sums, right(data)))
    assert storage.read("a") == b"1"
    assert list(sums) == []
    monkeypatch.setattr(gcs_bucket, "crc32c_of", lambda data: "AAAAAA==")
    storage._bucket._tries = Retry(predicate=passes, initial=0.001, maximum=0.01, timeout=0.05)
    with pytest.raises(Unavailable, match="checksum"):
        storage.read("a")


def test_one_error_tells_of_all_that_failed_and_nothing_more_is_sent(storage: GcsStorage, proxy: FaultProxy) -> None:
    storage._threads = 2

    def create_many() -> None:
        with storage.hold(CUSTOMER, "run", 0):
            proxy.plan(faults.status(403, "POST", UPLOAD, times=math.inf))
            for number in range(200):
                storage.create(f"a/{number:03}", b"1", HTML)

    with pytest.raises(UsageError, match=r"gs://.*/a/00\d: not permitted"):
        create_many()
    assert len(proxy.calls("POST")) < 10


def test_failures_are_told_once_by_the_gravest_kind() -> None:
    uploads = Uploads(4)
    started = threading.Barrier(3)

    def failing(error: Exception) -> Callable[[], None]:
        def work() -> None:
            started.wait(5)
            raise error

        return work

    uploads.send("a", 1, failing(Unavailable("storage: gs://b/a: no answer")))
    uploads.send("b", 1, failing(UsageError("storage: gs://b/b: not permitted")))
    uploads.send("c", 1, failing(Unavailable("storage: gs://b/c: no answer")))
    with pytest.raises(UsageError) as told:
        uploads.settle()
    assert str(told.value) == (
        "storage: 3 objects could not be stored: gs://b/a: no answer; gs://b/b: not permitted; gs://b/c: no answer"
    )
    uploads.settle()
    uploads.close()


def test_a_slip_of_ours_in_the_background_is_not_swallowed() -> None:
    uploads = Uploads(1)

    def slip() -> None:
        raise KeyError("a")

    uploads.send("a", 1, slip)
    with pytest.raises(KeyError):
        uploads.settle()
    uploads.close()


@pytest.mark.parametrize(("size", "most"), [(1, 4), (gcs_uploads.MOST_WAITING_BYTES, 1)])
def test_no_more_waits_than_the_pool_holds(size: int, most: int) -> None:
    uploads, go_on, given = Uploads(2), threading.Event(), threading.Semaphore(0)

    def wait_for_it() -> None:
        assert go_on.wait(5)

    def give() -> None:
        for number in range(most + 2):
            uploads.send(str(number), size, wait_for_it)
            given.release()

    giving = threading.Thread(target=give)
    giving.start()
    for _ in range(most):
        assert given.acquire(timeout=5)
    assert not given.acquire(timeout=0.05)
    go_on.set()
    giving.join(5)
    uploads.settle()
    uploads.close()


def test_nothing_is_sent_any_more_once_the_edition_is_let_go(storage: GcsStorage, proxy: FaultProxy) -> None:
    storage._threads = 1

    def fail() -> None:
        with storage.hold(CUSTOMER, "run", 0):
            proxy.plan(faults.delay(0.1, "POST", UPLOAD))
            storage.create("a/1", b"1", HTML)
            storage.create("a/2", b"1", HTML)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert len(proxy.calls("POST")) <= 2  # the lease, and what was under way
    assert set(storage.list("a/")) <= {"a/1"}


def test_a_person_and_another_service_are_given_addresses(storage: GcsStorage) -> None:
    there = GcsStorage(GcsAddress.from_text("gs://docs-of-us/a b/c/"), storage._bucket._client)
    assert there.address == "gs://docs-of-us/a b/c"
    assert there.uri("api/顧客/x#1.html") == "gs://docs-of-us/a b/c/api/顧客/x#1.html"
    assert there.link("api/顧客/x#1.html") == (
        "https://storage.cloud.google.com/docs-of-us/a%20b/c/api/%E9%A1%A7%E5%AE%A2/x%231.html"
    )


@pytest.mark.parametrize(
    "address",
    [
        "gs://",
        "gs:/b",
        "docs",
        "gs://Big",
        "gs://b/../c",
        "gs://bucket/../c",
        "gs://bucket/a//b",
        "gs://bucket/a\nb",
        "gs://bucket/a*",
    ],
)
def test_an_address_of_another_form_is_refused(address: str) -> None:
    with pytest.raises(UsageError, match="storage: "):
        open_gcs(address)


def test_a_password_in_an_address_is_not_repeated() -> None:
    with pytest.raises(UsageError, match=r"found 'gs://[*]{3}@docs/prod'"):
        open_gcs("gs://me:s3cret@docs/prod")


def test_an_emulator_is_asked_without_credentials(
    monkeypatch: pytest.MonkeyPatch,
    gcs_endpoint: str,
    bucket: Bucket,
) -> None:
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", gcs_endpoint)
    storage = open_gcs(f"gs://{bucket.name}/docs")
    with storage.hold(CUSTOMER, "run", 0):
        storage.create("a", b"1", HTML)
    assert [blob.name for blob in bucket.list_blobs()] == ["docs/a"]


def test_without_credentials_a_person_is_told_how_to_get_some(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise DefaultCredentialsError("none were found")

    monkeypatch.delenv("STORAGE_EMULATOR_HOST", raising=False)
    monkeypatch.setattr(google.auth, "default", refuse)
    with pytest.raises(UsageError, match=r"none were found.*gcloud auth application-default login"):
        open_gcs("gs://docs-of-us")
