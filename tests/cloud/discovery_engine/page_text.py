"""What a parser of the service sees of an HTML page: its title, and text under headings; cut into chunks by words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
_UNSEEN = {"script", "style", "template", "noscript", "title"}
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\s\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")


@dataclass
class Section:
    """Text below one heading; `trail` are the headings it stands under, with their levels, its own last."""

    trail: tuple[tuple[int, str], ...]
    text: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Excluded:
    """What a store's layout parser leaves out."""

    elements: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()


class PageText(HTMLParser):
    """Reads one page: feed it, then take `title` and `sections`."""

    def __init__(self, excluded: Excluded) -> None:
        super().__init__()
        self.title = ""
        self.sections = [Section(())]
        self._excluded = excluded
        self._open: list[tuple[str, bool]] = []
        self._heading: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _VOID:
            return
        given = dict(attrs)
        classes = set((given.get("class") or "").split())
        out = tag in self._excluded.elements or bool(classes & self._excluded.classes)
        out = out or tag in _UNSEEN or given.get("id") in self._excluded.ids
        self._open.append((tag, out or self._hidden()))
        if tag in _HEADINGS and not self._hidden():
            self._heading = []

    def handle_endtag(self, tag: str) -> None:
        if tag in _HEADINGS and self._heading is not None:
            self._begin(_HEADINGS[tag], " ".join("".join(self._heading).split()))
            self._heading = None
        if any(name == tag for name, _ in self._open):
            while self._open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1][0] == "title":
            self.title += data
        elif not self._hidden():
            (self.sections[-1].text if self._heading is None else self._heading).append(data)

    def _hidden(self) -> bool:
        return bool(self._open) and self._open[-1][1]

    def _begin(self, level: int, words: str) -> None:
        trail = self.sections[-1].trail
        self.sections.append(Section((*(step for step in trail if step[0] < level), (level, words))))


def read_page(html: str, excluded: Excluded) -> tuple[str, Sequence[Section]]:
    """Title and sections of a page."""
    page = PageText(excluded)
    page.feed(html)
    page.close()
    return page.title.strip(), page.sections


def cut(sections: Sequence[Section], size: int, *, with_headings: bool) -> list[str]:
    """Chunks of `size` words at most, headings before the text where wanted; a CJK character is a word."""
    chunks = []
    for section in sections:
        words = "".join(section.text).split()
        own = section.trail[-1:]
        head = "".join(f"{'#' * level} {words}\n" for level, words in (section.trail if with_headings else own))
        parts = list(_parts(words, size)) or ([""] if own and _WORD.search(own[0][1]) else [])
        chunks += [f"{head}\n{part}".strip() for part in parts]
    return chunks


def _parts(words: Sequence[str], size: int) -> list[str]:
    parts: list[list[str]] = []
    held = size
    for word in words:
        count = len(_WORD.findall(word))
        if held + count > size:
            parts.append([])
            held = 0
        parts[-1].append(word)
        held += count
    return [" ".join(part) for part in parts]
