"""Whether a bundle may release an edition: it must be the one that released it before, and not an older tag of it."""

import re

from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.contracts.publications import Pointer
from hanpon.contracts.versions import version_rank

_COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_TAG = re.compile(r"(.*?)(v?\d[0-9A-Za-z.+_-]*)")


def foreign_origin(pointer: Pointer | None, origin: str, place: Place) -> Finding | None:
    """A finding where the edition was last published from another bundle."""
    if pointer is None or pointer.origin == origin:
        return None
    words = (
        f"this edition was published from {pointer.origin}, but this bundle is {origin}; "
        "release it from there, or pass --take-over if this bundle is its home from now on"
    )
    return Finding("foreign-origin", Severity.ERROR, place, words)


def older_ref(pointer: Pointer | None, ref: str, place: Place) -> Finding | None:
    """A finding where the edition was published from a newer tag. Commits and tags of other names have no order."""
    before, after = _tag(pointer.ref if pointer else ""), _tag(ref)
    if pointer is None or before is None or after is None or before[0] != after[0] or after[1] >= before[1]:
        return None
    words = (
        f"this edition was published from the tag {pointer.ref}, which is newer than {ref}; release a newer tag, or "
        "withdraw the edition first if the older one is really wanted"
    )
    return Finding("older-ref", Severity.ERROR, place, words)


def _tag(ref: str) -> tuple[str, int] | None:
    """What a tag is called before its version, and the version's rank."""
    parts = None if _COMMIT.fullmatch(ref) else _TAG.fullmatch(ref)
    return (parts.group(1), version_rank(parts.group(2))) if parts else None
