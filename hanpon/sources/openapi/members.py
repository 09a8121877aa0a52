"""Which places hold together for one schema: targets of references, members of `allOf`, what stands beside."""

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from hanpon.contracts.definitions import Node, UnresolvedReference
from hanpon.contracts.findings import Severity
from hanpon.contracts.texts import clean
from hanpon.sources.openapi.fields import Reader, as_shown, fields

ANNOTATIONS = frozenset({"type", "format", "description", "example", "nullable"})
"""A schema of these alone needs no merging."""

KNOWN = ANNOTATIONS | fields(
    "title default examples enum const readOnly writeOnly deprecated externalDocs required properties "
    "patternProperties additionalProperties unevaluatedProperties items prefixItems unevaluatedItems "
    "additionalItems multipleOf minimum exclusiveMinimum maximum exclusiveMaximum minLength maxLength pattern "
    "minItems maxItems uniqueItems minContains maxContains minProperties maxProperties contentEncoding "
    "contentMediaType collectionFormat allOf oneOf anyOf not if then else contains propertyNames dependentSchemas "
    "dependentRequired contentSchema discriminator $ref $defs definitions $id $schema $anchor $comment "
    "$vocabulary x-nullable x-enumDescriptions x-enum-descriptions x-example"
)
"""Keywords that are shown, or that say nothing to a reader of a page."""

_UNNAMED = KNOWN | {"schema", "itemSchema"}

_OF_NAMES = ("/schemas", "/definitions", "/$defs")
_PROPERTIES_CALLED_SO = tuple(f"/properties{end}" for end in _OF_NAMES)
_MERGING = frozenset({"$ref", "allOf"})

_CHAIN_LIMIT = 50
_MERGED_LIMIT = 500
"""More schemas are not merged into one: hostile input could make every schema of a long chain hold all the others."""

_DEPTH_LIMIT = 100
_READ_BESIDE_REF = frozenset({"$ref", "nullable"})
"""What is read of a schema with `$ref` before 3.1."""


@dataclass(slots=True)
class Members:
    """`own` is what stands at the place itself, `every` that and all it is merged with, nearest first.

    `ordered` is `every` in the order in which properties should be listed: as the definition is written.
    """

    roots: tuple[Node, ...]
    own: list[Node] = field(default_factory=list)
    every: list[Node] = field(default_factory=list)
    ordered: list[Node] = field(default_factory=list)
    inherited: set[str] = field(default_factory=set)
    """Identities of members that were reached through a reference."""
    name: str = ""
    definition: str = ""
    never: bool = False
    unresolved: tuple[str, ...] = ()

    @property
    def plain(self) -> bool:
        return (
            len(self.every) == 1
            and not self.unresolved
            and not self.never
            and not self.definition
            and is_plain(self.every[0].value)
        )

    @property
    def keywords(self) -> Collection[str]:
        """Every keyword that stands in one of the members: what is not here need not be asked of each."""
        if len(self.every) == 1:
            only: dict[str, Any] = self.every[0].value
            return only.keys()
        return {keyword for member in self.every for keyword in member.value}


