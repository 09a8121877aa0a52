"""How many tokens of a language model a text comes to, estimated.

Stores and models count with tokenizers of their own, which nobody outside can run; so what depends on tokens (the
size of a piece, what a release will cost) rests on an estimate, and is shown with its error.
"""

import re

ESTIMATE_ERROR = 0.33
"""The share by which the tokens of many texts together may really be fewer or more than estimated.

Measured with two real tokenizers on four definitions, READMEs, guidelines and code; short texts of their own, and
above all Japanese tables in Markdown, can be further off (docs/decisions/search.md, "Estimate").
"""

_WIDE = re.compile(
    "[\u1100-\u11ff\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U0001b000-\U0001b16f"
    "\U0001f000-\U0003ffff]+"
)
"""Chinese characters, kana, Hangul, their punctuation and full-width forms; emoji."""


def estimated_tokens(text: str) -> int:
    """Four ASCII characters, one Chinese, Japanese or Korean character, or two of any other kind are a token.

    "" is no token; every other text is one at least. The parts of a text together never come to less than the whole.
    """
    plain = len(text.encode("ascii", "ignore"))
    wide = sum(map(len, _WIDE.findall(text))) if plain < len(text) else 0
    quarters = plain + 4 * wide + 2 * (len(text) - plain - wide)
    return -(-quarters // 4)
