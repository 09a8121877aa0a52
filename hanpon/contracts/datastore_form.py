"""The form of a store of Vertex AI Search: what is decided when it is made, and cannot or should not change later."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from hanpon.contracts.filters import NUMBER_FIELDS, TEXT_FIELDS

SMALLEST_CHUNK, LARGEST_CHUNK = 100, 500
"""Tokens of a piece that the service cuts."""

MOST_INDEXABLE, MOST_RETRIEVABLE = 50, 30
"""Fields of a schema that may be filtered by, and that may come back with a hit (its pages say 30 and 50)."""

CONTENT_DIGEST = "content_sha256"
"""Field of a row for the sha256 of its page: comes back with the row, and is not filtered by."""

LISTS = frozenset({"tags", "groups"})
"""Fields that hold several texts."""

Access = Literal["enforced", "filtered"]
"""Who keeps a document from those who may not read it: the store itself, or the backend that writes the filter."""

ENFORCED: Access = "enforced"
FILTERED: Access = "filtered"


def wanted_schema() -> dict[str, Any]:
    """The schema that every store of hanpon has, in JSON Schema 2020-12 with the keywords of the service.

    All fields are declared, and none is ever guessed from a document: a guessed type stays for ever.
    """
    filtered: dict[str, Any] = {"indexable": True, "retrievable": True}
    fields: dict[str, Any] = {
        name: {"type": "array", "items": {"type": "string", **filtered}}
        if name in LISTS
        else {"type": "string", **filtered}
        for name in TEXT_FIELDS
    }
    fields["title"] = {"type": "string", "keyPropertyMapping": "title", "retrievable": True}
    fields |= {name: {"type": "integer", **filtered} for name in NUMBER_FIELDS}
    fields[CONTENT_DIGEST] = {"type": "string", "retrievable": True}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "dynamic": "false",
        "datetime_detection": False,
        "geolocation_detection": False,
        "properties": fields,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class DatastoreForm:
    """What is decided for a store. `chunk_size` is in tokens, 0 where documents are not cut into pieces.

    `display_name` is for people and may be changed at any time. Parsers are `layout`, `digital` or `ocr`;
    `default_parser` is that of all types but HTML.
    """

    project: str
    location: str
    data_store: str
    display_name: str
    vertical: str = "GENERIC"
    content_config: str = "CONTENT_REQUIRED"
    access_control: bool
    html_parser: str = "layout"
    default_parser: str = "digital"
    chunk_size: int
    ancestor_headings: bool = True
    schema: Mapping[str, Any]

    @classmethod
    def wanted(cls, project: str, location: str, data_store: str, *, access: str, chunk_size: int) -> "DatastoreForm":
        """The form that the settings want of a store."""
        return cls(
            project=project,
            location=location,
            data_store=data_store,
            display_name=f"hanpon {data_store}",
            access_control=access == ENFORCED,
            chunk_size=chunk_size,
            schema=wanted_schema(),
        )

    @property
    def address(self) -> str:
        """The store as settings name it."""
        return f"vertex://{self.project}/{self.location}/{self.data_store}"

    def as_record(self) -> dict[str, Any]:
        """The record of `schemas/datastore-form.schema.json`."""
        return {
            "project": self.project,
            "location": self.location,
            "data_store": self.data_store,
            "display_name": self.display_name,
            "vertical": self.vertical,
            "content_config": self.content_config,
            "access_control": self.access_control,
            "html_parser": self.html_parser,
            "default_parser": self.default_parser,
            "chunk_size": self.chunk_size,
            "ancestor_headings": self.ancestor_headings,
            "schema": dict(self.schema),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that a store has otherwise than it is wanted.

    `changeable`: it can be pushed, and every document is indexed anew. `advice` says which setting takes the store
    as it is; "" where none does.
    """

    what: str
    wanted: str
    found: str
    changeable: bool = False
    advice: str = ""

    def __str__(self) -> str:
        """A sentence without its end."""
        fate = "can be pushed" if self.changeable else "can never be changed"
        advice = f"; {self.advice}" if self.advice else ""
        return f"{self.what}: {self.wanted} wanted, {self.found} found ({fate}{advice})"

    def as_record(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "wanted": self.wanted,
            "found": self.found,
            "changeable": self.changeable,
            "advice": self.advice,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreDescription:
    """A store beside what is wanted of it.

    `wanted` is None where there is nothing to decide, `found` where the store does not exist. `identity_provider`
    says where readers are looked up, "" where none is set up. `steps` are what making it would do, in words.
    """

    address: str
    wanted: DatastoreForm | None = None
    found: DatastoreForm | None = None
    identity_provider: str = ""
    differences: tuple[Difference, ...] = ()
    steps: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """2 where the store can never become what is wanted."""
        return 2 if any(not difference.changeable for difference in self.differences) else 0

    def as_record(self) -> dict[str, Any]:
        """The `description` of `schemas/datastore-form.schema.json`."""
        return {
            "address": self.address,
            "wanted": self.wanted and self.wanted.as_record(),
            "found": self.found and self.found.as_record(),
            "identity_provider": self.identity_provider,
            "differences": [difference.as_record() for difference in self.differences],
            "steps": list(self.steps),
        }
