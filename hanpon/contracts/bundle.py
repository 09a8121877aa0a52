"""A bundle: what a team releases. Items come out of `sources/bundles` checked and with defaults filled in."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

from hanpon.contracts.digests import digest_of_json
from hanpon.contracts.editions import EVERY_VERSION, Edition, Kind
from hanpon.contracts.findings import Place

Language = Literal["ja", "en"]

Dialect = Literal["gfm", "mkdocs", ""]
"""Of Markdown; "" where the item does not say, so that an `mkdocs.yml` beside a file decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One entry of `hanpon.yaml`.

    `readers` are principals (`group:…`, `user:…`, `all`), sorted, never empty unless an `access` file replaces
    them. `files` are bundle-relative paths in sorted order, patterns already expanded. `version` is
    `EVERY_VERSION` where the entry has none.
    """

    kind: Kind
    name: str
    version: str = EVERY_VERSION
    title: str
    aliases: tuple[str, ...] = ()
    owner: str = ""
    readers: tuple[str, ...]
    language: Language
    place: Place
    """Where the entry stands in hanpon.yaml."""

    @property
    def edition(self) -> Edition:
        return Edition(self.kind, self.name, self.version)

    @property
    def settings_digest(self) -> str:
        """Digest of everything in hanpon.yaml that this edition's documents depend on."""
        said = asdict(self)
        del said["place"]
        return digest_of_json(said)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiItem(Item):
    """An API: its definition's root file, its README files, and whether `x-internal` operations are printed."""

    definition: str
    readme: tuple[str, ...] = ()
    internal: Literal["show", "hide"] = "show"
    markdown: Dialect = ""
    encoding: str = "utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """Where a component's source code stands."""

    language: str
    path: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentItem(Item):
    """A shared library: READMEs and, where it is given, its code."""

    readme: tuple[str, ...] = ()
    code: Code | None = None
    markdown: Dialect = ""
    encoding: str = "utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesItem(Item):
    """A guideline, a set of design documents or of past answers: files, and what they hold for."""

    files: tuple[str, ...]
    api: str
    api_version: str
    markdown: Dialect = ""
    access: str = ""
    encoding: str = "utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """A whole, checked bundle. `items` are in the order of the file."""

    items: tuple[Item, ...]
    link_base: str = ""
    ledger: str = ""
    raw: dict[str, Any]
    """hanpon.yaml as read, for those who check it against its schema."""

    @property
    def claimed(self) -> frozenset[str]:
        """The files that its guidelines, designs and answers are made of."""
        return frozenset(file for item in self.items if isinstance(item, FilesItem) for file in item.files)
