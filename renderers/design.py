"""Design documents: a page for one that is a text; PDF and office files are published byte for byte."""

import re

from hanpon.contracts.designs import Design, DesignSource, OfficeFile
from hanpon.contracts.documents import Document, Metadata, Rendered, identify
from hanpon.contracts.findings import in_order
from hanpon.contracts.texts import bounded, clean
from hanpon.contracts.versions import version_rank
from hanpon.contracts.writings import Writing
from renderers.labels import labels_of
from renderers.page import LONGEST_TITLE, one_line, text
from renderers.prose_links import Places, Slots
from renderers.prose_outline import heading_and_rest, page_heading, page_sections
from renderers.prose_page import FACT, Draft, Press, holds_for, in_reading_order, named_edition, titled

RECIPE = 2
"""Raised by hand whenever the same source gives other bytes; a test ties it to the golden cases."""


def render(source: DesignSource) -> Rendered:
    """The documents of a source in its order, each with the readers of its own grant and no other."""
    granted = [design for design in source.designs if design.grant.readers]
    files = {
        design.file: _file(source, design, design.content)
        for design in granted
        if isinstance(design.content, OfficeFile)
    }
    places = Places()
    for file, document in files.items():
        places.add(file, document.id, document.readers)
    press = Press(places=places)
    writings = [_draft(source, design, design.content) for design in granted if isinstance(design.content, Writing)]
    pages = {draft.slots.file: documents for draft, documents in zip(writings, press.print(writings), strict=True)}
    documents = in_reading_order(
        document
        for design in granted
        for document in ((files[design.file],) if design.file in files else pages[design.file])
    )
    return Rendered(documents, in_order(press.findings))


def _file(source: DesignSource, design: Design, content: OfficeFile) -> Document:
    item = source.item
    name = one_line(clean(content.title)) or _stem(design.file)
    identifier, slug = identify(item.edition, "design", design.file)
    return Document(
        id=identifier,
        slug=slug,
        edition=item.edition,
        metadata=_metadata(source, design, name, name),
        readers=design.grant.readers,
        content=content.data,
        media_type=content.media_type,
        extension=re.sub("[^a-z0-9]", "", content.extension.lower()) or "bin",
    )


def _draft(source: DesignSource, design: Design, writing: Writing) -> Draft:
    item, grant = source.item, design.grant
    labels = labels_of(item.language)
    first, rest = heading_and_rest(writing)
    slots = Slots(writing.file)
    heading = page_heading(first, writing, _stem(design.file), slots)
    edition = text(named_edition(labels, item.title, item.version))
    return Draft(
        edition=item.edition,
        logical_path=design.file,
        metadata=_metadata(source, design, heading.name, titled(item.title, heading.name)),
        heading=heading.html,
        anchor=heading.anchor,
        facts=FACT(edition) + "\n" + holds_for(labels, grant.api, grant.api_version),
        sections=page_sections(rest, slots, heading.in_full),
        slots=slots,
    )


def _metadata(source: DesignSource, design: Design, name: str, title: str) -> Metadata:
    item, grant = source.item, design.grant
    return Metadata(
        title=bounded(title, LONGEST_TITLE),
        doc_type="design",
        api=grant.api,
        api_version=grant.api_version,
        version_rank=version_rank(grant.api_version),
        owner=item.owner,
        language=item.language,
        section=bounded(name, LONGEST_TITLE),
        groups=grant.readers,
        source=clean(design.file),
    )


def _stem(file: str) -> str:
    """A file's name without its extension."""
    name = one_line(clean(file.rpartition("/")[2]))
    return name.rpartition(".")[0] or name
