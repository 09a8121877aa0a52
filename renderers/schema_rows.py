"""A schema as the rows of one table: every field with its full dotted path, alternatives as labelled rows.

Small schemas are complete. Large ones are expanded level by level until `rows` rows or `depth` levels are
reached; a level that does not fit is shown as far as the rows go, and what is not shown is named. A schema that is
met again below itself is named, with the place where its fields stand. Each schema's rows are made once, all but the
path in front of them: the result does not depend on what was asked for before.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from renderers.page import text
from renderers.schema_blocks import SchemaBlocks, labelled, start_at_top
from renderers.schema_lines import START, Line, SchemaLines, row
from renderers.schema_words import MARK, PARAGRAPH, SchemaWords, coded

MAX_ROWS = 300
MAX_DEPTH = 8
_FIRST_LEVEL = 3_000
"""Rows of the first level are printed up to this number, whatever the limit of the table. Steps that make no row of
their own (`[]`) are no level."""


@dataclass(slots=True)
class Branch:
    """A line at its place in one table, and what is below it in reading order: branches, and rows that end there.

    `owner` is the nearest row above a silent line, which speaks for it.
    """

    line: Line
    start: str
    """The row up to its cells; nothing for a silent line."""
    path: str
    labels: str
    chain: "Chain"
    depth: int
    owner: "Branch | None" = None
    notes: list[str] = field(default_factory=list)
    below: "list[Branch | str]" = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Chain:
    """The schemas that one row lies in, with the path of each."""

    definition: str
    path: str
    above: "Chain | None" = None

    def place_of(self, definition: str) -> str | None:
        chain: Chain | None = self
        while chain is not None:
            if chain.definition == definition:
                return chain.path
            chain = chain.above
        return None


@dataclass(frozen=True, slots=True)
class Cut:
    """Fields that a table does not list: of the schema `key`, called `name` there, `hidden` of `count` rows."""

    key: str
    name: str
    hidden: int
    count: int

    @property
    def is_whole(self) -> bool:
        return self.hidden == self.count


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows as HTML, and what was cut off below them."""

    html: str
    cut: tuple[Cut, ...] = ()


