"""Values of the shape of a secret in a text that speaks of secrets, however far from the word they stand.

The shape alone proves nothing: ids and digests have it. So it counts only where `speaks_of_secrets`, and then an
innocent text is left out now and then.
"""

import re
from collections.abc import Iterator

from hanpon.sources.texts.secret_assignments import ANNOUNCING
from hanpon.sources.texts.secret_formats import Found
from hanpon.sources.texts.secret_placeholders import is_known_word, is_placeholder

_SPEAKING = re.compile(
    r"(?i:\b(?:log(?:ged)?[ -]?(?:in|on)|login|sign(?:ed)?[ -]?(?:in|on)|authenticat\w{1,8}|cookies?|licen[sc]e key"
    r"|connection string|connect(?:s|ed)? to|private key|pin code)\b)"
    r"|(?i:pass)(?![A-Za-z])|つな[ぎぐがい]|繋|暗証|認証|ログイン|サインイン|接続|クッキー|秘密|鍵|ライセンス|共有キー|シークレット"
)

_WORD = re.compile(r"[A-Za-z0-9_-]{8,400}")
_MARKED = re.compile(r"(?<![\w/.#&?=%@-])[A-Za-z0-9_][A-Za-z0-9!#$%^*+~@_-]{6,100}[A-Za-z0-9!](?![\w/.]{0,2}/)")
_IN_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2}){2,100}")
_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}")
_TEMPLATE = re.compile(r"\$\{[^{}\n]{0,200}\}|\{\{[^{}\n]{0,200}\}\}|%[A-Z][A-Z0-9_]{1,40}%|<[^<>\n]{1,80}>")
_SET_OF_SIGNS = re.compile(r"\[[^\]\n]{0,60}[A-Za-z0-9]-[A-Za-z0-9][^\]\n]{0,60}\]")

_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_HEXADECIMAL = re.compile(r"[0-9a-f]{24,400}|[0-9A-F]{24,400}")
_SHORT_DIGEST = re.compile(r"[0-9a-f]{7,400}|[0-9A-F]{7,400}")
_DIGEST_BEFORE = re.compile(
    r"(?i:sha-?\d{1,3}|md5|digest|checksum|commit|blob|tree|raw|compare|etag|trace-?(?:id|parent)|request-?id|rev(?:ision)?)"
    r"(?: is|は)?[\"'`\s:=/(-]{1,6}\Z"
)
_NO_SECRET_BEFORE = re.compile(r"(?i:(?:page|next|sync|csrf|xsrf|continuation|cursor)[_-]?token)[\"'`\s:=]{1,6}\Z")
_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_SPOKEN = re.compile(
    r"(?i:(?:[bcdfghjklmnprstvwxyz]|qu|[bcfgps]l|[bcdfgkptw]r|[cgpstw]h|s[ckmnptw]|tw|kn|ps|scr|str|spr|shr|thr|sch|spl|squ|chr|phr)?"
    r"[aeiouy][a-z]*)"
)
"""A word of a language begins with few consonants (and has at most three in a row)."""

_UNSPOKEN = re.compile(r"(?i:[bcdfghjklmnpqrstvwxz]{4}|q(?!u)|[jv][bcdfghjkmnpqtvwxz]|[jqv]\Z|(.)\1\1)")
_RUN_OF_DIGITS = re.compile(r"[0-9]+")


def speaks_of_secrets(text: str) -> bool:
    """Whether a word for a secret, for logging in or for connecting stands anywhere in a text."""
    return bool(ANNOUNCING.search(text) or _SPEAKING.search(text))


def shapes_in(text: str) -> Iterator[Found]:
    """Every run of characters that nobody writes as a name: letters of both cases with digits or signs, long hex.

    Names of ordinary form are none: words in camelCase, snake_case or kebab-case, acronyms, versions, dates, UUIDs,
    digests that are called so, and placeholders.
    """
    bare = text
    for harmless in (_TEMPLATE, _MAIL, _UUID, _IN_PERCENT, _SET_OF_SIGNS):
        bare = harmless.sub(lambda found: " " * len(found.group()), bare)
    for found in _WORD.finditer(bare):
        if _is_jumble(found.group()) and not _is_called_otherwise(bare, found):
            yield "secret-shape", found.start()
    for found in _MARKED.finditer(bare):
        if _is_strong(found.group()) and not is_placeholder(found.group()):
            yield "secret-shape", found.start()


