"""The tables of the embedded datastore, and whether a database has them."""

import sqlite3
from pathlib import Path

from hanpon.contracts.errors import UsageError
from hanpon.search.tokens import FTS5_TOKENIZER, TOKENIZER_VERSION

FORM = 1
"""Raised by hand whenever tables change, or the pieces that are made of a page."""

USER_VERSION = FORM + TOKENIZER_VERSION
"""Both only grow, so no two forms of the database have the same version."""

TITLE_WEIGHT = 12.0
RANKING = f"bm25({TITLE_WEIGHT}, 1.0, 0.0)"
"""How well a piece fits a query: words in the title count twelvefold, tokens that filters ask for not at all."""

TABLES = (
    """
CREATE TABLE document (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    key TEXT NOT NULL,
    media_type TEXT NOT NULL,
    content_sha256 TEXT NOT NULL,
    pieces_sha256 TEXT NOT NULL,
    metadata TEXT NOT NULL
)""",
    "CREATE INDEX document_edition ON document (kind, name, version)",
    """
CREATE TABLE reader (
    document TEXT NOT NULL REFERENCES document (id) ON DELETE CASCADE,
    principal TEXT NOT NULL,
    PRIMARY KEY (document, principal)
) WITHOUT ROWID""",
    # A number is never used twice: what a damaged index still says of a piece that is gone finds no other piece.
    """
CREATE TABLE piece (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    document TEXT NOT NULL REFERENCES document (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    anchor TEXT NOT NULL,
    trail TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (document, ordinal)
)""",
    f"CREATE VIRTUAL TABLE piece_index USING fts5 (title, body, meta, tokenize = '{FTS5_TOKENIZER}')",
)


def has_tables(connection: sqlite3.Connection, path: Path) -> bool:
    """True where the tables are those above, False in an empty database. Raises UsageError for any other."""
    version = _version(connection)
    tables = _tables(connection)
    if version == USER_VERSION and tables:
        return True
    if version == 0 and not tables:
        return False
    advice = (
        "run `hanpon datastore rebuild`, which fills it from what is published"
        if is_of_another_form(connection)
        else "name another file with --datastore sqlite:PATH"
    )
    raise UsageError(
        f"datastore: {path} is not a hanpon database of version {USER_VERSION} (it says {version}); {advice}"
    )


def is_of_another_form(connection: sqlite3.Connection) -> bool:
    """Whether an older or newer hanpon made this database."""
    columns = {name for (name,) in connection.execute("SELECT name FROM pragma_table_info('document')")}
    ours = {"id", "kind", "name", "version", "content_sha256"} <= columns
    return ours and _version(connection) not in {0, USER_VERSION}


def has_sound_index(connection: sqlite3.Connection) -> bool:
    """Whether the index of words is what FTS5 would make of its columns; reads all of it."""
    try:
        connection.execute("INSERT INTO piece_index (piece_index, rank) VALUES ('integrity-check', 1)")
    except sqlite3.DatabaseError as error:
        if primary_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):
            return False
        raise
    return True


def primary_code(error: sqlite3.Error) -> int:
    """The primary result code of SQLite; 0 where the error is one of Python's module alone."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def make_tables(connection: sqlite3.Connection) -> None:
    """Make the tables in the transaction that is open. Raises UsageError where SQLite cannot."""
    if not connection.execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").fetchone():
        raise UsageError(
            f"datastore: SQLite {sqlite3.sqlite_version} of this Python is built without full-text search (FTS5); "
            "use a Python whose SQLite has it"
        )
    for statement in TABLES:
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {USER_VERSION}")


def drop_tables(connection: sqlite3.Connection) -> None:
    """Drop every table in the transaction that is open."""
    virtual = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL%'"
    for (name,) in connection.execute(virtual).fetchall():
        try:
            connection.execute(f"DROP TABLE {_quoted(name)}")  # with the tables that it keeps its index in
        except sqlite3.DatabaseError as error:
            if primary_code(error) not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):
                raise
            _forget_virtual(connection, name)
    for name in _tables(connection):
        connection.execute(f"DROP TABLE {_quoted(name)}")


def _forget_virtual(connection: sqlite3.Connection, name: str) -> None:
    """Take a virtual table out of the schema that cannot be opened any more, and so not be dropped.

    The tables that it kept its index in are then tables like others. It has no pages of its own that would be lost.
    """
    connection.execute("PRAGMA writable_schema = ON")
    try:
        connection.execute(
            "DELETE FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL%' AND name = ?", (name,)
        )
    finally:
        connection.execute("PRAGMA writable_schema = RESET")


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def _tables(connection: sqlite3.Connection) -> list[str]:
    made = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    return [name for (name,) in connection.execute(made)]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
