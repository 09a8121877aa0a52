"""What SQLite, the disk and damaged rows refuse, in words that say what to do."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hanpon.adapters.file_kinds import odd_kind
from hanpon.adapters.sqlite_rows import StrayRow
from hanpon.adapters.sqlite_tables import primary_code
from hanpon.contracts.errors import Held, Unavailable, UsageError

BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite names its own files beside a database."""


@contextmanager
def errors_in_words(path: Path) -> Iterator[None]:
    """Raises UsageError, Unavailable or Held for whatever fails inside with the database at `path`."""
    try:
        refuse_what_is_no_file(path)
        yield
    except StrayRow as stray:
        raise UsageError(
            f"datastore: {path} is damaged: it has a row that can belong to nothing ({stray}); "
            "run `hanpon datastore rebuild`, which empties it and fills it from what is published"
        ) from stray
    except sqlite3.Error as error:
        raise _in_words(error, path) from error
    except OSError as error:
        raise _failing(error, path) from error


def refuse_what_is_no_file(path: Path) -> None:
    """Raises UsageError where SQLite would wait for ever, for something to come out of a pipe; or OSError."""
    if found := odd_kind(str(path)):
        raise UsageError(f"datastore: {path} is {found}; name a file with --datastore sqlite:PATH")
    for suffix in BESIDE:
        if found := odd_kind(f"{path}{suffix}"):
            raise UsageError(
                f"datastore: {path}{suffix} is {found}, where SQLite keeps a file of its own; move it away "
                "and run this again"
            )


def refuse_what_cannot_be_read(path: Path) -> None:
    """Raises OSError where the disk cannot read the database, which SQLite's full-text index tells as damage."""
    for suffix in ("", "-wal"):
        with suppress(FileNotFoundError), Path(f"{path}{suffix}").open("rb", buffering=0) as file:
            while file.read(1 << 20):
                pass


def _in_words(error: sqlite3.Error, path: Path) -> UsageError | Unavailable | Held:
    code = primary_code(error)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return Held(f"datastore: {path} is being written by another run; try again later")
    if code not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR):
        return Unavailable(f"datastore: {path}: {error}")
    try:
        refuse_what_cannot_be_read(path)
    except OSError as failure:
        return _failing(failure, path)
    return damaged(path, str(error))


def damaged(path: Path, found: str) -> UsageError:
    """The refusal of a file that nothing can be written into, with the way out."""
    beside = [f"{path.name}{suffix}" for suffix in BESIDE if Path(f"{path}{suffix}").exists()]
    them = f"it (and {', '.join(beside)} beside it)" if beside else "it"
    return UsageError(
        f"datastore: {path} is damaged or no SQLite database ({found}); move {them} away "
        "and run `hanpon datastore rebuild`, which fills a new one from what is published"
    )


def _failing(error: OSError, path: Path) -> Unavailable:
    return Unavailable(f"datastore: {error.filename or path}: {error.strerror or error}")
