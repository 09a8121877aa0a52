"""The embedded datastore (`sqlite:PATH`): one SQLite file in WAL mode, one transaction per change."""

import json
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from hanpon.contracts.digests import canonical_json, digest_of_json
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import Held, Unavailable, UsageError
from hanpon.contracts.manifests import Entry, Row, file_of
from hanpon.contracts.ports import DatastoreChange

T = TypeVar("T")

USER_VERSION = 1

POLL_SECONDS = 0.05

TRACELESS_TRIES = 20
"""How often a read that a writer spoilt is tried again before the database is said to be held."""

TABLES = """
CREATE TABLE document (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    key TEXT NOT NULL,
    media_type TEXT NOT NULL,
    content_sha256 TEXT NOT NULL,
    metadata TEXT NOT NULL
);
CREATE INDEX document_edition ON document (kind, name, version);
CREATE TABLE reader (
    document TEXT NOT NULL REFERENCES document (id) ON DELETE CASCADE,
    principal TEXT NOT NULL,
    PRIMARY KEY (document, principal)
) WITHOUT ROWID;
"""

IN_EDITION = "kind = ? AND name = ? AND version = ?"
SELECT_ROWS = f"""
SELECT id, key, content_sha256, metadata,
    (SELECT json_group_array(principal) FROM (SELECT principal FROM reader WHERE document = id ORDER BY principal))
FROM document WHERE {IN_EDITION} ORDER BY id
"""  # noqa: S608  a constant


