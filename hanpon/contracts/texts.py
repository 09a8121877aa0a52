"""Texts as they can be shown: what no page can hold, and what is too long for one line."""

import re

_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def clean(text: str) -> str:
    """The text with control characters and lone surrogates, which no page can hold, as U+FFFD."""
    # the two that let most texts pass, of one line and of several, are quicker than the search
    if text.isprintable() or text.replace("\n", "").isprintable():
        return text
    return _UNPRINTABLE.sub("\ufffd", text.replace("\r\n", "\n"))


def bounded(text: str, longest: int) -> str:
    """The text, or its beginning and `…`: at most `longest` characters, cut between words where one ends nearby."""
    if len(text) <= longest:
        return text
    beginning = text[: longest - 1]
    words = beginning.rpartition(" ")[0].rstrip()
    return (words if len(words) > longest // 2 else beginning) + "…"
