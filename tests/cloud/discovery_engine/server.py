"""The double as an HTTP server, and the real clients that talk to it."""

import contextlib
import json
import socket
import struct
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar

from google.api_core.client_options import ClientOptions
from google.auth.credentials import AnonymousCredentials
from google.oauth2.credentials import Credentials

from tests.cloud.discovery_engine.refusals import Refused
from tests.cloud.discovery_engine.routes import answer
from tests.cloud.discovery_engine.state import State

C = TypeVar("C")


@contextlib.contextmanager
def serving(state: State) -> Iterator[str]:
    """Serve this state until the context is left; gives the address (`http://127.0.0.1:PORT`)."""
    server = _Server(("127.0.0.1", 0), _Answering)
    server.state = state
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def client(kind: type[C], endpoint: str, token: str = "") -> C:
    """A real client over REST, without credentials or with a bearer token."""
    credentials = Credentials(token=token) if token else AnonymousCredentials()
    build: Any = kind
    made: C = build(transport="rest", credentials=credentials, client_options=ClientOptions(api_endpoint=endpoint))
    return made


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    state: State

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is none of the test's business."""


class _Answering(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True
    server: _Server

    def _handle(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        state = self.server.state
        with state.lock:
            try:
                caller = state.asking(self.headers.get("Authorization", ""))
                method, reply = answer(state, self.command, self.path, body, caller)
                status = 200
            except Refused as refusal:
                method, reply, status = "", refusal.body(), refusal.http
            lost = method in state.conduct.lost_answers
            if lost:
                state.conduct.lost_answers.remove(method)
        if lost:
            self._reset()
        else:
            self._send(status, json.dumps(reply).encode())

    do_GET = do_POST = do_PATCH = do_DELETE = _handle  # noqa: N815 - the names http.server asks for

    def _send(self, status: int, body: bytes) -> None:
        self.send_response_only(status)
        self.send_header("Content-Type", "application/json; charset=UTF-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _reset(self) -> None:
        # Lingering for no time makes the close a reset, not an orderly end.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as it is called there
        """Nothing is printed."""
