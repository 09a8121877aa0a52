"""Looking up what is published, from storage, with the operator's rights."""

import json
from typing import Any

from hanpon.contracts.digests import digest_of
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import Unavailable, UsageError
from hanpon.contracts.manifests import Entry, Manifest, manifest_key
from hanpon.contracts.ports import StorageView
from hanpon.contracts.publications import Pointer
from hanpon.releases.access import served
from hanpon.runs.survey import find_edition, read_manifest, read_pointer, unknown_edition


def current_documents(name: str, version: str, storage: StorageView) -> tuple[Entry, ...]:
    """The published documents with the readers that they have. Raises UsageError where nothing is published so."""
    pointer, manifest = _current(name, version, storage)
    return served(manifest.entries, pointer.narrowed)


def current_names(name: str, version: str, storage: StorageView) -> dict[str, Any]:
    """The inventory record that is current. Raises as `current_documents`."""
    _, manifest = _current(name, version, storage)
    data = storage.read(manifest.inventory.key)
    if digest_of(data) != manifest.inventory.digest:
        raise Unavailable(f"{storage.address}/{manifest.inventory.key}: the inventory is damaged; release again")
    record: dict[str, Any] = json.loads(data)
    return record


def _current(name: str, version: str, storage: StorageView) -> tuple[Pointer, Manifest]:
    edition = _published(name, version, storage)
    for _ in range(2):  # a publication and its sweep may come between the two reads
        pointer = read_pointer(edition, storage)
        manifest = read_manifest(edition, pointer.manifest, storage) if pointer else None
        if pointer and manifest:
            return pointer, manifest
    key = manifest_key(edition, pointer.manifest) if pointer else edition.folder
    raise Unavailable(f"{storage.address}/{key}: the manifest is gone or damaged; release {edition} again")


def _published(name: str, version: str, storage: StorageView) -> Edition:
    edition = find_edition(name, version, storage)
    if edition is None:
        raise UsageError(unknown_edition(name, version, storage))
    return edition
