"""Everything that a definition leads to, walked once, with every reference followed where it stands."""

from dataclasses import dataclass, field

from hanpon.contracts.definitions import Node, UnresolvedReference
from hanpon.contracts.findings import Finding
from hanpon.sources.definitions.files import DefinitionFiles
from hanpon.sources.definitions.keyword_walk import Chain, mappings_of, pointer_of_chain
from hanpon.sources.definitions.positions import Kind, grammar_of, kind_at
from hanpon.sources.definitions.references import cannot_be_followed, is_reference, shortened
from hanpon.sources.definitions.typed_walk import Found, TypedWalk
from hanpon.sources.texts.text_problems import problem
from hanpon.sources.texts.wanted_lines import steps_of


@dataclass(slots=True)
class Closure:
    """What was found on the way.

    `pieces` are objects that stand outside the root's own positions, in other files or in extensions, with the
    kind as which a reference leads to them. `operations` are all that are reached, wherever they stand.
    """

    findings: list[Finding] = field(default_factory=list)
    pieces: list[tuple[Kind, Node]] = field(default_factory=list)
    operations: list[Node] = field(default_factory=list)
    discriminators: list[Node] = field(default_factory=list)


def closure_of(definition: DefinitionFiles) -> Closure:
    """Follow every reference of a definition and of all files that it leads to, also where no operation gets.

    What cannot be resolved is a finding. All files of the definition have been read after this.
    """
    following = _Following(definition)
    following.reach("document", definition.root)
    following.read_whole_files()
    return following.closure


class _Following:
    def __init__(self, definition: DefinitionFiles) -> None:
        self.definition = definition
        self.closure = Closure()
        self.grammar = grammar_of(definition.dialect)
        self.walk = TypedWalk(self.grammar)
        self.sound: set[tuple[str, str, Kind]] = set()
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
                    self.closure.pieces.append(piece)
                    waiting.append(piece)

    def follow(self, found: Found, origin: Node) -> tuple[Kind, Node] | None:
        """Where a reference leads, if that was not reached before and is none of the root's own positions."""
        kind, value, _ = found
        reference = value["$ref"]
        if (origin.file, reference, kind) in self.sound:
            return None
        base = _placed(origin, found)
        try:
            self.definition.follow(base)
            target = self.definition.resolve(reference, base)
        except UnresolvedReference as failed:
            self.closure.findings.append(_unresolved(failed))
            return None
        if not self.definition.names_its_parts(base.file):
            self.sound.add((origin.file, reference, kind))
        return self.unless_known(kind, target, base)

    def unless_known(self, kind: Kind, target: Node, base: Node) -> tuple[Kind, Node] | None:
        if (target.identity, kind) in self.reached:
            return None
        self.reached.add((target.identity, kind))
        if target.file != self.definition.root.file:
            return kind, target
        actual = kind_at(self.grammar, steps_of(target.pointer))
        if actual is None:
            return kind, target
        if actual != kind:
            reference = shortened(base.value["$ref"])
            message = f"`{reference}` leads to a {_words(actual)}, but a {_words(kind)} is wanted here."
            self.closure.findings.append(problem("reference-of-wrong-kind", base.place, message))
        return None

    def read_whole_files(self) -> None:
        """Check the references of other files where no typed walk came by; that may lead to yet more files."""
        done = {self.definition.root.file}
        while rest := self.definition.readable() - done:
            for file in sorted(rest):
                done.add(file)
                root = self.definition.node(file)
                for mapping, chain in mappings_of(root.value):
                    if is_reference(mapping):
                        self.check(Node(file, pointer_of_chain(chain), mapping))

    def check(self, base: Node) -> None:
        try:
            self.definition.follow(base)
        except UnresolvedReference as failed:
            self.closure.findings.append(_unresolved(failed))


def _placed(origin: Node, found: tuple[Kind, dict[str, object], Chain]) -> Node:
    return Node(origin.file, origin.pointer + pointer_of_chain(found[2]), found[1])


def _unresolved(failed: UnresolvedReference) -> Finding:
    message = cannot_be_followed(f"`$ref: {shortened(failed.reference)}`", failed.reason)
    return problem(failed.rule, failed.where, message)


def _words(kind: Kind) -> str:
    return kind.replace("-", " ")
