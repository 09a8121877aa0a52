"""Design documents read: each with exactly its readers, or not at all."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from hanpon.contracts.access import Access, Grant
from hanpon.contracts.bundle import FilesItem
from hanpon.contracts.designs import Design, DesignSource, OfficeFile
from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Finding, Place, Severity, in_order
from hanpon.contracts.writings import Writing
from hanpon.formats.office_text import MEDIA_TYPES
from hanpon.formats.pictures import is_picture
from hanpon.sources.access.entries import not_granted
from hanpon.sources.designs.office_files import read_office
from hanpon.sources.texts.inputs import Inputs
from hanpon.sources.texts.mention_places import spoken_versions, writing_mentions
from hanpon.sources.texts.text_problems import problem, shown
from hanpon.sources.writings.readable import FORMS, form_of
from hanpon.sources.writings.reader import read_writing


def read_designs(item: FilesItem, access: Access, inputs: Inputs) -> DesignSource:
    """The designs of an item that somebody may read, in order of their paths, with what is wrong with the others.

    A file that nobody may see is not even read. Raises Missing and Unavailable as the bundle's tree does.
    """
    reader = _Reader(item, frozenset(file for file in item.files if access.of(file)), inputs)
    designs = tuple(reader.designs(access))
    return DesignSource(item=item, designs=designs, findings=in_order(reader.findings))


@dataclass(slots=True)
class _Reader:
    item: FilesItem
    granted: frozenset[str]
    inputs: Inputs
    findings: list[Finding] = field(default_factory=list)

    def designs(self, access: Access) -> Iterator[Design]:
        for file in sorted(self.item.files):
            if is_picture(file):
                continue
            grant = access.of(file)
            if grant is None:
                self.findings.append(not_granted(file, self.item))
            elif content := self._content(file, grant):
                yield Design(file=file, grant=grant, content=content)

    def _content(self, file: str, grant: Grant) -> Writing | OfficeFile | None:
        if form_of(file):
            return self._writing(file, grant)
        extension = PurePosixPath(file).suffix[1:].lower()
        if extension in MEDIA_TYPES:
            return self._office(file, extension, grant)
        wanted = ", ".join(sorted((*FORMS, *(f".{known}" for known in MEDIA_TYPES))))
        kind = f"{shown(extension)} files" if extension else "files without an extension"
        message = f"Designs are read from {wanted}, not from {kind}; convert it, or leave it out of `files`."
        self.findings.append(problem("format-not-read", Place(file), message))
        return None

    def _writing(self, file: str, grant: Grant) -> Writing | None:
        item = self.item
        try:
            reading = read_writing(file, self.granted, item.markdown, item.encoding, self.inputs)
        except InvalidInput as refused:
            self.findings += refused.problems
            return None
        # findings are seen by more people than a design is, so they quote none of it
        self.findings += map(_unquoted, reading.findings)
        self.findings += writing_mentions(reading.writing, *spoken_versions(item, grant), is_quoted=False)
        return reading.writing

    def _office(self, file: str, extension: str, grant: Grant) -> OfficeFile | None:
        office, findings = read_office(file, extension, self.inputs, *spoken_versions(self.item, grant))
        self.findings += findings
        return office


def _unquoted(finding: Finding) -> Finding:
    """The same finding without words of the text: its rule and line tell where to look."""
    if finding.severity is Severity.ERROR:  # of the file as a whole
        return finding
    message = f"Something in this design needs a look ({finding.rule}); its words are for its readers alone."
    return replace(finding, message=message)
