"""Clauses of guidelines: one page for each, with its number, its heading and the headings above it."""

from collections import Counter
from collections.abc import Iterator

from hanpon.contracts.access import Grant
from hanpon.contracts.documents import Metadata, Rendered
from hanpon.contracts.editions import EVERY_API, EVERY_VERSION
from hanpon.contracts.texts import bounded, clean
from hanpon.contracts.versions import version_rank
from hanpon.contracts.writings import GuidelineSource, Writing
from renderers.clause_sections import Clause, clauses_of
from renderers.labels import labels_of
from renderers.page import LONGEST_TITLE, Skeleton, text
from renderers.prose_links import Slots
from renderers.prose_outline import page_heading, page_sections
from renderers.prose_page import Draft, Press, holds_for, named_edition, titled

RECIPE = 2
"""Raised by hand whenever the same source gives other bytes; a test ties it to the golden cases."""

_LONGEST_STEP = 300
_TRAIL = Skeleton("prose.html", "trail", ("content",))
_STEP = Skeleton("prose.html", "step", ("content",))
_NUMBER = Skeleton("prose.html", "number", ("content",))


def render(source: GuidelineSource) -> Rendered:
    """A document for every clause, in the order of files and headings; more for one that is too large.

    A file that nobody is granted has none.
    """
    drafts: list[Draft] = []
    for writing in source.writings:
        grant = _grant(source, writing.file)
        if grant:
            drafts += _drafts(source, writing, grant)
    return Press().rendered(drafts)


def _grant(source: GuidelineSource, file: str) -> Grant | None:
    if source.access is not None:
        return source.access.of(file)
    item = source.item
    return Grant(readers=item.readers, api=item.api, api_version=item.api_version) if item.readers else None


def _drafts(source: GuidelineSource, writing: Writing, grant: Grant) -> Iterator[Draft]:
    seen: Counter[tuple[str, ...]] = Counter()
    for clause in clauses_of(writing):
        seen[clause.titles] += 1
        yield _draft(source, writing, grant, clause, seen[clause.titles])


def _draft(source: GuidelineSource, writing: Writing, grant: Grant, clause: Clause, occurrence: int) -> Draft:
    item = source.item
    slots = Slots(writing.file)
    first, rest = clause.sections[0], clause.sections[1:]
    heading = page_heading(first, writing, f"{item.title} {writing.file.rpartition('/')[2]}", slots)
    name = f"{clause.lacking} {heading.name}".strip()
    below = f"{clause.above} › {name}" if clause.above and not clause.number else name
    return Draft(
        edition=item.edition,
        logical_path=_logical_path(writing.file, clause.titles, occurrence),
        metadata=Metadata(
            title=titled(item.title, below),
            doc_type="guideline",
            api=grant.api,
            api_version=grant.api_version,
            version_rank=version_rank(grant.api_version),
            owner=item.owner,
            language=item.language,
            section=clause.number or bounded(heading.name, LONGEST_TITLE),
            groups=grant.readers,
            source=bounded(clean("#".join(filter(None, (writing.file, " > ".join(clause.titles))))), LONGEST_TITLE),
        ),
        heading=_NUMBER(text(clause.lacking)) + heading.html if clause.lacking else heading.html,
        anchor=heading.anchor,
        facts=_facts(source, grant, clause),
        sections=page_sections(rest, slots, heading.in_full + slots.slotted(first.html, first.line)),
        slots=slots,
        further=clause.further,
    )


def _logical_path(file: str, titles: tuple[str, ...], occurrence: int) -> str:
    """The file and the headings, which are one line each, so that no two trails are written alike."""
    path = "\n".join((file, *titles))
    return path if occurrence == 1 else f"{path}\t({occurrence})"


def _facts(source: GuidelineSource, grant: Grant, clause: Clause) -> str:
    """The guideline, the headings above, and what it holds for where that is not everything."""
    item = source.item
    labels = labels_of(item.language)
    steps = "".join(_STEP(text(bounded(step, _LONGEST_STEP))) for step in clause.trail)
    facts = _TRAIL(text(named_edition(labels, item.title, item.version)) + steps)
    if (grant.api, grant.api_version) != (EVERY_API, EVERY_VERSION):
        facts += "\n" + holds_for(labels, grant.api, grant.api_version)
    return facts