def is_name(word: str) -> bool:
    """True of words written as one, as code does: `ShopClient2`, `customer_id2`, `shop-tls-2024`."""
    pieces = [piece for piece in _PIECE.findall(word) if piece.isalpha()]
    is_compound = len(pieces) > 1 or any(sign in word for sign in "_-")
    return is_compound and all(_is_like_word(piece) or len(piece) <= 2 for piece in pieces) and not _is_jumble(word)


def _is_called_otherwise(text: str, found: re.Match[str]) -> bool:
    before, behind = text[max(0, found.start() - 30) : found.start()], text[found.end() : found.end() + 2]
    word = found.group()
    if is_placeholder(word) or is_placeholder(word + "=" * (len(behind) - len(behind.lstrip("=")))):
        return True
    if _NO_SECRET_BEFORE.search(before):
        return True
    return bool(_SHORT_DIGEST.fullmatch(word) and _DIGEST_BEFORE.search(before))


def _is_jumble(word: str) -> bool:
    if _HEXADECIMAL.fullmatch(word):
        return any(map(str.isdigit, word)) and any(map(str.isalpha, word))
    has_digit = any(map(str.isdigit, word))
    has_lower, has_upper = any(map(str.islower, word)), any(map(str.isupper, word))
    if has_digit and has_lower and has_upper:
        return _share_of_words(word) < _MOST_OF_A_NAME or _is_cut_small(word)
    if has_digit and (has_lower or has_upper):
        return len(word) >= _LONG and _is_broken_up(word)
    is_broken = sum(len(piece) <= 2 for piece in _PIECE.findall(word)) >= _MANY
    return has_lower and has_upper and len(word) >= _LONG and is_broken and _share_of_words(word) < _HALF


_MOST_OF_A_NAME, _HALF = 0.75, 0.5
"""Shares of the letters that stand in words."""

_LONG, _MANY = 12, 4


def _share_of_words(word: str) -> float:
    """How many of the letters stand in what could be words: three letters that can be spoken, or an acronym."""
    pieces = [piece for piece in _PIECE.findall(word) if piece.isalpha()]
    return sum(len(piece) for piece in pieces if _is_like_word(piece)) / sum(map(len, pieces))


def _is_like_word(piece: str) -> bool:
    if is_known_word(piece):
        return True
    if piece.isupper():
        return 3 <= len(piece) <= _LONGEST_ACRONYM
    return len(piece) >= 3 and bool(_SPOKEN.fullmatch(piece)) and not _UNSPOKEN.search(piece)


_LONGEST_ACRONYM = 5


def _is_broken_up(word: str) -> bool:
    """Digits in several places of one part, as in `k3v9xq2m7t4w`, and not behind words."""
    longest = max(word.replace("_", "-").split("-"), key=len)
    runs = _RUN_OF_DIGITS.findall(longest)
    return len(longest) >= _LONG and len(runs) >= 3 and _share_of_words(longest) < _MOST_OF_A_NAME


def _is_cut_small(word: str) -> bool:
    """Numbers between words too short for a name: `Usib85VihD4`."""
    numbers, pieces = _RUN_OF_DIGITS.findall(word), [piece for piece in _PIECE.findall(word) if piece.isalpha()]
    is_cut = len(numbers) > 1 and any(len(number) > 1 for number in numbers)
    return is_cut and sum(map(len, pieces)) < _SHORT * len(pieces)


_SHORT = 3.5
"""Letters of a word; in names they are longer on average."""


def _is_strong(word: str) -> bool:
    """A letter and a digit with a mark between them, as in `abc!XY234`; with `@` or `+` capitals as well."""
    inside = word.strip("!#$%^*+~@_-")
    has_capital = any(map(str.isupper, inside)) and any(map(str.islower, inside))
    if not any(map(str.isdigit, inside)) or not any(map(str.isalpha, inside)):
        return False
    return any(sign in inside for sign in "!#$%^*~") or (has_capital and any(sign in inside for sign in "@+"))
