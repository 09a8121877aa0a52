"""READMEs of APIs and components: one page per file, with its own headings and their ids."""

from hanpon.contracts.bundle import ApiItem
from hanpon.contracts.documents import DocType, Metadata, Rendered
from hanpon.contracts.texts import bounded, clean
from hanpon.contracts.versions import version_rank
from hanpon.contracts.writings import ReadmeSource, Writing
from renderers.labels import labels_of
from renderers.page import LONGEST_TITLE, text
from renderers.prose_links import Slots
from renderers.prose_outline import heading_and_rest, page_heading, page_sections
from renderers.prose_page import FACT, Draft, Press, named_edition, titled

RECIPE = 2
"""Raised by hand whenever the same source gives other bytes; a test ties it to the golden cases."""


def render(source: ReadmeSource) -> Rendered:
    """A document for every README, in the order of the source; more for one that is too large."""
    return Press().rendered([_draft(source, writing) for writing in source.writings])


def _draft(source: ReadmeSource, writing: Writing) -> Draft:
    item = source.item
    labels = labels_of(item.language)
    edition = named_edition(labels, item.title, item.version)
    first, rest = heading_and_rest(writing)
    slots = Slots(writing.file)
    heading = page_heading(first, writing, f"{item.title} {writing.file.rpartition('/')[2]}", slots)
    called = f"{item.title} {item.version}"
    kind: DocType = "api_spec" if isinstance(item, ApiItem) else "lib_doc"
    return Draft(
        edition=item.edition,
        logical_path=writing.file,
        metadata=Metadata(
            title=titled(called, called if heading.name == item.title else heading.name),
            doc_type=kind,
            api=item.name,
            api_version=item.version,
            version_rank=version_rank(item.version),
            owner=item.owner,
            language=item.language,
            section=bounded(heading.name, LONGEST_TITLE),
            groups=item.readers,
            source=clean(writing.file),
        ),
        heading=heading.html,
        anchor=heading.anchor,
        facts=FACT(text(edition)),
        sections=page_sections(rest, slots, heading.in_full),
        slots=slots,
    )
