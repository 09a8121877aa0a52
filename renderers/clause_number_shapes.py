"""What the numbers of clauses look like: 第3条, 別表第一, 3.2.1, 1., 1-2-3, A.1, A-1, [R-101].

A shape alone may be something else, `1.` of a list or `GPT-4`: `clause_numbers` holds it against its whole file.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

Style = Literal["article", "decimal", "single", "bare", "hyphenated", "appendix", "label", "code"]

_KANJI = "〇一二三四五六七八九十百千"
_FIGURES = rf"(?:\d{{1,4}}|[{_KANJI}]{{1,6}})"
_LETTER = r"[\u3040-\u30ff\u3400-\u9fff]"
_UNITS = "倍秒分時日月年系以版個件回点円割度未台人名本枚つ週か箇ヶ"
"""Characters behind a figure that make it a quantity: 1.5秒, 3.2以降."""

_ARTICLE = re.compile(
    rf"(?:附 ?則 ?)?(?:第{_FIGURES}[編部章節款目項条](?:の(?:\d{{1,3}}|[{_KANJI}]{{1,4}})){{0,3}}){{1,4}}"
    r"(?=$|[\s(「『【\[:.,、。・‐–—~-])"
)
_PART = re.compile(rf"第{_FIGURES}(?=$| )")
_SUPPLEMENT = re.compile(r"附 ?則(?=$|[\s(「『【\[:.,、。・-])")
_END = rf"(?=$|[\s:、)「『【\[(]|(?![{_UNITS}]){_LETTER})"
_DECIMAL = re.compile(rf"(?:§ ?)?(\d{{1,3}}(?:\.\d{{1,3}}){{1,6}})\.?{_END}")
_SINGLE = re.compile(rf"(\d{{1,3}})[.)、](?=$|[\s「『【\[(]|{_LETTER})")
_BARE = re.compile(r"(\d{1,2}) (?=\D)")
_HYPHENATED = re.compile(rf"(\d{{1,3}}(?:[-‐–]\d{{1,3}}){{1,4}})\.?{_END}")
_LETTERED = re.compile(rf"([A-Z](?:\.\d{{1,3}}){{1,6}})\.?{_END}")
_APPENDIX = re.compile(
    rf"((?:付録|附録|附属書|別紙|別表|別添|別記様式|別記|様式|Appendix|APPENDIX|Annex|ANNEX) ?"
    rf"(?:[A-Z]|第?\d{{1,3}}|第?[{_KANJI}]{{1,4}})号?(?:\.\d{{1,3}}){{0,5}}(?:の\d{{1,3}}){{0,2}})\.?"
    r"(?=$|[\s:、(「『【\[‐–—-])"
)
_CODE = r"[A-Z][A-Za-z]{0,11}(?:[-_][A-Z0-9]{1,12}){0,2}[-_]\d{1,6}(?:[.-]\d{1,4}){0,3}"
_BRACKETED = rf"[\[【](#\d{{1,6}}|{_CODE})[\]】]"
_LABEL_IN_FRONT = re.compile(rf"{_BRACKETED}|\(({_CODE})\)|({_CODE})(?=:)")
_LABEL_BEHIND = re.compile(rf"{_BRACKETED}$")
_BARE_CODE = re.compile(rf"({_CODE})(?=$|[\s「『【\[(]|{_LETTER})")
_STANDARD = re.compile(r"(?:AES|COVID|ECMA|EUC|HTTP|IEC|IEEE|ISO|JIS|MD|RFC|RSA|SHA|TLS|UCS|UTF)[-_]\d")
"""Names that look like labels of rules."""

_DATE = re.compile(r"[\s(\[~‐–—-]{0,3}(?:19|20)\d\d[-/.年]")
"""Behind figures: then they are those of a release."""

_STYLES: tuple[tuple[Style, re.Pattern[str]], ...] = (
    ("decimal", _DECIMAL),
    ("single", _SINGLE),
    ("hyphenated", _HYPHENATED),
    ("bare", _BARE),
    ("appendix", _LETTERED),
    ("appendix", _APPENDIX),
)


@dataclass(frozen=True, slots=True)
class Number:
    """A clause's number in half-width characters, without brackets and closing dot: `3.2.1`, `第3条の2`, `R-101`."""

    text: str
    style: Style
    lacking: str = ""
    """What of it stands in a heading above: the 附則 of `附則第1条`."""


SUPPLEMENT = Number("附則", "article")
"""The supplementary provisions behind the articles, whose own articles begin with the first again."""


def number_in(title: str) -> Number | None:
    """The number that a heading seems to bear."""
    words = in_half_width(title)
    if found := _ARTICLE.match(words) or _PART.match(words):
        return Number(found[0].replace(" ", ""), "article")
    if _SUPPLEMENT.match(words):
        return SUPPLEMENT
    for style, pattern in _STYLES:
        if (found := pattern.match(words)) and not _DATE.match(words, found.end()):
            return Number(found[1], style)
    return _label_in(words)


def _label_in(words: str) -> Number | None:
    found = _LABEL_IN_FRONT.match(words) or _LABEL_BEHIND.search(words[-60:])
    style: Style = "label" if found else "code"
    found = found or _BARE_CODE.match(words)
    label = found[found.lastindex or 0] if found else ""
    return Number(label, style) if label and not _STANDARD.match(label) else None


def in_half_width(title: str) -> str:
    """A title as numbers are looked for: full-width figures and signs are the same as half-width ones."""
    return " ".join(unicodedata.normalize("NFKC", title).split())
