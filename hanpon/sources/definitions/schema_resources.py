"""Names that a file gives its own parts, and what they stand for.

They are `$id`, `$anchor`, `$dynamicAnchor` (JSON Schema 2020-12, section 8.2) and `$self` (OpenAPI 3.2, section
4.1.1).
"""

import re
from typing import Any
from urllib.parse import urldefrag, urljoin

from hanpon.sources.definitions.keyword_walk import mappings_of, pointer_of_chain

_KEYWORDS = re.compile(rb"\$(?:id|anchor|dynamicAnchor|self)")

_ROOT = "http://bundle.invalid/"
"""Stands for the bundle where addresses are joined (RFC 2606 keeps `.invalid` free); nothing is ever fetched."""


class SchemaResources:
    """The addresses of the parts of one file. `uris` maps absolute addresses to pointers."""

    def __init__(self, value: Any, file: str) -> None:
        own = value.get("$self") if isinstance(value, dict) else None
        self.address = join(_ROOT + file, own) if isinstance(own, str) else _ROOT + file
        self.uris: dict[str, str] = {self.address: ""}
        self._bases: dict[str, str] = {"": self.address}
        self._anchors: dict[tuple[str, str], str] = {}
        # a part is met before what stands in it, so its base is known by then
        for mapping, chain in mappings_of(value):
            if "$id" in mapping or "$anchor" in mapping or "$dynamicAnchor" in mapping:
                self._name(mapping, pointer_of_chain(chain))

    def _name(self, mapping: dict[str, Any], pointer: str) -> None:
        identifier = mapping.get("$id")
        if isinstance(identifier, str) and not identifier.startswith("#"):
            address = self.address_from(pointer, identifier)
            self.uris.setdefault(address, pointer)
            self._bases[pointer] = address
        for keyword in ("$anchor", "$dynamicAnchor"):
            name = mapping.get(keyword)
            if isinstance(name, str):
                self._anchors.setdefault((self.resource_of(pointer), name), pointer)

    def resource_of(self, pointer: str) -> str:
        """The pointer of the innermost part with an `$id` that a place is in; "" for the whole file."""
        while pointer not in self._bases:
            pointer = pointer.rpartition("/")[0]
        return pointer

    def address_from(self, pointer: str, address: str) -> str:
        """The absolute address that `address` means where it stands at `pointer`."""
        return join(self._bases[self.resource_of(pointer)], address)

    def anchor(self, resource: str, name: str) -> str | None:
        """The pointer of an anchor in the part with an `$id` at `resource`."""
        return self._anchors.get((resource, name))


def resources_of(value: Any, file: str, data: bytes) -> SchemaResources | None:
    """The names that a file gives its parts, or None where its bytes hold none of the keywords."""
    letters = data.replace(b"\0", b"")  # what UTF-16 puts between the letters of a keyword
    return SchemaResources(value, file) if _KEYWORDS.search(letters) else None


class Addresses:
    """What absolute addresses stand for, by the names that the files read so far give their parts."""

    def __init__(self) -> None:
        self._parts: dict[str, tuple[str, str]] = {}
        self._folders: dict[str, str] = {}

    def add(self, file: str, resources: SchemaResources) -> None:
        """Where two parts claim one address, the file that was read first has it."""
        for address, pointer in resources.uris.items():
            self._parts.setdefault(address, (file, pointer))
        if not resources.address.startswith(_ROOT):
            self._folders.setdefault(_folder(resources.address), _folder(file))

    def part(self, address: str) -> tuple[str, str] | None:
        """The file and pointer of the part that bears an address."""
        return self._parts.get(address)

    def path(self, address: str) -> str | None:
        """The bundle path of an address in or below the folder of a file's `$self`, as if both were one tree."""
        folder = _folder(address)
        while folder:
            if folder in self._folders:
                return self._folders[folder] + address.removeprefix(folder)
            folder = _folder(folder[:-1])
        return None


def _folder(address: str) -> str:
    """Up to the last slash, itself included."""
    return address[: address.rfind("/") + 1]


def join(base: str, address: str) -> str:
    """An address relative to a base (RFC 3986, section 5), without fragment; as written where it is malformed."""
    try:
        return urldefrag(urljoin(base, address)).url
    except ValueError:
        return address
