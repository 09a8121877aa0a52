"""From an item of a bundle to a printed edition: read, validate, render. Writes nothing."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

from hanpon.contracts.bundle import ApiItem, Item
from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Finding, Severity, in_order
from hanpon.contracts.manifests import Manifest
from hanpon.contracts.ports import BundleTree, DefinitionValidator, Verdict
from hanpon.releases.edition_print import PrintedEdition, print_edition
from hanpon.runs.drafting import RECIPES, draft
from hanpon.sources.definitions.checks import without_repeats
from hanpon.sources.texts.inputs import is_as_remembered, was_read


class Validation(StrEnum):
    """Whether an invalid definition stops its edition (strict) or is only reported (report)."""

    STRICT = "strict"
    REPORT = "report"


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A printed edition, or one that need not be: `edition` is None where its manifest stands as it is."""

    edition: PrintedEdition | None
    names: int
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """What printing needs besides the item."""

    tree: BundleTree
    validator: DefinitionValidator
    validation: Validation
    claimed: frozenset[str] = frozenset()
    """The files of all guidelines, designs and answers of the bundle."""


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Keep the cyclic collector from walking tens of thousands of values that are all in use.

    What printing makes holds next to no cycles: for GitHub's definition 6 % less time, 1 % more memory.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@_collector_paused()
def print_item(item: Item, workshop: Workshop) -> Printed:
    """Read, validate and render an item. Raises InvalidInput with every problem, as `validation` has it."""
    drafted = draft(item, workshop.tree, workshop.validator, workshop.claimed)
    findings = in_order(list(drafted.findings))
    edition = print_edition(
        drafted.documents,
        drafted.inventory,
        images=drafted.images,
        inputs=drafted.inputs,
        definition=drafted.definition,
        settings=item.settings_digest,
        recipe=RECIPES[item.kind],
        findings=findings,
    )
    judgement = judged(findings, drafted.verdict(), workshop.validation)
    return Printed(edition=edition, names=edition.manifest.names, findings=judgement)


def still_stands(item: Item, manifest: Manifest | None, tree: BundleTree) -> bool:
    """Whether a manifest was made from these very inputs: then nothing needs to be parsed."""
    return (
        manifest is not None
        and manifest.settings == item.settings_digest
        and dict(manifest.recipe) == dict(RECIPES[item.kind])
        and all(is_as_remembered(path, digest, tree) for path, digest in manifest.inputs.items())
    )


def reprint(item: Item, manifest: Manifest, workshop: Workshop) -> Printed:
    """What printing would say of a manifest that still stands, without parsing anything here."""
    verdict = _verdict_again(item, manifest, workshop) if isinstance(item, ApiItem) else Verdict(())
    judgement = judged(manifest.findings, verdict, workshop.validation)
    return Printed(edition=None, names=manifest.names, findings=judgement)


def _verdict_again(item: ApiItem, manifest: Manifest, workshop: Workshop) -> Verdict:
    """The kept verdict on a definition; in strict mode it is judged anew where none was kept."""
    read = {path: manifest.inputs[path] for path in manifest.definition if was_read(manifest.inputs[path])}
    verdict = workshop.validator.known(item.definition, read, item.encoding)
    if verdict is None and workshop.validation is Validation.STRICT:
        contents = {path: workshop.tree.read(path) for path in read}
        verdict = workshop.validator.start(item.definition, contents, item.encoding)()
    return verdict or Verdict(())


def judged(own: tuple[Finding, ...], verdict: Verdict, validation: Validation) -> tuple[Finding, ...]:
    """Our own findings and the validator's together. Raises InvalidInput where they are errors and count."""
    findings = in_order([*own, *without_repeats(own, verdict.findings)])
    if validation is Validation.STRICT and any(f.severity is Severity.ERROR for f in findings):
        raise InvalidInput(findings)
    return findings
