"""Searching what is published, as a reader: hits with links that a person can open."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.errors import Unavailable, UsageError
from hanpon.contracts.filters import Filter
from hanpon.contracts.ports import Datastore, StorageView
from hanpon.contracts.search import Hit, Query
from hanpon.runs.survey import find_edition, read_pointer, unknown_edition
from hanpon.search.filter_problems import shown
from hanpon.search.filters import parse_filter
from hanpon.search.targets import default_filter, names_and_versions, target_filter
from hanpon.search.tokens import query_tokens
from hanpon.sources.access.principals import is_principal

MOST_HITS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """A hit and where a person opens it."""

    hit: Hit
    link: str

    def as_record(self) -> dict[str, Any]:
        """The record of `schemas/hit.schema.json`."""
        hit = self.hit
        return {
            "id": hit.id,
            "title": hit.title,
            "section": hit.section,
            "link": self.link,
            "trail": list(hit.trail),
            "snippet": hit.snippet,
            "score": hit.score,
            "metadata": dict(hit.metadata),
        }


def search(
    text: str,
    storage: StorageView,
    datastore: Datastore,
    *,
    expression: str = "",
    targets: Sequence[str] = (),
    principals: Sequence[str] = (),
    limit: int = 10,
) -> tuple[Linked, ...]:
    """The best documents for `text` among those that `principals`, or all, may read.

    An `expression` of the filter grammar or `targets` (`customer@v1`) say where to look, not both; without either,
    superseded answers are left out. Raises UsageError for what cannot be understood.
    """
    _refuse_odd(principals)
    if not query_tokens(text):
        raise UsageError(f"the query has no word that could be looked for, found {shown(text)}")
    query = Query(
        text=text, filter=_filter(expression, targets), principals=tuple(principals), limit=min(limit, MOST_HITS)
    )
    bases: dict[Edition, str] = {}
    return tuple(Linked(hit=hit, link=_link(hit, storage, bases)) for hit in datastore.search(query))


def unpublished(targets: Sequence[str], storage: StorageView) -> tuple[str, ...]:
    """A sentence for each target of which nothing is published: only what holds for all is found there.

    Raises UsageError for what is no target.
    """
    return tuple(
        unknown_edition(name, version, storage)
        for name, version in names_and_versions(targets)
        if find_edition(name, version, storage) is None
    )


def _refuse_odd(principals: Sequence[str]) -> None:
    """A name without what it names would find no more than everyone does, and nobody would know why."""
    odd = [principal for principal in principals if not is_principal(principal)]
    if odd:
        raise UsageError(f"--as: expected group:NAME or user:NAME, found {', '.join(map(shown, odd))}")


def _filter(expression: str, targets: Sequence[str]) -> Filter:
    if expression and targets:
        raise UsageError("give --filter or --target, not both: a target is a filter written for you")
    if expression:
        return parse_filter(expression)
    return target_filter(targets) if targets else default_filter()


def _link(hit: Hit, storage: StorageView, bases: dict[Edition, str]) -> str:
    edition = _edition_of(hit.key)
    if edition and edition not in bases:
        bases[edition] = _link_base(edition, storage)
    base = bases[edition] if edition else ""
    page = base + quote(hit.key) if base else storage.link(hit.key)
    return f"{page}#{quote(hit.anchor)}" if hit.anchor else page


def _link_base(edition: Edition, storage: StorageView) -> str:
    try:
        pointer = read_pointer(edition, storage)
    except Unavailable:  # a damaged pointer keeps nobody from finding; the page itself is where it was
        return ""
    return pointer.link_base if pointer else ""


def _edition_of(key: str) -> Edition | None:
    try:
        kind, name, version, *_ = key.split("/")
        return Edition(Kind(kind), name, version)
    except ValueError:  # a damaged row keeps nobody from finding the others
        return None
