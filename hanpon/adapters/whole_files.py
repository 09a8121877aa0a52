"""Files read and written whole, in few calls: a release writes thousands. All raise OSError."""

# Paths are plain strings, as in `file_storage`.
# ruff: noqa: PTH116

import os
import stat

from hanpon.adapters.file_kinds import kind_of

# O_NONBLOCK, because opening a pipe that took a file's place would wait for ever.
_READING = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_WRITING = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC

_MORE = 1 << 16
"""Bytes asked for after a file's size has been read, to see that it has not grown."""


class NoFile(OSError):
    """A folder, pipe, socket or device stands where a file is expected; `str()` says which."""


def read_file(path: str) -> bytes:
    """What a regular file holds, links followed. Raises NoFile where something else stands there."""
    try:
        descriptor = os.open(path, _READING)
    except OSError as error:
        raise _explained(path, error) from error
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise NoFile(kind_of(status.st_mode))
        chunks = [os.read(descriptor, status.st_size)]
        while chunk := os.read(descriptor, _MORE):
            chunks.append(chunk)
        return b"".join(chunks)
    finally:
        os.close(descriptor)


def holds(path: str, data: bytes) -> bool:
    """Whether these very bytes stand at a path, in a file that is no link."""
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size == len(data) and read_file(path) == data


def write_new_file(path: str, data: bytes, *, durable: bool = False) -> None:
    """A file that was not there before; `durable`: its bytes are safe from a power cut."""
    descriptor = os.open(path, _WRITING, 0o666)
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(descriptor, left) :]
        if durable:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: str) -> None:
    """What was renamed into a folder is safe from a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _explained(path: str, error: OSError) -> OSError:
    """A socket, or a device that nothing serves, cannot even be opened."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return error
    return error if stat.S_ISREG(mode) or stat.S_ISDIR(mode) else NoFile(kind_of(mode))
