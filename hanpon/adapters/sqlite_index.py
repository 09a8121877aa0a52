"""What the full-text index of the embedded datastore holds of a piece: tokens of its words and its metadata."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any

from hanpon.contracts.filters import TEXT_FIELDS
from hanpon.contracts.pieces import Piece
from hanpon.search.tokens import index_tokens

UNINDEXED_FIELDS = frozenset({"groups"})
"""Readers can change without a piece being written anew; they are looked up in their own table."""

_NAMING_FIELDS = ("title", "section", "path", "operation_id")


def title_column(metadata: Mapping[str, Any]) -> str:
    """The tokens of what a document is called, each once."""
    names = dict.fromkeys(str(metadata.get(field, "")) for field in _NAMING_FIELDS)
    return " ".join(dict.fromkeys(index_tokens("\n".join(names))))


def body_column(piece: Piece) -> str:
    """The tokens of a piece with the headings above it."""
    lines = [*piece.trail, *piece.text.split("\n")]
    return " ".join(filter(None, map(_tokens_of_line, lines)))


@lru_cache(maxsize=1 << 15)
def _tokens_of_line(line: str) -> str:
    """A line ends every token. Pages of one API share many lines."""
    return " ".join(index_tokens(line))


def meta_column(metadata: Mapping[str, Any]) -> str:
    """A token for every value that a filter can ask for with `ANY`."""
    return " ".join(sorted({filter_token(field, value) for field, value in _values(metadata)}))


@lru_cache(maxsize=1 << 16)
def filter_token(field: str, value: str) -> str:
    """The token that stands for a field having a value."""
    return "f" + sha256(f"{field}\0{value}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _values(metadata: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for field in TEXT_FIELDS:
        held = metadata.get(field)
        for value in held if isinstance(held, list | tuple) else (held,):
            if field not in UNINDEXED_FIELDS and isinstance(value, str) and value:
                yield field, value
