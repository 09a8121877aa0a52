"""Cutting text to size: at lines, else after sentences, else between words, else anywhere."""

import re
from collections.abc import Iterable, Iterator

from hanpon.search.token_estimate import estimated_tokens

_BORDERS = (
    re.compile(r"(?<=\n)"),
    re.compile(r"(?<=[。．！？])|(?<=[.!?]\s)"),
    re.compile(r"(?<=[\s、，；])"),
)
_ASCII_OF_A_TOKEN = 4


def fitted(blocks: Iterable[str], most: int) -> Iterator[str]:
    """Texts of at most `most` estimated tokens that hold the blocks in order, as many in each as fit, one a line."""
    gathered: list[str] = []
    size = 0
    for block in blocks:
        for part in cut_to_fit(block, most):
            cost = estimated_tokens(part + "\n")
            if gathered and size + cost > most:
                yield "\n".join(gathered)
                gathered, size = [], 0
            gathered.append(part)
            size += cost
    if gathered:
        yield "\n".join(gathered)


def cut_to_fit(text: str, most: int) -> Iterator[str]:
    """The text in parts of at most `most` estimated tokens, cut where it hurts least; no word is lost."""
    if estimated_tokens(text) <= most:
        yield text
        return
    for part in _cut(text, most, 0):
        if kept := part.strip("\n").rstrip():
            yield kept


def _cut(text: str, most: int, border: int) -> Iterator[str]:
    if border == len(_BORDERS):
        step = most * _ASCII_OF_A_TOKEN if text.isascii() else most
        yield from (text[start : start + step] for start in range(0, len(text), step))
        return
    gathered: list[str] = []
    size = 0
    for part in _BORDERS[border].split(text):
        cost = estimated_tokens(part)
        if gathered and size + cost > most:
            yield "".join(gathered)
            gathered, size = [], 0
        if cost > most:
            yield from _cut(part, most, border + 1)
        else:
            gathered.append(part)
            size += cost
    yield "".join(gathered)
