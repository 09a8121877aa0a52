"""Links between pages of text: what they lead to is known once all pages of a source are cut into documents.

Until then a link is a slot as wide as any address that may come into it, so that no page grows when it is filled.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from html import unescape
from urllib.parse import unquote

from hanpon.contracts.access import EVERYONE
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.contracts.texts import bounded, clean
from hanpon.contracts.writings import WRITING
from renderers.page import one_line, text

INDEX = "../index.html#"
"""Begins the address of a document, by its id: a page's own name holds a digest."""

_MOST_FINDINGS = 20
"""For each file; the last one says how many more there are."""

_LONGEST_NAME = 200
_WIDTH = len(INDEX) + 63 - 2
_ATTRIBUTES = r'(?:\s[^\s="<>/]+(?:="[^"]*")?)*'
_TAG = re.compile(rf"<[a-z][a-z0-9]*({_ATTRIBUTES})")
_LINK = re.compile(rf"<a({_ATTRIBUTES})")
_ID = re.compile(r'\sid="([^"]*)"')
_HREF = re.compile(rf'(\shref=")(#|{WRITING})([^"]*)"')
_SLOT = re.compile(r'\shref="\x00(\d+)\x00"')
_PREFIX = "user-content-"
"""Stands in front of ids on GitHub's own pages, so some authors write it."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link to a file of the source, and the line of the heading below which it stands."""

    file: str
    fragment: str
    line: int
    is_closed: bool = False
    """Not everyone who sees the page with the link may see what it leads to."""


@dataclass(slots=True)
class Slots:
    """The links of one page that wait for their address."""

    file: str
    links: list[Link] = field(default_factory=list)

    def slotted(self, html: str, line: int = 0) -> str:
        """The HTML with a slot in place of each address of a file or of a place on the page."""
        html = clean(html)
        if f'"{WRITING}' not in html and '"#' not in html:
            return html
        return _LINK.sub(lambda link: _HREF.sub(lambda href: self._slot(href, line), link[0]), html)

    def _slot(self, href: "re.Match[str]", line: int) -> str:
        address = unescape(href[3])
        path, _, fragment = ("", "", address) if href[2] == "#" else address.partition("#")
        self.links.append(Link(unquote(path) or self.file, fragment, line))
        width = max(_WIDTH, len(href[0]))
        return f'{href[1]}\x00{len(self.links) - 1:0{width}d}\x00"'


@dataclass(slots=True)
class Places:
    """Which document holds which place of which file."""

    documents: dict[str, str] = field(default_factory=dict)
    """The first document of a file."""
    fragments: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    """The document of a place, by file and id, and the id again; "" where no element bears it."""
    loose: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    """The same by file and what `_loose` makes of the id."""
    readers: dict[str, frozenset[str]] = field(default_factory=dict)
    """Of each document."""

    def add(
        self, file: str, document: str, readers: Iterable[str], html: str = "", further: Iterable[str] = ()
    ) -> None:
        """Take note of a document, of the ids in it, and of further ones that lead to it."""
        self.documents.setdefault(file, document)
        self.readers[document] = frozenset(readers)
        ids = [(identity, identity) for identity in ids_in(html)]
        for fragment, identity in (*ids, *((fragment, "") for fragment in further)):
            self.fragments.setdefault((file, fragment), (document, identity))
            self.loose.setdefault((file, _loose(fragment)), (document, identity))

    def fill(self, html: str, slots: Slots, document: str) -> tuple[str, list[Link]]:
        """The HTML of a document with its addresses, and the links that lead nowhere.

        A document's id holds words of its file and headings, so no page names one that some of its readers may not
        see.
        """
        dangling: list[Link] = []

        def address(slot: "re.Match[str]") -> str:
            link = slots.links[int(slot[1])]
            found, is_found = self._address(link, slots.file, document)
            if not self._is_open(found, document):
                dangling.append(replace(link, is_closed=True))
                return ""
            if not is_found:
                dangling.append(link)
            return f' href="{text(found)}"' if found else ""

        return _SLOT.sub(address, html), dangling

    def _address(self, link: Link, file: str, document: str) -> tuple[str, bool]:
        place = self._place(link)
        if place:
            holder, identity = place
            return (f"#{identity}" if holder == document and identity else INDEX + holder), True
        whole = document if link.file == file else self.documents.get(link.file, "")
        if not whole:
            return "", False
        return INDEX + whole, link.fragment in {"", "top"}

    def _is_open(self, address: str, document: str) -> bool:
        if not address.startswith(INDEX):
            return True
        allowed = self.readers[address.removeprefix(INDEX)]
        return EVERYONE in allowed or self.readers[document] <= allowed

    def _place(self, link: Link) -> tuple[str, str] | None:
        """Where an id stands that is written so, or decoded, or without GitHub's prefix; last where one is alike."""
        if not link.fragment:
            return None
        decoded = unquote(link.fragment)
        spellings = [(link.file, one) for one in (link.fragment, decoded, decoded.removeprefix(_PREFIX))]
        found = next((self.fragments[one] for one in spellings if one in self.fragments), None)
        return found or self.loose.get((link.file, _loose(decoded.removeprefix(_PREFIX))))


def ids_in(html: str) -> list[str]:
    """The ids of elements, in order."""
    return [unescape(found[1]) for tag in _TAG.finditer(html) if (found := _ID.search(tag[1]))]


def _loose(fragment: str) -> str:
    """A fragment for which neither capitals count nor how a letter is composed: some tools write が as か and ゛."""
    return unicodedata.normalize("NFC", fragment).casefold()


def findings_of(dangling: Sequence[Link], file: str) -> Iterable[Finding]:
    """What is to be said of the links of a file that lead nowhere."""
    links = list(dict.fromkeys(dangling))
    for link in links[:_MOST_FINDINGS]:
        yield _closed(link, file) if link.is_closed else _finding(file, link.line, _said(link, file))
    if len(links) > _MOST_FINDINGS:
        more = len(links) - _MOST_FINDINGS
        yield _finding(
            file, 0, f"{more} more links of this file lead nowhere; mend those that are named, then look again"
        )


def _finding(file: str, line: int, message: str) -> Finding:
    return Finding("link-dangling", Severity.WARNING, Place(file, "", line), message)


def _closed(link: Link, file: str) -> Finding:
    message = (
        f"a link leads to `{_shown(link.file)}`, which not everyone may see who sees this page, so its address was "
        "left out; give both the same readers to have it back"
    )
    return Finding("link-to-fewer-readers", Severity.INFO, Place(file, "", link.line), message)


def _said(link: Link, file: str) -> str:
    fragment, target = _shown(unquote(link.fragment)), _shown(link.file)
    if link.file == file:
        return f"a link leads to `#{fragment}`, but no heading or element of this file has that id; correct the link"
    if not link.fragment:
        return f"a link leads to `{target}`, which is none of the files that are published here; correct or remove it"
    return f"a link leads to `{target}#{fragment}`, which is no place that is published here; correct the link"


def _shown(words: str) -> str:
    return bounded(one_line(clean(words)).replace("`", "'"), _LONGEST_NAME)
