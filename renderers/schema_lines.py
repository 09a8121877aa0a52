"""The rows directly below one schema: its fields, its elements, its alternatives; each row but its beginning.

Each schema's lines are made once. Where they stand in a table is for `schema_rows` to say.
"""

from collections.abc import Iterator
from typing import NamedTuple

from hanpon.contracts.schemas import Child, Facet, Schema
from renderers.page import Skeleton, text, wrapper
from renderers.schema_words import SchemaWords

_ROW = Skeleton("rows.html", "row", ("path", "label", "type", "required", "text", "constraints"))
_BRANCH = wrapper("text.html", "label")

START, PATH_END, _TYPE, _REQUIRED, _SAID, _BOUNDS, _END = _ROW.fixed
"""What stands before the path of a row, and behind it (a path is escaped, so it holds neither); before each cell."""

Hidden = frozenset[tuple[str, str, bool]]
"""Children (path step, key, required) that stand in the common rows, so that an alternative does not repeat them.

One that is required in the common rows is hidden as an optional one as well, but not the other way round.
"""


class Line(NamedTuple):
    """One row below a schema, and where it goes on. A silent line (`items`) is only a step.

    A row is START, the path above it, `head`, `cells`. `head` is its own step, PATH_END and its own label; below
    the row, the path goes on with `step` (HTML as `escaped`), and `label` says in which alternative one is.
    """

    step: str
    escaped: str
    target: str
    ends: bool
    """True where there is nothing below, as below most lines."""
    head: str = ""
    cells: str = ""
    silent: bool = False
    label: str = ""
    hidden: Hidden = frozenset()

    def with_notes(self, notes: str) -> str:
        """The cells with more said at the end of the description."""
        before, bounds, end = self.cells.rpartition(_BOUNDS)  # constraints hold no cell
        return before + notes + bounds + end


class SchemaLines:
    """Lines for the schemas of one source."""

    def __init__(self, words: SchemaWords) -> None:
        self._words = words
        self._known: dict[tuple[str, Hidden], tuple[Line, ...]] = {}

    def of(self, key: str, hidden: Hidden) -> tuple[Line, ...]:
        """The lines below a schema, without those that stand in the common rows already."""
        found = self._known.get((key, hidden))
        if found is None:
            schema = self._words.schemas[key]
            children = self._child_lines(schema, hidden) if schema.children else ()
            facets = self._facet_lines(schema, hidden) if schema.facets else ()
            found = self._known[key, hidden] = (*children, *facets)
        return found

    def _child_lines(self, schema: Schema, hidden: Hidden) -> Iterator[Line]:
        words = self._words
        for child in schema.children:
            step = step_of(child)
            if hidden and (step, child.key, child.required) in hidden:
                continue
            escaped = text(step)
            if child.step == "item" and not words.speaks(child.key):
                yield Line(step, escaped, child.key, self._ends(child.key), silent=True)
                continue
            said, bounds = words.said(child.key)
            if child.step == "property":
                required = words.required(child)
            else:
                required, said = "", words.said_of_child(child) + said
            cells = _cells(words.type_of(child.key), required, said, bounds)
            yield Line(step, escaped, child.key, self._ends(child.key), escaped + PATH_END, cells)

    def _facet_lines(self, schema: Schema, hidden: Hidden) -> Iterator[Line]:
        common = hidden | {
            (step_of(child), child.key, required) for child in schema.children for required in (False, child.required)
        }
        spoken = {facet.role for facet in schema.facets if self._needs_row(facet, common)}
        for facet in schema.facets:
            if facet.role not in spoken:
                continue
            said, bounds = self._words.said(facet.key)
            head = PATH_END + _BRANCH(text(self._words.label_of(facet, schema.discriminator)))
            cells = _cells(self._words.type_of(facet.key), "", said, bounds)
            short = _BRANCH(text(self._words.within(facet)))
            yield Line("", "", facet.key, self._ends(facet.key), head, cells, label=short, hidden=common)

    def _ends(self, key: str) -> bool:
        schema = self._words.schemas[key]
        return not schema.children and not schema.facets

    def _needs_row(self, facet: Facet, common: Hidden) -> bool:
        if facet.role not in {"oneOf", "anyOf"} or facet.values or self._words.speaks(facet.key):
            return True
        schema = self._words.schemas[facet.key]
        return bool(schema.facets) or any(
            (step_of(child), child.key, child.required) not in common for child in schema.children
        )


def row(path: str, kind: str, required: str, said: str, bounds: str) -> str:
    """A whole row; everything is HTML."""
    return START + path + PATH_END + _cells(kind, required, said, bounds)


def _cells(kind: str, required: str, said: str, bounds: str) -> str:
    """A row from its labels on."""
    return f"{_TYPE}{kind}{_REQUIRED}{required}{_SAID}{said}{_BOUNDS}{bounds}{_END}"


def step_of(child: Child) -> str:
    """What stands for a step to a child in a path of properties, such as `.name` and `[]`."""
    match child.step:
        case "property":
            return "." + child.name
        case "pattern":
            return f"./{child.name}/"
        case "rest":
            return ".*"
        case "position":
            return f"[{child.name}]"
        case _:
            return "[]"