class SqliteDatastore:
    """The promises of `contracts.ports.Datastore` on one file.

    Reading never makes the file. `traceless` reading makes no file beside it either, as a dry run promises; it
    is for commands that only read. `busy_timeout` is how many seconds a change waits for another to end.
    """

    def __init__(self, path: Path, *, traceless: bool = False, busy_timeout: float = 60.0) -> None:
        if str(path) == ":memory:":
            raise UsageError("datastore: what is in memory is gone when the run ends; name a file: sqlite:PATH")
        try:
            is_folder = path.is_dir()
        except OSError as error:
            raise Unavailable(f"datastore: {path}: {error.strerror}") from error
        if is_folder:
            raise UsageError(f"datastore: {path} is a folder; name a file with --datastore sqlite:PATH")
        self._address = f"sqlite:{path}"
        # SQLite keeps its log beside the file that a link leads to.
        self._path = Path(os.path.realpath(path))
        self._traceless = traceless
        self._busy_timeout = busy_timeout

    @property
    def address(self) -> str:
        return self._address

    def rows(self, edition: Edition) -> Mapping[str, Row]:
        with self._errors_in_words():
            return self._read(lambda connection: _rows(connection, edition)) or {}

    @contextmanager
    def change(self, edition: Edition) -> Iterator[DatastoreChange]:
        with self._errors_in_words(), closing(self._open_to_write()) as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield _Change(connection, edition)
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
                if _code(error) not in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
                    raise
        return self._read_tracelessly(read)

    def _read_tracelessly(self, read: Callable[[sqlite3.Connection], T]) -> T | None:
        """Read without a file being made or touched: SQLite would make two beside the database for a mere read.

        Where nobody writes, the file alone is the truth. Where a writer is at work, or was killed, part of it is in
        the log, and a copy of both is read. Either is tried again where a writer came between.
        """
        for _ in range(TRACELESS_TRIES):
            before = self._signature()
            try:
                answer = self._read_copy(read) if before[-1] else self._read_at(self._path, "ro&immutable=1", read)
            except (sqlite3.Error, FileNotFoundError):
                if before == self._signature():
                    raise
            else:
                if before == self._signature():
                    return answer
        raise Held(f"datastore: {self._path} is being written without a pause; try again later")

    def _read_copy(self, read: Callable[[sqlite3.Connection], T]) -> T | None:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "copy.db"
            for suffix in ("", "-wal"):
                shutil.copyfile(f"{self._path}{suffix}", f"{copy}{suffix}")
            return self._read_at(copy, "rw", read)

    def _read_at(self, path: Path, mode: str, read: Callable[[sqlite3.Connection], T]) -> T | None:
        uri = f"file:{quote(os.fsencode(path.absolute()))}?mode={mode}"
        with closing(_connect(uri, self._busy_timeout, uri=True)) as connection:
            return read(connection) if self._check_version(connection) else None

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
            self._keep_a_log(connection)
            connection.execute("PRAGMA synchronous = FULL")  # a commit outlives a power cut
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA secure_delete = ON")  # what is withdrawn after a leak must be gone
            self._make_tables(connection)
        except BaseException:
            connection.close()
            raise
        return connection

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
        if self._check_version(connection):
            return
        connection.execute("BEGIN IMMEDIATE")
        if not self._check_version(connection):  # another run may have made them while this one waited
            for statement in filter(str.strip, TABLES.split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {USER_VERSION}")
        connection.execute("COMMIT")

    def _check_version(self, connection: sqlite3.Connection) -> bool:
        """True where the tables are ours, False in an empty database; another version is refused."""
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema WHERE type = 'table'").fetchone()
        if version == USER_VERSION and tables:
            return True
        if version == 0 and not tables:
            return False
        raise UsageError(
            f"datastore: {self._path} is not a hanpon database of version {USER_VERSION} (it says {version}); "
            "name another file with --datastore sqlite:PATH; the next release fills it from storage"
        )

    @contextmanager
    def _errors_in_words(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._in_words(error) from error
        except OSError as error:
            raise Unavailable(f"datastore: {error.filename or self._path}: {error.strerror}") from error

    def _in_words(self, error: sqlite3.Error) -> UsageError | Unavailable | Held:
        code = _code(error)
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return Held(f"datastore: {self._path} is being written by another run; try again later")
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR):
            return UsageError(
                f"datastore: {self._path} is damaged or no SQLite database ({error}); move it away, "
                "and the next release fills a new one from storage"
            )
        return Unavailable(f"datastore: {self._path}: {error}")


def _connect(database: str, timeout: float, *, uri: bool = False) -> sqlite3.Connection:
    connection = sqlite3.connect(database, uri=uri, timeout=timeout, isolation_level=None)
    # A damaged text must come out as one that equals no other, not as an error.
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    return connection


def _code(error: sqlite3.Error) -> int:
    """The primary result code of SQLite."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _stamp(status: os.stat_result) -> tuple[int, ...]:
    return (status.st_mtime_ns, status.st_size, status.st_ino)


class _Change:
    def __init__(self, connection: sqlite3.Connection, edition: Edition) -> None:
        self._connection = connection
        self._edition = edition

    def upsert(self, entries: Sequence[Entry], page_of: Callable[[Entry], bytes]) -> None:  # noqa: ARG002
        edition = self._edition
        for entry in entries:
            self._connection.execute("DELETE FROM document WHERE id = ?", (entry.id,))
            self._connection.execute(
                "INSERT INTO document VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    entry.id,
                    str(edition.kind),
                    edition.name,
                    edition.version,
                    entry.key,
                    entry.media_type,
                    entry.content_digest,
                    canonical_json(dict(entry.metadata)).decode(),
                ),
            )
            self._add_readers(entry.id, entry.readers)

    def _add_readers(self, identifier: str, readers: tuple[str, ...]) -> None:
        self._connection.executemany("INSERT INTO reader VALUES (?, ?)", [(identifier, reader) for reader in readers])

    def remove(self, ids: Iterable[str]) -> None:
        self._connection.executemany(
            f"DELETE FROM document WHERE id = ? AND {IN_EDITION}",  # noqa: S608  a constant
            [(identifier, *_key(self._edition)) for identifier in ids],
        )

    def restrict(self, readers: Mapping[str, tuple[str, ...]]) -> None:
        for identifier, remaining in readers.items():
            key = (identifier, *_key(self._edition))
            selected = f"SELECT metadata FROM document WHERE id = ? AND {IN_EDITION}"  # noqa: S608  a constant
            row = self._connection.execute(selected, key).fetchone()
            if row is None:  # removed meanwhile: nobody sees it any more
                continue
            groups = canonical_json({**_record(row[0]), "groups": list(remaining)}).decode()
            self._connection.execute("UPDATE document SET metadata = ? WHERE id = ?", (groups, identifier))
            self._connection.execute("DELETE FROM reader WHERE document = ?", (identifier,))
            self._add_readers(identifier, remaining)

    def rows(self) -> Mapping[str, Row]:
        return _rows(self._connection, self._edition)

    def commit(self) -> None:
        self._connection.execute("COMMIT")


def _key(edition: Edition) -> tuple[str, str, str]:
    return (str(edition.kind), edition.name, edition.version)


def _rows(connection: sqlite3.Connection, edition: Edition) -> dict[str, Row]:
    return {
        identifier: Row(
            key, content, _digest_of_text(metadata), tuple(json.loads(readers)), file_of(_record(metadata))
        )
        for identifier, key, content, metadata, readers in connection.execute(SELECT_ROWS, _key(edition))
    }


def _record(text: str) -> dict[str, Any]:
    """A JSON object; an empty one where the text is damaged, which equals no row that is wanted."""
    try:
        record = json.loads(text)
    except ValueError:
        return {}
    return record if isinstance(record, dict) else {}


def _digest_of_text(text: str) -> str:
    try:
        return digest_of_json(json.loads(text))
    except ValueError:  # a damaged row equals none
        return ""
