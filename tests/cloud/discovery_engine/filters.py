"""Filters, parsed and judged as the service does: strictly, and by the types of the schema's indexable fields.

This is a second reading of the same grammar, made apart from hanpon's own so that each finds the other's slips.
"""

from collections.abc import Callable, Mapping

from tests.cloud.discovery_engine import filter_atoms
from tests.cloud.discovery_engine.filter_words import Word, cut, syntax
from tests.cloud.discovery_engine.refusals import invalid
from tests.cloud.discovery_engine.stores import Version

Test = Callable[[Version], bool]


def parse(text: str, fields: Mapping[str, str], *, not_finds_missing: bool) -> Test:
    """What a filter asks of a version; `fields` are the indexable ones with their types. Raises Refused."""
    if not text.strip():
        return lambda _: True
    parser = _Parser(text, fields, not_finds_missing=not_finds_missing)
    test, _ = parser.chain()
    parser.expect("end")
    return test


class _Parser:
    """Goes through the words of one filter; methods give a test and, where it is one condition alone, its field."""

    def __init__(self, text: str, fields: Mapping[str, str], *, not_finds_missing: bool) -> None:
        self._text = text
        self._words = cut(text)
        self._at = 0
        self._fields = fields
        self._not_finds_missing = not_finds_missing

    def chain(self) -> tuple[Test, str]:
        """Expressions joined by AND alone, or by OR alone."""
        first, field = self._expression()
        tests, joint = [first], ""
        while self._next.kind == "word" and self._next.value in {"AND", "OR"}:
            word = self._take()
            if (joint and word.value != joint) or not self._spaced(word, before=True):
                raise syntax(self._text, word.at)
            joint = word.value
            tests.append(self._expression()[0])
        if not joint:
            return first, field
        combine = all if joint == "AND" else any
        return lambda version: combine(test(version) for test in tests), ""

    def expect(self, kind: str, *values: str) -> Word:
        """The next word, which must be this. Raises Refused."""
        word = self._take()
        if word.kind != kind or (values and word.value not in values):
            raise syntax(self._text, word.at)
        return word

    def _expression(self) -> tuple[Test, str]:
        word = self._next
        if (word.kind, word.value) not in {("word", "NOT"), ("mark", "-")}:
            return self._operand()
        self._take()
        if word.value == "NOT" and not self._spaced(word):
            raise syntax(self._text, word.at)
        test, field = self._operand()
        if not field:
            raise invalid("NOT can only be applied to one expression.")
        finds_missing = self._not_finds_missing
        return lambda version: (finds_missing or filter_atoms.has_value(version, field)) and not test(version), field

    def _operand(self) -> tuple[Test, str]:
        if (self._next.kind, self._next.value) == ("mark", "("):
            self._take()
            inner = self.chain()
            self.expect("mark", ")")
            return inner
        name = self.expect("word")
        if name.value in {"AND", "OR", "NOT"}:
            raise syntax(self._text, name.at)
        return self._atom(name.value), name.value

    def _spaced(self, word: Word, *, before: bool = False) -> bool:
        """Whether blanks stand where the grammar writes them around a keyword."""
        end = word.at + len(word.value)
        return self._text[end : end + 1].isspace() and (not before or self._text[word.at - 1].isspace())

    def _atom(self, field: str) -> Test:
        operator = self.expect("operator").value
        kind = self._fields.get(field)
        if operator == "!=":
            raise invalid("Unsupported operators. Expression only supports: >, <, >=, <=, =, :")
        if kind is None:
            raise invalid(f'Unsupported field "{field}" in filter: it is not an indexable field of the schema.')
        if operator != ":":
            return filter_atoms.compared(field, kind, operator, self._take(), self._text)
        function = self.expect("word", "ANY", "IN", "GEO_DISTANCE")
        return filter_atoms.called(field, kind, function.value, self._arguments(), self._text)

    def _arguments(self) -> list[Word]:
        self.expect("mark", "(")
        words = [self._argument()]
        while self.expect("mark", ",", ")").value == ",":
            words.append(self._argument())
        return words

    def _argument(self) -> Word:
        word = self._take()
        if word.kind in {"text", "number"} or (word.kind, word.value) == ("mark", "*"):
            return word
        raise syntax(self._text, word.at)

    @property
    def _next(self) -> Word:
        return self._words[self._at]

    def _take(self) -> Word:
        word = self._words[self._at]
        self._at = min(self._at + 1, len(self._words) - 1)
        return word
