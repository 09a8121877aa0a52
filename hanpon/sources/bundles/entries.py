"""Entries of hanpon.yaml as they stand, for checks that must bear with any of their fields being wrong."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hanpon.contracts.editions import EVERY_VERSION
from hanpon.contracts.findings import Place
from hanpon.sources.bundles.expectations import keys_of_kind, kind_of
from hanpon.sources.bundles.shape import BUNDLE_FILE
from hanpon.sources.texts.text_problems import shown
from schemas import load

MOST_ITEMS: int = load("bundle")["properties"]["items"]["maxItems"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One raw item. Where its kind is unknown, it may have the keys of any."""

    index: int
    raw: dict[str, Any]
    line: int

    @property
    def place(self) -> Place:
        return Place(BUNDLE_FILE, f"/items/{self.index}", self.line)

    @property
    def kind(self) -> str:
        """ "" where it is unknown."""
        return kind_of(self.raw)

    @property
    def version(self) -> str:
        """The version, `ALL` where the entry has none, "" where it is wrong."""
        return self.text("version") if "version" in self.raw else EVERY_VERSION

    def text(self, *keys: str) -> str:
        """The text at a key, or at a key of the mapping at a key; "" where there is none."""
        value: Any = self.raw
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        return value if isinstance(value, str) and keys[0] in keys_of_kind(self.kind) else ""

    def texts(self, key: str) -> Iterator[tuple[Place, str]]:
        """The text or the texts of the list at a key, with their places."""
        value = self.raw.get(key) if key in keys_of_kind(self.kind) else None
        if isinstance(value, str):
            yield self.place.child(key), value
        elif isinstance(value, list):
            yield from (
                (self.place.child(key, index), each) for index, each in enumerate(value) if isinstance(each, str)
            )

    def __str__(self) -> str:
        version = "" if self.version in {"", EVERY_VERSION} else f"@{self.version}"
        return f"{shown(self.text('name') + version)} in line {self.line}"


def entries_of(raw: Any, lines: dict[str, int]) -> list[Entry]:
    """The entries of a raw bundle that are mappings, as far as the schema lets there be; `lines` by pointer."""
    items = raw.get("items") if isinstance(raw, dict) else None
    return [
        Entry(index, item, lines.get(f"/items/{index}", 0))
        for index, item in enumerate(items[:MOST_ITEMS] if isinstance(items, list) else [])
        if isinstance(item, dict)
    ]
