"""Text into tokens: one tokenizer for what is indexed and what is asked.

For a store, this is all there is to know:

- `index_tokens(text)` are joined by blanks into a column of an FTS5 table made with `tokenize="ascii"`
  (`FTS5_TOKENIZER`). Every token matches `TOKEN`: digits, lower-case ASCII letters and characters beyond ASCII. That
  tokenizer never splits or folds these. (`unicode61` would take accents off, and cut at marks.)
- `query_tokens(text)` are joined by OR; each is quoted (`"…"`). One for which `is_prefix_query(token)` holds is asked
  as a prefix (`"客" *`): it is one Chinese, Japanese or Korean character, and the index holds pairs of them.

What becomes a token, after NFKC (which makes full-width Latin narrow and half-width katakana wide) and case folding:

- A run of Chinese characters, kana and Hangul: every two neighbours, and the last character alone. So each character
  begins a token, and whatever part of two or more characters is asked for, all its pairs are in the index. In queries
  pairs of hiragana alone (する, など) are dropped where anything else is left.
- A word: itself, an English plural as its singular.
- An identifier (`getCustomerById`, `/v1/customers/{id}`, `X-Request-Id`, `LogManager.getLogger`): whole, with
  what stands at its ends taken off; the parts between `/ _ - . { } : #`; and the parts of those at capitals and
  digits. In the whole each of these signs is U+E000 plus its code, a private character, which both tokenizers of
  FTS5 take for a letter; private characters of a text are no part of any token, so nothing else looks like it.

Everything else (blanks, emoji, other signs) separates. Time grows with the length of the text, whatever it holds.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

TOKENIZER_VERSION = 1
"""Raised by hand whenever the tokens of a text change: an index made by another version does not fit."""

FTS5_TOKENIZER = "ascii"
"""The tokenizer of the FTS5 table that holds our tokens."""

TOKEN = re.compile("[0-9a-z\x80-\U0010ffff]+")
"""What every token matches in full."""

LONGEST = 120
"""Characters of a token; of a longer one the beginning stands for the whole."""

_SIGNS = "/_-.{}:#"
_ENCODED = str.maketrans({sign: 0xE000 + ord(sign) for sign in _SIGNS})
_AT_SIGNS = re.compile(f"[{re.escape(_SIGNS)}]+")

_CJK = (
    "\u1100-\u11ff\u3005-\u3007\u303b\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff\U0001aff0-\U0001b16f\U00020000-\U0003ffff"
)
_RUNS = re.compile(rf"(?P<cjk>[{_CJK}]+)|(?:[0-9A-Za-z{re.escape(_SIGNS)}]++|[^\W\x00-\x7f{_CJK}]++)++")
_ASCII_RUNS = re.compile(f"[0-9A-Za-z{re.escape(_SIGNS)}]+")
_ONE_CJK = re.compile(f"[{_CJK}]")
_HIRAGANA = re.compile("[\u3041-\u3096\u309d-\u309fー]+")

_HUMPS = re.compile(r"[A-Z]{2,}s(?![^\W\d_])|[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+|\d+")
_LETTER_AND_NUMBER = re.compile(r"[A-Za-z]\d+")
_LONGEST_WITH_HUMPS = 100
"""Nobody speaks of the parts of longer words: they are encoded data."""

_INVISIBLE = str.maketrans(dict.fromkeys([0xAD, 0x200B, 0x2060, 0xFEFF]) | {0x2010: "-", 0x2011: "-"})
_HELD = re.compile("[\u00ad\u200b\u2010\u2011\u2060\ufeff]")
_PILE = re.compile(r"([^\w\s\x00-\x7f]{32})[^\w\s\x00-\x7f]+")


def index_tokens(text: str) -> list[str]:
    """The tokens of a text in their order, as often as they occur."""
    tokens: list[str] = []
    if text.isascii():  # most lines of most pages: no run needs to be looked at twice
        for word in _ASCII_RUNS.findall(text):
            tokens += _known_tokens(word) if len(word) <= LONGEST else _tokens_of(word)
        return tokens
    for run in _RUNS.finditer(normalised(text)):
        if run["cjk"]:
            characters = run[0]
            tokens.extend(map("".join, pairwise(characters)))
            tokens.append(characters[-1])
        else:
            tokens.extend(_word_tokens(run[0]))
    return tokens


def query_tokens(text: str) -> tuple[str, ...]:
    """What is looked for, in the order of the text, each token once."""
    tokens: dict[str, None] = {}
    for run in _RUNS.finditer(normalised(text)):
        if run["cjk"]:
            characters = run[0]
            pairs = map("".join, pairwise(characters))
            tokens.update(dict.fromkeys(pairs if len(characters) > 1 else characters))
        else:
            tokens.update(dict.fromkeys(_word_tokens(run[0])))
    telling = [token for token in tokens if not _HIRAGANA.fullmatch(token)]
    return tuple(telling or tokens)


def is_prefix_query(token: str) -> bool:
    """Whether a token of a query is answered by all tokens that begin with it."""
    return len(token) == 1 and _ONE_CJK.match(token) is not None


def placed_tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """The tokens of a text that is `normalised` already, each with where its run or pair begins and ends."""
    for run in _RUNS.finditer(text):
        start, end = run.span()
        if run["cjk"]:
            for at in range(start, end - 1):
                yield text[at : at + 2], at, at + 2
            yield text[end - 1], end - 1, end
        else:
            for token in _word_tokens(run[0]):
                yield token, start, end


def normalised(text: str) -> str:
    """The text in NFKC, nothing invisible inside its words; case is kept, as it tells where a name has its parts.

    Of a pile of signs or marks only the first are kept: putting marks in order takes the square of their number.
    """
    if text.isascii():
        return text
    if _HELD.search(text):
        text = text.translate(_INVISIBLE)
    return unicodedata.normalize("NFKC", _PILE.sub(r"\1 ", text))


def _word_tokens(run: str) -> tuple[str, ...]:
    return _known_tokens(run) if len(run) <= LONGEST else tuple(_tokens_of(run))


@lru_cache(maxsize=1 << 16)
def _known_tokens(run: str) -> tuple[str, ...]:
    return tuple(_tokens_of(run))


def _tokens_of(run: str) -> Iterator[str]:
    """The whole, each part between signs, each part of those at capitals and digits; nothing twice in a row."""
    parts = [part for part in _AT_SIGNS.split(run) if part]
    if len(parts) > 1:
        yield run.strip(_SIGNS)[:LONGEST].casefold().translate(_ENCODED)[:LONGEST]
    for part in parts:
        yield _folded(part)
        if len(part) <= _LONGEST_WITH_HUMPS and not _LETTER_AND_NUMBER.fullmatch(part):
            humps = _HUMPS.findall(part)
            if len(humps) > 1:
                yield from map(_folded, humps)


def _folded(word: str) -> str:
    folded = word[:LONGEST].casefold()[:LONGEST]
    return _singular(folded) if folded.isascii() else folded


_ODD_PLURALS = {"aliases": "alias", "alias": "alias", "ids": "id", "indices": "index", "statuses": "status"}
_HISSING = ("che", "she", "sse", "xe", "ze")


def _singular(word: str) -> str:
    """The singular of an English plural; of every word that ends in `che`, `she`, `sse`, `xe`, `ze` the `e` goes too.

    That e is what tells `boxes` from `axes`, and nobody can tell without a dictionary.
    """
    if word in _ODD_PLURALS:
        return _ODD_PLURALS[word]
    if len(word) < 4:
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return word[:-1] if word.endswith(_HISSING) else word
