"""What a dry run says: the changes of a plan, who would lose access, what the datastore would be given."""

from collections.abc import Callable

from hanpon.contracts.manifests import Entry
from hanpon.contracts.reports import Affected, Estimate, Intent
from hanpon.releases.access import ReadersOf, narrowings
from hanpon.releases.plan import Found, Plan
from hanpon.search.pieces import pieces_of
from hanpon.search.token_estimate import ESTIMATE_ERROR, estimated_tokens


def intent_of(plan: Plan, found: Found, readers_of: ReadersOf, page_of: Callable[[Entry], bytes]) -> Intent:
    """What carrying out a plan would do; `page_of` gives the page of an entry that would be imported."""
    return Intent(
        changes=plan.changes,
        narrowed=_narrowed(found, readers_of),
        estimate=_estimate(plan.upsert, page_of),
    )


def _narrowed(found: Found, readers_of: ReadersOf) -> tuple[Affected, ...]:
    titles = {entry.id: str(entry.metadata["title"]) for entry in found.manifest.entries} if found.manifest else {}
    return tuple(
        Affected(
            id=identifier,
            title=titles.get(identifier, ""),
            lost=tuple(reader for reader in found.rows[identifier].readers if reader not in kept),
        )
        for identifier, kept in sorted(narrowings(found.rows, readers_of).items())
    )


def _estimate(entries: tuple[Entry, ...], page_of: Callable[[Entry], bytes]) -> Estimate:
    pieces = [
        piece
        for entry in entries
        for piece in pieces_of(page_of(entry), entry.media_type, str(entry.metadata["title"]))
    ]
    tokens = sum(estimated_tokens("\n".join((*piece.trail, piece.text))) for piece in pieces)
    return Estimate(documents=len(entries), pieces=len(pieces), tokens=tokens, error=ESTIMATE_ERROR)
