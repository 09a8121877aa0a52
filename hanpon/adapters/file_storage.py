"""Storage in a folder of this machine (`file:PATH`).

Every object is written beside its place and renamed into it, so that no reader ever meets half of one. A run
writes only while it holds an edition; its scratch files lie in `.held/`, where the next run finds and removes
what a killed one left.
"""

# Paths are plain strings here: taking them apart with pathlib costs more than writing the pages.
# ruff: noqa: PTH100, PTH103, PTH105, PTH106, PTH108, PTH120

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from hanpon.adapters.file_kinds import in_the_way, kind_of
from hanpon.adapters.held_folder import LOCK, MAKING_TRIES, clear_abandoned, held_folder
from hanpon.adapters.whole_files import NoFile, holds, read_file, sync_folder, write_new_file
from hanpon.contracts.digests import digest_of
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import Conflict, Missing, Unavailable, UsageError
from hanpon.contracts.ports import Stored

HELD = ".held"


class FileStorage:
    """The promises of `contracts.ports.Storage` on a folder.

    An object is a regular file. Where a folder, pipe, socket or device stands in its place, `read` raises Missing:
    what is derived is made anew, and takes the place of all but a folder. `fetch` raises Unavailable, for absent
    would mean that nothing was published.
    """

    def __init__(self, root: Path) -> None:
        with _failing_as_unavailable(str(root)):
            if root.exists() and not root.is_dir():
                found = kind_of(root.stat().st_mode)
                raise UsageError(f"storage: {root} is {found}; name a folder with --storage file:PATH")
        self._root = os.path.abspath(root)  # resolve() would follow links that may be meant
        self._below = self._root.rstrip("/") + "/"
        self._scratch = ""
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
        """What is in a folder; nothing where a stray file bears its name. Links are no objects."""
        try:
            entries = os.scandir(self._below + prefix)
        except (FileNotFoundError, NotADirectoryError):
            return
        with entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    self._list(f"{prefix}{entry.name}/", found)
                elif not entry.is_symlink():
                    with suppress(FileNotFoundError):  # swept by another run meanwhile
                        found[prefix + entry.name] = entry.stat(follow_symlinks=False).st_size

    def read(self, key: str) -> bytes:
        path = self._path(key)
        try:
            return read_file(path)
        except (FileNotFoundError, NotADirectoryError):
            raise Missing(f"storage: {path} does not exist") from None
        except NoFile as found:
            raise Missing(_no_object(path, found)) from None
        except OSError as error:
            raise _refusal(path, error) from error

    def fetch(self, key: str) -> Stored | None:
        path = self._path(key)
        try:
            data = read_file(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except NoFile as found:
            raise Unavailable(_no_object(path, found)) from None
        except OSError as error:
            raise _refusal(path, error) from error
        return Stored(data, digest_of(data))

    def create(self, key: str, data: bytes, media_type: str) -> None:  # noqa: ARG002  a folder keeps no media types
        path = self._path(key)
        try:
            if not holds(path, data):
                self._write(path, data)
        except OSError as error:
            raise _refusal(path, error) from error

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
            try:
                is_there = digest_of(self.read(key)) == digest
            except Missing:
                is_there = False
            if not is_there:
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
                    os.unlink(path)
                self._remove_empty_folders(os.path.dirname(path))

    @contextmanager
    def hold(self, edition: Edition, holder: str, wait: float) -> Iterator[None]:
        if self._scratch:
            raise AssertionError("a storage holds one edition at a time")
        folder = self._path(f"{HELD}/{'@'.join((edition.kind, edition.name, edition.version))}")
        with ExitStack() as holding:  # closed by hand: an error of the work inside is none of this folder's
            with _failing_as_unavailable(f"{folder}/{LOCK}"):
                self._scratch = str(holding.enter_context(held_folder(Path(folder), str(edition), holder, wait)))
            try:
                yield
            finally:
                self._scratch = ""
                with _failing_as_unavailable(folder):
                    holding.close()

    def tidy(self) -> None:
        with _failing_as_unavailable(f"{self._below}{HELD}/{LOCK}"):
            clear_abandoned(Path(self._below, HELD))

    def link(self, key: str) -> str:
        return Path(self._path(key)).as_uri()

    def _path(self, key: str) -> str:
        if ".." in key and ".." in key.split("/"):
            raise UsageError(f"storage: {key} leads outside {self._root}")
        return self._below + key

    def _write(self, path: str, data: bytes, *, durable: bool = False) -> None:
        if not self._scratch:
            raise AssertionError("storage is written only while an edition is held")
        self._written += 1
        beside = f"{self._scratch}/{self._written}"
        write_new_file(beside, data, durable=durable)
        _move(beside, path)
        if durable:
            sync_folder(os.path.dirname(path))

    def _remove_empty_folders(self, folder: str) -> None:
        while len(folder) > len(self._root):
            try:
                os.rmdir(folder)
            except OSError:  # not empty
                return
            folder = os.path.dirname(folder)


def _move(file: str, path: str) -> None:
    """A file takes its place, in a folder that is made where there is none yet."""
    for tries_left in reversed(range(MAKING_TRIES)):
        try:
            os.replace(file, path)
        except FileNotFoundError:
            if not tries_left:
                raise
            # a withdrawal beside us removes empty folders while we make them
            with suppress(FileNotFoundError, FileExistsError):
                os.makedirs(os.path.dirname(path), exist_ok=True)
        else:
            return


def _no_object(path: str, found: NoFile) -> str:
    advice = "put the file back from a copy, or move what is there away and release again"
    return f"storage: {path} is {found}, where a file is expected; {advice}"


def _refusal(path: str, error: OSError) -> Unavailable:
    """A disk's refusal in words, of what was to be a file at a path."""
    if isinstance(error, FileExistsError | IsADirectoryError | NotADirectoryError) and (found := in_the_way(path)):
        place = "" if found.startswith(path) else f"{path}: "
        return Unavailable(f"storage: {place}{found}; move that away and run this again")
    return Unavailable(f"storage: {error.filename2 or error.filename or path}: {error.strerror or error}")


@contextmanager
def _failing_as_unavailable(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _refusal(path, error) from error
