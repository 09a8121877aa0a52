"""What a data store holds: its settings, its schema, and each document in all versions that search may still show."""

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tests.cloud.discovery_engine.callers import Reader
from tests.cloud.discovery_engine.messages import Json
from tests.cloud.discovery_engine.page_text import Excluded
from tests.cloud.discovery_engine.words import words

BRANCH = "0"


@dataclass(frozen=True)
class Body:
    """The content of a document, as it was copied when it was imported."""

    uri: str
    mime_type: str
    title: str
    chunks: tuple[str, ...]

    @cached_property
    def counted(self) -> tuple[Counter[str], ...]:
        """The words of each chunk."""
        return tuple(Counter(words(chunk)) for chunk in self.chunks)


@dataclass(frozen=True)
class Version:
    """A document as one import left it; `filterable` are the fields that filters could name then."""

    struct: Json
    json_form: bool
    body: Body | None
    access: Json
    readers: tuple[Reader, ...]
    filterable: frozenset[str]
    imported: float
    searchable: float

    @cached_property
    def counted(self) -> Counter[str]:
        """The words of the metadata's texts and of all chunks."""
        own = Counter(words(" ".join(texts(self.struct))))
        return sum(self.body.counted, own) if self.body is not None else own


@dataclass
class HeldDocument:
    """A document with its versions, oldest first; `gone` is when it ceases to be shown, once it is purged."""

    id: str
    versions: list[Version]
    gone: float | None = None

    @property
    def latest(self) -> Version:
        return self.versions[-1]

    def indexed(self, now: float) -> Version | None:
        """The version that search knows."""
        return next((each for each in reversed(self.versions) if each.searchable <= now), None)


@dataclass
class DataStore:
    """A store; `settings` is its message without the name, `provider` the identity provider when it was made."""

    id: str
    settings: Json
    schema: Json | None
    provider: str
    documents: dict[str, HeldDocument] = field(default_factory=dict)

    @property
    def access_controlled(self) -> bool:
        return bool(self.settings.get("aclEnabled"))

    @property
    def takes_content(self) -> bool:
        return self.settings.get("contentConfig") in {"CONTENT_REQUIRED", "GOOGLE_WORKSPACE"}

    @property
    def chunking(self) -> Json | None:
        """The settings of layout-based chunking, or None where the store does not chunk."""
        processing = self.settings.get("documentProcessingConfig", {})
        found: Json | None = processing.get("chunkingConfig", {}).get("layoutBasedChunkingConfig")
        return found

    @property
    def layout(self) -> Json | None:
        """The settings of the layout parser for HTML, or None where another parser reads it."""
        processing = self.settings.get("documentProcessingConfig", {})
        parser = processing.get("parsingConfigOverrides", {}).get("html", processing.get("defaultParsingConfig", {}))
        found: Json | None = parser.get("layoutParsingConfig")
        return found

    @property
    def excluded(self) -> Excluded:
        """What the layout parser leaves out of HTML."""
        layout = self.layout or {}
        keys = ("excludeHtmlElements", "excludeHtmlClasses", "excludeHtmlIds")
        return Excluded(*(frozenset(layout.get(key, [])) for key in keys))

    def shown(self, now: float) -> list[HeldDocument]:
        """The documents that are there, in order of id."""
        return [each for _, each in sorted(self.documents.items()) if each.gone is None or each.gone > now]

    def inner_name(self, document_id: str) -> str:
        """A document's name within its collection."""
        return f"dataStores/{self.id}/branches/{BRANCH}/documents/{document_id}"


def texts(value: Any) -> list[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for each in inner for text in texts(each)]
