"""Whether a bundle may release an edition: it must be the one that released it before."""

from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.contracts.manifests import Pointer


def foreign_origin(pointer: Pointer | None, origin: str, place: Place) -> Finding | None:
    """A finding where the edition was last published from another bundle."""
    if pointer is None or pointer.origin == origin:
        return None
    words = (
        f"this edition was published from {pointer.origin}, but this bundle is {origin}; "
        "release it from there, or pass --take-over if this bundle is its home from now on"
    )
    return Finding("foreign-origin", Severity.ERROR, place, words)
