"""Reading odd-shaped input: every wrong type is skipped with a finding, every field that is lost is counted."""

from collections.abc import Sequence
from typing import Any

from hanpon.contracts.definitions import Definition, Node, UnresolvedReference
from hanpon.contracts.findings import Finding, Place, Severity, in_order
from hanpon.contracts.frozen import checked_frozen
from hanpon.contracts.pointers import escaped
from hanpon.contracts.texts import clean
from hanpon.sources.texts.text_problems import shortened, shown

_ABOUT_THE_PUBLISHER = frozenset({"contact", "license", "termsOfService"})
"""Fields of Info that no caller of an operation needs."""

_MISPLACED = {
    "ignored-beside-ref": "OpenAPI {dialect} ignores what stands beside $ref, so it is not on the page",
    "ref-in-place-of-operation": "OpenAPI {dialect} allows no $ref here; it was followed",
}

_LONGEST_REFERENCE = 500


def as_shown(reference: str) -> str:
    """A reference or address as a page or finding may show it: one line, no password, not too long."""
    return shortened(reference, _LONGEST_REFERENCE)


def fields(words: str) -> frozenset[str]:
    """A set of field names, written as words."""
    return frozenset(words.split())


def kind_of(value: Any) -> str:
    """What JSON calls a value."""
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


@checked_frozen()
class Referred:
    """Where a Reference Object leads: the node (None: nowhere), the texts laid over it, the reference as written."""

    node: Node | None
    summary: str = ""
    description: str = ""
    unresolved: str = ""


class Reader:
    """What every part of the model is read with. Collects findings on the way."""

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.dialect = definition.dialect
        self.siblings_count = definition.dialect in {"3.1", "3.2"}
        """Reference Object and Schema Object: siblings of `$ref` count from 3.1 on, and are ignored before."""
        self._findings: list[Finding] = []
        self._unshown: dict[tuple[str, str], tuple[Place, int]] = {}
        self._misplaced: dict[str, dict[str, Place]] = {}

    def note(self, rule: str, severity: Severity, where: Place, message: str) -> None:
        self._findings.append(Finding(rule, severity, where, clean(message)))

    def odd(self, node: Node, expected: str) -> None:
        """A value of a type that the specification does not know there: skipped, and said so."""
        found = kind_of(node.value)
        self.note("odd-shape", Severity.WARNING, node.place, f"expected {expected}, found {found}; it was skipped")

    def note_skipped(self, node: Node, reason: str) -> None:
        """Something that could not be read at all."""
        self.note("not-rendered", Severity.WARNING, node.place, f"{reason}; it was skipped")

    def unshown(self, what: str, key: str, node: Node, *, count: int = 1) -> None:
        """A field that no page shows. Equal fields are gathered into one finding with their number."""
        first, number = self._unshown.get((what, key)) or (node.place.child(key), 0)
        self._unshown[what, key] = (first, number + count)

    def misplaced_ref(self, rule: str, node: Node) -> None:
        """A `$ref` that is ignored or stands where none may: all of one rule are gathered into one finding."""
        self._misplaced.setdefault(rule, {}).setdefault(node.identity, node.place)

    def unknown(self, what: str, node: Node, known: frozenset[str]) -> None:
        """Note every field of an object that is not among the known ones."""
        if not known.issuperset(node.value):
            for key in node.value:
                if key not in known:
                    self.unshown(what, str(key), node)

    def findings(self) -> tuple[Finding, ...]:
        gathered = [
            Finding(
                "not-rendered",
                Severity.INFO if key.startswith("x-") or key in _ABOUT_THE_PUBLISHER else Severity.WARNING,
                place,
                f"{shown(key)} of {what} is not on any page{_number(number)}",
            )
            for (what, key), (place, number) in self._unshown.items()
        ]
        gathered += [
            Finding(
                rule,
                Severity.WARNING,
                next(iter(places.values())),
                f"{_MISPLACED[rule].format(dialect=self.dialect)}{_number(len(places))}",
            )
            for rule, places in self._misplaced.items()
        ]
        return in_order(self._findings + gathered)

    def text(self, node: Node, key: str) -> str:
        """A text field; "" where it is absent. A number or truth value is taken as it is written."""
        value = node.value.get(key)
        if value is None:
            return ""
        if isinstance(value, str):
            return clean(value)
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, (int, float)):
            return str(value)
        self.odd(node.child(key), "text")
        return ""

    def flag(self, node: Node, key: str) -> bool:
        value = node.value.get(key)
        if value is None or isinstance(value, bool):
            return value is True
        self.odd(node.child(key), "true or false")
        return False

    def optional_flag(self, node: Node, key: str) -> bool | None:
        return self.flag(node, key) if key in node.value else None

    def object(self, node: Node, key: str) -> Node | None:
        """A member that must be an object; None where it is absent or something else."""
        if node.value.get(key) is None:
            return None
        child = node.child(key)
        if isinstance(child.value, dict):
            return child
        self.odd(child, "an object")
        return None

    def members(self, node: Node, key: str) -> Sequence[tuple[str, Node]]:
        """The members of an object field, in the order of the definition."""
        if node.value.get(key) is None or (owner := self.object(node, key)) is None:
            return ()
        # what `child` does, once for all of them
        file, above = owner.file, f"{owner.pointer}/"
        return [(name, Node(file, above + escaped(name), value)) for name, value in owner.value.items()]

    def elements(self, node: Node, key: str) -> Sequence[Node]:
        """The elements of a list field."""
        values = self._list(node, key)
        if not values:
            return ()
        owner = node.child(key)
        return [Node(owner.file, f"{owner.pointer}/{index}", value) for index, value in enumerate(values)]

    def texts(self, node: Node, key: str) -> tuple[str, ...]:
        """The texts of a list field; anything else in it is skipped with a finding."""
        found = []
        for index, value in enumerate(self._list(node, key)):
            if isinstance(value, str):
                found.append(clean(value))
            else:
                self.odd(node.child(key).child(index), "text")
        return tuple(found)

    def _list(self, node: Node, key: str) -> Sequence[Any]:
        values = node.value.get(key)
        if isinstance(values, list):
            return values
        if values is not None:
            self.odd(node.child(key), "a list")
        return ()

    def referred(self, node: Node) -> Referred:
        """What stands at a place where a Reference Object may stand.

        Siblings `summary` and `description` are laid over the target from 3.1 on; before they are ignored, with
        a finding where they carry text (OpenAPI 3.0.3 §4.7.23, 3.1.1 §4.8.23).
        """
        if not isinstance(node.value, dict):
            self.odd(node, "an object")
            return Referred(None)
        reference = node.value.get("$ref")
        if not isinstance(reference, str):
            return Referred(node)
        summary = description = ""
        if len(node.value) > 1:
            summary, description = self.text(node, "summary"), self.text(node, "description")
        if not self.siblings_count and (summary or description):
            self.ignored_beside_ref(node)
            summary = description = ""
        try:
            target = self.definition.follow(node)
        except UnresolvedReference:  # `check_definition` says why
            return Referred(None, summary, description, as_shown(reference))
        if isinstance(target.value, dict):
            return Referred(target, summary, description)
        self.odd(target, "an object")
        return Referred(None, summary, description, as_shown(reference))

    def ignored_beside_ref(self, node: Node) -> None:
        """Something beside a `$ref` that this version of OpenAPI ignores, so no page has it."""
        self.misplaced_ref("ignored-beside-ref", node)


def _number(count: int) -> str:
    return f" ({count} times in this definition; the first is here)" if count > 1 else ""
