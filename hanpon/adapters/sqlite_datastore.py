"""The embedded datastore (`sqlite:PATH`): one SQLite file in WAL mode, one transaction per change."""

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from hanpon.adapters.sqlite_failures import damaged, errors_in_words, refuse_what_cannot_be_read
from hanpon.adapters.sqlite_rows import Change, editions_in, rows_of
from hanpon.adapters.sqlite_search import search_in
from hanpon.adapters.sqlite_strays import has_strays
from hanpon.adapters.sqlite_tables import (
    drop_tables,
    has_sound_index,
    has_tables,
    is_of_another_form,
    make_tables,
    primary_code,
)
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import Held, UsageError
from hanpon.contracts.findings import Finding
from hanpon.contracts.manifests import Entry, Row
from hanpon.contracts.ports import DatastoreChange
from hanpon.contracts.search import Hit, Query

T = TypeVar("T")

POLL_SECONDS = 0.05

TRACELESS_TRIES = 20
"""How often a read that a writer spoilt is tried again before the database is said to be held."""


class SqliteDatastore:
    """The promises of `contracts.ports.Datastore` on one file.

    Reading never makes the file. `traceless` reading makes no file beside it either, as a dry run promises; it
    is for commands that only read. `busy_timeout` is how many seconds a change waits for another to end.
    """

    def __init__(self, path: Path, *, traceless: bool = False, busy_timeout: float = 60.0) -> None:
        if str(path) == ":memory:":
            raise UsageError("datastore: what is in memory is gone when the run ends; name a file: sqlite:PATH")
        self._address = f"sqlite:{path}"
        # SQLite keeps its log beside the file that a link leads to.
        self._path = Path(os.path.realpath(path))
        self._traceless = traceless
        self._busy_timeout = busy_timeout
        with errors_in_words(self._path):
            pass  # what is no file is refused before anything is begun

    @property
    def address(self) -> str:
        return self._address

    def editions(self) -> Sequence[Edition]:
        with errors_in_words(self._path):
            return self._read(editions_in) or []

    def rows(self, edition: Edition) -> Mapping[str, Row]:
        with errors_in_words(self._path):
            return self._read(lambda connection: rows_of(connection, edition)) or {}

    def unseen(self, edition: Edition) -> Sequence[str]:  # noqa: ARG002  a file shows all that is in it
        return ()

    def refused(self, entries: Sequence[Entry]) -> Sequence[Finding]:  # noqa: ARG002  a file takes what there is
        return ()

    def search(self, query: Query) -> Sequence[Hit]:
        with errors_in_words(self._path):
            return self._read_quietly(lambda connection: search_in(connection, query)) or []

    def renew(self) -> bool:
        if not self._path.exists():
            return False
        with errors_in_words(self._path), closing(_connect(str(self._path), self._busy_timeout)) as connection:
            if not is_of_another_form(connection) and (
                not has_tables(connection, self._path) or self._is_sound(connection)
            ):
                return False
            self._prepare_to_write(connection)
            connection.execute("BEGIN IMMEDIATE")
            drop_tables(connection)
            make_tables(connection)
            (state,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if state != "ok":  # not the index alone: what is written into such a file may be lost again
                raise damaged(self._path, state)
            connection.execute("COMMIT")
            return True

    def finds_its_rows(self) -> bool:
        # FTS5 checks itself by what it takes for a write, so it is asked about a copy.
        with errors_in_words(self._path):
            return not self._path.exists() or self._read_tracelessly(self._is_sound, as_copy=True) is not False

    def _is_sound(self, connection: sqlite3.Connection) -> bool:
        if has_sound_index(connection):
            return not has_strays(connection)
        refuse_what_cannot_be_read(self._path)
        return False

    @contextmanager
    def change(self, edition: Edition) -> Iterator[DatastoreChange]:
        with errors_in_words(self._path), closing(self._open_to_write()) as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield Change(connection, edition)
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def _read(self, read: Callable[[sqlite3.Connection], T]) -> T | None:
        """What `read` makes of the database; None where there is none yet."""
        if not self._path.exists():
            return None
        if not self._traceless:
            try:
                return self._read_at(self._path, "rw", read)
            except sqlite3.OperationalError as error:
                if primary_code(error) not in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
                    raise
        return self._read_tracelessly(read)

    def _read_quietly(self, read: Callable[[sqlite3.Connection], T]) -> T | None:
        """As `_read`, but files beside the database are used only where another connection has made them."""
        try:
            is_in_use = bool(self._signature()[-1])
        except FileNotFoundError:
            return None
        return self._read(read) if is_in_use else self._read_tracelessly(read)

    def _read_tracelessly(self, read: Callable[[sqlite3.Connection], T], *, as_copy: bool = False) -> T | None:
        """Read without a file being made or touched: SQLite would make two beside the database for a mere read.

        Where nobody writes, the file alone is the truth. Where a writer is at work, or was killed, part of it is in
        the log, and a copy of both is read (also where `as_copy` asks for one). Either is tried again where a writer
        came between.
        """
        for _ in range(TRACELESS_TRIES):
            before = self._signature()
            try:
                is_copied = as_copy or bool(before[-1])
                answer = self._read_copy(read) if is_copied else self._read_at(self._path, "ro&immutable=1", read)
            except Exception:
                if before == self._signature():
                    raise  # else a writer came between, and what was read may be anything
            else:
                if before == self._signature():
                    return answer
        raise Held(f"datastore: {self._path} is being written without a pause; try again later")

    def _read_copy(self, read: Callable[[sqlite3.Connection], T]) -> T | None:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "copy.db"
            for suffix in ("", "-wal"):
                with suppress(FileNotFoundError):  # no log where nobody writes
                    shutil.copyfile(f"{self._path}{suffix}", f"{copy}{suffix}")
            return self._read_at(copy, "rw", read)

    def _read_at(self, path: Path, mode: str, read: Callable[[sqlite3.Connection], T]) -> T | None:
        uri = f"file:{quote(os.fsencode(path.absolute()))}?mode={mode}"
        with closing(_connect(uri, self._busy_timeout, uri=True)) as connection:
            connection.execute("PRAGMA temp_store = MEMORY")  # sorting makes no file either
            connection.execute("BEGIN")  # all that is read is of one moment
            return read(connection) if has_tables(connection, self._path) else None

    def _signature(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """What changes whenever the database or its log does; the log's part is empty where it holds nothing."""
        try:
            log = Path(f"{self._path}-wal").stat()
        except FileNotFoundError:
            return _stamp(self._path.stat()), ()
        return _stamp(self._path.stat()), _stamp(log) if log.st_size else ()

    def _open_to_write(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        connection = _connect(str(self._path), self._busy_timeout)
        try:
            has_tables(connection, self._path)  # what is not ours is left as it is
            self._prepare_to_write(connection)
            self._make_tables(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare_to_write(self, connection: sqlite3.Connection) -> None:
        self._keep_a_log(connection)
        connection.execute("PRAGMA synchronous = FULL")  # a commit outlives a power cut
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")  # what is withdrawn after a leak must be gone

    def _keep_a_log(self, connection: sqlite3.Connection) -> None:
        """WAL mode. SQLite does not wait for others when it changes the mode, so this does."""
        until = time.monotonic() + self._busy_timeout
        while connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            try:
                connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError:
                if time.monotonic() >= until:
                    raise
                time.sleep(POLL_SECONDS)

    def _make_tables(self, connection: sqlite3.Connection) -> None:
        if has_tables(connection, self._path):
            return
        connection.execute("BEGIN IMMEDIATE")
        if not has_tables(connection, self._path):  # another run may have made them while this one waited
            make_tables(connection)
        connection.execute("COMMIT")


def _connect(database: str, timeout: float, *, uri: bool = False) -> sqlite3.Connection:
    connection = sqlite3.connect(database, uri=uri, timeout=timeout, isolation_level=None)
    # A damaged text must come out as one that equals no other, not as an error.
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    return connection


def _stamp(status: os.stat_result) -> tuple[int, ...]:
    return (status.st_mtime_ns, status.st_size, status.st_ino)
