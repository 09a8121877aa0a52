"""Who keeps access: readers are taken away before anything else of a release happens."""

from collections.abc import Callable, Iterable, Mapping

from hanpon.contracts.access import EVERYONE
from hanpon.contracts.manifests import Entry, Row

ReadersOf = Callable[[str], tuple[str, ...] | None]
"""Who may see what comes from a source, as metadata has it; () for nobody, None where that is not known."""

ReadersLeft = Mapping[str, tuple[str, ...]]
"""By id who alone may still see a document, as a pointer keeps it."""


def narrowings(rows: Mapping[str, Row], readers_of: ReadersOf) -> dict[str, tuple[str, ...]]:
    """The rows, by id, that somebody may see who may not from now on, with the readers that remain.

    Decided from the rows themselves: whatever a manifest says, they are what is searched. Rows that the release is
    going to remove count too; one of which it is not known who may see it is left as it is.
    """
    return {
        identifier: kept
        for identifier, row in rows.items()
        if (readers := readers_of(row.source)) is not None
        and (kept := narrowed_readers(row.readers, readers)) != row.readers
    }


def narrowed_readers(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...]:
    """Those who could read before and may still read after; `all` stands for everyone."""
    if EVERYONE in after:
        return before
    if EVERYONE in before:
        return after
    return tuple(reader for reader in before if reader in after)


def readers_gained(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...]:
    """Those who may read after and could not before; where everyone could, nobody."""
    return () if EVERYONE in before else tuple(reader for reader in after if reader not in before)


def served(entries: Iterable[Entry], narrowed: ReadersLeft) -> tuple[Entry, ...]:
    """The entries of a manifest with the readers that they have left; () for an entry that nobody may see."""
    return tuple(
        entry.with_readers(narrowed_readers(entry.readers, narrowed.get(entry.id, (EVERYONE,)))) for entry in entries
    )


def narrowed_further(narrowed: ReadersLeft, entries: Iterable[Entry], readers_of: ReadersOf) -> ReadersLeft:
    """What a pointer is to keep once those have lost access to the entries of its manifest who may not see them."""
    rows = {entry.id: entry.row for entry in served(entries, narrowed)}
    return {**narrowed, **narrowings(rows, readers_of)}
