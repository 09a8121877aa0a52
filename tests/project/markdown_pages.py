"""Pages for people as their blocks: headings, paragraphs, lists, tables, code. Only the Markdown that we write."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.project.checkout import ROOT, files, named

READMES = ("README.md", "README.ja.md")

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
_CELL_BORDER = re.compile(r"(?<!\\)\|")
_COMMENT = re.compile(r"[ \t]*(?:^|(?<=[ \t]))# .*$", re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """One block of a page. `kind` is heading, paragraph, list, table or the language of a piece of code."""

    kind: str
    text: str
    is_code: bool = False

    @property
    def rows(self) -> list[list[str]]:
        """The cells of a table without its rule, the header first; () of all else."""
        lines = [line for line in self.text.splitlines() if self.kind == "table" and not re.match(r"\|[-|]+$", line)]
        return [[cell.strip() for cell in _CELL_BORDER.split(line.strip())[1:-1]] for line in lines]

    @property
    def spans(self) -> frozenset[str]:
        """What stands in code within the words."""
        return frozenset() if self.is_code else frozenset(spans_in(self.text))

    @property
    def links(self) -> list[str]:
        return [] if self.is_code else _LINK.findall(self.text)

    @property
    def without_comments(self) -> str:
        """Code without its remarks, which are in the language of the page."""
        return "\n".join(filter(str.strip, _COMMENT.sub("", self.text).splitlines()))


def spans_in(text: str) -> list[str]:
    """The code in a piece of text; a span that runs on to the next line is put on one."""
    return [" ".join(span.split()).replace(r"\|", "|") for span in re.findall(r"`([^`]+)`", text)]


@cache
def blocks_of(page: str) -> tuple[Block, ...]:
    """The blocks of a page, in order."""
    return tuple(_blocks((ROOT / page).read_text("utf-8")))


def _blocks(text: str) -> Iterator[Block]:
    behind = 0
    for fence in _FENCE.finditer(text):
        yield from _prose(text[behind : fence.start()])
        yield Block(fence[1], fence[2], is_code=True)
        behind = fence.end()
    yield from _prose(text[behind:])


def _prose(text: str) -> Iterator[Block]:
    for part in filter(None, (part.strip() for part in re.split(r"\n[ \t]*\n", text))):
        kind = {"#": "heading", "|": "table", "-": "list"}.get(part[0], "paragraph")
        yield Block(kind, part)


def code_of(page: str, language: str) -> list[str]:
    """The pieces of code of a language, in order."""
    return [block.text for block in blocks_of(page) if block.is_code and block.kind == language]


def passages(page: str) -> Iterator[tuple[str, str]]:
    """Each paragraph, item of a list and row of a table, with the paragraph above a table that says what it is of."""
    above = ""
    for block in blocks_of(page):
        if block.kind == "table":
            yield from ((above, " | ".join(row)) for row in block.rows)
        elif block.kind == "list":
            yield from (("", item) for item in re.split(r"^- ", block.text, flags=re.MULTILINE)[1:])
        elif not block.is_code:
            yield "", block.text
        above = block.text


def pages() -> Sequence[str]:
    """Every page that is written for people, by its path; examples are input, and not among them."""
    return [named(path) for path in files() if path.suffix == ".md" and _is_ours(path)]


def _is_ours(path: Path) -> bool:
    return path.parent == ROOT or named(path).startswith("docs/")
