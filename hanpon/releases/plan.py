"""The plan: what a release would do to one edition. Pure; nothing is written to find out."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hanpon.contracts.editions import Edition
from hanpon.contracts.manifests import Entry, Manifest, Row, manifest_key
from hanpon.contracts.publications import Pointer
from hanpon.contracts.reports import Affected, Counts

REMOVALS_GUARDED_FROM = 10
"""Editions of fewer documents may shrink freely."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What was found of an edition: the pointer, its manifest, the stored objects, the rows.

    Objects that are known to be damaged are left out. `manifest` is None where nothing is published or the manifest
    is damaged (`damaged` tells which).
    `index_of` is the digest of the manifest that index.html was made from, "" where there is none.
    """

    pointer: Pointer | None = None
    token: str | None = None
    manifest: Manifest | None = None
    damaged: bool = False
    objects: Mapping[str, int] = field(default_factory=dict)
    rows: Mapping[str, Row] = field(default_factory=dict)
    index_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be done to bring storage and rows to `target`."""

    target: Manifest
    counts: Counts
    create: tuple[str, ...]
    """Keys of objects that are missing or damaged, or that no manifest vouches for yet; the manifest first."""
    upsert: tuple[Entry, ...]
    remove: tuple[str, ...]
    """Ids of rows that the target does not have."""
    changes: Mapping[str, tuple[Affected, ...]]
    """The documents by what becomes of them: the names of `Counts`, those that stay as they are left out."""
    before: int
    """How many documents the edition had."""
    moves_pointer: bool
    renews_index: bool
    sweeps: bool
    """Where the pointer moves, and where what a run has left was not swept, or may not have been."""

    @property
    def nothing_to_do(self) -> bool:
        return not (
            self.create or self.upsert or self.remove or self.moves_pointer or self.renews_index or self.sweeps
        )

    @property
    def removes_too_much(self) -> bool:
        """More than half of an edition of 10 or more documents."""
        return self.before >= REMOVALS_GUARDED_FROM and self.counts.removed * 2 > self.before


def plan_edition(printed: Manifest, found: Found, link_base: str = "", origin: str = "") -> Plan:
    """Compare what was printed with the manifest, the objects and the rows that are there.

    A manifest that says the same as the current one changes nothing, whatever its inputs or recipe say. Where
    people open the pages, `link_base`, stands in the pointer alone, and so does what was narrowed: carrying out the
    plan ends that. `origin` is given where the edition is taken over: the pointer is to name it.
    """
    unchanged = printed.says_the_same_as(found.manifest)
    target = found.manifest if unchanged and found.manifest else printed
    known = _known_ids(target.edition, found)
    changes = _changes(target, found, known)
    moves = not (found.pointer and _announces(found.pointer, target, link_base))
    moves = moves or bool(origin and found.pointer and found.pointer.origin != origin)
    renews = found.index_of != target.digest
    return Plan(
        target=target,
        counts=_count(target, changes),
        changes=changes,
        before=len(known),
        create=_to_create(target, found),
        upsert=tuple(entry for entry in target.entries if found.rows.get(entry.id) != entry.row),
        remove=tuple(sorted(found.rows.keys() - {entry.id for entry in target.entries})),
        moves_pointer=moves,
        renews_index=renews,
        sweeps=moves or renews or _has_leftovers(target.edition, found),
    )


def _announces(pointer: Pointer, target: Manifest, link_base: str) -> bool:
    return (pointer.manifest, pointer.link_base) == (target.digest, link_base) and not pointer.narrowed


def _to_create(target: Manifest, found: Found) -> tuple[str, ...]:
    """What lies there by chance under a name that is only now announced may be anything: it is compared.

    The manifest goes first: what a killed run leaves is known by a manifest that no pointer names.
    """
    vouched = found.manifest.objects if found.manifest else {}
    missing = [key for key, size in target.objects.items() if found.objects.get(key) != size or key not in vouched]
    return tuple(sorted(missing, key=lambda key: (key != target.key, key)))


def _has_leftovers(edition: Edition, found: Found) -> bool:
    if found.pointer is None:
        return False
    named = {manifest_key(edition, digest) for digest in (found.pointer.manifest, *found.pointer.previous)}
    return any(key not in named for key in _below(edition, "manifests", found))


def _below(edition: Edition, folder: str, found: Found) -> list[str]:
    """The keys in a folder of the edition; told by how they begin, for an item may be called `manifests`, too."""
    return [key for key in found.objects if key.startswith(f"{edition.folder}/{folder}/")]


def _known_ids(edition: Edition, found: Found) -> frozenset[str]:
    """Ids of the documents that the edition had: from the manifest, else the rows, else the pages' names.

    Pages of former publications count too in that last case: better to ask once too often before much is removed.
    """
    if found.manifest:
        return frozenset(entry.id for entry in found.manifest.entries)
    if found.rows or not found.damaged:
        return frozenset(found.rows)
    return frozenset(map(_slug_of, _below(edition, "pages", found)))


def _changes(target: Manifest, found: Found, known: frozenset[str]) -> dict[str, tuple[Affected, ...]]:
    before = {entry.id: entry for entry in found.manifest.entries} if found.manifest else {}
    after = {entry.id for entry in target.entries} | {_slug_of(entry.key) for entry in target.entries}
    changes: dict[str, list[Affected]] = {}
    for entry in sorted(target.entries, key=lambda entry: entry.position):
        change = _change(before.get(entry.id), entry)
        if change != "unchanged":
            changes.setdefault(change, []).append(_affected(entry.id, entry))
    removed = [_affected(identifier, before.get(identifier)) for identifier in sorted(known - after)]
    return {change: tuple(affected) for change, affected in [*changes.items(), ("removed", removed)] if affected}


def _affected(identifier: str, entry: Entry | None) -> Affected:
    return Affected(id=identifier, title=str(entry.metadata["title"]) if entry else "")


def _count(target: Manifest, changes: Mapping[str, tuple[Affected, ...]]) -> Counts:
    numbers = {change: len(affected) for change, affected in changes.items()}
    moved = sum(numbers.values()) - numbers.get("removed", 0)
    return Counts(**numbers, unchanged=len(target.entries) - moved)


def _slug_of(key: str) -> str:
    """What a page is called before its digest."""
    return key.rsplit("/", maxsplit=1)[-1].split(".", maxsplit=1)[0]


def _change(before: Entry | None, after: Entry) -> str:
    """The one way in which a document counts; content outweighs access, access outweighs other metadata."""
    if before is None:
        return "added"
    if before.content_digest != after.content_digest or before.key != after.key:
        return "changed"
    if before.access_digest != after.access_digest:
        return "access_changed"
    if before.metadata_digest != after.metadata_digest:
        return "metadata_changed"
    return "unchanged"
