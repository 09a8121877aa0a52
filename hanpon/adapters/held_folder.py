"""A folder that one process holds: an operating-system lock that dies with it, and room for its scratch files."""

import fcntl
import json
import os
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from hanpon.contracts.errors import Held

LOCK = "lock"
POLL_SECONDS = 0.05

GRACE_SECONDS = 0.5
"""How long a folder may be taken by one who only clears up, which looks like a holder from outside."""

MAKING_TRIES = 20
"""How often a folder is made again that another process found empty and removed."""


@contextmanager
def held_folder(folder: Path, what: str, holder: str, wait: float) -> Iterator[Path]:
    """Hold `folder` (made here, removed at the end) against other processes.

    Raises Held, naming the holder, where it is not free within `wait` seconds (half a second at least). What an
    earlier process left in the folder when it was killed is removed first.
    """
    deadline = time.monotonic() + max(wait, GRACE_SECONDS)
    while (lock := _make_and_lock(folder)) is None:
        if time.monotonic() >= deadline:
            raise Held(f"{what} is held by {_holder(folder)}; try again later or pass --wait SECONDS")
        time.sleep(POLL_SECONDS)
    with _let_go_at_last(lock):
        _clear(folder)
        try:
            _write_holder(lock, holder)
            yield folder
        finally:
            _clear(folder)
            _remove(folder)


def clear_abandoned(folders: Path) -> None:
    """Remove what killed processes left below `folders`; folders that a living process holds stay."""
    try:
        found = sorted(folder for folder in folders.iterdir() if folder.is_dir() and not folder.is_symlink())
    except FileNotFoundError:
        return
    for folder in found:
        lock = _lock(folder)
        if lock is not None:
            with _let_go_at_last(lock):
                _clear(folder)
                _remove(folder)
    _remove_if_empty(folders)


def _make_and_lock(folder: Path) -> int | None:
    for tries_left in reversed(range(MAKING_TRIES)):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            break
        except (FileNotFoundError, FileExistsError):  # another process removes empty folders while we make them
            if not tries_left:
                raise
            time.sleep(POLL_SECONDS / 10)
    return _lock(folder)


def _lock(folder: Path) -> int | None:
    """The descriptor of the lock, or None where the folder is gone or somebody has it."""
    path = folder / LOCK
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except FileNotFoundError:
        return None
    is_ours = False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # The holder removes its file when it lets go: a lock on a removed file keeps nobody out.
        is_ours = os.path.samestat(os.fstat(lock), os.stat(path))  # noqa: PTH116  follows the descriptor's idiom
    except (BlockingIOError, FileNotFoundError):
        return None
    finally:
        if not is_ours:
            os.close(lock)
    return lock if is_ours else None


@contextmanager
def _let_go_at_last(lock: int) -> Iterator[None]:
    """Whatever the disk refuses meanwhile, the lock ends: a process may live on for long after a failed run."""
    try:
        yield
    finally:
        os.close(lock)


def _remove(folder: Path) -> None:
    (folder / LOCK).unlink(missing_ok=True)
    _remove_if_empty(folder)
    _remove_if_empty(folder.parent)


def _remove_if_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:  # not empty: another process is at work beside us; or gone already
        return


def _clear(folder: Path) -> None:
    for path in folder.iterdir():
        if path.name != LOCK:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def _write_holder(lock: int, holder: str) -> None:
    since = datetime.now(UTC).isoformat(timespec="seconds")
    record = {"run": holder, "process": os.getpid(), "host": socket.gethostname(), "since": since}
    os.truncate(lock, 0)
    os.pwrite(lock, json.dumps(record).encode(), 0)


def _holder(folder: Path) -> str:
    try:
        record = json.loads((folder / LOCK).read_bytes())
        return f"run {record['run']} (process {record['process']} on {record['host']}, since {record['since']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another run"
