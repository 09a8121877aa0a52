"""What is there of an edition: pointer, manifest, objects, rows. Only reads."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress

from hanpon.contracts.digests import digest_of
from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.errors import Missing, Unavailable, UsageError
from hanpon.contracts.manifests import Manifest, manifest_key
from hanpon.contracts.ports import Datastore, StorageView
from hanpon.contracts.publications import Pointer
from hanpon.releases.plan import Found

MANIFEST_OF_INDEX = re.compile(rb'<meta name="manifest" content="([0-9a-f]{64})" data-recipe="([0-9]+)">')
END_OF_INDEX = b"</html>"

POINTER_DEPTH = 4
"""Parts of the key of a pointer: kind, name, version, `current.json`."""


def survey(edition: Edition, storage: StorageView, datastore: Datastore) -> Found:
    """Everything a plan is made against. Raises Unavailable where the pointer cannot be understood."""
    pointer, token = fetch_pointer(edition, storage)
    manifest = read_manifest(edition, pointer.manifest, storage) if pointer else None
    damaged = [manifest_key(edition, pointer.manifest)] if pointer and manifest is None else []
    if manifest and not _is_sound(manifest.inventory.key, manifest.inventory.digest, storage):
        damaged.append(manifest.inventory.key)
    objects = storage.list(f"{edition.folder}/")
    return Found(
        pointer=pointer,
        token=token,
        manifest=manifest,
        damaged=pointer is not None and manifest is None,
        objects={key: size for key, size in objects.items() if key not in damaged},
        rows=datastore.rows(edition),
        index_of=index_of(edition, storage),
    )


def pointer_key(edition: Edition) -> str:
    return f"{edition.folder}/current.json"


def index_key(edition: Edition) -> str:
    return f"{edition.folder}/index.html"


def read_pointer(edition: Edition, storage: StorageView) -> Pointer | None:
    """The current pointer, or None where the edition is not published. Raises Unavailable as `survey` does."""
    return fetch_pointer(edition, storage)[0]


def fetch_pointer(edition: Edition, storage: StorageView) -> tuple[Pointer | None, str | None]:
    """The same with the token that a conditional write of it needs."""
    stored = storage.fetch(pointer_key(edition))
    return (_pointer(edition, stored.data, storage), stored.token) if stored else (None, None)


def _pointer(edition: Edition, data: bytes, storage: StorageView) -> Pointer:
    try:
        return Pointer.from_record(json.loads(data))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        place = f"{storage.address}/{pointer_key(edition)}"
        raise Unavailable(
            f"{place}: expected the record that says which manifest of {edition} is current, found something else "
            f"({error}); put the file back from a copy, or remove it and release again"
        ) from error


def read_manifest(edition: Edition, digest: str, storage: StorageView) -> Manifest | None:
    """The manifest of a digest, or None where its object is gone, is not what its name says, or is another edition's.

    A folder that somebody copied must not pass for an edition: its documents have the ids of the original.
    """
    try:
        data = storage.read(manifest_key(edition, digest))
        manifest = Manifest.from_bytes(data) if digest_of(data) == digest else None
    except (Missing, ValueError, KeyError, TypeError, RecursionError):
        return None
    return manifest if manifest is not None and manifest.edition == edition else None


def _is_sound(key: str, digest: str, storage: StorageView) -> bool:
    try:
        return digest_of(storage.read(key)) == digest
    except Missing:
        return False


def index_of(edition: Edition, storage: StorageView) -> str:
    """The manifest that the index page was made from, "" where it is not whole or made by another recipe."""
    try:
        page = storage.read(index_key(edition))
    except Missing:
        return ""
    from renderers.edition_index import RECIPE  # noqa: PLC0415  with all that renders; help asks for none of it

    found = MANIFEST_OF_INDEX.search(page)
    if found is None or int(found.group(2)) != RECIPE or not page.rstrip().endswith(END_OF_INDEX):
        return ""
    return found.group(1).decode()


def published_editions(storage: StorageView) -> list[Edition]:
    """Every edition that has a pointer, sorted."""
    return sorted(edition for kind in Kind for edition in _published_below(f"{kind}/", storage))


def _published_below(prefix: str, storage: StorageView) -> Iterator[Edition]:
    for key in storage.list(prefix):
        parts = key.split("/")
        if len(parts) == POINTER_DEPTH and parts[-1] == "current.json":
            with suppress(ValueError):  # a folder that somebody else made there
                yield Edition(Kind(parts[0]), parts[1], parts[2])


def find_edition(name: str, version: str, storage: StorageView) -> Edition | None:
    """The published edition of a name and version. Raises UsageError for what can be none."""
    for edition in editions_named(name, version):
        if storage.fetch(pointer_key(edition)) is not None:
            return edition
    return None


def editions_named(name: str, version: str) -> list[Edition]:
    """The editions that a name and a version may mean, one for each kind; names are unique over kinds.

    Raises UsageError for what can be no name or no version.
    """
    try:
        return [Edition(kind, name, version) for kind in Kind]
    except ValueError as error:
        raise UsageError(str(error)) from error


def unknown_edition(name: str, version: str, storage: StorageView) -> str:
    """Why there is nothing under a name and version, with the versions that there are."""
    versions = sorted({each.version for kind in Kind for each in _published_below(f"{kind}/{name}/", storage)})
    if versions:
        return f"nothing is published under {name}@{version}; published versions of {name}: {', '.join(versions)}"
    return f"nothing is published under the name {name} in {storage.address}"
