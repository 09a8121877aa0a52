"""What must hold between the operations of a definition: unique ids, security schemes that exist."""

from collections.abc import Iterable, Iterator
from typing import Any

from hanpon.contracts.definitions import Node, UnresolvedReference
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.sources.definitions.files import DefinitionFiles
from hanpon.sources.definitions.references import cannot_be_followed
from hanpon.sources.texts.text_problems import problem, shown


def operation_id_findings(operations: Iterable[Node]) -> Iterator[Finding]:
    """Every operation whose operationId another has too, each finding naming the other's place.

    operationId is unique among all operations of a definition, callbacks and webhooks included (OpenAPI 3.1.1,
    section 4.8.10; 2.0, "Operation Object"). One operation that is reached twice is one operation.
    """
    by_id: dict[str, dict[str, Node]] = {}
    for operation in operations:
        name = operation.value.get("operationId")
        if isinstance(name, str):
            by_id.setdefault(name, {})[operation.identity] = operation
    for name, sharing in by_id.items():
        nodes = [sharing[identity] for identity in sorted(sharing)]
        for index, node in enumerate(nodes if len(nodes) > 1 else ()):
            other = nodes[0] if index else nodes[1]
            message = f"The operationId {shown(name)} is also that of {other.place}."
            yield problem("operation-id-twice", node.place.child("operationId"), message)


def security_findings(definition: DefinitionFiles, operations: Iterable[Node]) -> Iterator[Finding]:
    """Every name in a `security` list that no security scheme of the root has.

    It must have one (OpenAPI 3.1.1, section 4.8.30; 2.0, "Security Requirement Object"); since 3.2 the name may
    also be the address of a scheme.
    """
    schemes = _schemes(definition)
    for holder in (definition.root, *operations):
        listed = holder.value.get("security")
        for index, requirement in enumerate(listed if isinstance(listed, list) else ()):
            for name in requirement if isinstance(requirement, dict) else ():
                if name not in schemes and not _is_address(definition, name, holder):
                    place = holder.place.child("security", index, name)
                    meant = definition.suggestions.nearest(name, schemes)
                    message = f"There is no security scheme {shown(name)}{meant or '.'}"
                    yield problem("security-scheme-undefined", place, message)


def _schemes(definition: DefinitionFiles) -> dict[str, Any]:
    root = definition.root.value
    holder = root if definition.dialect == "2.0" else root.get("components")
    key = "securityDefinitions" if definition.dialect == "2.0" else "securitySchemes"
    schemes = holder.get(key) if isinstance(holder, dict) else None
    return schemes if isinstance(schemes, dict) else {}


def _is_address(definition: DefinitionFiles, name: str, holder: Node) -> bool:
    if definition.dialect != "3.2":
        return False
    try:
        definition.resolve(name, holder)
    except UnresolvedReference:
        return False
    return True


def discriminator_findings(definition: DefinitionFiles, schemas: Iterable[Node]) -> Iterator[Finding]:
    """Every value of a discriminator's `mapping` that is neither a schema's name nor a reference that resolves.

    A value that could be both is a name (OpenAPI 3.1.1, section 4.8.25.1). What looks like a name and is none is
    a warning, and so is an address elsewhere: a mapping may list what comes from elsewhere (the specification's
    own example does).
    """
    components = definition.root.value.get("components")
    named = components.get("schemas") if isinstance(components, dict) else None
    names = named if isinstance(named, dict) else {}
    for schema in schemas:
        discriminator = schema.value["discriminator"]
        mapping = discriminator.get("mapping") if isinstance(discriminator, dict) else None
        for key, value in mapping.items() if isinstance(mapping, dict) else ():
            if isinstance(value, str) and value not in names:
                try:
                    definition.resolve(value, schema)
                except UnresolvedReference as failed:
                    place = schema.place.child("discriminator", "mapping", key)
                    meant = definition.suggestions.nearest(value, names)
                    yield _unmapped(place, value, failed, meant)


def _unmapped(place: Place, value: str, failed: UnresolvedReference, meant: str) -> Finding:
    reason = cannot_be_followed(shown(value), failed.reason)
    if failed.rule == "reference-remote":
        return Finding(failed.rule, Severity.WARNING, place, reason)
    if "#" in value or "/" in value:
        return problem(failed.rule, place, reason)
    return Finding("mapping-undefined", Severity.WARNING, place, f"There is no schema {shown(value)}{meant or '.'}")
