"""What a dry run says: the changes of a plan, who would lose or gain access, what the datastore would be given."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from hanpon.contracts.manifests import Entry
from hanpon.contracts.reports import Affected, Estimate, Intent
from hanpon.releases.access import ReadersOf, narrowings, readers_gained
from hanpon.releases.plan import Found, Plan
from hanpon.search.pieces import pieces_of
from hanpon.search.token_estimate import ESTIMATE_ERROR, estimated_tokens


def intent_of(plan: Plan, found: Found, readers_of: ReadersOf, page_of: Callable[[Entry], bytes]) -> Intent:
    """What carrying out a plan would do; `page_of` gives the page of an entry that would be imported."""
    remaining = narrowings(found.rows, readers_of)
    return Intent(
        changes=plan.changes,
        narrowed=_narrowed(found, remaining),
        widened=tuple(_widened(plan, found)),
        estimate=_estimate([entry for entry in plan.upsert if not _is_done(entry, found, remaining)], page_of),
    )


def _is_done(entry: Entry, found: Found, remaining: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether taking readers away, which comes first, makes the row what it is to be."""
    row = found.rows.get(entry.id)
    return row is not None and remaining.get(entry.id) == entry.readers and entry.with_readers(row.readers).row == row


def _narrowed(found: Found, remaining: Mapping[str, tuple[str, ...]]) -> tuple[Affected, ...]:
    titles = {entry.id: str(entry.metadata["title"]) for entry in found.manifest.entries} if found.manifest else {}
    return tuple(
        Affected(
            id=identifier,
            title=titles.get(identifier, ""),
            lost=tuple(reader for reader in found.rows[identifier].readers if reader not in kept),
        )
        for identifier, kept in sorted(remaining.items())
    )


def _widened(plan: Plan, found: Found) -> Iterator[Affected]:
    for entry in plan.upsert:
        row = found.rows.get(entry.id)
        gained = readers_gained(row.readers, entry.readers) if row else ()
        if gained:
            yield Affected(id=entry.id, title=str(entry.metadata["title"]), gained=gained)


def _estimate(entries: Sequence[Entry], page_of: Callable[[Entry], bytes]) -> Estimate:
    pieces = [
        piece
        for entry in entries
        for piece in pieces_of(page_of(entry), entry.media_type, str(entry.metadata["title"]))
    ]
    tokens = sum(estimated_tokens("\n".join((*piece.trail, piece.text))) for piece in pieces)
    return Estimate(documents=len(entries), pieces=len(pieces), tokens=tokens, error=ESTIMATE_ERROR)
