"""`oneOf`, `anyOf`, discriminators, conditions: schemas that apply to the same value, each with a name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hanpon.contracts.definitions import Node, UnresolvedReference
from hanpon.contracts.schemas import Discriminator, Facet, Presence, Role
from hanpon.contracts.texts import clean
from hanpon.sources.openapi.fields import Reader
from hanpon.sources.openapi.members import Members, SchemaPlaces, component_schemas, named_schemas

_CHOICES: tuple[Literal["oneOf", "anyOf"], ...] = ("oneOf", "anyOf")
_SINGLE: tuple[Role, ...] = ("not", "if", "then", "else", "contains", "propertyNames", "contentSchema")
_KEYWORDS = frozenset((*_CHOICES, *_SINGLE, "dependentSchemas", "discriminator"))
_CONSTANT = frozenset({"const", "title", "description", "type"})
_PRESENCE = frozenset({"required", "type"})
_DISCRIMINATOR = frozenset({"propertyName", "mapping", "defaultMapping"})


@dataclass(slots=True)
class Choice:
    """What the alternatives of one schema come to.

    `merged` are branches that are no choice at all (one schema or null); `constants` are alternatives that only
    name one value each, with the text they give it.
    """

    facets: tuple[Facet, ...] = ()
    presences: tuple[Presence, ...] = ()
    discriminator: Discriminator | None = None
    nullable: bool = False
    merged: Sequence[Node] = ()
    constants: Sequence[tuple[Any, str]] = ()


class Alternatives:
    """Reads the alternatives of merged members."""

    def __init__(self, reader: Reader, places: SchemaPlaces) -> None:
        self._reader = reader
        self._places = places
        self._heirs: dict[str, list[Node]] | None = None

    def of(self, key: str, members: Members) -> Choice:
        choice = Choice()
        for member in members.every:
            if _KEYWORDS.isdisjoint(member.value):
                continue
            before, known = len(choice.facets), choice.discriminator
            values = self._discriminate(member, members, choice)
            for role in _CHOICES:
                if role in member.value:
                    self._choose(role, key, member, values, choice)
            if len(choice.facets) == before and not own(member, members):
                choice.discriminator = known  # it tells this schema from its brothers, which stand elsewhere
            if values and (len(choice.facets) == before or choice.discriminator) and own(member, members):
                self._add_subtypes(key, values, choice)
            self._add_conditions(member, choice)
        return choice

    def _choose(
        self,
        role: Literal["oneOf", "anyOf"],
        key: str,
        member: Node,
        values: dict[str, tuple[Node, list[str]]],
        choice: Choice,
    ) -> None:
        branches = [self._places.canonical(node) for node in self._reader.elements(member, role)]
        kept = [branch for branch in branches if not _is_null(branch.value)]
        choice.nullable = choice.nullable or len(kept) < len(branches)
        if len(kept) == 1:
            choice.merged = [*choice.merged, *kept]
        elif _all_within(kept, _PRESENCE, "required") and all(branch.value["required"] for branch in kept):
            groups = tuple(self._reader.texts(branch, "required") for branch in kept)
            choice.presences += (Presence(role, groups),)
        elif _all_within(kept, _CONSTANT, "const") and not choice.constants:
            choice.constants = [(branch.value["const"], _said(branch)) for branch in kept]
        elif all(branch.identity != key for branch in kept):
            # A branch that is merged from the choice it belongs to is not offered its brothers again.
            choice.facets += tuple(self._branches(role, kept, values, implied=choice.discriminator is not None))

    def _branches(
        self, role: Role, kept: Sequence[Node], values: dict[str, tuple[Node, list[str]]], *, implied: bool
    ) -> Iterator[Facet]:
        for index, branch in enumerate(kept, 1):
            label = self._label(branch)
            _, selecting = values.get(branch.identity, (branch, []))
            if implied and not selecting and (name := self._places.name_of(branch)):
                selecting = [name]
            yield Facet(role, self._places.key_of(branch), label, tuple(selecting), index, len(kept))

    def _add_subtypes(self, key: str, values: dict[str, tuple[Node, list[str]]], choice: Choice) -> None:
        offered = {facet.key for facet in choice.facets}
        offered |= {self._places.canonical(node).identity for node in choice.merged}
        missing = [(node, names) for node, names in values.values() if node.identity not in offered | {key}]
        choice.facets += tuple(
            Facet("subtype", self._places.key_of(node), self._label(node), tuple(names), index, len(missing))
            for index, (node, names) in enumerate(missing, 1)
        )

    def _add_conditions(self, member: Node, choice: Choice) -> None:
        for role in _SINGLE:
            if role not in member.value:
                continue
            node = member.child(role)
            if role == "not" and _all_within([node], _PRESENCE, "required"):
                choice.presences += (Presence("not", (self._reader.texts(node, "required"),)),)
            else:
                choice.facets += (Facet(role, self._places.key_of(node), self._label(self._places.canonical(node))),)
        if "dependentSchemas" in member.value:
            for name, node in self._reader.members(member, "dependentSchemas"):
                choice.facets += (Facet("dependentSchemas", self._places.key_of(node), clean(name)),)

    def _discriminate(self, member: Node, members: Members, choice: Choice) -> dict[str, tuple[Node, list[str]]]:
        """Identity of each schema that the discriminator leads to, with the values that do so."""
        if "discriminator" not in member.value or choice.discriminator is not None:
            return {}
        stated = member.child("discriminator")
        otherwise = ""
        if isinstance(stated.value, str):  # 2.0: the property's name alone
            found = self._heirs_of(member) if own(member, members) else {}
            name = clean(stated.value)
        elif isinstance(stated.value, dict):
            self._reader.unknown("discriminators", stated, _DISCRIMINATOR)
            name = self._reader.text(stated, "propertyName")
            found = self._mapped(stated)
            if own(member, members) and not any(role in member.value for role in _CHOICES):
                found = {**self._heirs_of(member), **found}  # names count beside the mapping (OpenAPI 3.0.3 §4.7.25)
            if "defaultMapping" in stated.value and (target := self._target(stated.child("defaultMapping"))):
                otherwise = self._label(target)
        else:
            self._reader.odd(stated, "an object")
            return {}
        if not (own(member, members) or any(role in member.value for role in _CHOICES)):
            return {}
        mapping = tuple((value, self._label(node)) for node, values in found.values() for value in values)
        choice.discriminator = Discriminator(name, mapping, otherwise)
        return found

    def _mapped(self, stated: Node) -> dict[str, tuple[Node, list[str]]]:
        found: dict[str, tuple[Node, list[str]]] = {}
        for value, node in self._reader.members(stated, "mapping"):
            if (target := self._target(node)) is not None:
                found.setdefault(target.identity, (target, []))[1].append(clean(value))
        return found

    def _label(self, branch: Node) -> str:
        title = branch.value.get("title") if isinstance(branch.value, dict) else None
        return self._places.name_of(branch) or (clean(title) if isinstance(title, str) else "")

    def _target(self, node: Node) -> Node | None:
        """A mapping holds a schema's name or a reference (OpenAPI 3.1.1 §4.8.25)."""
        if not isinstance(node.value, str):
            self._reader.odd(node, "text")
            return None
        schemas = component_schemas(self._reader)
        if schemas is not None and node.value in schemas.value:
            return self._places.canonical(schemas.child(node.value))
        try:
            return self._places.canonical(self._reader.definition.resolve(node.value, node))
        except UnresolvedReference:  # `check_definition` says why
            return None

    def _heirs_of(self, parent: Node) -> dict[str, tuple[Node, list[str]]]:
        """Schemas whose `allOf` refers to this one: their names are the discriminator's values."""
        if self._heirs is None:
            self._heirs = {}
            for _, node in named_schemas(self._reader):
                listed = node.value.get("allOf") if isinstance(node.value, dict) else None
                for index in range(len(listed) if isinstance(listed, list) else 0):
                    base = self._places.canonical(node.child("allOf").child(index))
                    self._heirs.setdefault(base.identity, []).append(node)
        heirs = self._heirs.get(parent.identity, [])
        return {heir.identity: (heir, [self._places.name_of(heir)]) for heir in heirs}


def own(member: Node, members: Members) -> bool:
    """True for what stands at the place itself, also inside an unnamed member of its `allOf`."""
    return member.identity not in members.inherited


def _is_null(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    return (
        value.get("type") in ("null", ["null"])
        or value.get("enum") == [None]
        or ("const" in value and value["const"] is None)
    )


def _all_within(branches: Sequence[Node], keywords: frozenset[str], needed: str) -> bool:
    return bool(branches) and all(
        isinstance(branch.value, dict) and needed in branch.value and branch.value.keys() <= keywords
        for branch in branches
    )


def _said(branch: Node) -> str:
    texts = [branch.value.get(keyword) for keyword in ("title", "description")]
    return ": ".join(clean(text) for text in texts if isinstance(text, str) and text)
