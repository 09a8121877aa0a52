"""The rows directly below one schema: its fields, its elements, its alternatives; with slots for their place.

Each schema's lines are made once. Where they stand in a table is for `schema_rows` to say.
"""

from collections.abc import Iterator
from typing import NamedTuple

from hanpon.contracts.schemas import Child, Facet, Schema
from renderers.page import Skeleton, text
from renderers.schema_words import SchemaWords

PATH, LABEL, NOTE = "\x00", "\x01", "\x02"
"""Slots of a line: the path above it, the alternatives it lies in, what is to be said at its end.

No text of a source holds these characters (`contracts.operations`).
"""

ROW = Skeleton("rows.html", "row", ("path", "label", "type", "required", "text", "constraints"))
_BRANCH = Skeleton("text.html", "label", ("content",))

Hidden = frozenset[tuple[str, str, bool]]
"""Children (path step, key, required) that stand in the common rows, so that an alternative does not repeat them.

One that is required in the common rows is hidden as an optional one as well, but not the other way round.
"""


class Line(NamedTuple):
    """One row below a schema with slots in it, and where it goes on. A silent line (`items`) is only a step."""

    step: str
    html: str
    target: str
    label: str = ""
    hidden: Hidden = frozenset()

    @property
    def silent(self) -> bool:
        return not self.html


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
            found = self._known[key, hidden] = (
                *self._child_lines(schema, hidden),
                *self._facet_lines(schema, hidden),
            )
        return found

    def _child_lines(self, schema: Schema, hidden: Hidden) -> Iterator[Line]:
        for child in schema.children:
            step = step_of(child)
            if (step, child.key, child.required) in hidden:
                continue
            if child.step == "item" and not self._words.speaks(child.key):
                yield Line(step, "", child.key)
                continue
            said, bounds = self._words.said(child.key)
            own = self._words.said_of_child(child)
            required = self._words.required(child) if child.step == "property" else ""
            html = ROW(
                PATH + text(step),
                LABEL,
                self._words.type_of(child.key),
                required,
                own + said + NOTE,
                bounds,
            )
            yield Line(step, html, child.key)

    def _facet_lines(self, schema: Schema, hidden: Hidden) -> Iterator[Line]:
        common = hidden | {
            (step_of(child), child.key, required) for child in schema.children for required in (False, child.required)
        }
        spoken = {facet.role for facet in schema.facets if self._needs_row(facet, common)}
        for facet in schema.facets:
            if facet.role not in spoken:
                continue
            said, bounds = self._words.said(facet.key)
            label = LABEL + _BRANCH(text(self._words.label_of(facet, schema.discriminator)))
            html = ROW(PATH, label, self._words.type_of(facet.key), "", said + NOTE, bounds)
            short = _BRANCH(text(self._words.within(facet)))
            yield Line("", html, facet.key, short, common)

    def _needs_row(self, facet: Facet, common: Hidden) -> bool:
        if facet.role not in {"oneOf", "anyOf"} or facet.values or self._words.speaks(facet.key):
            return True
        schema = self._words.schemas[facet.key]
        return bool(schema.facets) or any(
            (step_of(child), child.key, child.required) not in common for child in schema.children
        )


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
