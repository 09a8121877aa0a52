"""Clauses of guidelines: one page for each, with its number, its heading and the headings above it."""

from collections import Counter
from collections.abc import Iterator

from hanpon.contracts.access import Grant
from hanpon.contracts.documents import Metadata, Rendered
from hanpon.contracts.editions import EVERY_API, EVERY_VERSION
from hanpon.contracts.findings import in_order
from hanpon.contracts.texts import bounded, clean
from hanpon.contracts.versions import version_rank
from hanpon.contracts.writings import GuidelineSource, Writing
from renderers.clause_sections import Clause, clauses_of
from renderers.labels import labels_of
from renderers.page import LONGEST_TITLE, Skeleton, one_line, text
from renderers.prose_links import Slots
from renderers.prose_outline import name_of, page_sections, printed_heading
from renderers.prose_page import FACT, Draft, Press, in_reading_order, named_edition, scope_of

RECIPE = 1
"""Raised by hand whenever the same source gives other bytes; a test ties it to the golden cases."""

_LONGEST_STEP = 300
_TRAIL = Skeleton("prose.html", "trail", ("content",))
_STEP = Skeleton("prose.html", "step", ("content",))
_NUMBER = Skeleton("prose.html", "number", ("content",))


def render(source: GuidelineSource) -> Rendered:
    """A document for every clause, in the order of files and headings; more for one that is too large.

    A file that nobody is granted has none.
    """
    press = Press()
    drafts: list[Draft] = []
    for writing in source.writings:
        grant = _grant(source, writing.file)
        if grant:
            drafts += _drafts(source, writing, grant)
    printed = press.print(drafts)
    documents = in_reading_order(document for documents in printed for document in documents)
    return Rendered(documents, in_order(press.findings))


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
    own_name = one_line(clean(first.title)) or name_of(writing, f"{item.title} {writing.file.rpartition('/')[2]}")
    heading, in_full = printed_heading(first, slots)
    heading = heading if first.title else f"{heading} {text(own_name)}".strip()
    name = own_name if clause.is_in_heading else f"{clause.number} {own_name}"
    below = f"{clause.above} › {name}" if clause.above and not clause.number else name
    return Draft(
        edition=item.edition,
        logical_path=_logical_path(writing.file, clause.titles, occurrence),
        metadata=Metadata(
            title=bounded(one_line(f"{item.title}: {below}"), LONGEST_TITLE),
            doc_type="guideline",
            api=grant.api,
            api_version=grant.api_version,
            version_rank=version_rank(grant.api_version),
            owner=item.owner,
            language=item.language,
            section=clause.number or bounded(own_name, LONGEST_TITLE),
            groups=grant.readers,
            source=bounded(clean("#".join(filter(None, (writing.file, " > ".join(clause.titles))))), LONGEST_TITLE),
        ),
        heading=heading if clause.is_in_heading else _NUMBER(text(clause.number)) + heading,
        anchor=first.anchor,
        facts=_facts(source, grant, clause),
        sections=page_sections(rest, slots, in_full + slots.slotted(first.html, first.line)),
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
        scope = scope_of(labels, grant.api, grant.api_version)
        facts += "\n" + FACT(text(labels["holds_for"].format(scope=scope)))
    return facts
