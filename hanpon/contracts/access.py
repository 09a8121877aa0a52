"""Access: who may see each file of an item, and which API and version it holds for."""

from collections.abc import Mapping
from dataclasses import dataclass, field

EVERYONE = "all"
"""The principal that everybody in the identity provider is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What is granted for one file. `readers` are sorted principals, never empty."""

    readers: tuple[str, ...]
    api: str
    api_version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Grants by file. A file without one is not published, and nobody keeps access to what was made of it.

    Without an access file every file of an item has the `common` grant of the item.
    """

    common: Grant | None = None
    by_file: Mapping[str, Grant] = field(default_factory=dict)

    def of(self, file: str) -> Grant | None:
        """The grant of a bundle-relative file, None where nobody may see it."""
        return self.common if self.common is not None else self.by_file.get(file)
