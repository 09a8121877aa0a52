"""What lies one step below a schema: properties, elements, and what is required of them."""

from collections.abc import Iterator

from hanpon.contracts.definitions import Node
from hanpon.contracts.schemas import Child, Step
from hanpon.contracts.texts import clean
from hanpon.sources.openapi.fields import Reader, fields
from hanpon.sources.openapi.members import Members, SchemaPlaces

_BELOW = fields(
    "required properties patternProperties additionalProperties unevaluatedProperties items prefixItems "
    "unevaluatedItems additionalItems"
)


def children_of(
    members: Members, places: SchemaPlaces, reader: Reader
) -> tuple[tuple[Child, ...], tuple[str, ...], bool]:
    """Children in the order of the definition, required names that no child describes, whether others are allowed.

    A property that several members describe is one child whose schema holds them together. Inside `properties`
    every key is a name, whatever keyword it looks like.
    """
    if all(_BELOW.isdisjoint(member.value) for member in members.ordered):
        return (), (), True
    found: dict[tuple[Step, str], list[Node]] = {}
    is_open = True
    for member in members.ordered:
        for step, name, node in _below(member, reader):
            found.setdefault((step, name), []).append(node)
        is_open = is_open and not _closed(member)
    required = _required(members, reader)
    children = tuple(
        Child(step, clean(name), places.key_of(*nodes), step == "property" and clean(name) in required)
        for (step, name), nodes in found.items()
    )
    described = {child.name for child in children if child.step == "property"}
    return children, tuple(name for name in required if name not in described), is_open


def _below(member: Node, reader: Reader) -> Iterator[tuple[Step, str, Node]]:
    schema = member.value
    if "properties" in schema:
        for name, node in reader.members(member, "properties"):
            yield "property", name, node
    if "patternProperties" in schema:
        for name, node in reader.members(member, "patternProperties"):
            yield "pattern", name, node
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if keyword in schema and not isinstance(schema[keyword], bool) and schema[keyword] not in ({}, None):
            yield "rest", "", member.child(keyword)
    if "prefixItems" in schema:
        for index, node in enumerate(reader.elements(member, "prefixItems")):
            yield "position", str(index), node
    yield from _elements(member, reader)


def _elements(member: Node, reader: Reader) -> Iterator[tuple[Step, str, Node]]:
    schema = member.value
    for keyword in ("items", "unevaluatedItems", "additionalItems"):
        if keyword not in schema or isinstance(schema[keyword], bool):
            continue
        if isinstance(schema[keyword], list):  # a tuple as older drafts of JSON Schema write it
            for index, node in enumerate(reader.elements(member, keyword)):
                yield "position", str(index), node
        else:
            yield "item", "", member.child(keyword)


def _closed(member: Node) -> bool:
    closing = ("additionalProperties", "unevaluatedProperties", "items", "unevaluatedItems", "additionalItems")
    return any(member.value.get(keyword) is False for keyword in closing)


def _required(members: Members, reader: Reader) -> dict[str, None]:
    names: dict[str, None] = {}
    for member in members.every:
        if "required" in member.value:
            names.update(dict.fromkeys(reader.texts(member, "required")))
    return names
