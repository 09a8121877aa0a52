"""A writing: a text for people (README, guideline, design in HTML or Markdown) as headings with what stands below."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hanpon.contracts.access import Access
from hanpon.contracts.bundle import ApiItem, ComponentItem, FilesItem
from hanpon.contracts.digests import digest_of, short
from hanpon.contracts.findings import Finding

WRITING = "writing:"
"""Begins the address of a link to a file of the same item: `writing:{path}#{fragment}`, the path percent-encoded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading and what stands between it and the next heading of any level.

    All HTML in it is harmless: it went through the allow list, has no headings in it, loads nothing but
    `../assets/{Image.name}`, and its links are absolute (http, https, mailto), `#fragment` or `WRITING` addresses.
    """

    level: int
    """1 to 6 as written; 0 for what stands before the first heading, which has no title."""
    title: str = ""
    """The heading's text, on one line."""
    heading: str = ""
    """The heading's inline HTML."""
    anchor: str = ""
    """What links call the heading: GitHub's id, unique in its file."""
    html: str = ""
    """The blocks below it; "" for none."""
    fragments: tuple[str, ...] = ()
    """Ids of elements in `html` and `heading` that links may call, the anchor left out."""
    line: int = 0
    """1-based line of the heading in the source, 0 where it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """An image of the bundle that a page shows as `../assets/{name}`."""

    data: bytes
    media_type: str
    extension: str

    @property
    def digest(self) -> str:
        return digest_of(self.data)

    @property
    def name(self) -> str:
        return f"{short(self.digest)}.{self.extension}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """One file of text. `title` is that of its front matter, else its first heading of level 1, else ""."""

    file: str
    title: str = ""
    front: Mapping[str, str] = field(default_factory=dict)
    """Front matter, as far as its values are single texts or numbers; none of it is printed."""
    sections: tuple[Section, ...] = ()
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadmeSource:
    """The READMEs of an API or component, in order of their paths."""

    item: ApiItem | ComponentItem
    writings: tuple[Writing, ...]
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidelineSource:
    """The files of a guideline that somebody may read, in order of their paths."""

    item: FilesItem
    writings: tuple[Writing, ...]
    findings: tuple[Finding, ...] = ()
    access: Access | None = None
    """Who may see what is made of each file, and what it holds for; None: everything as the item says."""
