"""Search in the embedded datastore: tokens and filter in one FTS5 expression, then readers and filter by SQL."""

import json
import sqlite3
from collections.abc import Container, Sequence
from itertools import accumulate
from math import log

from hanpon.adapters.sqlite_filters import match_of, sql_of
from hanpon.adapters.sqlite_index import filter_token
from hanpon.adapters.sqlite_rows import record_in
from hanpon.adapters.sqlite_tables import RANKING
from hanpon.contracts.access import EVERYONE
from hanpon.contracts.filters import Filter
from hanpon.contracts.search import Hit, Query
from hanpon.search.page_sections import STEP
from hanpon.search.snippets import snippet
from hanpon.search.tokens import index_tokens, is_prefix_query, query_tokens

MOST_TOKENS = 200
"""Tokens of a query that are looked for, the first ones: a long text pasted in asks for no more."""

COMMON_SHARE = 10
COMMON_AT_LEAST = 10_000
"""A token in more than a tenth of all pieces, and in more than so many, is left out where there are others."""

MOST_PIECES = 20_000
"""Pieces that are weighed, about: the rarest tokens find them, the others only say which of them are better."""

_WHOLE = range(0xE000, 0xE080)
"""Characters that stand for the signs inside an identifier: a token that has one is a whole identifier."""

_LETTERS_OF_A_WORD = 3
"""Of words that are too common to find anything, shorter ones do not even say what is better."""

_IN_TITLE = 0.1
"""What a word of the document's title counts when a piece of it is chosen: every piece has it above it."""

_MOST_FOR_A_PIECE = 30
"""Tokens, the rarest, that tell which piece of a document is shown."""

_BEST = f"""
SELECT -piece_index.rank, document.id
FROM piece_index
CROSS JOIN piece ON piece.number = piece_index.rowid
CROSS JOIN document ON document.id = piece.document
WHERE piece_index MATCH ? AND piece_index.rank MATCH '{RANKING}'
    AND EXISTS (
        SELECT 1 FROM reader WHERE reader.document = document.id
        AND reader.principal IN (SELECT value FROM json_each(?))
    )
    AND {{condition}}
ORDER BY piece_index.rank
"""  # noqa: S608  a constant
_SELECT_DOCUMENT = """
SELECT CAST(key AS TEXT), CAST(metadata AS TEXT), min(number), max(number)
FROM document JOIN piece ON document = id WHERE id = ?
"""


def search_in(connection: sqlite3.Connection, query: Query) -> list[Hit]:
    """`contracts.ports.Datastore.search` on an open database; only reads."""
    words = _Words(connection, query.text)
    if not words.rare_first or query.limit < 1:
        return []
    wanted = _Wanted(connection, query)
    # Whatever its words weigh, a document whose section is the query itself comes first (`GET /orders`, `第4条`);
    # then those that are called by a whole identifier of the query.
    found: list[str] = []
    for expression in (words.exactly, words.called_so, words.holding):
        if expression and len(found) < query.limit:
            found += wanted.best(expression, query.limit, without=found)
    return [_hit(connection, identifier, rank, words) for rank, identifier in enumerate(found[: query.limit], 1)]


