"""Path templates against the parameters that are declared, level by level and through references."""

import re
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from hanpon.contracts.definitions import Node, UnresolvedReference
from hanpon.contracts.findings import Finding, Severity
from hanpon.sources.definitions.files import DefinitionFiles
from hanpon.sources.definitions.positions import METHODS
from hanpon.sources.definitions.references import is_reference
from hanpon.sources.texts.text_problems import problem, shown

MOST_DISAGREEMENTS = 1000
"""More faults between paths and parameters are not listed: one path item may stand for any number of paths."""

_EXPRESSION = re.compile(r"\{([^{}]+)\}")


@dataclass(slots=True)
class _Declared:
    """The parameters of one list: path parameters by name, with the node that lists each, and where others are."""

    in_path: dict[str, Node] = field(default_factory=dict)
    elsewhere: dict[str, str] = field(default_factory=dict)
    complete: bool = True
    """False where one could not be read: it may be any."""
    repeated: list[Finding] = field(default_factory=list)


@dataclass(slots=True)
class _PathItem:
    shared: _Declared
    operations: list[tuple[Node, _Declared]]


def parameter_findings(definition: DefinitionFiles) -> Iterator[Finding]:
    """What is wrong between the templates of `paths` and their parameters.

    Each expression of a template wants a path parameter, and each path parameter an expression ("Path Templating"
    in every version); name and `in` together are unique in a list (OpenAPI 3.1.1, section 4.8.10).
    Two templates that differ in the names of their parameters alone are a warning.
    """
    paths = definition.root.value.get("paths")
    if not isinstance(paths, dict):
        return
    at = Node(definition.root.file, "/paths", paths)
    templates = [template for template in paths if template.startswith("/")]
    yield from _alike(at, templates)
    every = _Checking(definition).findings(at, templates)
    yield from islice(every, MOST_DISAGREEMENTS)
    if next(every, None) is not None:
        message = f"Paths and parameters disagree more than {MOST_DISAGREEMENTS} times; the rest is not listed."
        yield problem("too-many-problems", at.place, message)


def _alike(paths: Node, templates: Iterable[str]) -> Iterator[Finding]:
    first: dict[str, str] = {}
    for template in templates:
        other = first.setdefault(_EXPRESSION.sub("{}", template), template)
        if other != template:
            message = f"{shown(template)} and {shown(other)} differ in the names of their parameters alone."
            yield Finding("paths-alike", Severity.WARNING, paths.place.child(template), message)


class _Checking:
    """Reads each path item once, however many templates share it."""

    def __init__(self, definition: DefinitionFiles) -> None:
        self._definition = definition
        self._items: dict[str, _PathItem] = {}

    def findings(self, paths: Node, templates: Iterable[str]) -> Iterator[Finding]:
        for template in templates:
            steps, complete = self._steps(paths.child(template))
            items = []
            for step in steps:
                if step.identity not in self._items:
                    self._items[step.identity] = item = self._item(step)
                    yield from (found for each in _lists(item) for found in each.repeated)
                items.append(self._items[step.identity])
            yield from self._of_template(template, items, complete=complete)

    def _steps(self, node: Node) -> tuple[list[Node], bool]:
        """A path item and all that it refers to, for keys may stand beside a `$ref`; and whether that is all."""
        steps = [node]
        try:
            self._definition.follow(node)
            while is_reference(steps[-1].value):
                steps.append(self._definition.resolve(steps[-1].value["$ref"], steps[-1]))
        except UnresolvedReference:
            return [step for step in steps if isinstance(step.value, dict)], False  # has its own finding
        return [step for step in steps if isinstance(step.value, dict)], True

    def _of_template(self, template: str, items: list[_PathItem], *, complete: bool) -> Iterator[Finding]:
        wanted = set(_EXPRESSION.findall(template))
        missing = set(wanted)
        for item in items:
            yield from self._unused(item.shared, wanted, template)
            missing.difference_update(item.shared.in_path)
            complete = complete and item.shared.complete
        for item in items:
            for operation, own in item.operations:
                yield from self._unused(own, wanted, template)
                if complete and own.complete and (left := missing.difference(own.in_path)):
                    elsewhere = ChainMap(own.elsewhere, *(each.shared.elsewhere for each in items))
                    yield from _undeclared(left, elsewhere, operation)

    def _unused(self, declared: _Declared, wanted: set[str], template: str) -> Iterator[Finding]:
        for name, entry in declared.in_path.items():
            if name not in wanted:
                meant = self._definition.suggestions.nearest(name, wanted)
                message = f"The path parameter {shown(name)} does not stand in {shown(template)}{meant or '.'}"
                yield problem("path-parameter-unused", entry.place, message)

    def _item(self, node: Node) -> _PathItem:
        operations = [(operation, self._declared(operation)) for operation in self._operations(node)]
        return _PathItem(self._declared(node), operations)

    def _operations(self, item: Node) -> Iterator[Node]:
        holders = [(item, METHODS)]
        additional = item.value.get("additionalOperations")
        if isinstance(additional, dict) and self._definition.dialect == "3.2":
            holders.append((item.child("additionalOperations"), tuple(additional)))
        for holder, methods in holders:
            for method in methods:
                if method in holder.value and isinstance(holder.value[method], dict):
                    try:
                        operation = self._definition.follow(holder.child(method))
                    except UnresolvedReference:
                        continue
                    if isinstance(operation.value, dict):
                        yield operation

    def _declared(self, holder: Node) -> _Declared:
        declared = _Declared()
        if not isinstance(holder.value.get("parameters"), list):
            return declared
        listed = holder.child("parameters")
        seen: set[tuple[str, str]] = set()
        for index in range(len(listed.value)):
            entry = listed.child(index)
            identity = self._identity(entry)
            if identity is None:
                declared.complete = False
            elif identity in seen:
                message = f"The {identity[0]} parameter {shown(identity[1])} stands in this list a second time."
                declared.repeated.append(problem("parameter-twice", entry.place, message))
            elif identity[0] == "path":
                declared.in_path[identity[1]] = entry
            else:
                declared.elsewhere[identity[1]] = identity[0]
            if identity is not None:
                seen.add(identity)
        return declared

    def _identity(self, entry: Node) -> tuple[str, str] | None:
        """The `in` and the name of a parameter, which together are its own (names are compared by case)."""
        try:
            parameter: Any = self._definition.follow(entry).value
        except UnresolvedReference:
            return None
        if not isinstance(parameter, dict):
            return None
        place, name = parameter.get("in"), parameter.get("name")
        return (place, name) if isinstance(place, str) and isinstance(name, str) else None


def _lists(item: _PathItem) -> Iterator[_Declared]:
    yield item.shared
    yield from (own for _, own in item.operations)


def _undeclared(missing: Iterable[str], elsewhere: Mapping[str, str], operation: Node) -> Iterator[Finding]:
    for name in sorted(missing):
        hint = f"; there is one with {shown('in: ' + elsewhere[name])}" if name in elsewhere else ""
        expression = shown("{" + name + "}")
        message = f"{expression} stands in the path, but no path parameter of that name is declared{hint}."
        yield problem("path-parameter-undeclared", operation.place, message)
