"""Rows of tables in GitHub's Markdown that have more cells than the header: the further ones are shown nowhere."""

import re

import comrak

from hanpon.formats.github_markdown import EXTENSIONS

_BAR = re.compile(r"(?<!\\)\|")
"""What ends a cell, in code as well (GFM 0.29, section 4.10). Two backslashes before it do not undo each other."""

_PARSE = comrak.ParseOptions()


def overfull_rows(markdown: str) -> tuple[int, ...]:
    """The lines, from 1, of rows with words in cells beyond the width of their table."""
    waiting = [comrak.parse_document(markdown, EXTENSIONS, _PARSE)] if "|" in markdown else []
    lines = markdown.split("\n") if waiting else []
    found: list[int] = []
    while waiting:
        node = waiting.pop()
        if isinstance(node.node_value, comrak.Table):
            width = node.node_value.value.num_columns
            starts = [row.sourcepos.start for row in node.children]
            found += [at.line for at in starts if _has_words_beyond(width, lines[at.line - 1], at.column)]
        else:
            waiting += node.children
    return tuple(sorted(found))


def _has_words_beyond(width: int, line: str, column: int) -> bool:
    """Whether a row that begins at a column, counted in bytes from 1, says more than `width` cells hold."""
    row = line.encode()[column - 1 :].decode("utf-8", "replace").strip().removeprefix("|")
    ends = [bar.start() for bar in _BAR.finditer(row)]
    return len(ends) >= width and bool(row[ends[width - 1] :].strip("| \t"))
