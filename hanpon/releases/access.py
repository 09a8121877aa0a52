"""Who keeps access: readers are taken away before anything else of a release happens."""

from collections.abc import Callable, Mapping

from hanpon.contracts.manifests import Row

ReadersOf = Callable[[str], tuple[str, ...] | None]
"""Who may see what is made of a file of the bundle; () for nobody, None where that is not known."""


def narrowings(rows: Mapping[str, Row], readers_of: ReadersOf) -> dict[str, tuple[str, ...]]:
    """The rows, by id, that somebody may see who may not from now on, with the readers that remain.

    Decided from the rows themselves: whatever a manifest says, they are what is searched. Rows that the release is
    going to remove count too; one of which it is not known who may see it is left as it is.
    """
    wanted = {identifier: readers_of(row.file) for identifier, row in rows.items()}
    return {
        identifier: kept
        for identifier, row in rows.items()
        if (readers := wanted[identifier]) is not None
        and (kept := narrowed_readers(row.readers, readers)) != row.readers
    }


def narrowed_readers(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...]:
    """Those who could read before and may still read after; `all` stands for everyone."""
    if "all" in after:
        return before
    if "all" in before:
        return after
    return tuple(reader for reader in before if reader in after)
