"""From an item of a bundle to a printed edition: read, validate, render. Writes nothing."""

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

from hanpon.contracts.bundle import ApiItem, Item
from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Finding, Severity, in_order
from hanpon.contracts.manifests import Manifest
from hanpon.contracts.ports import BundleTree, DefinitionValidator, Verdict
from hanpon.inventory.api_names import names_of
from hanpon.releases.edition_print import PrintedEdition, print_edition
from hanpon.sources.definitions.checks import check_definition, without_repeats
from hanpon.sources.definitions.files import open_definition
from hanpon.sources.openapi.reader import read_api
from hanpon.sources.texts.inputs import is_as_remembered, was_read
from renderers import operation

RECIPE: Mapping[str, int] = {"operation": operation.RECIPE}


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
    if not isinstance(item, ApiItem):
        raise InvalidInput([_not_printed_yet(item, f"items of kind {item.kind} cannot be released yet")])
    definition = open_definition(workshop.tree, item.definition, item.encoding)
    own = list(check_definition(definition))
    verdict_of = workshop.validator.start(item.definition, definition.contents, item.encoding)
    source = read_api(definition, item)
    rendered = operation.render(source)
    own.extend(definition.with_lines((*source.findings, *rendered.findings)))
    if item.readme:
        own.append(_not_printed_yet(item, "the README of an API is not published yet", Severity.WARNING))
    findings = in_order(own)
    edition = print_edition(
        rendered.documents,
        names_of(source),
        inputs=definition.inputs,
        settings=item.settings_digest,
        recipe=RECIPE,
        findings=findings,
    )
    judgement = judged(findings, verdict_of(), workshop.validation)
    return Printed(edition=edition, names=edition.manifest.names, findings=judgement)


def still_stands(item: Item, manifest: Manifest | None, tree: BundleTree) -> bool:
    """Whether a manifest was made from these very inputs: then nothing needs to be parsed."""
    return (
        manifest is not None
        and isinstance(item, ApiItem)
        and manifest.settings == item.settings_digest
        and dict(manifest.recipe) == dict(RECIPE)
        and all(is_as_remembered(path, digest, tree) for path, digest in manifest.inputs.items())
    )


def reprint(item: Item, manifest: Manifest, workshop: Workshop) -> Printed:
    """What printing would say of a manifest that still stands, without parsing anything here."""
    assert isinstance(item, ApiItem)  # noqa: S101  `still_stands` saw to it
    read = {path: digest for path, digest in manifest.inputs.items() if was_read(digest)}
    verdict = workshop.validator.known(item.definition, read, item.encoding)
    if verdict is None and workshop.validation is Validation.STRICT:
        contents = {path: workshop.tree.read(path) for path in read}
        verdict = workshop.validator.start(item.definition, contents, item.encoding)()
    judgement = judged(manifest.findings, verdict or Verdict(()), workshop.validation)
    return Printed(edition=None, names=manifest.names, findings=judgement)


def judged(own: tuple[Finding, ...], verdict: Verdict, validation: Validation) -> tuple[Finding, ...]:
    """Our own findings and the validator's together. Raises InvalidInput where they are errors and count."""
    findings = in_order([*own, *without_repeats(own, verdict.findings)])
    if validation is Validation.STRICT and any(f.severity is Severity.ERROR for f in findings):
        raise InvalidInput(findings)
    return findings


def _not_printed_yet(item: Item, words: str, severity: Severity = Severity.ERROR) -> Finding:
    return Finding("not-printed-yet", severity, item.place, f"{item.edition}: {words}")
