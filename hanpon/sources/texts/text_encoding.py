"""Bytes to text: UTF-8, or what an item says; where that fails, the likely encoding by name."""

import codecs
import re
import unicodedata

from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Finding, Place, Severity

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 256 * 1024
_JAPANESE_PAIR = re.compile("[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]{2}")


def decode(data: bytes, file: str, encoding: str = "utf-8") -> str:
    """The text of a file, without a byte order mark.

    Raises InvalidInput, naming the likely encoding, where the bytes are not text in `encoding`.
    """
    try:
        text = data.decode("utf-8-sig" if is_utf8(encoding) else encoding)
        if not is_utf8(encoding):
            text.encode("utf-8")  # some codecs make halves of surrogate pairs
    except (ValueError, LookupError) as error:
        raise InvalidInput([_problem(data, file, encoding, error)]) from None
    return text.removeprefix("\ufeff")


def is_utf8(encoding: str) -> bool:
    """Whether an encoding is another name of UTF-8."""
    return encoding.lower().replace("_", "-") in {"utf-8", "utf8", "utf-8-sig"}


def likely_encoding(data: bytes) -> str:
    """The most likely encoding of text that is not UTF-8, as an item may name it in `encoding`; "" where none is.

    A guess by trial for the encodings that Japanese teams meet: UTF-16, ISO-2022-JP, EUC-JP, cp932 (Shift_JIS
    with Windows' additions), and Windows' Latin for the rest.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    sample = data[:_SAMPLE]
    if b"\0" in sample:
        return _utf16_without_mark(sample)
    if b"\x1b$" in sample or b"\x1b(" in sample:
        return "iso-2022-jp"
    best = max(("cp932", "euc_jp"), key=lambda name: _japanese_weight(sample, name))
    if _japanese_weight(sample, best) > 0:
        return best
    return "cp1252" if _trial(sample, "cp1252") is not None else "latin-1"


def _problem(data: bytes, file: str, encoding: str, error: ValueError | LookupError) -> Finding:
    if not isinstance(error, UnicodeDecodeError):
        message = f"{encoding!a} is not an encoding of text that can be read"
        return Finding("unknown-encoding", Severity.ERROR, Place(file), message)
    line = data.count(b"\n", 0, error.start) + 1
    guess = likely_encoding(data) if is_utf8(encoding) else ""
    hint = f"; it looks like {guess}: save it as UTF-8, or say `encoding: {guess}` on its item" if guess else ""
    return Finding("not-utf-8", Severity.ERROR, Place(file, "", line), f"The file is not {encoding} text{hint}.")


def _utf16_without_mark(sample: bytes) -> str:
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if max(even, odd) < len(sample) // 16:
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def _trial(sample: bytes, name: str) -> str | None:
    try:
        # the sample may end inside a character: that is no fault
        return codecs.getincrementaldecoder(name)().decode(sample)
    except UnicodeDecodeError:
        return None


def _japanese_weight(sample: bytes, name: str) -> int:
    """How much a trial reads like Japanese. Half-width katakana tell of EUC-JP misread as cp932."""
    text = _trial(sample, name)
    if text is None or not _JAPANESE_PAIR.search(text):
        return 0
    half = sum(1 for character in text if "\uff61" <= character <= "\uff9f")
    wide = sum(1 for character in text if ord(character) > 0x2FFF and unicodedata.east_asian_width(character) in "WF")
    return wide - 2 * half