class _Words:
    """What the text of a query looks for, as FTS5 expressions."""

    def __init__(self, connection: sqlite3.Connection, text: str) -> None:
        (pieces,) = connection.execute("SELECT coalesce(max(number), 0) FROM piece").fetchone()  # or a few less
        ceiling = max(COMMON_AT_LEAST, pieces // COMMON_SHARE)
        counts = _counts(connection, query_tokens(_storable(text))[:MOST_TOKENS], ceiling + 1)
        self.rare_first = sorted(counts, key=lambda token: (counts[token], token))
        """The tokens that occur."""
        self.weights = {token: log(1 + pieces / counts[token]) for token in self.rare_first[:_MOST_FOR_A_PIECE]}
        """What the rarest of them tell of a piece."""
        self.exactly = f"meta : {filter_token('section', _storable(text).strip())}"
        used = [token for token in self.rare_first if counts[token] <= ceiling] or self.rare_first
        sums = accumulate(counts[token] for token in used)
        finding = [token for token, pieces in zip(used, sums, strict=True) if pieces <= MOST_PIECES] or used[:1]
        self.holding = f"{{title body}} : ({_any_of(finding)})"
        weighing = [token for token in self.rare_first if token in used or len(token) >= _LETTERS_OF_A_WORD]
        if len(finding) < len(weighing):
            self.holding += f" AND {{title body}} : ({_any_of(weighing)})"
        whole = [token for token in finding if any(ord(character) in _WHOLE for character in token)]
        self.called_so = f"title : ({_any_of(whole)}) AND {self.holding}" if whole else ""


class _Wanted:
    """What the asker may see and wants to see."""

    def __init__(self, connection: sqlite3.Connection, query: Query) -> None:
        self._connection = connection
        self._match, condition, self._values = _filtered(query.filter, connection)
        self._statement = _BEST.format(condition=condition)
        # a name that SQLite would cut or cannot hold is nobody's, and must not become somebody else's
        asking = {principal for principal in query.principals if principal == _storable(principal).replace("\0", "")}
        self._readers = json.dumps(sorted({EVERYONE, *asking}))

    def best(self, words: str, limit: int, without: Container[str] = ()) -> list[str]:
        """Documents, the one with the best piece first; `limit` of them, but more where the last ones are equal."""
        scores: dict[str, float] = {}
        last = 0.0
        for score, identifier in self._connection.execute(
            self._statement, (f"{words}{self._match}", self._readers, *self._values)
        ):
            if len(scores) >= limit and score != last:
                break
            if identifier not in without and identifier not in scores:
                scores[identifier] = last = score
        return sorted(scores, key=lambda identifier: (-scores[identifier], identifier))


def _filtered(tree: Filter | None, connection: sqlite3.Connection) -> tuple[str, str, Sequence[object]]:
    """The filter as more of an FTS5 expression, as a condition of SQL, and the values of that."""
    if tree is None:
        return "", "1", ()
    match = match_of(tree)
    return f" AND meta : {match}" if match else "", *sql_of(tree, connection)


def _storable(text: str) -> str:
    """The text without what UTF-8 cannot write."""
    return text.encode("utf-8", "ignore").decode()


def _counts(connection: sqlite3.Connection, tokens: Sequence[str], ceiling: int) -> dict[str, int]:
    """The tokens that occur, with the number of pieces they occur in, counted up to the ceiling."""
    counted = "SELECT count(*) FROM (SELECT 1 FROM piece_index WHERE piece_index MATCH ? LIMIT ?)"
    counts = {}
    for token in tokens:
        (count,) = connection.execute(counted, (f"{{title body}} : {_quoted(token)}", ceiling)).fetchone()
        if count:
            counts[token] = count
    return counts


def _any_of(tokens: Sequence[str]) -> str:
    return " OR ".join(map(_quoted, tokens))


def _quoted(token: str) -> str:
    return f'"{token}" *' if is_prefix_query(token) else f'"{token}"'


def _hit(connection: sqlite3.Connection, identifier: str, rank: int, words: _Words) -> Hit:
    """The hit of a document. Its score is made of its rank: the weights of words tell of what others may read."""
    key, metadata_text, first, last = connection.execute(_SELECT_DOCUMENT, (identifier,)).fetchone()
    metadata = record_in(metadata_text)
    title = str(metadata.get("title", ""))
    number = _telling_piece(connection, range(first, last + 1), title, words)
    selected = "SELECT CAST(anchor AS TEXT), CAST(trail AS TEXT), CAST(text AS TEXT) FROM piece WHERE number = ?"
    anchor, trail_text, text = connection.execute(selected, (number,)).fetchone()
    trail = _trail_in(trail_text)
    return Hit(
        id=identifier,
        key=key,
        title=title,
        section=str(metadata.get("section", "")),
        trail=trail,
        anchor=anchor,
        snippet=snippet(text or STEP.join(trail), words.rare_first),
        score=round(1 / rank, 6),
        metadata=metadata,
    )


def _trail_in(text: str) -> tuple[str, ...]:
    """The headings above a piece; none where the text is damaged, which keeps nobody from finding the others."""
    try:
        return tuple(map(str, json.loads(text)))
    except (ValueError, TypeError, RecursionError):
        return ()


def _telling_piece(connection: sqlite3.Connection, numbers: range, title: str, words: _Words) -> int:
    """The piece that holds most of the rarest words: of equals the first below a heading that has an anchor.

    What stands above all of them, the page's own heading with facts about it, tells nothing that the title does not.
    """
    held = "SELECT rowid FROM piece_index WHERE piece_index MATCH ? AND rowid BETWEEN ? AND ?"
    in_title = set(index_tokens(title))
    worth = dict.fromkeys(numbers, 0.0)
    for token, weight in words.weights.items():
        gain = weight * (_IN_TITLE if token in in_title else 1)
        for (number,) in connection.execute(held, (f"body : {_quoted(token)}", numbers.start, numbers.stop - 1)):
            worth[number] += gain
    best = max(worth.values())
    equals = [number for number in numbers if worth[number] == best]
    anchored = "SELECT min(number) FROM piece WHERE number IN (SELECT value FROM json_each(?)) AND anchor != ''"
    (number,) = connection.execute(anchored, (json.dumps(equals),)).fetchone()
    return int(number or equals[0])
