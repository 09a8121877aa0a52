"""A walk through one object of a known kind: every reference in it, and every operation and discriminator."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hanpon.sources.definitions.keyword_walk import Chain
from hanpon.sources.definitions.positions import Grammar, Kind, Slot, slot

Found = tuple[Kind, dict[str, Any], Chain]
"""A mapping, its kind, and its path from where the walk began."""


@dataclass(slots=True)
class Harvest:
    """What a walk came by."""

    references: list[Found] = field(default_factory=list)
    operations: list[Found] = field(default_factory=list)
    schemas_with_discriminator: list[Found] = field(default_factory=list)


class TypedWalk:
    """Walks objects of known kinds without following references. No object is walked twice as the same kind."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._seen: dict[Kind, set[int]] = {kind: set() for kind in grammar}

    def seen(self) -> frozenset[int]:
        """The `id` of every object that was walked so far."""
        return frozenset().union(*self._seen.values())

    def walk(self, kind: Kind, value: Any) -> Harvest:
        """What stands in an object, itself included. The values must outlive this walk."""
        harvest = Harvest()
        waiting: list[tuple[Kind, Any, Chain]] = [(kind, value, None)]
        while waiting:
            kind, value, chain = waiting.pop()
            if type(value) is not dict or id(value) in self._seen[kind]:
                continue
            self._seen[kind].add(id(value))
            _gather(kind, value, chain, harvest)
            slots = self._grammar[kind]
            for key, member in value.items():
                held = slot(self._grammar, kind, key) if kind == "callback" else slots.get(key)
                if held is None or not member:
                    continue
                if held.shape == "one" and type(member) is dict:
                    waiting.append((held.kind, member, (chain, key)))
                else:
                    waiting.extend(_members(held, member, (chain, key)))
        return harvest


def _gather(kind: Kind, value: dict[str, Any], chain: Chain, harvest: Harvest) -> None:
    if "$ref" in value and type(value["$ref"]) is str:
        harvest.references.append((kind, value, chain))
    if kind == "operation":
        harvest.operations.append((kind, value, chain))
    elif kind == "schema" and "discriminator" in value:
        harvest.schemas_with_discriminator.append((kind, value, chain))


def _members(held: Slot, member: Any, chain: Chain) -> Iterator[tuple[Kind, Any, Chain]]:
    if type(member) is list:
        if held.shape in {"one", "list"}:
            for index, entry in enumerate(member):
                yield held.kind, entry, (chain, index)
    elif type(member) is dict and held.shape in {"names", "names-or-extensions"}:
        extensions = held.shape == "names-or-extensions"
        for name, entry in member.items():
            if not (extensions and name.startswith("x-")):
                yield held.kind, entry, (chain, name)
