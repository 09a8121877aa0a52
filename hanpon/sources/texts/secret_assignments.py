"""Secrets that a word announces: `password: …`, `パスワードは …`, `… as the password`, a row or column of a table."""

import re
from collections.abc import Iterator, Sequence

from hanpon.sources.texts.secret_formats import Found
from hanpon.sources.texts.secret_placeholders import is_sample
from hanpon.sources.texts.secret_values import (
    SHORTEST_KEY,
    SHORTEST_TOKEN,
    could_be_key,
    could_be_password,
    without_ending,
)

_WORDS_FOR_PASSWORDS = "|".join(
    (
        r"(?i:pass(?:word|wd|phrase|code)|passwort)",
        r"(?i:(?<![a-z])(?:pass|pwd|pw)(?![a-z]))",
        r"(?<=[a-z])P(?:ass|wd|W)(?![a-z])",
        r"(?i:(?<![a-z])secrets?(?![_ -]?(?:access[_ -]?)?key))",
        r"(?<=[a-z])Secret(?![A-Za-z])",
        r"パスワード|パスワ|パスフレーズ|パスコード|暗証番号|合言葉|合い言葉|シークレット(?!キー)",
        r"(?<![ァ-ヴー])パス(?![ァ-ヴー])",
    )
)
_WORDS_FOR_KEYS = "|".join(
    (
        r"(?i:(?:api|access|secret|secret[_ -]?access|account|auth|private|encryption)[_ -]?key(?:[_ -]?id)?)",
        r"(?i:(?:signing|master|subscription|shared|storage|service|license|hmac|client[_ -]?secret)[_ -]?key)",
        r"(?i:client[_ -]?secret|credentials?)",
        r"(?:API|アクセス|シークレット|秘密|認証|暗号化|共有|ライセンス|署名|マスター?)\s?(?:キー|鍵)",
        r"クレデンシャル|認証情報",
    )
)
_NO_SECRET_TOKENS = ("page", "next", "sync", "csrf", "xsrf", "continuation", "cursor")
_WORDS_FOR_TOKENS = (
    "(?i:" + "".join(rf"(?<!{word})(?<!{word}[_ -])" for word in _NO_SECRET_TOKENS) + "token)|トークン"
)
ANNOUNCING = re.compile(
    rf"(?P<password>{_WORDS_FOR_PASSWORDS})|(?P<key>{_WORDS_FOR_KEYS})|(?P<token>{_WORDS_FOR_TOKENS})"
)
"""Words for a secret, by group: `password`, `key`, `token`."""

_ABOUT = re.compile(
    r"[_.-]?(?i:ur[il]|endpoint|types?|name|ref|file|path|dir|polic(?:y|ies)|hash(?:ed)?|digest|length|len|expir\w*"
    r"|exp|ttl|field|format|algorithm|alg|encod(?:er|ing)|count|limit|rotation|strength|reset|rule|hint|prompt|label"
    r"|column|at|on|arn|manager|version|provider|store|server|service|regex|pattern|i[sz]er|i[sz]ation|s?less|based)"
    r"(?![a-z])"
)
"""What turns a word into the name of something else: `tokenUrl`, `password_policy`."""

_BLANKS = r"[ \t]{0,8}"
_ENDS = r"[\"'`*_\])}」』】]{0,4}"
_FILLER = (
    r"(?:\([^()\n]{0,24}\)|の(?:値|初期値|デフォルト)"
    r"|[はがを]?(?:以下|下記|次)(?:の(?:通り|とおり|もの))?(?:です|になります|を使用)?"
    r"| (?:is|are) (?:as follows|below|the following|this)| (?:below|here))?"
)
_SEPARATOR = (
    r"(?::=|=>|={1,3}|:|\((?=[\"'])|->|→|⇒|\||>|は|が|、|】|\b(?:is|was|to|will be)\b"
    r"|[\"'],?\s{0,20}[\"']?\bvalue\b[\"']?\s{0,2}[:=]|\n\s{0,20}-?\s?value\s?:)"
)
_BREAK = r"(?:\n[ \t>-]{0,12}(?:(?:```|~~~)\w{0,12}\n[ \t>]{0,8})?)?"
_OPENING = r"(?P<opening>[\"'`*(\[「『【_|]{0,4}[ \t]?)"
_VALUE = re.compile(
    rf"(?P<suffix>[A-Za-z0-9_.-]{{0,24}}){_ENDS}{_BLANKS}{_FILLER}{_BLANKS}{_SEPARATOR}{_BLANKS}{_BREAK}"
    rf"{_OPENING}(?P<value>[!-~]{{1,200}})"
)
_ON_NEXT_LINE = re.compile(
    rf"{_ENDS}[ \t]{{0,4}}{_FILLER}(?:です)?[。.:?]?\s{{0,3}}\n\s{{0,12}}(?:(?:```|~~~)\w{{0,12}}\n\s{{0,12}})?"
    r"(?P<opening>[\"'`]{0,3})(?P<value>[!-~]{6,200})[ \t]{0,9}(?:\n|\Z)"
)
_BEHIND_BLANK = re.compile(r"[ \t]{1,4}(?P<opening>[\"'`]?)(?P<value>[!-~]{8,200})")
_MIXED = re.compile(
    r"(?=[^a-z]{0,200}[a-z])(?=[^0-9]{0,200}[0-9])(?=[a-z0-9_-]{0,200}[A-Z!@#$%^&*+?~])"
    r"[A-Za-z0-9!@#$%^&*+?~_-]{8,200}"
)
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]{24,200}")
_CHANGED = re.compile(r"\s?を\s?[\"'`「]?(?P<value>[!-~]{6,200})[\"'`」]?\s?(?:に|へ)")
_BEFORE = re.compile(
    r"(?<![!-~])(?P<value>[!-~]{6,200})[\"'`*」』]{0,3}[ \t]{0,3}(?:が|という|を|は|\s?\bas (?:the |your )?)"
    r"(?:仮|初期|共通|管理者)?(?:の|用)?(?i:パスワード|パスフレーズ|暗証番号|PW\b|password\b|passphrase\b)"
)
_NUMBER = re.compile(
    r"(?:暗証番号|PIN(?:コード|番号| code)?)[ \t]{0,3}(?:は|:|=|\bis\b)[ \t]{0,3}[\"'`「]?(?P<value>\d{4,8})(?!\d)"
)


