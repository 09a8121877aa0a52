"""The inventory: the names that exist in an edition. It is made by machine from the definition or the code."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from hanpon.contracts.editions import Edition

NameKind = Literal["path", "webhook", "callback", "function"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """One name. A path's is `GET /customers/{id}`: method in capitals, one space, the path as written."""

    kind: NameKind
    name: str
    deprecated: bool = False
    operation_id: str = ""
    document: str = ""
    """Id of the document that describes it; "" where there is none of its own (a callback)."""

    def as_record(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "name": self.name,
            "deprecated": self.deprecated,
            "operation_id": self.operation_id,
            "document": self.document,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Name":
        """Raises KeyError or TypeError where the record is none of a name; values are taken as they are."""
        return cls(
            kind=record["kind"],
            name=record["name"],
            deprecated=record["deprecated"],
            operation_id=record["operation_id"],
            document=record["document"],
        )


@dataclass(frozen=True, slots=True)
class Inventory:
    """Every name of an edition, sorted by kind and name."""

    edition: Edition
    names: tuple[Name, ...] = ()

    def as_record(self) -> dict[str, Any]:
        """The record of `schemas/inventory.schema.json`."""
        return {
            "name": self.edition.name,
            "version": self.edition.version,
            "names": [name.as_record() for name in self.names],
        }

    @classmethod
    def from_records(cls, edition: Edition, records: Iterable[Mapping[str, Any]]) -> "Inventory":
        """The inventory of an edition from the `names` of its record. Raises as `Name.from_record`."""
        return cls(edition, tuple(Name.from_record(record) for record in records))
