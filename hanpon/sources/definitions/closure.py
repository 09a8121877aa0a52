"""Everything that a definition leads to, walked once, with every reference followed where it stands."""

from dataclasses import dataclass, field, replace

from hanpon.contracts.definitions import Node, UnresolvedReference
from hanpon.contracts.findings import Finding, Severity
from hanpon.contracts.pointers import steps_of
from hanpon.sources.definitions.complaint_words import with_article
from hanpon.sources.definitions.dialects import names_another_dialect
from hanpon.sources.definitions.files import DefinitionFiles
from hanpon.sources.definitions.keyword_walk import Chain, mappings_of, pointer_of_chain
from hanpon.sources.definitions.positions import Kind, grammar_of, kind_at
from hanpon.sources.definitions.references import cannot_be_followed, is_reference
from hanpon.sources.definitions.typed_walk import Found, TypedWalk
from hanpon.sources.texts.text_problems import problem, shown


@dataclass(slots=True)
class Closure:
    """What was found on the way.

    `pieces` are objects that stand outside the root's own positions, in other files or in extensions, with the
    kind as which a reference leads to them; schemas in files of another dialect are left out. `operations` are all
    that are reached, wherever they stand.
    """

    findings: list[Finding] = field(default_factory=list)
    pieces: list[tuple[Kind, Node]] = field(default_factory=list)
    operations: list[Node] = field(default_factory=list)
    discriminators: list[Node] = field(default_factory=list)


def closure_of(definition: DefinitionFiles) -> Closure:
    """Follow every reference of a definition and of all files that it leads to, also where no operation gets.

    What cannot be followed or read is an error where the definition leads there, and a warning in parts of other
    files to which nothing leads: they may be for another definition. All files have been read after this.
    """
    following = _Following(definition)
    following.reach("document", definition.root)
    following.take_unreadable(Severity.ERROR)
    following.read_whole_files()
    following.take_unreadable(Severity.WARNING)
    return following.closure


class _Following:
    def __init__(self, definition: DefinitionFiles) -> None:
        self.definition = definition
        self.closure = Closure()
        self.grammar = grammar_of(definition.dialect)
        self.walk = TypedWalk(self.grammar)
        self.sound: set[tuple[str, str, Kind]] = set()
        self.told: set[str] = set()
        self.reached: set[tuple[str, Kind]] = set()

    def reach(self, kind: Kind, node: Node) -> None:
        """Walk a piece and all the pieces it leads to."""
        waiting = [(kind, node)]
        while waiting:
            kind, node = waiting.pop()
            harvest = self.walk.walk(kind, node.value)
            self.closure.operations.extend(_placed(node, found) for found in harvest.operations)
            self.closure.discriminators.extend(_placed(node, found) for found in harvest.schemas_with_discriminator)
            for found in harvest.references:
                piece = self.follow(found, node)
                if piece is not None:
                    waiting.append(piece)
                    self.take_piece(*piece)

    def take_piece(self, kind: Kind, node: Node) -> None:
        file = self.definition.node(node.file)
        if kind != "schema" or not names_another_dialect(file.value, "$schema"):
            self.closure.pieces.append((kind, node))

    def follow(self, found: Found, origin: Node) -> tuple[Kind, Node] | None:
        """Where a reference leads, if that was not reached before and is none of the root's own positions."""
        kind, value, _ = found
        reference = value["$ref"]
        if (origin.file, reference, kind) in self.sound:
            return None
        base = _placed(origin, found)
        try:
            target = self.definition.resolve(reference, base)
            if is_reference(target.value):  # as few are: only those may fail further on
                self.definition.follow(base)
        except UnresolvedReference as failed:
            self.closure.findings.append(_unresolved(failed, Severity.ERROR))
            return None
        actual = self.known_kind(target)
        if actual is not None and actual != kind:
            message = f"{shown(reference)} leads to {_thing(actual)}, but {_thing(kind)} is wanted here."
            self.closure.findings.append(problem("reference-of-wrong-kind", base.place, message))
            return None
        if not self.definition.names_its_parts(base.file):
            self.sound.add((origin.file, reference, kind))
        if actual is not None or (target.identity, kind) in self.reached:
            return None
        self.reached.add((target.identity, kind))
        return kind, target

    def known_kind(self, target: Node) -> Kind | None:
        """The kind of what stands at one of the root's own positions."""
        if target.file != self.definition.root.file:
            return None
        return kind_at(self.grammar, steps_of(target.pointer))

    def read_whole_files(self) -> None:
        """Check the references of other files where `reach` did not come by; that may lead to yet more files."""
        done = {self.definition.root.file}
        walked = self.walk.seen() if self.definition.readable() - done else frozenset()
        while rest := self.definition.readable() - done:
            for file in sorted(rest):
                done.add(file)
                root = self.definition.node(file)
                for mapping, chain in mappings_of(root.value, walked):
                    if is_reference(mapping):
                        self.check(Node(file, pointer_of_chain(chain), mapping))

    def check(self, base: Node) -> None:
        try:
            self.definition.follow(base)
        except UnresolvedReference as failed:
            self.closure.findings.append(_unresolved(failed, Severity.WARNING))

    def take_unreadable(self, severity: Severity) -> None:
        """What is wrong with files that could not be read since this was last asked."""
        for file, problems in self.definition.unreadable.items():
            if file not in self.told:
                self.told.add(file)
                self.closure.findings.extend(replace(found, severity=severity) for found in problems)


def _placed(origin: Node, found: tuple[Kind, dict[str, object], Chain]) -> Node:
    return Node(origin.file, origin.pointer + pointer_of_chain(found[2]), found[1])


def _unresolved(failed: UnresolvedReference, severity: Severity) -> Finding:
    message = cannot_be_followed(shown(f"$ref: {failed.reference}", 90), failed.reason)
    return Finding(failed.rule, severity, failed.where, message)


def _thing(kind: Kind) -> str:
    return "a whole definition" if kind == "document" else with_article(kind.replace("-", " "))
