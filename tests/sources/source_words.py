"""The words of a Markdown source and of the sections made of it, counted without any of the code under test."""

import re
from collections import Counter
from html import unescape

from bs4 import BeautifulSoup

from hanpon.contracts.writings import Writing

_WORD = re.compile(r"[^\W_]+")
_FRONT = re.compile(r"\A---[ \t]*\n.*?^(?:---|\.\.\.)[ \t]*\n", re.DOTALL | re.MULTILINE)
_FENCE = re.compile(r"^([ \t>*+-]*(?:\d+\.[ \t]+)?)(`{3,}|~{3,})([^\n`]*)\n", re.MULTILINE)
_SPAN = re.compile(r"(?<![`\\])(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_NOT_WORDS = re.compile(
    r"""<!--.*?-->                                            # a comment
    |</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>                  # a tag
    |^[ ]{0,3}\[[^\]\n^][^\]\n]*\]:[ \t]*\n?[^\n]*$                     # the definition of an address
    |\[\^[^\]\s]+\]:?                                          # a footnote's label
    |^[ \t>]*\d+[.)](?=\s)                                      # a number of a list
    |\{:[ ]?[^{}\n]*\}                                          # attributes
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
_ADDRESS = r"""\(\s*(?:<[^<>\n]*>|(?:[^()\s]|\([^()\s]*\))*)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)"""
_LINK = re.compile(rf"(?<!\\)!?\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]{_ADDRESS}")
_LABEL = re.compile(r"^[ ]{0,3}\[([^\]\n^][^\]\n]*)\]:", re.MULTILINE)
_REFERENCE = re.compile(r"\[([^\[\]]+)\]\[([^\[\]]*)\]")
_AUTOLINK = re.compile(r"<(https?://[^<>\s]+)>")


def words_of_source(text: str) -> Counter[str]:
    """The words that a reader of the rendered text should meet, by count."""
    text = _FRONT.sub("", text.replace("\r\n", "\n"), count=1)
    labels = {label.casefold() for label in _LABEL.findall(text)}
    code: list[str] = []
    masked = "".join(_masked(part, code) if is_code else part for is_code, part in _parts(text))
    masked = _AUTOLINK.sub(r"\1", masked)
    for _ in range(2):  # an image in a link
        masked = _REFERENCE.sub(
            lambda link: link[1] if (link[2] or link[1]).casefold() in labels else link[0], masked
        )
    masked = _NOT_WORDS.sub(" ", _LINK.sub(r"\1", _LINK.sub(r"\1", masked)))
    shown = re.sub("\ue000(\\d+)\ue001", lambda mask: f" {code[int(mask[1])]} ", unescape(masked))
    return Counter(word.casefold() for word in _WORD.findall(shown))


def _masked(part: str, code: list[str]) -> str:
    code.append(part)
    return f"\ue000{len(code) - 1}\ue001"


def words_of_sections(writing: Writing) -> Counter[str]:
    """The words that the sections show, images' words included, numbers of footnotes left out."""
    found: Counter[str] = Counter()
    for section in writing.sections:
        soup = BeautifulSoup(f"<div><p>{section.heading}</p>{section.html}</div>", "html.parser")
        for tag in soup.select(".footnote-ref, .footnote-backref, sup:has(.footnote-ref)"):
            tag.clear()
        for tag in soup.find_all(["a", "img"]):
            tag.unwrap() if tag.name == "a" else tag.replace_with(str(tag.get("alt", "")))
        soup.smooth()
        text = " ".join(map(str, soup.find_all(string=True)))
        found.update(word.casefold() for word in _WORD.findall(text))
    return found


def _parts(text: str) -> "list[tuple[bool, str]]":
    """Code and the rest, in order."""
    found = []
    at = 0
    while fence := _FENCE.search(text, at):
        found += _spans(text[at : fence.start()])
        end = re.compile(rf"^[ \t>]*{fence[2][0]}{{{len(fence[2])},}}[ \t]*$", re.MULTILINE).search(text, fence.end())
        found.append((True, text[fence.end() : end.start() if end else len(text)]))
        at = end.end() if end else len(text)
    return found + _spans(text[at:])


def _spans(text: str) -> "list[tuple[bool, str]]":
    found, at = [], 0
    for span in _SPAN.finditer(text):
        found += [(False, text[at : span.start()]), (True, span[2])]
        at = span.end()
    return [*found, (False, text[at:])]
