"""An edition as printed: the manifest with the bytes of everything it names."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from hanpon.contracts.digests import canonical_json, digest_of, short
from hanpon.contracts.documents import Document
from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.contracts.manifests import Entry, Manifest, ObjectRef
from hanpon.contracts.names import Inventory
from hanpon.contracts.writings import Image


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredObject:
    """Bytes and the media type they are stored with."""

    data: bytes
    media_type: str


JSON = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedEdition:
    """A manifest and the objects it names, by key."""

    manifest: Manifest
    objects: Mapping[str, StoredObject]


def print_edition(
    documents: Iterable[Document],
    inventory: Inventory,
    *,
    images: Iterable[Image] = (),
    inputs: Mapping[str, str],
    definition: tuple[str, ...] = (),
    settings: str,
    recipe: Mapping[str, int],
    findings: tuple[Finding, ...],
) -> PrintedEdition:
    """Gather an edition. Independent of the order in which documents come.

    Raises InvalidInput where two documents share an id or one has no readers; nothing was written then.
    """
    ordered = sorted(documents, key=lambda document: document.id)
    _refuse_clashes(ordered)
    _refuse_unreadable(ordered)
    names = canonical_json(inventory.as_record())
    edition = inventory.edition
    digest = digest_of(names)
    listed = ObjectRef(f"{edition.folder}/inventory/{short(digest)}.json", digest, len(names))
    shown = {f"{edition.folder}/assets/{image.name}": image for image in images}
    manifest = Manifest(
        edition=edition,
        inputs=inputs,
        definition=definition,
        settings=settings,
        recipe=recipe,
        inventory=listed,
        names=len(inventory.names),
        entries=tuple(Entry.of(document) for document in ordered),
        assets=tuple(ObjectRef(key, image.digest, len(image.data)) for key, image in sorted(shown.items())),
        findings=findings,
    )
    objects = {
        entry.key: StoredObject(data=document.content, media_type=document.media_type)
        for entry, document in zip(manifest.entries, ordered, strict=True)
    }
    objects |= {key: StoredObject(data=image.data, media_type=image.media_type) for key, image in shown.items()}
    objects[listed.key] = StoredObject(data=names, media_type=JSON)
    objects[manifest.key] = StoredObject(data=manifest.content, media_type=JSON)
    return PrintedEdition(manifest=manifest, objects=objects)


def _refuse_clashes(ordered: list[Document]) -> None:
    clashes = [
        _problem("id-clash", second, f"has the id of {first.metadata.source} ({first.id}); rename one of the two")
        for first, second in pairwise(ordered)
        if first.id == second.id
    ]
    if clashes:
        raise InvalidInput(clashes)


def _refuse_unreadable(ordered: list[Document]) -> None:
    unreadable = [
        _problem("no-readers", document, "has no readers, so it cannot be published; name some in hanpon.yaml")
        for document in ordered
        if not document.readers
    ]
    if unreadable:
        raise InvalidInput(unreadable)


def _problem(rule: str, document: Document, words: str) -> Finding:
    file, _, pointer = document.metadata.source.partition("#")
    return Finding(rule, Severity.ERROR, Place(file, pointer), f"{document.metadata.section} {words}")
