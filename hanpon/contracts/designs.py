"""Design documents: each with exactly the readers that the document management gives it."""

from dataclasses import dataclass

from hanpon.contracts.access import Grant
from hanpon.contracts.bundle import FilesItem
from hanpon.contracts.findings import Finding
from hanpon.contracts.writings import Writing


@dataclass(frozen=True, slots=True, kw_only=True)
class OfficeFile:
    """A PDF, DOCX, PPTX or XLSX: published byte for byte."""

    data: bytes
    media_type: str
    extension: str
    title: str = ""
    """The title that the file itself bears, "" where it has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """One design document: a writing that becomes a page, or a file that is published as it is."""

    file: str
    grant: Grant
    content: Writing | OfficeFile


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignSource:
    """The designs of an item that somebody may read, in order of their paths."""

    item: FilesItem
    designs: tuple[Design, ...]
    findings: tuple[Finding, ...] = ()
