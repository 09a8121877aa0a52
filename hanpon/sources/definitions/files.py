"""The files of one definition: read once each through the bundle's tree, with references that stay inside it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hanpon.contracts.definitions import MAX_BYTES, Dialect, Node, UnresolvedReference
from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Finding, Place
from hanpon.contracts.ports import BundleTree
from hanpon.sources.definitions.dialects import dialect_of
from hanpon.sources.definitions.references import (
    NotThere,
    Suggestions,
    is_reference,
    paths_in_bundle,
    split,
    walk_pointer,
)
from hanpon.sources.definitions.schema_resources import Addresses, SchemaResources, resources_of
from hanpon.sources.texts.inputs import Inputs, was_read
from hanpon.sources.texts.outlines import Outline
from hanpon.sources.texts.structured_text import locate_in, parse_outlined, refuse_too_large
from hanpon.sources.texts.text_problems import problem, shown

MAX_CHAIN = 50
"""References that lead to references more often than this are refused."""

MAX_CLOSURE = 4 * MAX_BYTES
"""All files of one definition together."""


def open_definition(tree: BundleTree, path: str, encoding: str = "utf-8") -> "DefinitionFiles":
    """The definition whose root file stands at `path`.

    Raises InvalidInput where the root cannot be read or is no definition of a known version; whatever else is
    wrong is for `check_definition` to say. Raises Missing and Unavailable as the tree does.
    """
    return DefinitionFiles(tree, path, encoding)


@dataclass(frozen=True, slots=True)
class _File:
    value: Any
    resources: SchemaResources | None
    outline: Outline


class DefinitionFiles:
    """A `Definition` over a bundle's tree. References are resolved once each, files read when one leads there.

    Nothing outside the bundle is read, whatever a reference says: paths are looked up among the tree's own, and
    `inputs` is the only way there.
    """

    def __init__(self, tree: BundleTree, path: str, encoding: str) -> None:
        self._inputs = Inputs(tree)
        self._encoding = encoding
        self._sorted = tree.paths()
        self._addresses = Addresses()
        self._parsed: dict[str, _File] = {}
        self._targets: dict[tuple[str, str, str], Node | NotThere] = {}
        self._bytes = 0
        self.suggestions = Suggestions()
        self.unreadable: dict[str, tuple[Finding, ...]] = {}
        """What is wrong with files that a reference leads to and that cannot be read."""
        self._read(path)
        self.root = Node(path, "", self._parsed[path].value)
        try:
            self.dialect: Dialect = dialect_of(self.root.value, path)
        except InvalidInput as refused:
            raise InvalidInput(self.with_lines(refused.problems)) from None

    @property
    def inputs(self) -> Mapping[str, str]:
        """What is remembered of every path that reading led to so far: see `Inputs.remembered`."""
        return self._inputs.remembered

    @property
    def files(self) -> Mapping[str, str]:
        """sha256 of every file that was read so far, by bundle-relative path."""
        return {path: digest for path, digest in self.inputs.items() if was_read(digest)}

    @property
    def contents(self) -> Mapping[str, bytes]:
        """The bytes of every file that was read so far, by bundle-relative path."""
        return self._inputs.contents

    def follow(self, node: Node) -> Node:
        """The node itself, or what its chain of `$ref` leads to at last. Raises UnresolvedReference."""
        start = node
        if is_reference(node.value):
            target = self.resolve(node.value["$ref"], node)
            if not is_reference(target.value):
                return target  # as nearly all do: nothing has to be remembered for them
        passed: set[str] = set()
        while is_reference(node.value):
            reference = node.value["$ref"]
            if node.identity in passed:
                reason = "the references lead back to themselves and to nothing else"
                raise UnresolvedReference(start.place, start.value["$ref"], "reference-loop", reason)
            if len(passed) >= MAX_CHAIN:
                reason = f"more than {MAX_CHAIN} references lead to one another"
                raise UnresolvedReference(start.place, start.value["$ref"], "reference-chain", reason)
            passed.add(node.identity)
            node = self.resolve(reference, node)
        return node

    def resolve(self, reference: str, base: Node) -> Node:
        """What a reference that stands at `base` leads to, one step. Raises UnresolvedReference."""
        resources = self._parsed[base.file].resources
        key = (base.file, reference, resources.resource_of(base.pointer) if resources else "")
        found = self._targets.get(key)
        if found is None:
            try:
                found = self._resolved(reference, base, key[2])
            except NotThere as failed:
                found = self._explained(failed)
            self._targets[key] = found
        if isinstance(found, NotThere):
            raise UnresolvedReference(base.place, reference, found.rule, found.reason)
        return found

    def readable(self) -> frozenset[str]:
        """The files that were read so far and could be parsed."""
        return frozenset(self._parsed)

    def node(self, file: str) -> Node:
        """The root of a file of `readable()`."""
        return Node(file, "", self._parsed[file].value)

    def names_its_parts(self, file: str) -> bool:
        """True where a file uses `$id` or the like, so that equal references in it may lead to different places."""
        return self._parsed[file].resources is not None

    def forget_values(self) -> None:
        """Free what was parsed, the largest part of it all; what was read, and the lines in it, stay known."""
        self._parsed = {path: _File(None, None, file.outline) for path, file in self._parsed.items()}
        self._targets.clear()
        self.root = Node(self.root.file, "", None)

    def with_lines(self, findings: Sequence[Finding]) -> list[Finding]:
        """The same findings with the line of each place in a file of this definition."""
        wanted: dict[str, set[str]] = {}
        for found in findings:
            if not found.where.line and found.where.file in self.contents:
                wanted.setdefault(found.where.file, set()).add(found.where.pointer)
        lines = {file: self._lines(file, pointers) for file, pointers in wanted.items()}
        return [_in_line(found, lines.get(found.where.file, {})) for found in findings]

    def _lines(self, file: str, pointers: set[str]) -> Mapping[str, int]:
        outline = self._parsed[file].outline if file in self._parsed else Outline()
        return locate_in(self.contents[file], file, pointers, outline, self._encoding)

    def _resolved(self, reference: str, base: Node, resource: str) -> Node:
        address, fragment = split(reference)
        if not address:
            return self._inside(base.file, resource, fragment)
        file, start = self._named_part(address, base) or (self._file_of(address, base.file), "")
        return self._inside(file, start, fragment)

    def _named_part(self, address: str, base: Node) -> tuple[str, str] | None:
        """The file and pointer of a part whose `$id` or `$self` is this address."""
        own = self._parsed[base.file].resources
        absolute = own.address_from(base.pointer, address) if own else address
        known = self._addresses.part(absolute)
        if known is not None:
            return known
        path = self._addresses.path(absolute)
        found = None if path is None else self._first_file(paths_in_bundle(path, ""))
        return None if found is None else (found, "")

    def _file_of(self, address: str, base: str) -> str:
        paths = paths_in_bundle(address, base)
        found = self._first_file(paths)
        if found is not None:
            return found
        if any(map(self._inputs.is_linked, paths)):
            raise NotThere("reference-outside-bundle", "a symbolic link stands there, and links are not followed")
        reason = f"there is no file {shown(paths[0])} in the bundle"
        raise NotThere("reference-dangling", reason, paths[0], self._sorted)

    def _first_file(self, paths: Iterable[str]) -> str | None:
        """The first of some paths at which a file stands, read; None where there is none."""
        found = next((path for path in paths if self._inputs.size(path) is not None), None)
        return None if found is None else self._read_or_refuse(found)

    def _inside(self, file: str, start: str, fragment: str) -> Node:
        parsed = self._parsed[file]
        if fragment and not fragment.startswith("/"):
            pointer = parsed.resources.anchor(start, fragment) if parsed.resources else None
            if pointer is None:
                raise NotThere("reference-dangling", _why_no_anchor(fragment))
            return Node(file, *walk_pointer(parsed.value, pointer, encoded=False))
        if start:
            base, value = walk_pointer(parsed.value, start, encoded=False)
            try:
                pointer, value = walk_pointer(value, fragment)
            except NotThere:
                pass  # authors go on writing `#/components/…` below an `$id`: read it so where it can mean that alone
            else:
                return Node(file, base + pointer, value)
        return Node(file, *walk_pointer(parsed.value, fragment))

    def _explained(self, failed: NotThere) -> NotThere:
        return NotThere(failed.rule, failed.reason + self.suggestions.nearest(failed.name, failed.names))

    def _read_or_refuse(self, path: str) -> str:
        if path not in self.unreadable:
            try:
                return self._read(path)
            except InvalidInput as refused:
                self.unreadable[path] = refused.problems
        raise NotThere("reference-unreadable", f"{shown(path)} cannot be read")

    def _read(self, path: str) -> str:
        if path in self._parsed:
            return path
        size = self._inputs.size(path) or 0
        refuse_too_large(size, path)
        self._bytes += size
        if self._bytes > MAX_CLOSURE:
            message = f"The files of this definition have more than {MAX_CLOSURE:,} bytes together."
            raise InvalidInput([problem("too-large", Place(path), message)])
        data = self._inputs.read(path)
        value, outline = parse_outlined(data, path, self._encoding)
        resources = resources_of(value, path, data)
        if resources is not None:
            self._addresses.add(path, resources)
        self._parsed[path] = _File(value, resources, outline)
        return path


def _why_no_anchor(fragment: str) -> str:
    if "/" in fragment:
        return f"behind `#` a path begins with `/`: write {shown('#/' + fragment)}"
    return f"there is no `$anchor` named {shown(fragment)}"


def _in_line(found: Finding, lines: Mapping[str, int]) -> Finding:
    line = found.where.line or lines.get(found.where.pointer, 0)
    return Finding(found.rule, found.severity, Place(found.where.file, found.where.pointer, line), found.message)
