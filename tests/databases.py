"""What a database says, whatever order it was written in and however SQLite lays it out."""

import sqlite3
from typing import Any

TABLES = {
    "document": "SELECT * FROM document",
    "reader": "SELECT * FROM reader",
    "piece": "SELECT document, ordinal, anchor, trail, text, title, body, meta "
    "FROM piece LEFT JOIN piece_index ON piece_index.rowid = piece.number",
    "words": "SELECT term, document, ordinal, col, offset FROM temp.vocabulary LEFT JOIN piece ON number = doc",
}


def logical_dump(connection: sqlite3.Connection) -> list[Any]:
    """Each table and its sorted rows, nothing where none is made yet; numbers of pieces are left out."""
    if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'document'").fetchone():
        return []
    connection.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, piece_index, instance)"
    )
    return [[table, sorted(map(list, connection.execute(rows)), key=repr)] for table, rows in TABLES.items()]
