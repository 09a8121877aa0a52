"""Folders and files opened without ever going through a symbolic link.

They are opened step by step from a descriptor: a folder can be swapped for a link between two looks at its path.
"""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from hanpon.contracts.errors import HanponError, Unavailable, UsageError

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK, because opening a pipe that took a file's place would wait for ever.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

# What opening says of a path that can be none.
_NO_PATH = (errno.ELOOP, errno.ENAMETOOLONG, errno.EINVAL)


@contextmanager
def opened_root(root: Path, given: str) -> Iterator[int]:
    """A descriptor of the bundle's own folder, which was `given` so.

    Raises UsageError where it is missing, no folder or not readable, Unavailable where it cannot be opened now.
    """
    try:
        descriptor = os.open(root, _FOLDER)
    except OSError as failure:
        raise _unusable(root, given, failure) from failure
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _unusable(root: Path, given: str, failure: OSError) -> HanponError:
    if isinstance(failure, FileNotFoundError):
        return UsageError(f"{given} does not exist; name the folder that holds hanpon.yaml")
    if isinstance(failure, NotADirectoryError):
        return UsageError(f"{given} is a file; name the folder that holds hanpon.yaml")
    if isinstance(failure, PermissionError):
        return UsageError(f"{given} may not be read by this user ({root})")
    if failure.errno in _NO_PATH:
        return UsageError(f"{given} cannot be opened: {failure.strerror}")
    return Unavailable(f"{given} cannot be opened: {failure.strerror}")


@contextmanager
def opened_folder(root: int, names: Sequence[str]) -> Iterator[int]:
    """A descriptor of a folder below the root, opened step by step so that no step goes through a link.

    Raises OSError.
    """
    with ExitStack() as steps:
        descriptor = root
        for name in names:
            below = os.open(name, _FOLDER, dir_fd=descriptor)
            steps.callback(os.close, below)
            descriptor = below
        yield descriptor


@contextmanager
def opened_file(folder: int, name: str) -> Iterator[BinaryIO]:
    """What stands in a folder under a name, whatever it is by now. Raises OSError."""
    descriptor = os.open(name, _FILE, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            yield file
    finally:
        os.close(descriptor)  # not left to the file: where a folder took its place, none is made
