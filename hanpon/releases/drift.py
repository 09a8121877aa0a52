"""Drift: where storage or datastore serve something else than what is published. Pure; compares what was read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hanpon.contracts.editions import Edition
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.contracts.manifests import Entry, Manifest, Row
from hanpon.releases.retention import sweepable

RELEASE = "release the edition again"
REBUILD = "run `hanpon datastore rebuild`"
NO_MATTER = "nobody is served it, and later publications take its place"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What stands of a published edition.

    `entries` are those of its manifest with the readers that are left to them; `digests` are the sha256 of its
    objects by key, those that are gone left out; `kept` are the former publications that are to stay readable, None
    for one whose manifest is gone or damaged; `stored` are all objects of its folder with their sizes.
    """

    manifest: Manifest
    entries: Sequence[Entry]
    digests: Mapping[str, str]
    rows: Mapping[str, Row]
    kept: Mapping[str, Manifest | None]
    stored: Mapping[str, int]
    index_of: str
    is_narrowed: bool
    unseen: Sequence[str] = ()
    """Ids of the rows that the datastore does not show to this caller."""


def drift(standing: Standing) -> tuple[Finding, ...]:
    """What differs, by object and by row.

    Errors are what a reader meets; warnings are what the next release puts right.
    """
    return (
        *_objects(standing),
        *_rows(standing),
        *_former_publications(standing),
        *_unfinished(standing),
    )


def nothing_published(storage: str, editions: int) -> Finding:
    """A storage that holds nothing beside a datastore that does: its address is likely mistyped."""
    found = f"{storage} holds no published edition, and the datastore has rows (editions: {editions})"
    words = f"{found}; is this the right storage?"
    return _error("row-unknown", "", words)


def index_damaged() -> Finding:
    """What search looks words up in does not say what the rows say."""
    return _error(
        "index-damaged",
        "",
        f"the datastore's index of words is damaged; {REBUILD}, which makes it anew or says what to do first",
    )


def unpublished(edition: Edition, rows: int) -> Finding:
    """Rows of an edition that is not published at all."""
    return _error(
        "row-unknown",
        edition.folder,
        f"{edition} is not published, and the datastore serves {rows} rows of it; where it should be, {RELEASE}, "
        f"else {REBUILD}, which removes them",
    )


def unverifiable(edition: Edition, unseen: int, rows: int) -> Finding:
    """Rows that the datastore shows to their readers alone."""
    words = (
        f"{unseen} of {rows} rows of {edition} could not be looked at, for the datastore shows them to their readers "
        "alone: what was written last is taken for what is there; let the auditor be a member of their groups"
    )
    return _warning("rows-unverifiable", edition.folder, words)


def manifest_lost(edition: Edition, key: str) -> Finding:
    """A pointer that names a manifest of which nothing can be read."""
    words = (
        f"the manifest of {edition} is gone, damaged or that of another edition; {RELEASE}, or run `hanpon withdraw` "
        "where it is no edition of yours"
    )
    return _error("manifest-damaged", key, words)


def _objects(standing: Standing) -> Iterator[Finding]:
    for key, digest in sorted(standing.manifest.digests.items()):
        found = standing.digests.get(key)
        if found is None:
            words = (
                f"expected an object of {digest[:12]}…, found no file; remove what else stands there, and {RELEASE}"
            )
            yield _error("object-missing", key, words)
        elif found != digest:
            words = f"expected bytes of sha256 {digest[:12]}…, found {found[:12]}…; remove the object, and {RELEASE}"
            yield _error("object-damaged", key, words)


def _rows(standing: Standing) -> Iterator[Finding]:
    if standing.unseen:
        yield unverifiable(standing.manifest.edition, len(standing.unseen), len(standing.rows))
    entries = {entry.id: entry for entry in standing.entries}
    for identifier in sorted(entries.keys() | standing.rows.keys()):
        entry, row = entries.get(identifier), standing.rows.get(identifier)
        if entry is None and row is not None:
            words = f"row {identifier}: no document of the edition has it, and search finds it; {REBUILD}"
            yield _error("row-unknown", row.key, words)
        elif entry is not None and row is None:
            words = f"row {identifier}: the document is published, and search does not find it; {REBUILD}"
            yield _error("row-missing", entry.key, words)
        elif entry is not None and row is not None and entry.row != row:
            words = f"row {identifier}: {', '.join(_differing(entry.row, row))} not as published; {REBUILD}"
            yield _error("row-differs", entry.key, words)


def _differing(wanted: Row, found: Row) -> Iterator[str]:
    parts = {
        "page": (wanted.content, found.content),
        "address": (wanted.key, found.key),
        "readers": (wanted.readers, found.readers),
        "metadata": ((wanted.metadata, wanted.source), (found.metadata, found.source)),
    }
    return (part for part, (before, after) in parts.items() if before != after)


def _former_publications(standing: Standing) -> Iterator[Finding]:
    for digest, manifest in standing.kept.items():
        key = f"{standing.manifest.edition.folder}/manifests"
        if manifest is None:
            words = f"the former publication {digest[:12]}… has lost its manifest; {NO_MATTER}"
            yield _warning("former-publication-broken", key, words)
            continue
        lost = [each for each, size in manifest.objects.items() if standing.stored.get(each) != size]
        if lost:
            words = f"the former publication {digest[:12]}… has lost {len(lost)} of its objects; {NO_MATTER}"
            yield _warning("former-publication-broken", manifest.key, words)


def _unfinished(standing: Standing) -> Iterator[Finding]:
    folder = standing.manifest.edition.folder
    if standing.index_of != standing.manifest.digest:
        words = f"the index page is not that of the current publication; {RELEASE}"
        yield _warning("index-page-outdated", f"{folder}/index.html", words)
    if standing.is_narrowed:
        words = f"readers were taken away, and nothing was published since; {RELEASE}"
        yield _warning("release-unfinished", f"{folder}/current.json", words)
    kept = [standing.manifest, *(each for each in standing.kept.values() if each is not None)]
    loose = len(sweepable(standing.manifest.edition, standing.stored, kept))
    if loose:
        words = f"{loose} objects belong to no publication that is kept; the next one sweeps them"
        yield _warning("release-unfinished", folder, words)


def _error(rule: str, key: str, words: str) -> Finding:
    return Finding(rule, Severity.ERROR, Place(key), words)


def _warning(rule: str, key: str, words: str) -> Finding:
    return Finding(rule, Severity.WARNING, Place(key), words)
