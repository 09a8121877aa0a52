"""Rows of the embedded datastore: written with their pieces, read back and digested anew."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from typing import Any

from hanpon.adapters.sqlite_index import body_column, meta_column, title_column
from hanpon.contracts.digests import canonical_json, digest_of_json
from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.manifests import Entry, Row, source_in
from hanpon.search.pieces import pieces_of

MOST_TO_OPTIMIZE = 5_000
"""FTS5 only marks words that are gone until it merges its index; up to so many pieces, a change makes it merge."""

_IN_EDITION = "kind = ? AND name = ? AND version = ?"
_SELECT_ROWS = f"""
SELECT id, key, content_sha256, metadata,
    (SELECT json_group_array(iif(typeof(principal) = 'text', principal, ''))
        FROM (SELECT principal FROM reader WHERE document = id ORDER BY principal)),
    pieces_sha256
FROM document WHERE {_IN_EDITION} ORDER BY id
"""  # noqa: S608  a constant
_PIECE_COLUMNS = ("anchor", "trail", "text", "c0", "c1", "c2")
_SELECT_PIECES = f"""
SELECT document, ordinal, {", ".join(f"CAST({column} AS BLOB)" for column in _PIECE_COLUMNS)}
FROM document
CROSS JOIN piece ON piece.document = document.id
LEFT JOIN piece_index_content AS held ON held.id = piece.number
WHERE {_IN_EDITION}
"""  # noqa: S608  constants; the table is where FTS5 keeps the columns that it was given


class StrayRow(Exception):
    """A damaged row that no edition accounts for, so that writing an edition anew does not mend it."""


def editions_in(connection: sqlite3.Connection) -> list[Edition]:
    """Every edition that has rows, sorted. Raises StrayRow where a row is of none that there can be."""
    found = connection.execute("SELECT DISTINCT kind, name, version FROM document")
    try:
        return sorted(Edition(Kind(kind), name, version) for kind, name, version in found)
    except (ValueError, TypeError) as error:
        raise StrayRow(str(error)) from error


def rows_of(connection: sqlite3.Connection, edition: Edition) -> dict[str, Row]:
    """An edition's rows by id. One whose pieces are not those that were written has no content.

    Raises StrayRow where an id is none that a document can have: that row can be compared with nothing.
    """
    pieces = _digests_of_pieces(connection, edition)
    rows = {}
    for identifier, key, content, metadata, readers, noted in connection.execute(_SELECT_ROWS, _key(edition)):
        if not isinstance(identifier, str):
            raise StrayRow(f"a row of {edition} has the id {identifier!r}")
        rows[identifier] = Row(
            _text(key),
            _text(content) if pieces.get(identifier) == noted else "",
            _digest_of_text(metadata),
            tuple(json.loads(readers)),
            source_in(record_in(metadata)),
        )
    return rows


def _text(value: object) -> str:
    """A text that was read; "", which equals none that is wanted, where a damaged row holds something else."""
    return value if isinstance(value, str) else ""


def record_in(text: str) -> dict[str, Any]:
    """A JSON object; an empty one where the text is damaged, which equals no row that is wanted."""
    try:
        record = json.loads(_text(text))
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


class Change:
    """`contracts.ports.DatastoreChange` in the transaction that is open on a connection."""

    def __init__(self, connection: sqlite3.Connection, edition: Edition) -> None:
        self._connection = connection
        self._edition = edition
        self._erases = self._deletes = False

    def upsert(self, entries: Sequence[Entry], page_of: Callable[[Entry], bytes]) -> None:
        for entry in entries:
            self._delete(entry.id)
            self._insert(entry, page_of(entry))

    def remove(self, ids: Iterable[str]) -> None:
        selected = f"SELECT 1 FROM document WHERE id = ? AND {_IN_EDITION}"  # noqa: S608  a constant
        for identifier in ids:
            if self._connection.execute(selected, (identifier, *_key(self._edition))).fetchone():
                self._delete(identifier)

    def erase(self, ids: Iterable[str]) -> None:
        self.remove(ids)
        # An index that was damaged may hold words of pieces that are no more.
        self._connection.execute("DELETE FROM piece_index WHERE rowid NOT IN (SELECT number FROM piece)")
        self._connection.execute("INSERT INTO piece_index (piece_index) VALUES ('rebuild')")
        self._erases = True

    def restrict(self, readers: Mapping[str, tuple[str, ...]]) -> None:
        for identifier, remaining in readers.items():
            key = (identifier, *_key(self._edition))
            selected = f"SELECT metadata FROM document WHERE id = ? AND {_IN_EDITION}"  # noqa: S608  a constant
            row = self._connection.execute(selected, key).fetchone()
            if row is None:  # removed meanwhile: nobody sees it any more
                continue
            groups = canonical_json({**record_in(row[0]), "groups": list(remaining)}).decode()
            self._connection.execute("UPDATE document SET metadata = ? WHERE id = ?", (groups, identifier))
            self._connection.execute("DELETE FROM reader WHERE document = ?", (identifier,))
            self._add_readers(identifier, remaining)

    def rows(self) -> Mapping[str, Row]:
        return rows_of(self._connection, self._edition)

    def commit(self) -> None:
        if self._deletes and not self._erases and self._is_small():
            self._connection.execute("INSERT INTO piece_index (piece_index) VALUES ('optimize')")
        self._connection.execute("COMMIT")
        if self._erases:
            # The log still holds pages as they were. A reader may keep it; then the last to close takes it away.
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _is_small(self) -> bool:
        (pieces,) = self._connection.execute("SELECT count(*) FROM piece").fetchone()
        return bool(pieces <= MOST_TO_OPTIMIZE)

    def _delete(self, identifier: str) -> None:
        # Looking for them inside FTS5 makes it write out what it has gathered, so for a new document it is not asked.
        numbers = self._connection.execute("SELECT number FROM piece WHERE document = ?", (identifier,)).fetchall()
        self._connection.executemany("DELETE FROM piece_index WHERE rowid = ?", numbers)
        self._deletes = self._deletes or bool(numbers)
        # Not left to the cascade: where somebody else took the document's row away, these remain.
        self._connection.execute("DELETE FROM piece WHERE document = ?", (identifier,))
        self._connection.execute("DELETE FROM reader WHERE document = ?", (identifier,))
        self._connection.execute("DELETE FROM document WHERE id = ?", (identifier,))

    def _insert(self, entry: Entry, page: bytes) -> None:
        edition, metadata = self._edition, entry.metadata
        title, meta = title_column(metadata), meta_column(metadata)
        pieces = [
            (piece.anchor, canonical_json(piece.trail).decode(), piece.text, title, body_column(piece), meta)
            for piece in pieces_of(page, entry.media_type, str(metadata.get("title", "")))
        ]
        self._connection.execute(
            "INSERT INTO document VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                entry.id,
                str(edition.kind),
                edition.name,
                edition.version,
                entry.key,
                entry.media_type,
                entry.content_digest,
                _digest_of_pieces((number, *map(str.encode, piece)) for number, piece in enumerate(pieces)),
                canonical_json(dict(metadata)).decode(),
            ),
        )
        self._add_readers(entry.id, entry.readers)
        for number, (anchor, trail, text, *tokens) in enumerate(pieces):
            added = self._connection.execute(
                "INSERT INTO piece (document, ordinal, anchor, trail, text) VALUES (?, ?, ?, ?, ?)",
                (entry.id, number, anchor, trail, text),
            )
            self._connection.execute(
                "INSERT INTO piece_index (rowid, title, body, meta) VALUES (?, ?, ?, ?)", (added.lastrowid, *tokens)
            )

    def _add_readers(self, identifier: str, readers: tuple[str, ...]) -> None:
        self._connection.executemany("INSERT INTO reader VALUES (?, ?)", [(identifier, reader) for reader in readers])


def _key(edition: Edition) -> tuple[str, str, str]:
    return (str(edition.kind), edition.name, edition.version)


def _digests_of_pieces(connection: sqlite3.Connection, edition: Edition) -> dict[str, str]:
    # CROSS JOIN gives one document after the other; sorting all of them in SQLite takes longer than all the rest.
    pieces = connection.execute(_SELECT_PIECES, _key(edition))
    return {
        identifier: _digest_of_stored([row[1:] for row in rows])
        for identifier, rows in groupby(pieces, key=lambda row: row[0])
    }


def _digest_of_stored(pieces: Sequence[tuple[Any, ...]]) -> str:
    if not all(isinstance(piece[0], int) for piece in pieces):  # no ordinals that we write
        return ""
    return _digest_of_pieces(sorted(pieces))


def _digest_of_pieces(pieces: Iterable[Sequence[Any]]) -> str:
    """Of ordinals and columns, each column with its length in front; "" where one is not there."""
    digest = sha256()
    for ordinal, *columns in pieces:
        if None in columns:
            return ""
        digest.update(b"%d %d %d %d %d %d %d:" % (ordinal, *map(len, columns)))
        digest.update(b"".join(columns))
    return digest.hexdigest()


def _digest_of_text(text: str) -> str:
    try:
        return digest_of_json(json.loads(_text(text)))
    except (ValueError, RecursionError):  # a damaged row equals none
        return ""
