"""All rows below a schema, complete, put together from the rows of the schemas below it; each schema's only once."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, repeat

from renderers.page import text
from renderers.schema_lines import PATH_END, START, Hidden, Line, SchemaLines
from renderers.schema_words import CODE, SchemaWords

_GUARD = 40
"""Python's own stack: no block lies deeper."""

_START_WITHOUT_PATH = (START + PATH_END).removesuffix(CODE(""))


@dataclass(frozen=True, slots=True)
class Block:
    """Rows without START and the path above them, as heads and cells of lines, and how many levels they make.

    The cells are those of the lines, so a row in many blocks takes the memory of one.
    """

    heads: Sequence[str]
    cells: Sequence[str]
    height: int

    def placed(self, prefix: str) -> str:
        """The rows in their table; `prefix` is the path of the schema, plain text, "" at the top."""
        starts = repeat(START + text(prefix)) if prefix else map(start_at_top, self.heads)
        heads = self.heads if prefix else repeat("")
        return "".join(chain.from_iterable(zip(starts, heads, self.cells, strict=False)))


_NOTHING = Block((), (), 0)


class SchemaBlocks:
    """Blocks for the schemas of one source, of `most_rows` at most."""

    def __init__(self, words: SchemaWords, lines: SchemaLines, most_rows: int) -> None:
        self._schemas = words.schemas
        self._lines = lines
        self._most_rows = most_rows
        self._known: dict[tuple[str, Hidden], Block | None] = {}

    def of(self, key: str) -> Block | None:
        """All rows below a schema, or None where a cycle or a limit forbids it."""
        return self._block(key, frozenset(), set(), 0)

    def _block(self, key: str, hidden: Hidden, above: set[str], depth: int) -> Block | None:
        lines = self._lines.of(key, hidden)
        if not lines:
            return _NOTHING
        known = (key, hidden)
        if known in self._known:
            return self._known[known]
        definition = self._schemas[key].definition
        if definition in above or depth > _GUARD:
            return None
        above.add(definition)
        block = self._joined(lines, above, depth)
        above.discard(definition)
        self._known[known] = block
        return block

    def _joined(self, lines: tuple[Line, ...], above: set[str], depth: int) -> Block | None:
        heads: list[str] = []
        cells: list[str] = []
        height = 0
        for line in lines:
            if not line.silent:
                heads.append(line.head)
                cells.append(line.cells)
                height = height or 1
            if line.ends:
                continue
            below = self._block(line.target, line.hidden, above, depth + 1)
            if below is None or len(heads) + len(below.heads) > self._most_rows:
                return None
            if below.heads:
                heads += _moved(below.heads, line)
                cells += below.cells
                height = max(height, below.height + (not line.silent))
        return Block(heads, cells, height) if len(heads) <= self._most_rows else None


def _moved(heads: Sequence[str], line: Line) -> Sequence[str]:
    """Heads one step further down, and below a label."""
    if line.label:
        heads = [labelled(head, line.label) for head in heads]
    return [line.escaped + head for head in heads] if line.escaped else heads


def labelled(head: str, labels: str) -> str:
    """A head below labels, which stand before its own."""
    return head.replace(PATH_END, PATH_END + labels, 1) if labels else head


def start_at_top(head: str) -> str:
    """A row up to its cells at the top of a table: without the dot of a name, and without a path that is empty."""
    head = head[1:] if head[0] == "." else head
    # a path is escaped, so only PATH_END begins with `<`
    return START + head if head[0] != "<" else _START_WITHOUT_PATH + head.removeprefix(PATH_END)
