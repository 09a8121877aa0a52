"""READMEs of APIs and components: one page per file, with its own headings and their ids."""

from hanpon.contracts.bundle import ApiItem
from hanpon.contracts.documents import DocType, Metadata, Rendered
from hanpon.contracts.findings import in_order
from hanpon.contracts.texts import bounded, clean
from hanpon.contracts.versions import version_rank
from hanpon.contracts.writings import ReadmeSource, Writing
from renderers.labels import labels_of
from renderers.page import LONGEST_TITLE, one_line, text
from renderers.prose_links import Slots
from renderers.prose_outline import heading_and_rest, name_of, page_sections, printed_heading
from renderers.prose_page import FACT, Draft, Press, in_reading_order, named_edition

RECIPE = 1
"""Raised by hand whenever the same source gives other bytes; a test ties it to the golden cases."""


def render(source: ReadmeSource) -> Rendered:
    """A document for every README, in the order of the source; more for one that is too large."""
    press = Press()
    printed = press.print([_draft(source, writing) for writing in source.writings])
    documents = in_reading_order(document for documents in printed for document in documents)
    return Rendered(documents, in_order(press.findings))


def _draft(source: ReadmeSource, writing: Writing) -> Draft:
    item = source.item
    labels = labels_of(item.language)
    edition = named_edition(labels, item.title, item.version)
    first, rest = heading_and_rest(writing)
    slots = Slots(writing.file)
    name = one_line(clean(first.title)) if first else ""
    name = name or name_of(writing, f"{item.title} {writing.file.rpartition('/')[2]}")
    heading, in_full = printed_heading(first, slots) if first else ("", "")
    kind: DocType = "api_spec" if isinstance(item, ApiItem) else "lib_doc"
    section = bounded(name, LONGEST_TITLE)
    return Draft(
        edition=item.edition,
        logical_path=writing.file,
        metadata=Metadata(
            title=bounded(one_line(f"{item.title} {item.version}: {name}"), LONGEST_TITLE),
            doc_type=kind,
            api=item.name,
            api_version=item.version,
            version_rank=version_rank(item.version),
            owner=item.owner,
            language=item.language,
            section=section,
            groups=item.readers,
            source=clean(writing.file),
        ),
        heading=heading if first and first.title else f"{heading} {text(section)}".strip(),
        anchor=first.anchor if first else "",
        facts=FACT(text(edition)),
        sections=page_sections(rest, slots, in_full),
        slots=slots,
    )
