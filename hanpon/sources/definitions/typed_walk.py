"""A walk through one object of a known kind: every reference in it, and every operation and discriminator."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from hanpon.sources.definitions.keyword_walk import Chain
from hanpon.sources.definitions.positions import Grammar, Kind, Slot, slot

Found = tuple[Kind, dict[str, Any], Chain]
"""A mapping, its kind, and its path from where the walk began."""

_ALWAYS_TELLING: frozenset[Kind] = frozenset({"operation", "callback"})
"""An operation is told of whatever it holds, and every key of a callback leads further."""


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
        self._telling = {kind: frozenset((*slots, "$ref", "discriminator")) for kind, slots in grammar.items()}
        self._seen: dict[Kind, set[int]] = {kind: set() for kind in grammar}
        self._holders: list[tuple[Slot, Any]] = []
        """What all entries were walked of: to remember each of them would take longer than to walk it."""

    def seen(self) -> frozenset[int]:
        """The `id` of every object that was walked so far."""
        entries = {id(entry) for held, holder in self._holders for _, entry in _entries(held, holder)}
        return frozenset(entries).union(*self._seen.values())

    def walk(self, kind: Kind, value: Any) -> Harvest:
        """What stands in an object, itself included. The values must outlive this walk."""
        harvest = Harvest()
        waiting: list[Found] = [(kind, value, None)]
        while waiting:
            kind, value, chain = waiting.pop()
            seen = self._seen[kind]
            if type(value) is not dict or id(value) in seen:
                continue
            seen.add(id(value))
            if kind == "operation":
                harvest.operations.append((kind, value, chain))
            elif kind == "schema" and "discriminator" in value:
                harvest.schemas_with_discriminator.append((kind, value, chain))
            if "$ref" in value and type(value["$ref"]) is str:
                harvest.references.append((kind, value, chain))
                if len(value) == 1:
                    continue
            slots = self._grammar[kind] if kind != "callback" else self._slots_of_callback(value)
            for key, member in value.items():
                if key not in slots or not member:
                    continue
                held = slots[key]
                if held.shape == "one" and type(member) is dict:
                    waiting.append((held.kind, member, (chain, key)))
                else:
                    waiting += self._telling_entries(held, member, (chain, key))
        return harvest

    def _slots_of_callback(self, callback: dict[str, Any]) -> dict[str, Slot]:
        return {key: held for key in callback if (held := slot(self._grammar, "callback", key)) is not None}

    def _telling_entries(self, held: Slot, member: Any, chain: Chain) -> list[Found]:
        """What a list or mapping holds, without the many objects of which nothing is told and which lead nowhere."""
        kind, entries = held.kind, _entries(held, member)
        self._holders.append((held, member))
        if kind in _ALWAYS_TELLING:
            return [(kind, entry, (chain, name)) for name, entry in entries]
        telling = self._telling[kind]
        return [
            (kind, entry, (chain, name))
            for name, entry in entries
            if type(entry) is dict and not telling.isdisjoint(entry)
        ]


def _entries(held: Slot, member: Any) -> Iterable[tuple[str | int, Any]]:
    if type(member) is dict:
        if held.shape == "names":
            return member.items()
        if held.shape == "names-or-extensions":
            return [(name, entry) for name, entry in member.items() if not name.startswith("x-")]
    elif type(member) is list and held.shape in {"one", "list"}:
        return enumerate(member)
    return ()
