"""Schema Objects read into effective schemas: references followed, `allOf` merged, alternatives named.

Every schema is read once, whatever leads to it. Its key is its canonical place, so a file reached by two names, a
direct reference and a chain of references all give the same schema.
"""

from collections.abc import Sequence

from hanpon.contracts.definitions import Node
from hanpon.contracts.findings import Severity
from hanpon.contracts.schemas import Schema, literal
from hanpon.contracts.texts import clean
from hanpon.sources.openapi import constraints
from hanpon.sources.openapi.alternatives import Alternatives, Choice
from hanpon.sources.openapi.children import children_of
from hanpon.sources.openapi.fields import Reader
from hanpon.sources.openapi.members import Members, SchemaPlaces, is_plain

MAX_SCHEMAS = 200_000
"""More are not read (real definitions lead to some 15,000): merged cycles of hostile input might never end."""


_SOLE_BRANCHES = 50
_EXAMPLES = frozenset({"example", "x-example", "examples"})


class SchemaReader:
    """Gives keys for places, then reads everything that the keys lead to."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._places = SchemaPlaces(reader)
        self._alternatives = Alternatives(reader, self._places)
        self.schemas: dict[str, Schema] = {}

    def key_of(self, *nodes: Node) -> str:
        """The key of the schema at a place, or of several schemas that hold together."""
        return self._places.key_of(*nodes)

    def add(self, schema: Schema) -> str:
        """Take in a schema that stands nowhere as such (the form parameters of 2.0 make one)."""
        self.schemas[schema.key] = schema
        return schema.key

    def read_all(self) -> None:
        """Read every schema that a key was given for, and all that those lead to."""
        pending = self._places.pending
        while pending:
            key, nodes = pending.popleft()
            if key in self.schemas:
                continue
            if len(self.schemas) >= MAX_SCHEMAS:
                message = f"more than {MAX_SCHEMAS} schemas; what lies deeper than this one is not on any page"
                self._reader.note("too-many-schemas", Severity.WARNING, nodes[0].place, message)
                self.schemas[key] = Schema(key=key, definition=key, place=nodes[0].place)
                continue
            self.schemas[key] = self._read(key, nodes)

    def _read(self, key: str, nodes: Sequence[Node]) -> Schema:
        if len(nodes) == 1 and is_plain(nodes[0].value):
            return self._read_plain(key, nodes[0], self._places.name_of(nodes[0]))
        members = self._places.members_of(nodes)
        if members.plain:
            return self._read_plain(key, members.own[0], members.name)
        return self._read_whole(key, members)

    def _read_plain(self, key: str, node: Node, name: str) -> Schema:
        """The common case, kept short for speed: one object of annotations, a type and perhaps a format."""
        schema = node.value
        kind = schema.get("type")
        text = schema.get("description")
        return Schema(
            key=key,
            definition=key,
            name=name,
            description=clean(text) if isinstance(text, str) else "",
            types=(clean(kind),) if isinstance(kind, str) else (),
            nullable=schema.get("nullable") is True,
            format=constraints.first_text((node,), "format") if "format" in schema else "",
            examples=(clean(literal(schema["example"])),) if "example" in schema else (),
            place=node.place,
        )

    def _read_whole(self, key: str, members: Members) -> Schema:
        reader = self._reader
        members, choice = self._with_sole_branches(key, members)
        every, said = members.every, members.keywords
        # words beside a single reference are about what it refers to; a base of `allOf` speaks for itself alone
        about = every if members.definition else members.own or every
        types, says_null = constraints.types_of(every, reader)
        enum = constraints.allowed_values(every, reader) if "enum" in said else None
        allowed = constraints.with_texts(enum, choice.constants)
        values = [(value, text) for value, text in allowed or () if value is not None]
        const = [member.value["const"] for member in every if "const" in member.value][:1] if "const" in said else []
        children, required, is_open = children_of(members, self._places, reader)
        null_only = types == ("null",) or const == [None] or bool(allowed and not values)
        if not types:
            types = _implied_types(members, [value for value, _ in values] + const)
        nullable = self._nullable(members, says_null=says_null) or choice.nullable or len(allowed or ()) > len(values)
        return Schema(
            key=key,
            definition=members.definition or key,
            name=members.name,
            title=constraints.first_text(about, "title") if "title" in said else "",
            description=constraints.joined_texts(members.own, every, "description") if "description" in said else "",
            types=("null",) if null_only else types,
            nullable=nullable and not null_only,
            format=constraints.first_text(every, "format") if "format" in said else "",
            constraints=constraints.constraints_of(every, reader),
            enum=tuple((clean(literal(value)), text) for value, text in values),
            const=clean(literal(const[0])) if const and const[0] is not None else None,
            default=constraints.first_value(every, "default") if "default" in said else None,
            examples=() if _EXAMPLES.isdisjoint(said) else constraints.examples_of(every, reader),
            read_only="readOnly" in said and constraints.any_flag(every, "readOnly"),
            write_only="writeOnly" in said and constraints.any_flag(every, "writeOnly"),
            deprecated="deprecated" in said and constraints.any_flag(about, "deprecated"),
            open=is_open,
            never=members.never,
            children=children,
            required=required,
            facets=choice.facets,
            discriminator=choice.discriminator,
            presences=choice.presences,
            dependent=self._dependent(every) if "dependentRequired" in said else (),
            link=self._link(every) if "externalDocs" in said else ("", ""),
            unresolved=members.unresolved,
            place=members.roots[0].place,
        )

    def _with_sole_branches(self, key: str, members: Members) -> tuple[Members, Choice]:
        """A choice between one schema and null is that schema, or null: the branch holds together with the rest."""
        roots = members.roots
        for _ in range(_SOLE_BRANCHES):
            choice = self._alternatives.of(key, members)
            if not choice.merged:
                return members, choice
            known = {root.identity for root in members.roots}
            sole = [node for node in choice.merged if node.identity not in known]
            if not sole:
                return members, choice
            name, definition = members.name, members.definition
            members = self._places.members_of((*members.roots, *sole))
            members.name, members.definition = name, definition
            if len(roots) == len(sole) == 1 and "properties" not in roots[0].value and not name:
                members.name, members.definition = self._places.name_of(sole[0]), sole[0].identity
        message = f"more than {_SOLE_BRANCHES} alternatives of one schema each stand in one another"
        self._reader.note("too-many-schemas", Severity.WARNING, roots[0].place, message)
        return members, self._alternatives.of(key, members)

    def _nullable(self, members: Members, *, says_null: bool | None) -> bool:
        """What the schema itself says counts before what it is merged with: the author's intent.

        (Strictly, `nullable` of 3.0.3 has no effect without a type beside it, and every member of `allOf` must
        allow null.)
        """
        for own in members.own:
            if own.value.get("nullable") is True or own.value.get("x-nullable") is True:
                return True
            stated = own.value.get("type")
            if isinstance(stated, list):
                return "null" in stated
            if stated is not None and stated != "null":
                return False
        spoken = {own.identity for own in members.own}
        merged = [
            m.value
            for m in members.every
            if m.identity not in spoken and ("type" in m.value or "nullable" in m.value)
        ]
        flags = [value.get("nullable") is True or value.get("x-nullable") is True for value in merged]
        return bool(says_null) or (bool(flags) and all(flags))

    def _dependent(self, every: Sequence[Node]) -> tuple[tuple[str, tuple[str, ...]], ...]:
        found = []
        for member in every:
            owner = self._reader.object(member, "dependentRequired")
            if owner is not None:
                found += [(clean(name), self._reader.texts(owner, name)) for name in owner.value]
        return tuple(found)

    def _link(self, every: Sequence[Node]) -> tuple[str, str]:
        for member in every:
            if docs := self._reader.object(member, "externalDocs"):
                return self._reader.text(docs, "url"), self._reader.text(docs, "description")
        return "", ""


def _implied_types(members: Members, values: Sequence[object]) -> tuple[str, ...]:
    """`properties` imply an object and `items` an array, for display; else the types of the allowed values."""
    for member in members.every:
        schema = member.value
        if isinstance(schema.get("properties"), dict) or isinstance(schema.get("additionalProperties"), dict):
            return ("object",)
        if "patternProperties" in schema or "minProperties" in schema or "maxProperties" in schema:
            return ("object",)
        if "items" in schema or "prefixItems" in schema:
            return ("array",)
    return constraints.type_of_values(values)
