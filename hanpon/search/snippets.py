"""Snippets: the line of a text that says most about why it was found."""

import re
from collections import Counter, deque
from collections.abc import Iterator, Sequence

from hanpon.contracts.texts import clean
from hanpon.search.one_line import OneLine, folded
from hanpon.search.tokens import is_prefix_query, normalised, placed_tokens

MOST_READ = 100_000
"""Characters of a text that are looked at. Pieces are far shorter."""

_CLUSTERS = re.compile(r".[\u0300-\u036f\u1160-\u11ff\u3099\u309a\uff9e\uff9f]{0,32}", re.DOTALL)
"""A character and what normalisation may put together with it."""


def snippet(text: str, rare_first: Sequence[str], length: int = 160) -> str:
    """At most `length` (20 or more) characters of a text, on one line, around most of the rarest tokens of a query.

    `rare_first` are tokens as `query_tokens` gives them, the rarest first. White space is folded, `…` stands where
    the text goes on, cuts stand between sentences or words where one ends nearby, and never between a character and
    its marks. Where none of the tokens occurs, it is the beginning of the text.
    """
    line = folded(clean("\n".join(text[:MOST_READ].replace("\x1f", " ").splitlines())))
    if len(line.text) <= length:
        return line.text
    first, last = _telling_span(line.text, rare_first, length - 2)
    start = 0 if last < length else _start(line, first, last, length - 2)
    end = _end(line, start, last, length - (2 if start else 1))
    return ("…" if start else "") + line.text[start:end].strip() + ("…" if end < len(line.text) else "")


def _start(line: OneLine, first: int, last: int, room: int) -> int:
    """Where a snippet begins that shows what stands between `first` and `last`."""
    earliest = min(max(0, last - room), first)
    if earliest + room >= len(line.text):
        sentence = line.sentence_from(earliest, first)
    else:
        sentence = line.sentence_before(first, earliest)
        earliest = first - (first - earliest) // 3
    return line.word_from(earliest, first) if sentence is None else sentence


def _end(line: OneLine, start: int, last: int, room: int) -> int:
    """Where a snippet ends that begins at `start`."""
    latest = start + room
    if latest >= len(line.text):
        return len(line.text)
    last = min(last, latest)
    sentence = line.sentence_before(latest, max(last, start + room * 2 // 3))
    return line.word_before(latest, last) if sentence is None else sentence


def _telling_span(text: str, rare_first: Sequence[str], room: int) -> tuple[int, int]:
    """Where the tokens stand that are worth most together and fit into the room; the first such place."""
    best, span = 0, (0, 0)
    held: deque[tuple[int, int, int]] = deque()
    counts: Counter[int] = Counter()
    worth = 0
    for start, end, rank in _matches(text, rare_first):
        held.append((start, end, rank))
        counts[rank] += 1
        worth += _worth(rank) if counts[rank] == 1 else 0
        while len(held) > 1 and (end - held[0][0] > room or counts[held[0][2]] > 1):
            gone = held.popleft()[2]
            counts[gone] -= 1
            worth -= 0 if counts[gone] else _worth(gone)
        if worth > best:
            best, span = worth, (held[0][0], end)
    return span


def _worth(rank: int) -> int:
    """The rarest token is worth as much as the next two or three together; every token is worth something."""
    return 5040 // (1 + rank) + 1


def _matches(text: str, rare_first: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Where the tokens of a query occur, with their ranks."""
    ranks: dict[str, int] = {}
    for rank, token in enumerate(rare_first):
        ranks.setdefault(token, rank)
    prefixes = {token: rank for token, rank in ranks.items() if is_prefix_query(token)}
    plain = normalised(text)
    places = None if plain == text else _places(text)
    if places is not None:
        plain, starts = places
    for token, start, end in placed_tokens(plain):
        found = ranks.get(token, prefixes.get(token[0]))
        if found is not None:
            yield (start, end, found) if places is None else (starts[start], starts[end], found)


def _places(text: str) -> tuple[str, list[int]]:
    """The text as `normalised`, and where in the text each character of that, and its end, comes from.

    It is made character by character, each with its marks, so that places are known; composition across those
    (some of Korean written in single letters) is left undone, and what is written so is not found in a snippet.
    """
    parts: list[str] = []
    starts: list[int] = []
    for cluster in _CLUSTERS.finditer(text):
        part = normalised(cluster[0])
        parts.append(part)
        starts.extend([cluster.start()] * len(part))
    starts.append(len(text))
    return "".join(parts), starts
