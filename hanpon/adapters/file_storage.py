"""Storage in a folder of this machine (`file:PATH`).

Every object is written beside its place and renamed into it, so that no reader ever meets half of one. A run
writes only while it holds an edition; its scratch files lie in `.held/`, where the next run finds and removes
what a killed one left.
"""

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from hanpon.adapters.held_folder import MAKING_TRIES, clear_abandoned, held_folder
from hanpon.contracts.digests import digest_of
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import Conflict, Missing, Unavailable, UsageError
from hanpon.contracts.ports import Stored

HELD = ".held"


class FileStorage:
    """The promises of `contracts.ports.Storage` on a folder."""

    def __init__(self, root: Path) -> None:
        with _failing_as_unavailable(root):
            if root.exists() and not root.is_dir():
                raise UsageError(f"storage: {root} is a file; name a folder with --storage file:PATH")
        self._root = Path(os.path.abspath(root))  # noqa: PTH100  resolve() would follow links that may be meant
        self._scratch: Path | None = None
        self._written = 0

    @property
    def address(self) -> str:
        return f"file:{self._root}"

    def list(self, prefix: str) -> Mapping[str, int]:
        found: dict[str, int] = {}
        with _failing_as_unavailable(self._path(prefix)):
            self._list(prefix, found)
        return found

    def _list(self, prefix: str, found: dict[str, int]) -> None:
        try:
            entries = os.scandir(self._root / prefix)
        except FileNotFoundError:
            return
        with entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    self._list(f"{prefix}{entry.name}/", found)
                elif entry.is_file(follow_symlinks=False):
                    with suppress(FileNotFoundError):  # swept by another run meanwhile
                        found[prefix + entry.name] = entry.stat(follow_symlinks=False).st_size

    def read(self, key: str) -> bytes:
        path = self._path(key)
        with _failing_as_unavailable(path):
            try:
                return _read(path)
            except (FileNotFoundError, NotADirectoryError):
                raise Missing(f"storage: {path} does not exist") from None

    def fetch(self, key: str) -> Stored | None:
        try:
            data = self.read(key)
        except Missing:
            return None
        return Stored(data, digest_of(data))

    def create(self, key: str, data: bytes, media_type: str) -> None:  # noqa: ARG002  a folder keeps no media types
        path = self._path(key)
        with _failing_as_unavailable(path):
            if not _holds(path, data):
                self._write(path, data)

    def replace(self, key: str, data: bytes, expected: str | None) -> None:
        path = self._path(key)
        now = self.fetch(key)
        if (now.token if now else None) != expected:
            raise Conflict(f"storage: {path} was changed by someone else meanwhile")
        with _failing_as_unavailable(path):
            self._write(path, data, durable=True)

    def settle(self) -> None:
        # One sync for all objects of the run costs less than one for each of a thousand pages.
        os.sync()

    def differing(self, digests: Mapping[str, str], seen: Callable[[int], None]) -> Sequence[str]:
        found = []
        for done, (key, digest) in enumerate(digests.items(), 1):
            stored = self.fetch(key)
            if stored is None or stored.token != digest:
                found.append(key)
            seen(done)
        return found

    def put(self, key: str, data: bytes, media_type: str) -> None:  # noqa: ARG002
        path = self._path(key)
        with _failing_as_unavailable(path):
            self._write(path, data)

    def delete(self, keys: Iterable[str]) -> None:
        for key in keys:
            path = self._path(key)
            with _failing_as_unavailable(path):
                with suppress(FileNotFoundError):
                    os.unlink(path)  # noqa: PTH108
                self._remove_empty_folders(Path(path).parent)

    @contextmanager
    def hold(self, edition: Edition, holder: str, wait: float) -> Iterator[None]:
        if self._scratch is not None:
            raise AssertionError("a storage holds one edition at a time")
        folder = self._root / HELD / "@".join((edition.kind, edition.name, edition.version))
        with ExitStack() as holding:  # closed by hand: an error of the work inside is none of this folder's
            with _failing_as_unavailable(folder):
                self._scratch = holding.enter_context(held_folder(folder, str(edition), holder, wait))
            try:
                yield
            finally:
                self._scratch = None
                with _failing_as_unavailable(folder):
                    holding.close()

    def tidy(self) -> None:
        with _failing_as_unavailable(self._root / HELD):
            clear_abandoned(self._root / HELD)

    def link(self, key: str) -> str:
        return Path(self._path(key)).as_uri()

    def _path(self, key: str) -> str:
        """The path of a key as text: of Path objects, a thousand cost more than writing a thousand pages."""
        if ".." in key.split("/"):
            raise UsageError(f"storage: {key} leads outside {self._root}")
        return f"{self._root}/{key}"

    def _write(self, path: str, data: bytes, *, durable: bool = False) -> None:
        if self._scratch is None:
            raise AssertionError("storage is written only while an edition is held")
        self._written += 1
        beside = f"{self._scratch}/{self._written}"
        with open(beside, "wb", buffering=0) as file:  # noqa: PTH123  see `_path`
            file.write(data)
            if durable:
                os.fsync(file.fileno())
        _move(beside, path)
        if durable:
            _sync_folder(os.path.dirname(path))  # noqa: PTH120

    def _remove_empty_folders(self, folder: Path) -> None:
        while folder != self._root:
            try:
                folder.rmdir()
            except OSError:  # not empty
                return
            folder = folder.parent


def _move(file: str, path: str) -> None:
    for tries_left in reversed(range(MAKING_TRIES)):
        try:
            os.replace(file, path)  # noqa: PTH105
        except FileNotFoundError:  # no folder yet, or a withdrawal beside us removes empty ones while we make them
            if not tries_left:
                raise
        else:
            return
        with suppress(FileNotFoundError):
            os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120


def _holds(path: str, data: bytes) -> bool:
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size == len(data) and _read(path) == data


def _read(path: str) -> bytes:
    """Raises IsADirectoryError, and OSError for what is no regular file: reading a pipe would wait for ever."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb", buffering=0) as file:  # noqa: PTH123
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "is no regular file; remove it", path)
        return file.read()


def _sync_folder(folder: str) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _failing_as_unavailable(path: Path | str) -> Iterator[None]:
    """A disk's refusal in words."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unavailable(f"storage: {error.filename or path}: {reason}") from error
