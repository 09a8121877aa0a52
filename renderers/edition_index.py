"""The index page of an edition, for people: what is published, by tag, and what a person should look at.

Derived from the manifest and the inventory alone, with no clock in it, so equal editions give equal bytes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from hanpon.contracts.editions import EVERY_VERSION
from hanpon.contracts.findings import Finding
from hanpon.contracts.manifests import Entry, Manifest
from hanpon.contracts.names import Inventory, Name
from hanpon.contracts.texts import clean
from renderers.edition_lists import Group, Line, address, text_groups
from renderers.labels import Labels, labels_of
from renderers.page import encoded, template

RECIPE = 5
"""Raised by hand whenever the same manifest gives other bytes: then the next release renews the page."""


def render_index(manifest: Manifest, inventory: Inventory, *, title: str, language: str) -> bytes:
    """The page `index.html` of an edition's folder; each document stands in `<li id="{document id}">`."""
    labels = labels_of(language)
    edition = manifest.edition
    called = (
        title
        if edition.version == EVERY_VERSION
        else labels["index_title"].format(title=title, version=edition.version)
    )
    html = template("edition_index.html").render(
        t=labels,
        language=language,
        manifest=manifest.digest,
        recipe=RECIPE,
        title=clean(called),
        groups=_with_parents(_groups(manifest, inventory, labels, title)),
        names=[(labels[label], names) for label, names in _names(inventory) if names],
        findings=[_said(finding, labels) for finding in _in_order(manifest.findings)],
    )
    return encoded(html)


def _with_parents(groups: Iterable[Group]) -> list[Group]:
    """Groups that list something, or whose next group goes on below them."""
    found = list(groups)
    following = [*found[1:], Group("", ())]
    return [group for group, after in zip(found, following, strict=True) if group.lines or after.level > group.level]


def _groups(manifest: Manifest, inventory: Inventory, labels: Labels, title: str) -> Iterable[Group]:
    named = {name.document: name.kind for name in inventory.names if name.document}
    # further parts of a page have the source of the first, whose id the inventory has
    of_sources = {entry.metadata["source"]: named[entry.id] for entry in manifest.entries if entry.id in named}
    kinds = {entry.id: of_sources.get(entry.metadata["source"], "") for entry in manifest.entries}
    seen: set[str] = set()
    operations = [entry for entry in manifest.entries if kinds.get(entry.id) == "path"]
    tags = sorted({tag for entry in operations for tag in entry.metadata["tags"]})
    for tag in tags:
        yield Group(clean(tag), _lines((e for e in operations if tag in e.metadata["tags"]), labels, seen))
    yield Group(labels["index_untagged"], _lines((e for e in operations if not e.metadata["tags"]), labels, seen))
    webhooks = (entry for entry in manifest.entries if kinds.get(entry.id) == "webhook")
    yield Group(labels["index_webhooks"], _lines(webhooks, labels, seen))
    others = [entry for entry in manifest.entries if kinds.get(entry.id) not in {"path", "webhook"}]
    unnamed = [entry for entry in others if entry.metadata["path"]]
    yield Group(labels["index_documents"], _lines(unnamed, labels, seen))
    yield from text_groups((entry for entry in others if not entry.metadata["path"]), labels, title)


def _lines(entries: Iterable[Entry], labels: Labels, seen: set[str]) -> list[Line]:
    found = []
    for entry in sorted(entries, key=_order):
        heading = clean(str(entry.metadata["section"]))
        found.append(
            Line(
                id="" if entry.id in seen else entry.id,
                link=address(entry),
                heading=heading,
                summary=clean(str(entry.metadata["title"])).removeprefix(heading).removeprefix(": "),
                marks=(labels["deprecated"],) if entry.metadata["deprecated"] == "true" else (),
                is_code=True,
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
