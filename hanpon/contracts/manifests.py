"""The manifest: everything an edition consists of, with digests. Immutable, named by its own digest."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from hanpon.contracts.digests import canonical_json, digest_of, digest_of_json, short
from hanpon.contracts.documents import Document
from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.findings import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A document as the manifest keeps it: all but its bytes."""

    id: str
    key: str
    media_type: str
    size: int
    content_digest: str
    metadata: Mapping[str, Any]
    metadata_digest: str
    readers: tuple[str, ...]
    access_digest: str
    position: int = 0

    @property
    def row(self) -> "Row":
        """The row that the datastore should have of it."""
        return Row(self.key, self.content_digest, self.metadata_digest, self.readers, source_in(self.metadata))

    def with_readers(self, readers: tuple[str, ...]) -> "Entry":
        """The same document for these readers alone, in its access and in its metadata's `groups`."""
        if readers == self.readers:
            return self
        metadata = {**self.metadata, "groups": list(readers)}
        return replace(
            self,
            metadata=metadata,
            metadata_digest=digest_of_json(metadata),
            readers=readers,
            access_digest=digest_of_json(list(readers)),
        )

    def as_record(self) -> dict[str, Any]:
        """The record of `schemas/document.schema.json`."""
        return {
            "id": self.id,
            "key": self.key,
            "media_type": self.media_type,
            "bytes": self.size,
            "sha256": self.content_digest,
            "metadata": dict(self.metadata),
            "metadata_sha256": self.metadata_digest,
            "readers": list(self.readers),
            "access_sha256": self.access_digest,
            "position": self.position,
        }

    @classmethod
    def of(cls, document: Document) -> "Entry":
        return cls(
            id=document.id,
            key=document.key,
            media_type=document.media_type,
            size=len(document.content),
            content_digest=document.content_digest,
            metadata=document.metadata.as_record(),
            metadata_digest=document.metadata_digest,
            readers=document.readers,
            access_digest=document.access_digest,
            position=document.position,
        )

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Entry":
        """Raises KeyError or TypeError where the record is none of an entry; values are taken as they are."""
        return cls(
            id=record["id"],
            key=record["key"],
            media_type=record["media_type"],
            size=record["bytes"],
            content_digest=record["sha256"],
            metadata=record["metadata"],
            metadata_digest=record["metadata_sha256"],
            readers=tuple(record["readers"]),
            access_digest=record["access_sha256"],
            position=record.get("position", 0),  # hanpon 0.1 did not write it
        )


@dataclass(frozen=True, slots=True)
class Row:
    """What tells whether a row of the datastore is the one that is wanted: digests, and who may see it."""

    key: str
    content: str
    metadata: str
    readers: tuple[str, ...]
    source: str
    """Where in the bundle it comes from, as its metadata says; "" where the row is damaged."""


def source_in(metadata: Mapping[str, Any]) -> str:
    """The `source` of a document; "" where there is none."""
    source = metadata.get("source")
    return source if isinstance(source, str) else ""


def file_of(metadata: Mapping[str, Any]) -> str:
    """The bundle-relative file in a document's `source`, for people: a name with a `#` is cut there."""
    return source_in(metadata).partition("#")[0]


@dataclass(frozen=True, slots=True)
class ObjectRef:
    """A stored object that is no page: the inventory, an image."""

    key: str
    digest: str
    size: int

    def as_record(self) -> dict[str, Any]:
        return {"key": self.key, "sha256": self.digest, "bytes": self.size}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "ObjectRef":
        """Raises as `Entry.from_record`."""
        return cls(record["key"], record["sha256"], record["bytes"])


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """An edition, whole. Entries are in order of id. No clock, no run, no machine in it.

    `inputs` (what stood at every path that reading led to), `settings` (digest of what hanpon.yaml says) and `recipe`
    (a hand-raised integer per renderer) tell a later run that nothing needs to be parsed: all equal, all equal.
    """

    edition: Edition
    inputs: Mapping[str, str]
    definition: tuple[str, ...] = ()
    """Those of the inputs that are files of the API's definition, in order; the full validator judged them."""
    settings: str
    recipe: Mapping[str, int]
    inventory: ObjectRef
    names: int
    """How many names the inventory lists."""
    entries: tuple[Entry, ...]
    assets: tuple[ObjectRef, ...] = ()
    """Images that pages show, in order of key."""
    findings: tuple[Finding, ...] = ()
    stored: bytes = field(default=b"", compare=False, repr=False)
    """The bytes it was read from, if it was: its digest is theirs, whatever a later hanpon would write."""

    def as_record(self) -> dict[str, Any]:
        """The record of `schemas/manifest.schema.json`."""
        return {
            **self.edition.as_address(),
            "inputs": dict(sorted(self.inputs.items())),
            "definition": list(self.definition),
            "settings": self.settings,
            "recipe": dict(sorted(self.recipe.items())),
            "inventory": {**self.inventory.as_record(), "names": self.names},
            "documents": [entry.as_record() for entry in self.entries],
            "assets": [asset.as_record() for asset in self.assets],
            "findings": [finding.as_record() for finding in self.findings],
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Manifest":
        """Raises KeyError, TypeError or ValueError where the record is none of a manifest.

        Values are taken as they are: it is the digest that says whether a manifest is whole, so it is compared first.
        """
        inventory = record["inventory"]
        return cls(
            edition=Edition(Kind(record["kind"]), record["name"], record["version"]),
            inputs=record["inputs"],
            definition=tuple(record.get("definition", ())),
            settings=record["settings"],
            recipe=record["recipe"],
            inventory=ObjectRef.from_record(inventory),
            names=inventory["names"],
            entries=tuple(Entry.from_record(entry) for entry in record["documents"]),
            assets=tuple(ObjectRef.from_record(asset) for asset in record.get("assets", ())),
            findings=tuple(Finding.from_record(finding) for finding in record["findings"]),
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> "Manifest":
        """The manifest that these bytes hold, which stays named by their digest. Raises as `from_record`."""
        return replace(cls.from_record(json.loads(data)), stored=data)

    @cached_property
    def content(self) -> bytes:
        """The bytes that storage keeps of it."""
        return self.stored or canonical_json(self.as_record())

    @cached_property
    def digest(self) -> str:
        return digest_of(self.content)

    @property
    def key(self) -> str:
        return manifest_key(self.edition, self.digest)

    @property
    def objects(self) -> dict[str, int]:
        """Every object that this edition needs, by key, with its size in bytes; the manifest itself included."""
        return {
            self.key: len(self.content),
            self.inventory.key: self.inventory.size,
            **{entry.key: entry.size for entry in self.entries},
            **{asset.key: asset.size for asset in self.assets},
        }

    @property
    def digests(self) -> dict[str, str]:
        """The sha256 that each of those objects must have, by key."""
        return {
            self.key: self.digest,
            self.inventory.key: self.inventory.digest,
            **{entry.key: entry.content_digest for entry in self.entries},
            **{asset.key: asset.digest for asset in self.assets},
        }

    def says_the_same_as(self, other: "Manifest | None") -> bool:
        """True where nobody could tell the two apart: same documents, names and findings, in whatever lines."""
        return (
            other is not None
            and self.entries == other.entries
            and self.inventory == other.inventory
            and self.assets == other.assets
            and set(self.findings) == set(other.findings)
        )


def manifest_key(edition: Edition, digest: str) -> str:
    """Where the manifest of this digest stands in storage."""
    return f"{edition.folder}/manifests/{short(digest)}.json"
