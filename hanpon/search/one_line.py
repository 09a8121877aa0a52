"""A text on one line, and where it can be cut."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

NEAR = 30
"""A cut moves as many characters at most to stand between words."""

_SENTENCE_END = re.compile(r"[。！？．](?![。！？．])[」』）]?|[.!?][\"')\]]?(?= )")
_WIDE = re.compile("[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7ff\uff00-\uffef\U00020000-\U0003ffff]")
_NO_BEGINNING = frozenset("、。，．・ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ）」』】！？.,;:!?)")
_JOINED = frozenset("\u200d\uff9e\uff9f") | frozenset(map(chr, range(0x1F3FB, 0x1F400)))


@dataclass(frozen=True, slots=True)
class OneLine:
    """A text without line breaks; `sentences` are where its sentences and former lines begin, in order."""

    text: str
    sentences: tuple[int, ...]

    def sentence_from(self, earliest: int, latest: int) -> int | None:
        """The first place from `earliest` to `latest` where a sentence begins."""
        index = bisect_left(self.sentences, earliest)
        found = self.sentences[index] if index < len(self.sentences) else latest + 1
        return found if found <= latest else None

    def sentence_before(self, latest: int, earliest: int) -> int | None:
        """The last such place."""
        index = bisect_right(self.sentences, latest) - 1
        found = self.sentences[index] if index >= 0 else earliest - 1
        return found if found >= earliest else None

    def word_from(self, earliest: int, latest: int) -> int:
        """The first place from `earliest` to `latest` between words, or between characters where none is near."""
        return self._cut(range(earliest, latest + 1)) or latest

    def word_before(self, latest: int, earliest: int) -> int:
        """The last such place."""
        return self._cut(range(latest, earliest - 1, -1)) or latest

    def _cut(self, places: range) -> int | None:
        between_words = (place for place in places[:NEAR] if self._is_between_words(place))
        between_characters: Iterable[int] = (place for place in places if not self._is_joined(place))
        return next(between_words, None) or next(iter(between_characters), None)

    def _is_between_words(self, place: int) -> bool:
        before, after = self.text[place - 1], self.text[place]
        if self._is_joined(place) or after in _NO_BEGINNING:
            return False
        return " " in {before, after} or _WIDE.match(before) is not None or _WIDE.match(after) is not None

    def _is_joined(self, place: int) -> bool:
        """Whether what stands before and after a place is one character to a reader."""
        before, after = self.text[place - 1], self.text[place]
        return after in _JOINED or before == "\u200d" or unicodedata.category(after).startswith("M")


def folded(text: str) -> OneLine:
    """The text on one line, with its white space folded."""
    starts: list[int] = []
    parts: list[str] = []
    at = 0
    for line in text.splitlines():
        part = " ".join(line.split())
        if part:
            starts.append(at)
            starts.extend(at + end.end() for end in _SENTENCE_END.finditer(part) if end.end() < len(part))
            parts.append(part)
            at += len(part) + 1
    return OneLine(" ".join(parts), tuple(starts))
