"""The form of a definition against the official schemas: the root as a whole, other files piece by piece."""

from collections.abc import Iterable, Iterator
from itertools import islice

from hanpon.contracts.definitions import Dialect, Node
from hanpon.contracts.findings import Finding, Place
from hanpon.sources.definitions.dialects import names_another_dialect
from hanpon.sources.definitions.official_schemas import validator
from hanpon.sources.definitions.positions import Kind
from hanpon.sources.definitions.references import is_reference
from hanpon.sources.definitions.schema_complaints import complaints
from hanpon.sources.texts.text_problems import problem

MOST_COMPLAINTS = 1000
"""More complaints about the form of one definition are not listed."""


def structure_findings(
    dialect: Dialect, root: Node, pieces: Iterable[tuple[Kind, Node]] = (), *, formats: bool = False
) -> list[Finding]:
    """Every fault of form, each as one sentence at its own place.

    The root is checked as a whole, and each piece outside it as the kind of object that a reference wants
    there. A piece that is itself a reference is left to what it leads to. `formats` checks URIs and the like too.
    """
    own_dialect = names_another_dialect(root.value, "jsonSchemaDialect")
    every = _complaints(dialect, root, pieces, own_dialect=own_dialect, formats=formats)
    listed = list(islice(every, MOST_COMPLAINTS))
    if next(every, None) is not None:
        message = f"There are more than {MOST_COMPLAINTS} faults of form; the rest is not listed."
        listed.append(problem("too-many-problems", Place(root.file), message))
    # the same fault can be told of by more than one part of a schema, and of one place reached in two ways
    return list({(found.where, found.rule, found.message): found for found in listed}.values())


def _complaints(
    dialect: Dialect, root: Node, pieces: Iterable[tuple[Kind, Node]], *, own_dialect: bool, formats: bool
) -> Iterator[Finding]:
    for kind, node in (("document", root), *pieces):
        if is_reference(node.value) and kind not in {"document", "path-item"}:
            continue
        checking = validator(dialect, kind, own_dialect=own_dialect, formats=formats)
        for error in checking.iter_errors(node.value):
            yield from complaints(error, node, dialect)
