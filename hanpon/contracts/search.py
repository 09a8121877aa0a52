"""Search: what is asked, and what is found."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hanpon.contracts.filters import Filter


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is asked: words, which documents they are looked for in, and by whom.

    `principals` are exactly those of the asker; documents for `all` are always among what is searched.
    """

    text: str
    filter: Filter | None = None
    principals: tuple[str, ...] = ()
    limit: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One document, found by its best piece. A higher score is better; scores of two queries do not compare."""

    id: str
    key: str
    title: str
    section: str
    trail: tuple[str, ...]
    """The headings above the piece, the page's first."""
    anchor: str
    """Id of the heading that the piece stands below, "" where it has none."""
    snippet: str
    """Plain text around the rarest words of the query, on one line."""
    score: float
    metadata: Mapping[str, Any]
