"""A proxy in front of an HTTP server, which passes requests on, keeps record of them, and fails where told to."""

import contextlib
import http.client
import json
import re
import socket
import struct
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal
from urllib.parse import urlsplit

STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    412: "FAILED_PRECONDITION",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    502: "UNAVAILABLE",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
"""Google's word for each HTTP status that a fault may answer with."""

Way = Literal["status", "reset", "lost", "delay", "cut"]
_OF_ONE_HOP = {"connection", "keep-alive", "transfer-encoding", "te", "upgrade", "content-length", "host"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What happens to some of the requests that a plan matches; `made` by the functions below."""

    method: str
    path: str
    way: Way
    first: int
    times: float
    status: int = 0
    seconds: float = 0.0
    message: str = ""

    def matches(self, call: "Call") -> bool:
        target = f"{call.path}?{call.query}" if call.query else call.path
        return self.method in {"*", call.method} and re.search(self.path, target) is not None


def status(code: int, method: str, path: str, *, first: int = 1, times: float = 1, message: str = "") -> Fault:
    """Answer with an HTTP status and Google's JSON of an error, without passing the request on.

    `path` is a regular expression found anywhere in path and query; `method` may be `*`. Of the requests that match,
    the fault meets the `first` and those after it, `times` in all (math.inf: for ever).
    """
    return Fault(method=method, path=path, way="status", first=first, times=times, status=code, message=message)


def reset(method: str, path: str, *, first: int = 1, times: float = 1) -> Fault:
    """Reset the connection before the server sees anything of the request."""
    return Fault(method=method, path=path, way="reset", first=first, times=times)


def lost(method: str, path: str, *, first: int = 1, times: float = 1) -> Fault:
    """Pass the request on, so that it is done, and reset the connection in place of the answer."""
    return Fault(method=method, path=path, way="lost", first=first, times=times)


def delay(seconds: float, method: str, path: str, *, first: int = 1, times: float = 1) -> Fault:
    """Pass the request on, and hold the answer back for some seconds."""
    return Fault(method=method, path=path, way="delay", first=first, times=times, seconds=seconds)


def cut(method: str, path: str, *, first: int = 1, times: float = 1) -> Fault:
    """Pass the request on, announce the whole body, send half of it and close the connection."""
    return Fault(method=method, path=path, way="cut", first=first, times=times)


@dataclass(frozen=True, slots=True)
class Call:
    """A request as it arrived; `path` as it was sent, percent-encoded, `query` without its question mark."""

    method: str
    path: str
    query: str


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    headers: Sequence[tuple[str, str]]
    body: bytes


class FaultProxy:
    """A proxy that is running; give its `endpoint` to a client in place of the server's.

    The first fault of the plan that meets a request is what happens to it; every fault counts what it matches,
    whether it acted or not. Safe to be used from several threads.
    """

    def __init__(self, upstream: str) -> None:
        self.upstream = upstream.rstrip("/")
        self._lock = threading.Lock()
        self._plan: list[tuple[Fault, list[int]]] = []
        self._calls: list[Call] = []
        self._stopping = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Passing)
        self._server.proxy = self
        self.endpoint = f"http://127.0.0.1:{self._server.server_address[1]}"

    def plan(self, *faults: Fault) -> None:
        """Follow this plan from now on, counting anew; without faults, pass everything on."""
        with self._lock:
            self._plan = [(fault, [0]) for fault in faults]

    def calls(self, method: str = "*", path: str = "") -> list[Call]:
        """The requests so far, in order, faulted ones among them: those of a method and with a path like this."""
        wanted = Fault(method=method, path=path, way="reset", first=1, times=0)
        with self._lock:
            return [call for call in self._calls if wanted.matches(call)]

    def forget(self) -> None:
        """Empty the record of requests."""
        with self._lock:
            self._calls.clear()

    def _meet(self, call: Call) -> Fault | None:
        met = None
        with self._lock:
            self._calls.append(call)
            for fault, seen in self._plan:
                if fault.matches(call):
                    seen[0] += 1
                    if met is None and fault.first <= seen[0] < fault.first + fault.times:
                        met = fault
        return met

    def _ask(self, method: str, target: str, headers: dict[str, str], body: bytes) -> _Answer:
        connection = http.client.HTTPConnection(urlsplit(self.upstream).netloc, timeout=60)
        try:
            connection.request(method, target, body=body, headers=headers)
            reply = connection.getresponse()
            return _Answer(reply.status, reply.getheaders(), reply.read())
        finally:
            connection.close()

    def _renamed(self, answer: _Answer) -> _Answer:
        """The answer with the proxy's address where the server names its own: sessions of uploads, media links."""
        old, new = self.upstream, self.endpoint
        headers = [(name, value.replace(old, new)) for name, value in answer.headers]
        kind = next((value for name, value in headers if name.lower() == "content-type"), "")
        body = answer.body
        if kind.startswith("application/json") and not any(n.lower() == "x-goog-hash" for n, _ in headers):
            body = body.replace(old.encode(), new.encode())
        return _Answer(answer.status, headers, body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    proxy: FaultProxy

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is none of the test's business."""


class _Passing(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True
    server: _Server

    def _handle(self) -> None:
        proxy = self.server.proxy
        body = self._body()
        path, _, query = self.path.partition("?")
        fault = proxy._meet(Call(self.command, path, query))
        if fault is not None and fault.way == "reset":
            return self._reset()
        if fault is not None and fault.way == "status":
            return self._send(_error(fault))
        headers = {name: value for name, value in self.headers.items() if name.lower() not in _OF_ONE_HOP}
        answer = proxy._renamed(proxy._ask(self.command, self.path, headers, body))
        if fault is not None and fault.way == "lost":
            return self._reset()
        if fault is not None and fault.way == "delay":
            proxy._stopping.wait(fault.seconds)
        return self._send(answer, cut=fault is not None and fault.way == "cut")

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = _handle  # noqa: N815 - the names http.server asks for

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return b"".join(parts)

    def _send(self, answer: _Answer, *, cut: bool = False) -> None:
        self.send_response_only(answer.status)
        for name, value in answer.headers:
            if name.lower() not in _OF_ONE_HOP:
                self.send_header(name, value)
        length = next((v for n, v in answer.headers if n.lower() == "content-length"), None)
        self.send_header("Content-Length", length if self.command == "HEAD" and length else str(len(answer.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body[: len(answer.body) // 2] if cut else answer.body)
        if cut:
            self.close_connection = True

    def _reset(self) -> None:
        # Lingering for no time makes the close a reset, not an orderly end.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as it is called there
        """Nothing is printed."""


def _error(fault: Fault) -> _Answer:
    message = fault.message or f"planned fault {fault.status}"
    error = {"code": fault.status, "message": message, "status": STATUSES.get(fault.status, "UNKNOWN")}
    body = json.dumps({"error": error}).encode()
    return _Answer(fault.status, [("Content-Type", "application/json; charset=UTF-8")], body)


@contextlib.contextmanager
def in_front_of(upstream: str) -> Iterator[FaultProxy]:
    """A proxy before the server at this address, running until the context is left."""
    proxy = FaultProxy(upstream)
    thread = threading.Thread(target=proxy._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        proxy._stopping.set()
        proxy._server.shutdown()
        proxy._server.server_close()
        thread.join()
