"""Whether what stands behind a word such as `password` could be one."""

import re

from hanpon.sources.texts.secret_placeholders import is_placeholder

SHORTEST_PASSWORD, SHORTEST_KEY, SHORTEST_TOKEN = 6, 8, 12
"""Characters. Shorter ones are left to the formats and structures that prove themselves."""

_TAIL = "\"'`*)]}>,;.:!?|」』】"
_EXPRESSION = re.compile(r"[A-Za-z_][\w,]*(?:\(|\[|->|::).*|(?:[A-Za-z_]\w*\.)+[A-Za-z_]\w*(?:[(\[].*)?")
_PATH = re.compile(r"(?:[.~]{1,2}|[A-Za-z]:)?[/\\][\w.\-/\\]*|[A-Za-z][\w+.-]{0,20}://.*|[\w.-]+(?:/[\w.-]+)+/?")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{32,}={0,2}")
_FILE = re.compile(
    r"[\w.-]+\.(?:ya?ml|json|txt|pem|key|env|properties|md|html?|py|js|ts|java|kt|go|cs|xml|cfg|conf|ini|sh|jks|p12)"
)
_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,5}\.[A-Za-z]{2,10}")
_MOMENT = re.compile(r"\d{4}-?\d\d-?\d\d(?:[T ]?\d\d:?\d\d.*)?")
_MEASURE = re.compile(
    r"\d+(?:\.\d+)?[-_ ]?(?:[kmg]?i?b|bits?|bytes?|char\w*|[mun]?s|sec\w*|min\w*|h|hours?|days?|times?)"
)
_STRONG = re.compile(r"[!@#$%^&*+?~]")
_CAMEL_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def without_ending(value: str) -> str:
    """A value without the quotes, brackets and marks that end it in a text, or the markup behind it."""
    cut = value if value.startswith("<") else value.partition("<")[0]
    return cut.rstrip(_TAIL)


def could_be_password(value: str, *, quoted: bool = False) -> bool:
    """Six characters or more with a letter and a digit or sign, or six digits; no word, expression or path."""
    bare = without_ending(value)
    if len(bare) < SHORTEST_PASSWORD or _is_something_else(value, bare, quoted=quoted):
        return False
    if bare.isdigit():
        return True
    has_letter = any(character.isalpha() for character in bare)
    has_digit = any(character.isdigit() for character in bare)
    return has_letter and (has_digit or bool(_STRONG.search(bare[:-1])) or _is_jumbled(bare))


def could_be_key(value: str, shortest: int, *, quoted: bool = False) -> bool:
    """As many characters with a letter and a digit, or a long jumble of letters."""
    bare = without_ending(value)
    if len(bare) < shortest or _is_something_else(value, bare, quoted=quoted):
        return False
    has_letter = any(character.isalpha() for character in bare)
    has_digit = any(character.isdigit() for character in bare)
    return has_letter and (has_digit or (len(bare) >= 16 and _is_jumbled(bare)))


def _is_something_else(value: str, bare: str, *, quoted: bool) -> bool:
    if value.endswith((":", "(", "=")) and not quoted and not _BASE64.fullmatch(value):
        return True  # the next key, or a call
    if is_placeholder(bare) or is_placeholder(value) or is_placeholder(re.split(r"[,;&|]", bare, maxsplit=1)[0]):
        return True
    if not quoted and _EXPRESSION.fullmatch(bare):
        return True
    is_path = _PATH.fullmatch(bare) and not _BASE64.fullmatch(bare)
    shapes = (_FILE, _MAIL, _MOMENT, _MEASURE)
    return bool(is_path) or any(shape.fullmatch(bare) for shape in shapes)


def _is_jumbled(letters: str) -> bool:
    """Capitals in the middle of no words, as in `XyAbQzRt`."""
    pieces = _CAMEL_PIECE.findall(letters)
    return letters.isalpha() and len(letters) >= 8 and sum(len(piece) <= 2 for piece in pieces) >= 3
