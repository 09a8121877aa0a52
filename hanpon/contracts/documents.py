"""A document: one page in the search index, with its metadata and readers, and where it came from."""

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from hanpon.contracts.digests import digest_of, digest_of_json, short
from hanpon.contracts.editions import Edition
from hanpon.contracts.findings import Finding

DocType = Literal["api_spec", "lib_doc", "guideline", "design", "qa"]

HTML = "text/html; charset=utf-8"

MAX_ID = 63
"""Vertex AI Search: `[a-z0-9][a-z0-9-_]*`, at most 63 characters (RFC 1034)."""

MAX_SLUG = 80
"""Characters of a page's name before its digest: readable in a list, far from the 255 bytes that a disk takes."""

_UNREADABLE = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """What every document carries, so that every filter works on every document; "" where it does not apply.

    Nothing here depends on another edition, the run or the machine.
    """

    title: str
    doc_type: DocType
    api: str
    api_version: str
    version_rank: int
    superseded: Literal["true", "false"] = "false"
    deprecated: Literal["true", "false"] = "false"
    owner: str
    language: str
    section: str
    method: str = ""
    path: str = ""
    operation_id: str = ""
    tags: tuple[str, ...] = ()
    groups: tuple[str, ...]
    source: str
    """Bundle-relative file and JSON Pointer or heading trail: `a/openapi.yaml#/paths/~1x/get`. No line."""

    def as_record(self) -> dict[str, Any]:
        """The `metadata` of `schemas/document.schema.json`."""
        return {
            "title": self.title,
            "doc_type": self.doc_type,
            "api": self.api,
            "api_version": self.api_version,
            "version_rank": self.version_rank,
            "superseded": self.superseded,
            "deprecated": self.deprecated,
            "owner": self.owner,
            "language": self.language,
            "section": self.section,
            "method": self.method,
            "path": self.path,
            "operation_id": self.operation_id,
            "tags": list(self.tags),
            "groups": list(self.groups),
            "source": self.source,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One page. `slug` is unique in its edition and depends on the logical path alone, as the id does."""

    id: str
    slug: str
    edition: Edition
    metadata: Metadata
    readers: tuple[str, ...]
    content: bytes
    media_type: str = HTML
    extension: str = "html"
    position: int = 0
    """Its place in reading order among the documents of its edition, for lists; in no digest of the document."""
    content_digest: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        # asked for by its key and by every record of it, and a page may have megabytes
        object.__setattr__(self, "content_digest", digest_of(self.content))

    @property
    def metadata_digest(self) -> str:
        return digest_of_json(self.metadata.as_record())

    @property
    def access_digest(self) -> str:
        return digest_of_json(list(self.readers))

    @property
    def key(self) -> str:
        """Where its page stands in storage."""
        return f"{self.edition.folder}/pages/{self.slug}.{short(self.content_digest)}.{self.extension}"


@dataclass(frozen=True, slots=True)
class Rendered:
    """The documents of a source, and what of it is on none of them, or not where a reader would look."""

    documents: tuple[Document, ...]
    findings: tuple[Finding, ...] = ()


def identify(edition: Edition, doc_type: DocType, logical_path: str) -> tuple[str, str]:
    """The id and the slug of a document.

    Both end in 16 hex digits of a hash of (doc_type, name, version, logical path), so two logical paths never
    meet whatever their readable parts are; neither depends on content or order. The id matches
    `[a-z][a-z0-9_-]{0,62}`; the slug is lower-case ASCII letters, digits and hyphens, at most `MAX_SLUG` characters.
    """
    hashed = short(digest_of_json([doc_type, edition.name, edition.version, logical_path]))
    readable = _readable(logical_path)
    head = _head(edition)
    room = MAX_ID - len(head) - len(hashed) - 2
    middle = readable[:room].strip("-")
    identifier = "-".join(part for part in (head.strip("-"), middle, hashed) if part)
    slug = "-".join(part for part in (readable[: MAX_SLUG - len(hashed) - 1].strip("-"), hashed) if part)
    return identifier, slug


@lru_cache(maxsize=1 << 8)
def _head(edition: Edition) -> str:
    parts = (str(edition.kind), _readable(edition.name)[:14], _readable(edition.version)[:10])
    return "-".join(part for part in parts if part)


def _readable(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return _UNREADABLE.sub("-", text.lower()).strip("-")
