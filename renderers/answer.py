"""Earlier answers: one page for each version that an answer holds for."""

from collections.abc import Iterator
from html import unescape

from hanpon.contracts.answers import Answer, AnswersSource
from hanpon.contracts.documents import Metadata, Rendered
from hanpon.contracts.texts import bounded, clean
from hanpon.contracts.versions import version_rank
from renderers.labels import Labels, labels_of
from renderers.markdown_text import html_of
from renderers.page import Skeleton, macro, one_line, text
from renderers.page_parts import Section
from renderers.prose_links import Slots
from renderers.prose_outline import words_in
from renderers.prose_page import Draft, Press, holds_for, scope_of

RECIPE = 1
"""Raised by hand whenever the same source gives other bytes; a test ties it to the golden cases."""

_LONGEST_QUESTION = 300
"""Characters of a question in a title or h1; a longer one stands in full below."""

_SUPERSEDED = Skeleton("prose.html", "superseded", ("content",))


def render(source: AnswersSource) -> Rendered:
    """A document for every version of every answer, in the order of the source; more for one that is too large."""
    drafts = [
        _draft(source, answer, version)
        for answer in source.answers
        for version in answer.versions
        if answer.grant.readers
    ]
    return Press().rendered(drafts)


def _draft(source: AnswersSource, answer: Answer, version: str) -> Draft:
    item = source.item
    labels = labels_of(item.language)
    asked = _first_line(answer)
    return Draft(
        edition=item.edition,
        logical_path=f"{answer.id} {version}",
        metadata=Metadata(
            title=asked,
            doc_type="qa",
            api=answer.api,
            api_version=version,
            version_rank=version_rank(version),
            superseded="true" if answer.superseded else "false",
            owner=item.owner,
            language=item.language,
            section=asked,
            groups=answer.grant.readers,
            source=clean(f"{answer.place.file}#{answer.id}"),
        ),
        heading=text(asked),
        facts=_facts(answer, version, labels),
        sections=list(_sections(answer, asked, version, labels)),
        slots=Slots(answer.place.file),
    )


def _first_line(answer: Answer) -> str:
    """The first line of the question as plain words."""
    line = next(filter(str.strip, clean(answer.question).splitlines()), answer.id)
    return bounded(one_line(unescape(words_in(html_of(line)))) or one_line(line), _LONGEST_QUESTION)


def _facts(answer: Answer, version: str, labels: Labels) -> str:
    """What a reader must know before the answer."""
    warning = _SUPERSEDED(text(labels["answer_superseded"])) + "\n" if answer.superseded else ""
    return warning + holds_for(labels, answer.api, version)


def _sections(answer: Answer, asked: str, version: str, labels: Labels) -> Iterator[Section]:
    if one_line(clean(answer.question)) != asked:
        yield Section("question", text(labels["question"]), html_of(clean(answer.question)))
    yield Section("answer", text(labels["answer"]), html_of(clean(answer.answer)))
    if answer.date or answer.approved_by:
        yield _about(answer, version, labels)


def _about(answer: Answer, version: str, labels: Labels) -> Section:
    facts = {
        "answer_scope": scope_of(labels, answer.api, version),
        "answer_date": answer.date,
        "answer_approved": answer.approved_by,
    }
    lines = [(labels[label], clean(said)) for label, said in facts.items() if said]
    return Section("about-answer", text(labels["about_answer"]), str(macro("prose.html", "facts")(lines)))
