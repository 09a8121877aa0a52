"""Where a link or image of a text leads: what is written, against the files of the bundle and of the item."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal
from urllib.parse import quote, unquote

from hanpon.contracts.bundle import Dialect
from hanpon.contracts.credentials import without_credentials
from hanpon.contracts.findings import Severity
from hanpon.contracts.writings import WRITING
from hanpon.formats.pictures import is_picture

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_LONGEST_PATH = 1000
_INDEXES = ("README.md", "index.md", "readme.md", "index.html")


@dataclass(frozen=True, slots=True)
class Address:
    """Where something leads: `outside` to an address, `here` to a place in the same file, `writing` to a file."""

    kind: Literal["outside", "here", "writing"]
    text: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something leads nowhere: `said` continues "The link `x` …"."""

    rule: str
    severity: Severity
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What an address is held against. `exists` asks for a file of the bundle."""

    file: str
    published: frozenset[str]
    dialect: Dialect
    exists: Callable[[str], bool]

    def address(self, written: str) -> Address | Refusal:
        """Where a link leads."""
        text = written.strip()
        elsewhere = self.elsewhere(text)
        if elsewhere is not None:
            return elsewhere
        path, _, fragment = text.partition("#")
        path = path.partition("?")[0]
        if not path:
            if not text:
                return Refusal("link-dangling", Severity.WARNING, "has no address")
            return Address("here", fragment)
        found = self.path(path)
        if isinstance(found, Refusal):
            return found
        return self._inside(found, fragment, is_folder=path.endswith(("/", "/.", "/..")) or path in {".", ".."})

    @staticmethod
    def elsewhere(written: str) -> Address | Refusal | None:
        """An address with a scheme or a host; None for a relative one."""
        text = written.strip()
        if text.startswith("//"):
            text = f"https:{text}"
        scheme = _SCHEME.match(text)
        if scheme is None:
            return None
        name = scheme[1].lower()
        if name not in {"http", "https", "mailto"}:
            return Refusal("link-scheme", Severity.INFO, "is no address on the web and no mail address")
        if name != "mailto" and not text[scheme.end() :].startswith("//"):
            return Refusal("link-dangling", Severity.WARNING, "names no host")
        if name != "mailto" and without_credentials(text) != text:
            return Refusal("link-with-credentials", Severity.WARNING, "holds a name or password before its host")
        return Address("outside", text)

    def path(self, written: str) -> str | Refusal:
        """The bundle-relative path that a relative address means; "" for the bundle's own folder."""
        text = unicodedata.normalize("NFC", unquote(written))
        if len(text) > _LONGEST_PATH or not text.isprintable():
            return Refusal("link-dangling", Severity.WARNING, "is no path that a file can have")
        steps = [] if text.startswith("/") else list(PurePosixPath(self.file).parent.parts)
        for step in text.split("/"):
            if step == "..":
                if not steps:
                    return Refusal("link-outside-bundle", Severity.WARNING, "leads out of the bundle")
                steps.pop()
            elif step not in {"", "."}:
                steps.append(step)
        return "/".join(steps)

    def _inside(self, path: str, fragment: str, *, is_folder: bool) -> Address | Refusal:
        candidates = self._candidates(path, is_folder=is_folder)
        for candidate in candidates:
            if candidate == self.file:
                return Address("here", fragment)
            if candidate in self.published and not is_picture(candidate):
                return Address("writing", f"{WRITING}{quote(candidate)}{'#' if fragment else ''}{unquote(fragment)}")
        if any(self.exists(candidate) for candidate in candidates):
            said = "leads to a file of the bundle that is not published with this item"
            return Refusal("link-unpublished", Severity.INFO, said)
        if is_folder:
            said = "leads to a folder in which no README.md or index.md is published with this item"
            return Refusal("link-unpublished", Severity.INFO, said)
        return Refusal("link-dangling", Severity.WARNING, "leads to no file of the bundle")

    def _candidates(self, path: str, *, is_folder: bool) -> "list[str]":
        """The files that a path can mean, the likeliest first."""
        suffix = PurePosixPath(path).suffix
        found = [path] if path else []
        if is_folder or not suffix:
            found += [f"{path}/{name}" if path else name for name in _INDEXES]
        if self.dialect == "mkdocs" and path and suffix != ".md":
            found.append(f"{path.removesuffix('.html')}.md")
        return found
