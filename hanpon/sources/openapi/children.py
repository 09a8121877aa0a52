"""What lies one step below a schema: properties, elements, and what is required of them."""

from hanpon.contracts.definitions import Node
from hanpon.contracts.schemas import Child, Step
from hanpon.contracts.texts import clean
from hanpon.sources.openapi.fields import Reader, fields
from hanpon.sources.openapi.members import Members, SchemaPlaces

_BELOW = fields(
    "required properties patternProperties additionalProperties unevaluatedProperties items prefixItems "
    "unevaluatedItems additionalItems"
)
_CLOSING = fields("additionalProperties unevaluatedProperties items unevaluatedItems additionalItems")

_Found = tuple[Step, str, Node]


def children_of(
    members: Members, places: SchemaPlaces, reader: Reader
) -> tuple[tuple[Child, ...], tuple[str, ...], bool]:
    """Children in the order of the definition, required names that no child describes, whether others are allowed.

    A property that several members describe is one child whose schema holds them together. Inside `properties`
    every key is a name, whatever keyword it looks like.
    """
    if _BELOW.isdisjoint(members.keywords):
        return (), (), True
    found: dict[tuple[Step, str], list[Node]] = {}
    is_open = True
    for member in members.ordered:
        for step, name, node in _properties(member, reader) + _elements(member, reader):
            found.setdefault((step, name), []).append(node)
        is_open = is_open and not _closed(member)
    required = _required(members, reader)
    children = tuple(
        [
            Child(step, shown := clean(name), places.key_of(*nodes), step == "property" and shown in required)
            for (step, name), nodes in found.items()
        ]
    )
    described = {child.name for child in children if child.step == "property"}
    return children, tuple(name for name in required if name not in described), is_open


def _properties(member: Node, reader: Reader) -> list[_Found]:
    schema = member.value
    found: list[_Found] = [("property", name, node) for name, node in reader.members(member, "properties")]
    if "patternProperties" in schema:
        found += [("pattern", name, node) for name, node in reader.members(member, "patternProperties")]
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if keyword in schema and not isinstance(schema[keyword], bool) and schema[keyword] not in ({}, None):
            found.append(("rest", "", member.child(keyword)))
    return found


def _elements(member: Node, reader: Reader) -> list[_Found]:
    schema = member.value
    found = _positions(member, "prefixItems", reader) if "prefixItems" in schema else []
    for keyword in ("items", "unevaluatedItems", "additionalItems"):
        if keyword not in schema or isinstance(schema[keyword], bool):
            continue
        if isinstance(schema[keyword], list):  # a tuple as older drafts of JSON Schema write it
            found += _positions(member, keyword, reader)
        else:
            found.append(("item", "", member.child(keyword)))
    return found


def _positions(member: Node, keyword: str, reader: Reader) -> list[_Found]:
    return [("position", str(index), node) for index, node in enumerate(reader.elements(member, keyword))]


def _closed(member: Node) -> bool:
    schema = member.value
    return not _CLOSING.isdisjoint(schema) and any(schema.get(keyword) is False for keyword in _CLOSING)


def _required(members: Members, reader: Reader) -> dict[str, None]:
    names: dict[str, None] = {}
    for member in members.every:
        if "required" in member.value:
            names.update(dict.fromkeys(reader.texts(member, "required")))
    return names
