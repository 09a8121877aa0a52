"""A loaded API definition: parsed files of one closure, and references that resolve lazily inside the bundle."""

from collections.abc import Mapping
from typing import Any, Literal, Protocol

from hanpon.contracts.findings import Place
from hanpon.contracts.frozen import checked_frozen
from hanpon.contracts.pointers import escaped

Dialect = Literal["2.0", "3.0", "3.1", "3.2"]

MAX_BYTES = 64 * 1024 * 1024
"""A larger file is refused before it is read."""

MAX_DEPTH = 100
"""Containers nested deeper than this are refused (real definitions: GitHub 21)."""

MAX_NODES = 5_000_000
"""Values in one file, aliases counted as often as they are used; more are refused."""


@checked_frozen()
class Node:
    """A value and the place where it stands. Values are what JSON has; mappings have text keys only."""

    file: str
    pointer: str
    value: Any

    @property
    def place(self) -> Place:
        return Place(self.file, self.pointer)

    @property
    def identity(self) -> str:
        """The canonical address of this place: the same however it was reached."""
        return f"{self.file}#{self.pointer}"

    def child(self, key: str | int) -> "Node":
        """The member at a key or index. Raises KeyError, IndexError or TypeError as the value does."""
        return Node(self.file, f"{self.pointer}/{escaped(key)}", self.value[key])


class UnresolvedReference(Exception):
    """A `$ref` that leads nowhere: dangling, outside the bundle, remote, or a loop of references alone.

    `reference` is as written, and may hold a password: it is shown masked, or not at all.
    """

    def __init__(self, where: Place, reference: str, rule: str, reason: str) -> None:
        self.where, self.reference, self.rule, self.reason = where, reference, rule, reason
        super().__init__(f"{where}: {reason}")


class Definition(Protocol):
    """What the OpenAPI model is read from."""

    @property
    def dialect(self) -> Dialect: ...

    @property
    def root(self) -> Node: ...

    @property
    def files(self) -> Mapping[str, str]:
        """sha256 of every file that was read so far, by bundle-relative path."""

    def follow(self, node: Node) -> Node:
        """The node itself, or what its chain of `$ref` leads to at last (siblings are the caller's affair).

        Raises UnresolvedReference. The base of a reference is the file in which it stands.
        """

    def resolve(self, reference: str, base: Node) -> Node:
        """What a reference that stands at `base` leads to, one step. Raises UnresolvedReference."""
