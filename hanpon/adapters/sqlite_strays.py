"""Rows that no edition accounts for: what a check of editions, one by one, would never meet."""

import sqlite3

from hanpon.adapters.sqlite_rows import StrayRow, editions_in
from hanpon.adapters.sqlite_tables import primary_code

_STRAYS = (
    "SELECT 1 FROM document WHERE typeof(id) != 'text'",
    "SELECT 1 FROM reader WHERE NOT EXISTS (SELECT 1 FROM document WHERE id = reader.document)",
    "SELECT 1 FROM piece WHERE NOT EXISTS (SELECT 1 FROM document WHERE id = piece.document)",
    "SELECT 1 FROM piece_index_content AS held WHERE NOT EXISTS (SELECT 1 FROM piece WHERE number = held.id)",
)


def has_strays(connection: sqlite3.Connection) -> bool:
    """Whether readers, pieces or words are kept of a document that is not there, or a document of no edition.

    True also where a table is missing.
    """
    try:
        editions_in(connection)
        return any(connection.execute(f"{strays} LIMIT 1").fetchone() for strays in _STRAYS)
    except StrayRow:
        return True
    except sqlite3.OperationalError as error:
        if primary_code(error) != sqlite3.SQLITE_ERROR:
            raise
        return True