class SchemaPlaces:
    """Gives every schema its key and collects its members. `pending` are keys given but not read yet."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.pending: deque[tuple[str, tuple[Node, ...]]] = deque()
        self._given: set[str] = set()
        self._aliases = self._component_aliases()

    def _component_aliases(self) -> dict[str, str]:
        """Places in other files that a component of the root stands for, with the component's name."""
        found: dict[str, str] = {}
        for name, node in named_schemas(self._reader):
            if is_reference(node) and (target := self.canonical(node)) is not node:
                found.setdefault(target.identity, clean(name))
        return found

    def name_of(self, node: Node) -> str:
        """The name of a schema that can be referred to: a component's key, a definition's, a file's stem; else ""."""
        name = name_in_place(node)
        if not self._aliases or (name and node.pointer.count("/") > 1):
            return name
        return self._aliases.get(node.identity, name)

    def key_of(self, *nodes: Node) -> str:
        """The key of one schema, or of several that hold together; equal places give equal keys."""
        if len(nodes) == 1:
            place = self.canonical(nodes[0])
            key = place.identity
            if key not in self._given:
                self._given.add(key)
                self.pending.append((key, (place,)))
            return key
        places = {place.identity: place for place in map(self.canonical, nodes)}
        key = " & ".join(places)
        if key not in self._given:
            self._given.add(key)
            self.pending.append((key, tuple(places.values())))
        return key

    def canonical(self, node: Node) -> Node:
        """Where a schema really stands: references that nothing stands beside are followed to their end."""
        start = node
        for _ in range(_CHAIN_LIMIT):
            if not is_reference(node):
                return node
            if len(node.value) > 1 and self._speaks_beside_ref(node):
                return node
            try:
                node = self._reader.definition.resolve(node.value["$ref"], node)
            except UnresolvedReference:
                return node
        return start

    def _speaks_beside_ref(self, node: Node) -> bool:
        if self._reader.siblings_count:
            return any(key != "$ref" and not key.startswith("x-") for key in node.value)
        if any(key not in _READ_BESIDE_REF and not key.startswith("x-") for key in node.value):
            self._reader.ignored_beside_ref(node)
        # Strictly ignored as well, but nobody writes it without meaning it.
        return node.value.get("nullable") is True or node.value.get("x-nullable") is True

    def members_of(self, nodes: Sequence[Node]) -> Members:
        """All that holds together with schemas in their canonical places."""
        node = nodes[0]
        is_one = len(nodes) == 1
        if is_one and isinstance(node.value, dict) and _MERGING.isdisjoint(node.value):
            # by far the most: what `_collect` would come to
            self._reader.unknown("schemas", node, KNOWN)
            return Members((node,), own=[node], every=[node], ordered=[node], name=self.name_of(node))
        members = Members(tuple(nodes))
        visited: set[str] = set()
        for root in nodes:
            self._collect(root, members, visited, 0, own=True, inherited=False)
        if is_one:
            members.name = self.name_of(node)
            self._take_name_of_single_reference(node, members)
        return members

    def _collect(
        self, node: Node, members: Members, visited: set[str], depth: int, *, own: bool, inherited: bool
    ) -> None:
        node = self.canonical(node)
        if node.identity in visited:
            return
        visited.add(node.identity)
        if len(members.every) >= _MERGED_LIMIT or depth > _DEPTH_LIMIT:
            message = f"more than {_MERGED_LIMIT} schemas, or {_DEPTH_LIMIT} levels of them, are merged here"
            self._reader.note("too-many-schemas", Severity.WARNING, members.roots[0].place, message)
            return
        if not isinstance(node.value, dict):
            if node.value is False:
                members.never = True
            elif node.value is not True:
                self._reader.odd(node, "a schema")
            return
        said = self._without_reference(node) if "$ref" in node.value else node
        if own:
            members.own.append(said)
        members.every.append(said)
        if inherited:
            members.inherited.add(said.identity)
        self._reader.unknown("schemas", said, KNOWN)
        place = len(members.ordered)
        self._collect_others(node, members, visited, depth + 1, inherited=inherited)
        if "allOf" in node.value and _stands_before(node.value, "allOf", "properties"):
            place = len(members.ordered)
        members.ordered.insert(place, said)

    def _collect_others(
        self, node: Node, members: Members, visited: set[str], depth: int, *, inherited: bool
    ) -> None:
        reference = node.value.get("$ref")
        if isinstance(reference, str):
            self._follow(reference, node, members, visited, depth, inherited=inherited)
        elif reference is not None:
            self._reader.odd(node.child("$ref"), "text")
        if "allOf" in node.value:
            for element in self._reader.elements(node, "allOf"):
                inherits = inherited or is_reference(element)
                self._collect(element, members, visited, depth, own=False, inherited=inherits)

    def _follow(
        self, reference: str, node: Node, members: Members, visited: set[str], depth: int, *, inherited: bool
    ) -> None:
        definition = self._reader.definition
        try:
            # a reference that nothing stands beside is here only because it leads nowhere: this says why
            alone = not self._speaks_beside_ref(node)
            target = definition.follow(node) if alone else definition.resolve(reference, node)
        except UnresolvedReference:  # `check_definition` says why
            members.unresolved += (as_shown(reference),)
        else:
            self._collect(target, members, visited, depth, own=False, inherited=inherited)

    def _without_reference(self, node: Node) -> Node:
        """A schema's own words beside its `$ref`: all of them from 3.1 on, `nullable` alone before."""
        counts = self._reader.siblings_count
        words = {
            key: value
            for key, value in node.value.items()
            if (counts and key != "$ref") or key in ("nullable", "x-nullable")
        }
        return Node(node.file, node.pointer, words)

    def _take_name_of_single_reference(self, node: Node, members: Members) -> None:
        """`{$ref}` and `allOf` of one reference, with words beside them, keep the name of what they refer to."""
        value = node.value
        if not isinstance(value, dict) or "properties" in value or members.name:
            return
        listed = value.get("allOf")
        if isinstance(value.get("$ref"), str):
            target = Node(node.file, node.pointer, {"$ref": value["$ref"]})
        elif isinstance(listed, list) and len(listed) == 1 and is_reference(node.child("allOf").child(0)):
            target = node.child("allOf").child(0)
        else:
            return
        target = self.canonical(target)
        members.name = self.name_of(target)
        members.definition = target.identity


def is_reference(node: Node) -> bool:
    return isinstance(node.value, dict) and "$ref" in node.value and isinstance(node.value["$ref"], str)


def is_plain(value: Any) -> bool:
    """True for a schema of annotations alone, with one type at most and that not null."""
    if not isinstance(value, dict) or not ANNOTATIONS.issuperset(value):
        return False
    kind = value.get("type")
    return kind != "null" and not isinstance(kind, list)


def _stands_before(value: dict[str, object], one: str, other: str) -> bool:
    keys = list(value)
    return other in keys and keys.index(one) < keys.index(other)


def component_schemas(reader: Reader) -> Node | None:
    """The named schemas of the definition, `definitions` in 2.0; None where there are none."""
    root = reader.definition.root
    steps = ("definitions",) if reader.dialect == "2.0" else ("components", "schemas")
    for step in steps:
        if not isinstance(root.value, dict) or not isinstance(root.value.get(step), dict):
            return None
        root = root.child(step)
    return root


def named_schemas(reader: Reader) -> Iterator[tuple[str, Node]]:
    """Each of them with its name, in the order of the definition."""
    schemas = component_schemas(reader)
    if schemas is not None:
        for name in schemas.value:
            yield name, schemas.child(name)


def name_in_place(node: Node) -> str:
    """What a place's own pointer or file calls the schema."""
    if not node.pointer:
        return clean(node.file.rsplit("/", 1)[-1].rsplit(".", 1)[0])
    above, _, step = node.pointer.rpartition("/")
    is_alone = not above and step not in _UNNAMED
    # `schemas` below `properties` is a property: what follows is a keyword of its schema
    if is_alone or (above.endswith(_OF_NAMES) and not above.endswith(_PROPERTIES_CALLED_SO)):
        return clean(unescaped(step))
    return ""


def unescaped(step: str) -> str:
    """A step of a JSON Pointer as the key it stands for (RFC 6901 §4)."""
    return step.replace("~1", "/").replace("~0", "~")
