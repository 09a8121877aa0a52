"""Our own pass over a definition: everything that decides without the full validator, in well under a second."""

from collections.abc import Iterable

from hanpon.contracts.findings import Finding, in_order
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
    closure = closure_of(definition)
    versions = unquoted_versions(definition.root.value, definition.root.file)
    structure = structure_findings(definition.dialect, definition.root, closure.pieces)
    findings = [
        *versions,
        *_without(structure, versions),
        *closure.findings,
        *(found for problems in definition.unreadable.values() for found in problems),
        *operation_id_findings(closure.operations),
        *security_findings(definition, closure.operations),
        *discriminator_findings(definition, closure.discriminators),
        *parameter_findings(definition),
    ]
    return in_order(definition.with_lines(findings))


def without_repeats(own: Iterable[Finding], verdict: Iterable[Finding]) -> tuple[Finding, ...]:
    """The full validator's findings, without what our own pass says already.

    That is what stands at the same place, and what our pass says under its own rule at a place nearby.
    """
    own = tuple(own)
    return tuple(found for found in _without(verdict, own) if not any(_covers(mine, found) for mine in own))


_COVERING = {
    "path-parameters-disagree": frozenset({"path-parameter-undeclared", "path-parameter-unused"}),
    "parameter-twice": frozenset({"parameter-twice"}),
}


def _covers(mine: Finding, found: Finding) -> bool:
    if mine.rule not in _COVERING.get(found.rule, ()) or mine.where.file != found.where.file:
        return False
    # an operation's path item holds both: parameters may be declared for all its operations
    scope = found.where.pointer.rpartition("/")[0] if found.rule != "parameter-twice" else found.where.pointer
    return mine.where.pointer.startswith(scope)


def _without(findings: Iterable[Finding], said: Iterable[Finding]) -> list[Finding]:
    places = {(found.where.file, found.where.pointer) for found in said}
    return [found for found in findings if (found.where.file, found.where.pointer) not in places]
