"""The index page of an edition, for people: what is published, by tag, and what a person should look at.

Derived from the manifest and the inventory alone, with no clock in it, so equal editions give equal bytes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hanpon.contracts.findings import Finding
from hanpon.contracts.manifests import Entry, Manifest
from hanpon.contracts.names import Inventory, Name
from hanpon.contracts.texts import clean
from renderers.labels import Labels, labels_of
from renderers.page import encoded, template

RECIPE = 4
"""Raised by hand whenever the same manifest gives other bytes: then the next release renews the page."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A page in a list. `id` is "" where the page was listed before: an id stands on a page once."""

    id: str
    link: str
    heading: str
    summary: str
    deprecated: bool


def render_index(manifest: Manifest, inventory: Inventory, *, title: str, language: str) -> bytes:
    """The page `index.html` of an edition's folder; each document stands in `<li id="{document id}">`."""
    labels = labels_of(language)
    edition = manifest.edition
    html = template("edition_index.html").render(
        t=labels,
        language=language,
        manifest=manifest.digest,
        recipe=RECIPE,
        title=clean(labels["index_title"].format(title=title, version=edition.version)),
        groups=[(name, lines) for name, lines in _groups(manifest, inventory, labels) if lines],
        names=[(labels[label], names) for label, names in _names(inventory) if names],
        findings=[_said(finding, labels) for finding in _in_order(manifest.findings)],
    )
    return encoded(html)


def _groups(manifest: Manifest, inventory: Inventory, labels: Labels) -> Iterable[tuple[str, list[_Line]]]:
    named = {name.document: name.kind for name in inventory.names if name.document}
    # further parts of a page have the source of the first, whose id the inventory has
    of_sources = {entry.metadata["source"]: named[entry.id] for entry in manifest.entries if entry.id in named}
    kinds = {entry.id: of_sources.get(entry.metadata["source"], "") for entry in manifest.entries}
    seen: set[str] = set()
    operations = [entry for entry in manifest.entries if kinds.get(entry.id) == "path"]
    tags = sorted({tag for entry in operations for tag in entry.metadata["tags"]})
    for tag in tags:
        yield clean(tag), _lines(manifest, (e for e in operations if tag in e.metadata["tags"]), seen)
    yield labels["index_untagged"], _lines(manifest, (e for e in operations if not e.metadata["tags"]), seen)
    webhooks = (entry for entry in manifest.entries if kinds.get(entry.id) == "webhook")
    yield labels["index_webhooks"], _lines(manifest, webhooks, seen)
    others = (entry for entry in manifest.entries if kinds.get(entry.id) not in {"path", "webhook"})
    yield labels["index_documents"], _lines(manifest, others, seen)


def _lines(manifest: Manifest, entries: Iterable[Entry], seen: set[str]) -> list[_Line]:
    found = []
    for entry in sorted(entries, key=_order):
        heading = clean(str(entry.metadata["section"]))
        found.append(
            _Line(
                id="" if entry.id in seen else entry.id,
                link=entry.key.removeprefix(f"{manifest.edition.folder}/"),
                heading=heading,
                summary=clean(str(entry.metadata["title"])).removeprefix(heading).removeprefix(": "),
                deprecated=entry.metadata["deprecated"] == "true",
            )
        )
        seen.add(entry.id)
    return found


def _order(entry: Entry) -> tuple[str, str, int, str, str]:
    """By path and method; part 10 of a page behind part 9."""
    metadata: Mapping[str, Any] = entry.metadata
    section = str(metadata["section"])
    return str(metadata["path"]), str(metadata["method"]), len(section), section, entry.id


def _said(finding: Finding, labels: Labels) -> tuple[str, str, str, str]:
    """Severity, place, message, rule. Places are true, so they may hold what no page can."""
    severity = labels[f"severity_{finding.severity}"]
    return severity, clean(str(finding.where)), clean(finding.message), finding.rule


def _names(inventory: Inventory) -> Iterable[tuple[str, list[Name]]]:
    """Names that have no page of their own and so stand in no list above."""
    for kind, label in (("callback", "index_callbacks"), ("function", "index_functions")):
        yield label, [replace(name, name=clean(name.name)) for name in inventory.names if name.kind == kind]


def _in_order(findings: tuple[Finding, ...]) -> list[Finding]:
    """The gravest first."""
    grave = {"error": 0, "warning": 1, "info": 2}
    return sorted(
        findings, key=lambda finding: (grave[finding.severity], finding.where, finding.rule, finding.message)
    )
