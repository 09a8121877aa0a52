"""Texts as one line of a terminal shows them: whoever wrote a definition must not write on the screen."""

import re

UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e0fff]"
)
"""Control characters, line breaks, what turns the direction of writing, what cannot be seen, lone surrogates."""


def one_line(text: str, longest: int | None = None) -> str:
    """The text with unsafe characters as `\\u001b`; cut in the middle where it has more than `longest` characters."""
    if longest is None:
        return UNSAFE.sub(_escaped, text)
    return cut_in_the_middle(UNSAFE.sub(_escaped, cut_in_the_middle(text, longest)), longest)


def cut_in_the_middle(text: str, longest: int) -> str:
    """The text, or its beginning, `…` and its end: at most `longest` characters."""
    if len(text) <= longest:
        return text
    end = (longest - 1) // 2
    return text[: longest - 1 - end] + "…" + text[len(text) - end :]


def _escaped(character: "re.Match[str]") -> str:
    code = ord(character.group())
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
