"""An API definition read whole: operations, webhooks, and every schema that they lead to."""

from collections.abc import Iterator

from hanpon.contracts.bundle import ApiItem
from hanpon.contracts.definitions import Definition, Node
from hanpon.contracts.findings import Severity
from hanpon.contracts.operations import ApiSource, Operation
from hanpon.sources.openapi.fields import Reader, fields
from hanpon.sources.openapi.parts import Parts3
from hanpon.sources.openapi.paths import Parts, PathReader
from hanpon.sources.openapi.schemas import SchemaReader
from hanpon.sources.openapi.swagger import Parts2
from hanpon.sources.texts.text_problems import shown

_ROOT = fields(
    "openapi swagger info servers paths webhooks components security tags jsonSchemaDialect $self host "
    "basePath schemes consumes produces definitions parameters responses securityDefinitions x-tagGroups"
)
_INFO = frozenset({"title", "version"})


def read_api(definition: Definition, item: ApiItem) -> ApiSource:
    """Read a definition of OpenAPI 2.0, 3.0, 3.1 or 3.2.

    Never raises on odd-shaped input: what cannot be read is left out with a finding, so that the rest can be
    published. Operations marked `x-internal` are left out where the item says `internal: hide`.
    """
    reader = Reader(definition)
    root = definition.root
    if not isinstance(root.value, dict):
        reader.odd(root, "an object")
        return ApiSource(item=item, dialect=reader.dialect, title=item.title, findings=reader.findings())
    schemas = SchemaReader(reader)
    parts: Parts = Parts2(reader, schemas) if reader.dialect == "2.0" else Parts3(reader, schemas)
    paths = PathReader(reader, parts, hide_internal=item.internal == "hide")
    operations = _unique(_operations(paths, reader, "paths"), reader)
    webhooks = _unique(_operations(paths, reader, "webhooks"), reader) if reader.dialect in {"3.1", "3.2"} else ()
    schemas.read_all()
    _note_unshown(root, reader)
    info = reader.object(root, "info") or Node(root.file, "/info", {})
    return ApiSource(
        item=item,
        dialect=reader.dialect,
        title=reader.text(info, "title") or item.title,
        info_version=reader.text(info, "version"),
        operations=operations,
        webhooks=webhooks,
        schemas=schemas.schemas,
        findings=reader.findings(),
    )


def _operations(paths: PathReader, reader: Reader, field: str) -> Iterator[Operation]:
    for target, node in reader.members(reader.definition.root, field):
        if target.startswith("x-"):
            reader.unshown(field, target, Node(node.file, node.pointer.rpartition("/")[0], {}))
        else:
            yield from paths.operations(target, node, "path" if field == "paths" else "webhook")


def _unique(operations: Iterator[Operation], reader: Reader) -> tuple[Operation, ...]:
    found: dict[str, Operation] = {}
    for operation in operations:
        first = found.setdefault(operation.logical_path, operation)
        if first is not operation:
            message = f"{shown(operation.heading)} was met before, at {first.place}; this one has no page"
            reader.note("duplicate-operation", Severity.ERROR, operation.place, message)
    return tuple(found.values())


def _note_unshown(root: Node, reader: Reader) -> None:
    """What stands at the root and in `info` and is on no page; webhooks before 3.1 are counted."""
    for key, value in root.value.items():
        if key not in _ROOT or (key == "webhooks" and reader.dialect not in {"3.1", "3.2"}):
            count = len(value) if key in {"webhooks", "x-webhooks"} and isinstance(value, (dict, list)) else 1
            reader.unshown("the definition", key, root, count=count)
    info = root.value.get("info")
    if isinstance(info, dict):
        reader.unknown("info", root.child("info"), _INFO)
