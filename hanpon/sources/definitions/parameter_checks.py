"""Path templates against the parameters that are declared, level by level and through references."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from hanpon.contracts.definitions import Node, UnresolvedReference
from hanpon.contracts.findings import Finding, Severity
from hanpon.sources.definitions.files import DefinitionFiles
from hanpon.sources.definitions.positions import METHODS
from hanpon.sources.definitions.references import nearest, shortened
from hanpon.sources.texts.text_problems import problem

_EXPRESSION = re.compile(r"\{([^{}]+)\}")

Declared = dict[tuple[str, str], Node]
"""Parameters by `in` and name, each with the node that lists it."""


def parameter_findings(definition: DefinitionFiles) -> Iterator[Finding]:
    """What is wrong between the templates of `paths` and their parameters.

    Each expression of a template wants a path parameter, and each path parameter an expression (OpenAPI 3.1.1,
    section 4.8.2; 2.0, "Path Templating"); name and `in` together are unique in a list (3.1.1, section 4.8.10).
    Two templates that differ in the names of their parameters alone are a warning.
    """
    paths = definition.root.value.get("paths")
    if not isinstance(paths, dict):
        return
    at = Node(definition.root.file, "/paths", paths)
    templates = [template for template in paths if template.startswith("/")]
    yield from _alike(at, templates)
    for template in templates:
        for part in _parts(definition, at.child(template)):
            yield from _of_path_item(definition, template, part)


def _alike(paths: Node, templates: Iterable[str]) -> Iterator[Finding]:
    first: dict[str, str] = {}
    for template in templates:
        other = first.setdefault(_EXPRESSION.sub("{}", template), template)
        if other != template:
            both = f"`{shortened(template)}` and `{shortened(other)}`"
            message = f"{both} differ in the names of their parameters alone."
            yield Finding("paths-alike", Severity.WARNING, paths.place.child(template), message)


def _parts(definition: DefinitionFiles, node: Node) -> Iterator[Node]:
    """A path item, and what it refers to if it is a reference with siblings."""
    try:
        target = definition.follow(node)
    except UnresolvedReference:
        target = None  # has its own finding
    if isinstance(node.value, dict):
        yield node
    if target is not None and target is not node and isinstance(target.value, dict):
        yield target


def _of_path_item(definition: DefinitionFiles, template: str, item: Node) -> Iterator[Finding]:
    wanted = set(_EXPRESSION.findall(template))
    shared, complete, repeated = _declared(definition, item)
    yield from repeated
    yield from _unused(shared, wanted, template)
    for operation in _operations(definition, item):
        own, own_complete, repeated = _declared(definition, operation)
        yield from repeated
        yield from _unused(own, wanted, template)
        if complete and own_complete and "$ref" not in item.value:
            yield from _undeclared({**shared, **own}, wanted, operation)


def _operations(definition: DefinitionFiles, item: Node) -> Iterator[Node]:
    holders = [(item, METHODS)]
    additional = item.value.get("additionalOperations")
    if isinstance(additional, dict) and definition.dialect == "3.2":
        holders.append((item.child("additionalOperations"), tuple(additional)))
    for holder, methods in holders:
        for method in methods:
            if isinstance(holder.value.get(method), dict):
                try:
                    operation = definition.follow(holder.child(method))
                except UnresolvedReference:
                    continue
                if isinstance(operation.value, dict):
                    yield operation


def _declared(definition: DefinitionFiles, holder: Node) -> tuple[Declared, bool, list[Finding]]:
    """The parameters of a list, whether all could be read, and those that stand in it twice."""
    listed = holder.value.get("parameters")
    declared: Declared = {}
    complete = True
    repeated = []
    for index in range(len(listed) if isinstance(listed, list) else 0):
        entry = holder.child("parameters").child(index)
        key = _identity(definition, entry)
        if key is None:
            complete = False
        elif key in declared:
            message = f"The {key[0]} parameter `{shortened(key[1])}` stands in this list a second time."
            repeated.append(problem("parameter-twice", entry.place, message))
        else:
            declared[key] = entry
    return declared, complete, repeated


def _identity(definition: DefinitionFiles, entry: Node) -> tuple[str, str] | None:
    try:
        parameter: Any = definition.follow(entry).value
    except UnresolvedReference:
        return None
    if not isinstance(parameter, dict):
        return None
    place, name = parameter.get("in"), parameter.get("name")
    if not isinstance(place, str) or not isinstance(name, str):
        return None
    return place, name.lower() if place == "header" else name


def _unused(declared: Declared, wanted: set[str], template: str) -> Iterator[Finding]:
    for (place, name), entry in declared.items():
        if place == "path" and name not in wanted:
            meant = nearest(name, wanted)
            where = f"`{shortened(template)}`{meant or '.'}"
            message = f"The path parameter `{shortened(name)}` does not stand in {where}"
            yield problem("path-parameter-unused", entry.place, message)


def _undeclared(declared: Declared, wanted: set[str], operation: Node) -> Iterator[Finding]:
    for name in sorted(wanted):
        if ("path", name) not in declared:
            elsewhere = [place for place, other in declared if other == name]
            hint = f"; there is one with `in: {shortened(elsewhere[0])}`" if elsewhere else ""
            expression = "`{" + shortened(name) + "}`"
            message = f"{expression} stands in the path, but no path parameter of that name is declared{hint}."
            yield problem("path-parameter-undeclared", operation.place, message)
