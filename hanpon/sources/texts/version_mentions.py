"""What in a text speaks of another version of the thing that the text is about.

A guess from words, in English and Japanese, made to be right when it speaks rather than to find everything: a number
counts only where something says that it is a version (`v1`, `version 3.1`, `since 3.1`, `3.1 から変更`, the item's
own name before it) and nothing says that it is one of something else (`TLS 1.2`, `/v2/customers`, `Node.js v18`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from hanpon.contracts.editions import EVERY_VERSION
from hanpon.sources.texts.version_words import (
    CHANGE_AFTER,
    CHANGE_BEFORE,
    DATE,
    EXAMPLE_BEFORE,
    GENERIC,
    HEADING,
    NO_SUBJECT,
    NUMBER,
    PHRASE,
    SECTION_BEFORE,
    UNIT_AFTER,
    VERSION_WORD,
)

_BEFORE, _AFTER = 80, 40
"""Characters that are looked at on either side of a number, so that the time is linear."""

_DIGIT = re.compile(r"\d")

_QUOTE = 60
_MOST = 200
"""Of one kind in one text; nobody reads more."""


def mentions_of_other_versions(text: str, version: str, names: Sequence[str]) -> tuple[str, ...]:
    """Short quotes (60 characters at most) of what speaks of another version than `version`, in order.

    `names` are what the thing is called: a version right after one of them always counts. A version that `version`
    begins with, or that begins with it, is no other one: `3` and `3.2.1` for `3.2`. () for `ALL`. Linear in the text.
    """
    if version == EVERY_VERSION:
        return ()
    thing = _thing(version, tuple(names))
    kinds = (_numbers(text, thing), _phrases(text, thing), _headings(text))
    spans = sorted({span for kind in kinds for span in islice(kind, _MOST)})
    quotes: dict[str, None] = {}
    last = -1
    for start, end in spans:
        if start >= last:
            quotes[_quote(text, start, end)] = None
            last = end
    return tuple(quotes)


@dataclass(frozen=True, slots=True)
class _Thing:
    """What a text is about. `name` matches one of its names at the end of what stands before a version."""

    numbers: tuple[int, ...]
    date: str
    name: re.Pattern[str] | None
    words: frozenset[str]


_DATED = re.compile(r"(?<!\d)(\d{4})[-._](\d{2})[-._](\d{2})(?!\d)")
_OWN = re.compile(r"\d{1,9}(?:\.\d{1,9})*")
_GLUE = (
    r"""(?:</artifactId>\s{0,9}<version>|[\s"'`)\]」』*]{0,3}(?:@|[:=]{1,2}|-|[<>~^]=?|\(|（)?[\s"'`^~<>=]{0,4})"""
    r"(?:(?:API|SDK|library|ライブラリ|部品)\s?)?(?:の\s?)?"
    r"(?P<said>(?:versions?|ver\.?|バージョン|release|第)\s?)?$"
)


@lru_cache(maxsize=256)
def _thing(version: str, names: tuple[str, ...]) -> _Thing:
    dated = _DATED.search(version)
    own = _OWN.search(version)
    numbers = tuple(map(int, own[0].split("."))) if own and not dated else ()
    written = "|".join(_named(name) for name in sorted({*names} - {""}, key=lambda name: (-len(name), name)))
    pattern = re.compile(f"(?:{written}){_GLUE}", re.IGNORECASE) if written else None
    return _Thing(
        numbers=_trimmed(numbers),
        date="-".join(dated.groups()) if dated else "",
        name=pattern,
        words=frozenset(word for name in names for word in (name.lower(), *name.lower().split())),
    )


def _named(name: str) -> str:
    """A name as text may write it: a blank for a hyphen and the other way round, no other word in front."""
    front = r"(?<![A-Za-z0-9_.-])" if name[0].isascii() else ""
    return front + re.sub(r"(?:\\-|_|\\ )+", r"[-_ ]", re.escape(name[:100]))


def _numbers(text: str, thing: _Thing) -> Iterator[tuple[int, int]]:
    if thing.date:
        for found in DATE.finditer(text):
            if "-".join(found.groups()) != thing.date and _is_called_version(text, found, thing, is_plain=False):
                yield found.span()
    elif thing.numbers and _DIGIT.search(text):
        for found in NUMBER.finditer(text):
            if _is_other(found, thing) and _counts(text, found, thing):
                yield found.span()


def _is_other(found: re.Match[str], thing: _Thing) -> bool:
    said = _trimmed(tuple(map(int, found["number"].split("."))))
    if _is_year(said[0]) and not _is_year(thing.numbers[0]):
        return False
    shared = min(len(said), len(thing.numbers))
    return said[:shared] != thing.numbers[:shared]


def _is_year(number: int) -> bool:
    return 1900 <= number <= 2100


def _trimmed(numbers: tuple[int, ...]) -> tuple[int, ...]:
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers = numbers[:-1]
    return numbers


def _counts(text: str, found: re.Match[str], thing: _Thing) -> bool:
    """Whether a number stands for a version of this thing."""
    is_plain = not found["v"] and "." not in found[0]
    if _is_called_version(text, found, thing, is_plain=is_plain):
        return True
    before = _LISTED.sub("", _before(text, found.start()))
    is_bare = found["v"] == "v" and _is_free(text, found) and not EXAMPLE_BEFORE.search(before[-20:])
    return is_bare and not _is_of_another(before, thing)


def _is_called_version(text: str, found: re.Match[str], thing: _Thing, *, is_plain: bool) -> bool:
    """Whether words around it say that this is a version, of this thing or of nothing in particular."""
    before, after = _before(text, found.start()), text[found.end() : found.end() + _AFTER]
    if UNIT_AFTER.match(after) or SECTION_BEFORE.search(before[-12:]):
        return False
    named = thing.name.search(before) if thing.name else None
    if named and (not is_plain or named["said"]):
        return True
    word = VERSION_WORD.search(before, max(0, len(before) - 24))
    if word:
        return not _is_of_another(before[: word.start()], thing) and not _is_followed_by_another(after, thing)
    if is_plain or not _is_free(text, found):
        return False
    is_change = CHANGE_BEFORE.search(before[-48:]) or (
        CHANGE_AFTER.match(after) and not _is_of_another(before, thing)
    )
    return bool(is_change) and not _is_followed_by_another(after, thing)


_NOT_FREE_BEFORE = frozenset("/\\-@=:#&_.+$~^<>|")
_NOT_FREE_AFTER = re.compile(r"[/\\=@]|[-_.:][A-Za-z0-9]|\s?(?:=|\(\)|:=)")


_KEY = re.compile(r"""(?:[A-Za-z0-9_-]["']?\s?:|=)\s?["']?$""")
_END = re.compile(r"""["',;]{0,2}[ \t]{0,9}(?:\n|$)""")


def _is_free(text: str, found: re.Match[str]) -> bool:
    """Not part of a path, address, file name, option or assignment, nor the value of a key."""
    front = text[found.start() - 1] if found.start() else " "
    is_value = _KEY.search(text[max(0, found.start() - 6) : found.start()]) and _END.match(text, found.end())
    return front not in _NOT_FREE_BEFORE and not _NOT_FREE_AFTER.match(text, found.end()) and not is_value


def _before(text: str, start: int) -> str:
    return text[max(0, start - _BEFORE) : start]


_LATIN = re.compile(r"([A-Za-z][A-Za-z0-9.+#_/-]*?)(?:['’]s)?$")
_KATAKANA = re.compile(r"[ァ-ヴー]+$")
_LISTED = re.compile(r"[vV]?\d[\w.]{0,12}[`'\"”」]?\s?(?:,|/|or|and|、|と|や|または|および|及び)\s?[`'\"“「]?$")
"""A version in front of this one, in a list: whose that is, this is."""

_SOFT_BREAK = re.compile(r"(?<!\n)\n[ \t]{0,9}$")
"""A line ends, but no paragraph."""

_OPENERS = " \t\u3000'\"`([（「『*"


def _is_of_another(before: str, thing: _Thing) -> bool:
    """Whether the words in front name something else, whose version this then is."""
    before = _LISTED.sub("", before[-60:])
    for _ in range(4):
        before = _SOFT_BREAK.sub(" ", before.rstrip(_OPENERS)[-60:]).rstrip(_OPENERS)
        bare = before.removesuffix("の").rstrip(_OPENERS)
        word = _LATIN.search(bare[-40:])
        if not word:
            kana = _KATAKANA.search(before[-40:])
            return kana is not None and kana[0] not in GENERIC and not _ends_with_name(before, thing)
        said = word[1].lower().rstrip(".")
        if said in NO_SUBJECT or _ends_with_name(bare, thing):
            return False
        if said not in GENERIC:
            return True
        before = bare[: len(bare) - len(word[0])]
    return False


def _ends_with_name(before: str, thing: _Thing) -> bool:
    return thing.name is not None and bool(thing.name.search(before))


_FOLLOWED = re.compile(
    r"(?:'s)?\s(?:of|for)\s(?:(?:the|our|this|an?)\s)?([A-Za-z][A-Za-z0-9.+#_-]*)|の([A-Za-z][A-Za-z0-9.+#_-]*)"
)


def _is_followed_by_another(after: str, thing: _Thing) -> bool:
    """`version 2 of the template`: a version of that."""
    found = _FOLLOWED.match(after)
    if not found:
        return False
    word = str(found[1] or found[2]).lower()
    return word not in GENERIC and word not in thing.words


def _phrases(text: str, thing: _Thing) -> Iterator[tuple[int, int]]:
    if text.isascii() and not any(word in text.lower() for word in ("version", "release")):
        return  # most texts speak of neither, and these two are looked for in no time
    for found in PHRASE.finditer(text):
        is_english = found[0].isascii()
        before = "" if is_english else _before(text, found.start())
        after = text[found.end() : found.end() + _AFTER]
        if not _is_followed_by_another(after, thing) and not (before and _is_of_another(before, thing)):
            yield found.span()


def _headings(text: str) -> Iterator[tuple[int, int]]:
    for found in HEADING.finditer(text):
        yield found.span(1)


def _quote(text: str, start: int, end: int) -> str:
    """The line around, cut to 60 characters, the mention in it."""
    end = min(end, start + _QUOTE - 20)
    spare = (_QUOTE - (end - start)) // 2
    first = max(text.rfind("\n", 0, start) + 1, start - spare)
    newline = text.find("\n", end)
    last = min(newline if newline >= 0 else len(text), end + spare)
    return " ".join(text[first:last].split())
