"""Taking access away: before anything else of a release happens, and whatever becomes of the rest."""

from dataclasses import dataclass

from hanpon.contracts.editions import Edition
from hanpon.contracts.ports import Datastore, Progress
from hanpon.releases.access import ReadersOf, narrowings


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowed:
    """Who lost access to an edition, or why those who should have did not."""

    lost: tuple[str, ...] = ()
    error: Exception | None = None


def wants_narrowing(edition: Edition, readers_of: ReadersOf, datastore: Datastore) -> bool:
    """Whether somebody may see a row who is no reader any more."""
    return bool(narrowings(datastore.rows(edition), readers_of))


def narrow(edition: Edition, readers_of: ReadersOf, datastore: Datastore, progress: Progress) -> tuple[str, ...]:
    """Take rows away from all but their readers, in a transaction of its own; those who lost access."""
    with datastore.change(edition) as change:
        rows = change.rows()
        remaining = narrowings(rows, readers_of)
        progress.step(edition, "narrow", len(remaining), len(remaining))
        change.restrict(remaining)
        change.commit()
    return tuple(
        sorted({reader for key, kept in remaining.items() for reader in rows[key].readers if reader not in kept})
    )
