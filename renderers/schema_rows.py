"""A schema as the rows of one table: every field with its full dotted path, alternatives as labelled rows.

Small schemas are complete. Large ones are expanded level by level until `rows` rows or `depth` levels are
reached; a level that does not fit is shown as far as the rows go, and what is not shown is named. A schema that is
met again below itself is named, with the place where its fields stand. Each schema's rows are made once, with slots
for the path in front, and are put together by replacement: the result does not depend on what was asked for before.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from renderers.page import text
from renderers.schema_lines import LABEL, NOTE, PATH, ROW, Hidden, Line, SchemaLines
from renderers.schema_words import CODE, MARK, PARAGRAPH, SchemaWords, coded

MAX_ROWS = 300
MAX_DEPTH = 8
_FIRST_LEVEL = 3_000
"""Rows of the first level are printed up to this number, whatever the limit of the table. Steps that make no row of
their own (`[]`) are no level."""

_GUARD = 40
"""Python's own stack: nothing deeper is put together by replacement."""

_NO_PATH = CODE("")
"""The empty path of an alternative at the top of a table, which is taken out."""


@dataclass(slots=True)
class Branch:
    """A line at its place in one table. `owner` is the nearest row above a silent line, which speaks for it."""

    line: Line
    above: str
    path: str
    labels: str
    chain: "Chain"
    depth: int
    owner: "Branch | None" = None
    notes: list[str] = field(default_factory=list)
    below: "list[Branch]" = field(default_factory=list)


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


@dataclass(frozen=True, slots=True)
class _Block:
    """All rows below a schema, complete, with slots."""

    html: str
    count: int
    height: int


class SchemaRows:
    """Rows for the schemas of one source."""

    def __init__(self, words: SchemaWords, *, rows: int = MAX_ROWS, depth: int = MAX_DEPTH) -> None:
        self.max_rows = rows
        self.max_depth = depth
        self._words = words
        self._schemas = words.schemas
        self._lines = SchemaLines(words)
        self._blocks: dict[tuple[str, Hidden], _Block | None] = {}
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
        waiting = list(keys)
        while waiting:
            key = waiting.pop()
            if key not in reached:
                reached.add(key)
                schema = self._schemas[key]
                waiting += [child.key for child in schema.children]
                waiting += [facet.key for facet in schema.facets]
        return reached

    def below(self, key: str, prefix: str = "") -> Rows:
        """Every row below a schema. `prefix` is the path of the schema itself, "" at the top of a table."""
        found = self._tables.get((key, prefix))
        if found is None:
            block = self._block(key, frozenset(), set(), 0)
            if block is not None and block.count <= self.max_rows and block.height <= self.max_depth:
                found = Rows(_placed(block.html, prefix))
            else:
                found = self._expanded(key, prefix)
            self._tables[key, prefix] = found
        return found

    def row(self, path: str, required: str, key: str, text_html: str, constraints: str) -> str:
        """A row for a schema with words of someone else's (a parameter's) before its own, and these constraints."""
        return ROW(
            text(path),
            "",
            self._words.type_of(key),
            required,
            text_html + self._words.said(key)[0],
            constraints,
        )

    # --- complete blocks, put together by replacement

    def _block(self, key: str, hidden: Hidden, above: set[str], depth: int) -> _Block | None:
        """All rows below a schema, or None where a cycle or a limit forbids it."""
        known = (key, hidden)
        if known in self._blocks:
            return self._blocks[known]
        definition = self._schemas[key].definition
        if definition in above or depth > _GUARD:
            return None
        above.add(definition)
        block = self._joined(self._lines.of(key, hidden), above, depth)
        above.discard(definition)
        self._blocks[known] = block
        return block

    def _joined(self, lines: tuple[Line, ...], above: set[str], depth: int) -> _Block | None:
        pieces, count, height = [], 0, 0
        for line in lines:
            if not line.silent:
                pieces.append(line.html)
                count += 1
                height = max(height, 1)
            below = self._block(line.target, line.hidden, above, depth + 1)
            if below is None:
                return None
            if below.html:
                pieces.append(_moved(below.html, line.step, line.label))
                count += below.count
                height = max(height, below.height + (0 if line.silent else 1))
            if count > self.max_rows:
                return None
        return _Block("".join(pieces), count, height)

    # --- level by level, where a block is not possible

    def _expanded(self, key: str, prefix: str) -> Rows:
        top = Branch(Line("", "", key), prefix, prefix, "", Chain(self._schemas[key].definition, prefix), 0)
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
            waiting.extend(branch.below)
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
        count = sum(not line.silent for line in lines)
        left = max(min(room, count), 0)
        listed = left
        for line in lines if left or not count else ():
            if not line.silent:
                if not left:
                    continue
                left -= 1
            branch.below.append(
                Branch(
                    line,
                    branch.path,
                    _below(branch.path, line.step),
                    branch.labels + line.label,
                    branch.chain,
                    branch.depth + (not line.silent),
                    (branch.owner if branch.line.silent else branch) if line.silent else None,
                )
            )
        return count, listed

    def _recursive(self, key: str, place: str) -> str:
        where = coded(place) if place else self._words.label("table_top")
        return MARK(self._words.label("recursive", name=text(self._words.name_of(key)), where=where))


def _below(path: str, step: str) -> str:
    return step[1:] if not path and step.startswith(".") else path + step


def _moved(html: str, step: str, label: str) -> str:
    """Rows one step further down, and below a label."""
    if step:
        html = html.replace(PATH, PATH + text(step))
    return html.replace(LABEL, LABEL + label) if label else html


def _placed(html: str, prefix: str) -> str:
    """Rows in their table: the slots are closed."""
    html = html.replace(LABEL, "").replace(NOTE, "")
    return html.replace(PATH, text(prefix)) if prefix else _at_top(html)


def _at_top(html: str) -> str:
    return html.replace(PATH + ".", "").replace(PATH, "").replace(_NO_PATH, "")


def _printed(branch: Branch) -> Iterator[str]:
    """The rows of a table in reading order; without recursion, since tables may be deep."""
    waiting = list(reversed(branch.below))
    while waiting:
        here = waiting.pop()
        line = here.line
        if not line.silent:
            html = line.html.replace(PATH, text(here.above)) if here.above else _at_top(line.html)
            labels = here.labels[: len(here.labels) - len(line.label)]
            note = "".join(map(PARAGRAPH, here.notes))
            yield html.replace(LABEL, labels).replace(NOTE, note)
        waiting.extend(reversed(here.below))
