"""A quoted text of a file with secrets masked: for messages, which are kept and passed around."""

import html
import re
import unicodedata
from urllib.parse import unquote

from hanpon.sources.texts.secret_assignments import ANNOUNCING, assignments_in
from hanpon.sources.texts.secret_commands import commands_in, headers_in
from hanpon.sources.texts.secret_formats import formats_in
from hanpon.sources.texts.secret_shapes import shapes_in

_RULES = (formats_in, assignments_in, headers_in, commands_in)
_MASK = "***"

_HINTS = (
    *("pass", "pwd", "pw", "secret", "token", "key", "cred", "auth", "bearer", "basic", "identified", "cookie"),
    "pin",
    *("パス", "トークン", "キー", "鍵", "暗証", "合言葉", "合い言葉", "シークレット", "認証", "クレデンシャル"),
    "ベーシック",
    *("root", "admin", "sa/", "sa:", "sys", "scott", "postgres", "oracle", "deploy", "batch", "$", "--user"),
    *("--proxy-user", " -u", " -p", " -a"),
)
"""One of these stands in every text that our rules find something in, but for formats."""

_DIGIT = re.compile(r"\d")
_LONG_RUN = re.compile(r"(?:[A-Za-z0-9_/+.-](?:\n[ \t>]*+)?){20}")
_ESCAPE = re.compile(r"[%&\\]|~1|[^\x00-\x7f]")
_FILE_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,4}(?![\w.-])")
_END_OF_VALUE = "\x1f"


def without_secrets(text: str) -> str:
    """The text up to the first secret that our own rules find in it, then `***`; the text itself where there is none.

    What only shows when references, escapes or compatibility forms are resolved masks all of the text.
    """
    start = _first_secret(text)
    if start is not None:
        return text[:start] + _MASK
    if not _ESCAPE.search(text):
        return text
    resolved = unicodedata.normalize("NFKC", html.unescape(unquote(text)).replace("~1", "/").replace("\\", ""))
    return text if resolved == text or _first_secret(resolved) is None else _MASK


def _first_secret(text: str) -> int | None:
    has_digit = bool(_DIGIT.search(text))
    folded = text.casefold()
    is_hinted = any(hint in folded for hint in _HINTS)
    if len(text) < _SHORTEST or not (is_hinted or _LONG_RUN.search(text)):
        return None
    starts = [start for rule in _RULES for _, start in rule(text)]
    if has_digit and not starts and ANNOUNCING.search(text):
        # in a path a value ends with its step, and in the name of a file in front of the ending
        steps = _FILE_ENDING.sub(lambda end: _END_OF_VALUE * len(end.group()), text).replace("/", _END_OF_VALUE)
        starts = [start for rule in (assignments_in, shapes_in) for _, start in rule(steps)]
    return min(starts, default=None)


_SHORTEST = 8
