"""Our own pass over a definition: everything that decides without the full validator, in well under a second."""

from collections.abc import Iterable, Iterator

from hanpon.contracts.findings import Finding, Severity, in_order
from hanpon.sources.definitions.closure import closure_of
from hanpon.sources.definitions.dialects import unquoted_versions
from hanpon.sources.definitions.files import DefinitionFiles
from hanpon.sources.definitions.operation_checks import (
    discriminator_findings,
    operation_id_findings,
    security_findings,
)
from hanpon.sources.definitions.parameter_checks import parameter_findings
from hanpon.sources.definitions.structure import structure_findings


def check_definition(definition: DefinitionFiles) -> tuple[Finding, ...]:
    """Every finding on a definition and all files it leads to, with lines, in order.

    It is invalid if one of them is an error. All files of the definition have been read after this. Time is
    linear in what was read, whatever the references do.
    """
    return in_order(definition.with_lines(unplaced_findings(definition)))


def unplaced_findings(definition: DefinitionFiles) -> list[Finding]:
    """The same without lines, for those who have more findings to add: looking up lines reads every file again."""
    closure = closure_of(definition)
    versions = unquoted_versions(definition.root.value, definition.root.file)
    structure = structure_findings(definition.dialect, definition.root, closure.pieces)
    return [
        *versions,
        *_without(structure, versions),
        *closure.findings,
        *operation_id_findings(closure.operations),
        *security_findings(definition, closure.operations),
        *discriminator_findings(definition, closure.discriminators),
        *parameter_findings(definition),
    ]


def without_repeats(own: Iterable[Finding], verdict: Iterable[Finding]) -> tuple[Finding, ...]:
    """The full validator's findings, without what our own pass says already.

    That is what stands at the same place, and what our pass says under its own rule at a place nearby.
    """
    own = tuple(own)
    covered = {
        (_COVERED[mine.rule], mine.where.file, above)
        for mine in own
        if mine.rule in _COVERED
        for above in _upwards(mine.where.pointer)
    }
    return tuple(found for found in _without(verdict, own) if (found.rule, *_scope(found)) not in covered)


_COVERED = {
    "path-parameter-undeclared": "path-parameters-disagree",
    "path-parameter-unused": "path-parameters-disagree",
    "parameter-twice": "parameter-twice",
}
"""Our rules, and those under which the full validator says the same."""


def _scope(found: Finding) -> tuple[str, str]:
    """Where our own pass may have said the same: in a list of parameters, or in the path item of an operation."""
    pointer = found.where.pointer
    return found.where.file, pointer if found.rule == "parameter-twice" else pointer.rpartition("/")[0]


def _upwards(pointer: str) -> Iterator[str]:
    yield pointer
    while pointer:
        pointer = pointer.rpartition("/")[0]
        yield pointer


def _without(findings: Iterable[Finding], said: Iterable[Finding]) -> list[Finding]:
    """Without what stands at the place of something said; an error is not said by a warning."""
    said = tuple(said)
    every = {found.where for found in said}
    errors = {found.where for found in said if found.severity is Severity.ERROR}
    return [found for found in findings if found.where not in (errors if found.severity is Severity.ERROR else every)]
