"""What may be swept: objects that none of the kept publications refers to."""

from collections.abc import Iterable, Mapping

from hanpon.contracts.editions import Edition
from hanpon.contracts.manifests import Manifest
from hanpon.contracts.publications import Pointer

SWEPT_FOLDERS = ("pages", "inventory", "assets", "manifests")
"""In the order in which they are swept."""


def next_pointer(
    before: Pointer | None,
    manifest: Manifest,
    *,
    published_at: str,
    run: str,
    origin: str,
    ref: str,
    keep: int,
    link_base: str = "",
) -> Pointer:
    """The pointer to a new publication. `keep` publications stay readable, the new one among them."""
    former = (before.manifest, *before.previous) if before else ()
    previous = tuple(dict.fromkeys(digest for digest in former if digest != manifest.digest))
    return Pointer(
        manifest=manifest.digest,
        published_at=published_at,
        run=run,
        origin=origin,
        ref=ref,
        previous=previous[: max(keep - 1, 0)],
        link_base=link_base,
    )


def sweepable(edition: Edition, stored: Mapping[str, int], kept: Iterable[Manifest]) -> tuple[str, ...]:
    """Keys that may go, manifests last: while one is there, a run that was cut short is known to be."""
    needed = {key for manifest in kept for key in manifest.objects}
    loose = sorted(stored.keys() - needed)
    return tuple(key for folder in SWEPT_FOLDERS for key in loose if key.startswith(f"{edition.folder}/{folder}/"))