class SchemaRows:
    """Rows for the schemas of one source."""

    def __init__(self, words: SchemaWords, *, rows: int = MAX_ROWS, depth: int = MAX_DEPTH) -> None:
        self.max_rows = rows
        self.max_depth = depth
        self._words = words
        self._schemas = words.schemas
        self._lines = SchemaLines(words)
        self._blocks = SchemaBlocks(words, self._lines, rows)
        self._tables: dict[tuple[str, str], Rows] = {}
        self._shown: set[str] = set()

    def cuts(self) -> list[tuple[Cut, bool]]:
        """Every schema that some table cuts, once, and whether another table of these lists all its fields."""
        found: dict[str, Cut] = {}
        for rows in self._tables.values():
            for cut in rows.cut:
                found.setdefault(cut.key, cut)
        if not found:
            return []
        shown = self._shown | self._reached(key for (key, _), rows in self._tables.items() if not rows.cut)
        return [(cut, key in shown) for key, cut in found.items()]

    def _reached(self, keys: Iterable[str]) -> set[str]:
        """The schemas that tables without a cut list, with all below them."""
        reached: set[str] = set()
        level = set(keys)
        while level:
            reached |= level
            schemas = [self._schemas[key] for key in level]
            level = {child.key for schema in schemas for child in schema.children}
            level |= {facet.key for schema in schemas for facet in schema.facets}
            level -= reached
        return reached

    def below(self, key: str, prefix: str = "") -> Rows:
        """Every row below a schema. `prefix` is the path of the schema itself, "" at the top of a table."""
        found = self._tables.get((key, prefix))
        if found is None:
            block = self._blocks.of(key)
            if block is not None and block.height <= self.max_depth:
                found = Rows(block.placed(prefix))
            else:
                found = self._expanded(key, prefix)
            self._tables[key, prefix] = found
        return found

    def row(self, path: str, required: str, key: str, text_html: str, constraints: str) -> str:
        """A row for a schema with words of someone else's (a parameter's) before its own, and these constraints."""
        said = text_html + self._words.said(key)[0]
        return row(text(path), self._words.type_of(key), required, said, constraints)

    # --- level by level, where a block is not possible

    def _expanded(self, key: str, prefix: str) -> Rows:
        top = Branch(Line("", "", key, ends=False), "", prefix, "", Chain(self._schemas[key].definition, prefix), 0)
        cut: dict[tuple[str, str], Cut] = {}
        first = max(self.max_rows, _FIRST_LEVEL)
        shown = 0
        waiting = deque([top])
        while waiting:
            branch = waiting.popleft()
            target = branch.line.target
            if not self._lines.of(target, branch.line.hidden):
                continue
            speaker = branch.owner or branch
            definition = self._schemas[target].definition
            if branch is not top:
                place = branch.chain.place_of(definition)
                if place is not None:
                    speaker.notes.append(self._recursive(target, place))
                    continue
                branch.chain = Chain(definition, branch.path, branch.chain)
            room = (first if branch.depth == 0 else self.max_rows) - shown
            count, listed = self._expand(branch, room if branch.depth < self.max_depth else 0)
            shown += listed
            waiting.extend(below for below in branch.below if isinstance(below, Branch))
            if listed == count:
                self._shown.add(target)
                continue
            found = Cut(target, self._words.name_of(target, branch.path), count - listed, count)
            cut.setdefault((target, found.name), found)
            speaker.notes.append(MARK(self.words_of_cut(found, self._words.name_of(target))))
        return Rows("".join(_printed(top)), tuple(cut.values()))

    def words_of_cut(self, cut: Cut, name: str) -> str:
        if cut.is_whole:
            return self._words.label("cut_fields", name=text(name))
        return self._words.label("cut_rest", name=text(name), count=str(cut.hidden), all=str(cut.count))

    def _expand(self, branch: Branch, room: int) -> tuple[int, int]:
        """Put the lines below a branch, as many rows as there is room for: how many there are, how many were put.

        Steps alone (`[]`) make no row, so no limit forbids them where anything else is put.
        """
        lines = self._lines.of(branch.line.target, branch.line.hidden)
        count = len([line for line in lines if not line.silent])
        left = max(min(room, count), 0)
        listed = left
        above = START + text(branch.path) if branch.path else ""
        for line in lines if left or not count else ():
            start = ""
            if not line.silent:
                if not left:
                    continue
                left -= 1
                head = labelled(line.head, branch.labels)
                start = above + head if above else start_at_top(head)
            if not line.ends:
                branch.below.append(_branch(branch, line, start))
            elif start:
                branch.below.append(start + line.cells)
        return count, listed

    def _recursive(self, key: str, place: str) -> str:
        where = coded(place) if place else self._words.label("table_top")
        return MARK(self._words.label("recursive", name=text(self._words.name_of(key)), where=where))


def _branch(above: Branch, line: Line, start: str) -> Branch:
    path = line.step.removeprefix(".") if not above.path else above.path + line.step
    labels, depth = above.labels + line.label, above.depth + (not line.silent)
    owner = (above.owner if above.line.silent else above) if line.silent else None
    return Branch(line, start, path, labels, above.chain, depth, owner)


def _printed(branch: Branch) -> Iterator[str]:
    """The rows of a table in reading order; without recursion, since tables may be deep."""
    waiting = branch.below[::-1]
    while waiting:
        here = waiting.pop()
        if isinstance(here, str):
            yield here
            continue
        if not here.line.silent:
            yield here.start + here.line.with_notes("".join(map(PARAGRAPH, here.notes)))
        waiting.extend(reversed(here.below))
