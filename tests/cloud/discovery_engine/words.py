"""How search compares words: NFKC, lower case, CJK by pairs of characters."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator

_RUN = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+)|([^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+)")


def words(text: str) -> Iterator[str]:
    """The words of a text, in order, repeated ones too."""
    for cjk, other in _RUN.findall(unicodedata.normalize("NFKC", text).lower()):
        if other:
            yield other
        elif len(cjk) == 1:
            yield cjk
        else:
            yield from (cjk[at : at + 2] for at in range(len(cjk) - 1))


def score(wanted: frozenset[str], held: Counter[str]) -> int:
    """How well a text answers: words found count before how often they are found; 0 where none is."""
    found = [held[word] for word in wanted if word in held]
    return len(found) * 10_000 + min(sum(found), 9_999) if found else 0