MOST_WORDS = 3000
"""Words for a secret that are looked at in one text: what stands behind each takes a while to judge."""


def assignments_in(text: str) -> Iterator[Found]:
    """Every value that a word such as `password`, `API key` or `トークン` announces and that could be one.

    A text with more than `MOST_WORDS` such words counts as holding one: it is not judged to its end.
    """
    for number, word in enumerate(ANNOUNCING.finditer(text)):
        if number >= MOST_WORDS:
            yield "unjudged-words", word.start()
            break
        if _announces(text, word):
            yield f"{word.lastgroup}-value", word.start()
    for found in _BEFORE.finditer(text):
        if could_be_password(found["value"].lstrip("\"'`*(")):
            yield "password-value", found.start()
    for found in _NUMBER.finditer(text):
        if not is_sample(found["value"]):
            yield "password-value", found.start()


def _announces(text: str, word: re.Match[str]) -> bool:
    kind = str(word.lastgroup)
    found = _VALUE.match(text, word.end())
    if found and not _ABOUT.match(found["suffix"]):
        quoted = any(sign in found["opening"] for sign in "\"'`「『")
        if _could_be(kind, found["value"], quoted=quoted):
            return True
    below = _ON_NEXT_LINE.match(text, word.end())
    if below and _could_be(kind, below["value"], quoted=bool(below["opening"])):
        return True
    changed = _CHANGED.match(text, word.end())
    return bool(changed and _could_be(kind, changed["value"], quoted=False)) or _stands_beside(text, word)


def _could_be(kind: str, value: str, *, quoted: bool) -> bool:
    if kind == "password":
        return could_be_password(value, quoted=quoted)
    return could_be_key(value, SHORTEST_KEY if kind == "key" else SHORTEST_TOKEN, quoted=quoted)


def _stands_beside(text: str, word: re.Match[str]) -> bool:
    """`--password Xy12abcd`, `PASSWORD 'x'`, `パスワード Xy12abcd`: no sign stands between."""
    behind = _BEHIND_BLANK.match(text, word.end())
    if not behind:
        return False
    kind, value = str(word.lastgroup), behind["value"]
    is_option = text[max(0, word.start() - 20) : word.start()].rpartition(" ")[2].startswith("-")
    if is_option or behind["opening"]:
        return _could_be(kind, value, quoted=bool(behind["opening"]))
    bare = without_ending(value)
    return bool(_MIXED.fullmatch(bare) or _HEXADECIMAL.fullmatch(bare)) and _could_be(kind, value, quoted=False)


def columns_in(text: str) -> Iterator[Found]:
    """Every cell that could be a secret below a head that announces one, in tables of `|` or tabs."""
    offset, heads, sign = 0, frozenset[int](), ""
    for line in text.split("\n"):
        here = "|" if "|" in line else "\t"
        cells = line.strip().strip("|").split(here)
        if len(cells) < 2:
            heads, sign = frozenset(), ""
        elif here != sign:
            heads, sign = _heads(cells), here
        elif any(_is_cell(cells[index]) for index in heads if -len(cells) <= index < len(cells)):
            yield "password-value", offset
        offset += len(line) + 1


def _heads(cells: Sequence[str]) -> frozenset[int]:
    """Where heads stand, counted from either end: what stands in front of a first line makes no column."""
    found = [index for index, cell in enumerate(cells) if _is_head(cell)]
    return frozenset([*found, *(index - len(cells) for index in found)])


def _is_head(cell: str) -> bool:
    return len(cell) <= 40 and bool(ANNOUNCING.search(cell))


def _is_cell(cell: str) -> bool:
    value = cell.strip().strip("`*\"'")
    return value.isascii() and not any(map(str.isspace, value)) and could_be_password(value)
