"""One operation as one page: heading, facts, then a section for each part, in the order in which people ask."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape

from hanpon.contracts.operations import ApiSource, Callback, Operation, Parameter, Tag
from hanpon.contracts.texts import bounded
from renderers.labels import Labels, labels_of
from renderers.markdown_text import MarkdownTexts
from renderers.operation_parts import OperationParts
from renderers.page import LONGEST_TITLE, Pieces, Skeleton, encoded, one_line, text, wrapper
from renderers.page_parts import Limits, Lost, Section, cut_into_parts
from renderers.parameter_tables import REQUEST, ParameterTables
from renderers.payload_parts import PayloadParts, heading
from renderers.schema_rows import SchemaRows
from renderers.schema_words import MARK, PARAGRAPH, STRONG, SchemaWords, coded, link
from renderers.surroundings import Surroundings

_REQUEST = encoded(REQUEST)
_LOCATIONS = ("path", "query", "querystring", "header", "cookie")
_ABOUT_LENGTH = 200
"""Characters of what is said about a page or a tag in one line."""
_LONGEST_PAGE_TITLE = 300

_TAG = re.compile(r"<[^>]*(?:>|$)")

_Part = tuple[str, str, Pieces]
"""Id, title (HTML) and content of a section."""

_PAGE = Skeleton("operation.html", "page", ("language", "title", "about", "heading", "part", "facts", "sections"))
_SECTION = Skeleton("operation.html", "section", ("id", "title", "content"))
_PART = wrapper("operation.html", "part")
_SUMMARY = wrapper("operation.html", "summary")
_WARNING = wrapper("operation.html", "warning")
_FACT = wrapper("operation.html", "fact")
_NAMED_FACT = Skeleton("operation.html", "named_fact", ("name", "content"))
_DESCRIBED_FACT = Skeleton("operation.html", "described_fact", ("name", "content", "said"))


def heading_of(operation: Operation) -> str:
    """The h1 of every part of its page; a longer one stands in full among the facts."""
    return bounded(operation.heading, LONGEST_TITLE)


def title_of(operation: Operation, part: str = "") -> str:
    """`GET /customers/{id}: summary`, the title in the index, one line; `part` names a further part of the page."""
    name = one_line(heading_of(operation)) + (f" ({part})" if part else "")
    summary = bounded(one_line(operation.summary or operation.path_summary), _LONGEST_PAGE_TITLE)
    return f"{name}: {summary}" if summary else name


def _met_once(source: ApiSource) -> frozenset[int]:
    counts = Counter(id(response) for operation in source.documented for response in operation.responses)
    return frozenset(identity for identity, count in counts.items() if count == 1)


def _is_long(tag: Tag) -> bool:
    return len(tag.description) > _ABOUT_LENGTH or "\n\n" in tag.description


@dataclass(frozen=True, slots=True)
class Printed:
    """The parts of a page, one where it is not too large, and what was lost when it was cut into parts."""

    parts: tuple[bytes, ...]
    lost: Lost = field(default_factory=Lost)


class OperationPages:
    """Prints the pages of one source; what pages share is printed once. The order of printing changes nothing."""

    def __init__(self, source: ApiSource, limits: Limits) -> None:
        item = source.item
        self._language = text(item.language)
        self._labels: Labels = labels_of(item.language)
        self._markdown = MarkdownTexts()
        self._words = SchemaWords(source.schemas, self._labels, self._markdown)
        self.rows = SchemaRows(self._words)
        self._limits = limits
        self._tables = ParameterTables(self._words, self.rows, self._markdown)
        payloads = PayloadParts(self._words, self.rows, self._tables, self._markdown)
        self._parts = OperationParts(self._words, self._tables, payloads, self._markdown, _met_once(source))
        self._tags: dict[Tag, str] = {}
        self._surroundings = Surroundings(self._words, self._markdown)
        self._api_line = text(self._labels["api_line"].format(title=item.title, version=item.version))

    def page(self, operation: Operation, *, most_parts: int) -> Printed:
        """The page of an operation, cut into parts where it is too large; what `most_parts` do not hold is lost."""
        name = text(heading_of(operation))
        facts = "".join(self._facts(operation))
        sections = [
            (identity, self._words.label(label), content)
            for identity, label, content in self._sections(operation)
            if any(content)
        ]
        whole = self._framed(operation, "", facts, sections).replace(_REQUEST, encoded(name))
        if self._limits.allow(whole):
            return Printed((whole,))
        large = [
            Section(identity, title, "".join(content).replace(REQUEST, name)) for identity, title, content in sections
        ]
        return self._in_parts(operation, facts, large, most_parts)

    def _in_parts(self, operation: Operation, facts: str, sections: Sequence[Section], most_parts: int) -> Printed:
        parts, lost = cut_into_parts(facts, sections, self._limits, most_parts)
        if lost.rest:
            parts[-1].pieces.append((Section("left-out", "", ""), PARAGRAPH(MARK(self._words.label("cut_page")))))
        count = len(parts)
        return Printed(
            tuple(
                self._framed(
                    operation,
                    self.part_name(index, count) if count > 1 else "",
                    part.facts,
                    [(section.identity, section.title, (section.html,)) for section in part.sections],
                )
                for index, part in enumerate(parts, 1)
            ),
            lost,
        )

    def part_name(self, index: int, count: int) -> str:
        """`part 2 of 3`, in the language of the page; plain text."""
        return self._labels["part"].format(index=index, count=count)

    def _framed(self, operation: Operation, part: str, facts: str, sections: Iterable[_Part]) -> bytes:
        """A page, or a part of one, as bytes."""
        line = _PART(text(part)) if part else ""
        if part and not facts:
            line += _FACT(self._api_line)
        pieces = [
            _PAGE.begun(
                self._language,
                f"{text(title_of(operation, part))} | {self._api_line}",
                text(self._about(operation)),
                text(heading_of(operation)),
                line,
                facts,
            )
        ]
        for identity, title, content in sections:
            pieces += (_SECTION.begun(identity, title), *content, _SECTION.end) if title else content
        return encoded(*pieces, _PAGE.end)

    def _about(self, operation: Operation) -> str:
        """One line for the page's description: the summary, else the beginning of the text without its markup."""
        about = operation.summary or operation.path_summary
        if not about:
            html = self._markdown.html(operation.description or operation.path_description)
            about = unescape(_TAG.sub(" ", html[: 10 * _ABOUT_LENGTH]))
        line = one_line(about[: 10 * _ABOUT_LENGTH])
        return line if len(line) <= _ABOUT_LENGTH else line[: _ABOUT_LENGTH - 1] + "…"

    def _facts(self, operation: Operation) -> Iterator[str]:
        words = self._words
        if len(operation.heading) > LONGEST_TITLE:
            yield PARAGRAPH(coded(operation.heading))
        summary = operation.summary or operation.path_summary
        if summary:
            yield _SUMMARY(text(summary))
        if operation.deprecated:
            yield _WARNING(words.label("deprecated_operation"))
        if operation.internal:
            yield _WARNING(words.label("internal"))
        if operation.kind == "webhook":
            yield PARAGRAPH(words.label("webhook_text"))
        yield _FACT(self._api_line)
        if operation.operation_id:
            yield _NAMED_FACT(words.label("operation_id"), coded(operation.operation_id))
        for tag in operation.tags:
            if tag not in self._tags:
                self._tags[tag] = self._tag(tag)
            yield self._tags[tag]

    def _tag(self, tag: Tag) -> str:
        label, name = self._words.label("tags"), self._name_of(tag)
        if not tag.description or _is_long(tag):
            return _NAMED_FACT(label, name)
        return _DESCRIBED_FACT(label, name, self._markdown.html(tag.description))

    def _name_of(self, tag: Tag) -> str:
        """Its display name and its name; from 3.2 on, which tag it is part of and what it is for."""
        name = text(f"{tag.title} ({tag.name})" if tag.title and tag.title != tag.name else tag.name)
        more = [self._words.label("tag_parent", name=text(tag.parent))] if tag.parent else []
        more += [self._words.label("tag_kind", name=text(tag.kind))] if tag.kind else []
        return f"{name} ({'; '.join(more)})" if more else name

    def _long_tags(self, tags: Iterable[Tag]) -> Iterator[str]:
        """What would push the operation itself out of the first piece of its page."""
        for tag in filter(_is_long, tags):
            yield PARAGRAPH(STRONG(self._name_of(tag))) + self._markdown.html(tag.description)

    def _sections(self, operation: Operation) -> Iterator[_Part]:
        """Id, label and content of each part; what has no content is left out."""
        words, parts = self._words, self._parts
        yield "description", "description", (self._description(operation),)
        parameters = self._parameters(operation.parameters, 3)
        if not parameters and operation.kind == "path":
            parameters = (PARAGRAPH(words.label("parameters_none")),)
        yield "parameters", "parameters", parameters
        if operation.request_body is not None:
            body = parts.body(operation.request_body, 3, self._labels["request_body"])
            yield "request-body", "request_body", body
        nothing = () if operation.responses else (PARAGRAPH(words.label("responses_none")),)
        errors = {response.status for response in operation.errors}
        yield "responses", "responses", (*self._responses(operation, errors, among=False), *nothing)
        yield "errors", "errors", self._responses(operation, errors, among=True)
        if operation.kind == "path" or operation.security is not None:
            yield "security", "security", (self._surroundings.security(operation.security),)
        if operation.servers:
            yield "servers", "servers", (self._surroundings.servers(operation.servers),)
        yield "callbacks", "callbacks", tuple(self._callbacks(operation))
        yield "tags", "about_tags", tuple(self._long_tags(operation.tags))

    def _description(self, operation: Operation) -> str:
        html = self._markdown.html(operation.description)
        summary = operation.path_summary if operation.summary else ""
        if operation.path_description or summary:
            html += heading(3, "path-description", self._labels["path_description"])
            html += PARAGRAPH(text(summary)) if summary else ""
            html += self._markdown.html(operation.path_description)
        docs = operation.external_docs
        if docs is not None and docs.url:
            html += PARAGRAPH(f"{self._words.label('more')}: {link(docs.url, docs.description or docs.url)}")
        return html

    def _parameters(
        self, parameters: tuple[Parameter, ...], level: int, prefix: str = "", caller: str = ""
    ) -> Pieces:
        html: list[str] = []
        for location in _LOCATIONS:
            listed = [parameter for parameter in parameters if parameter.location == location]
            if listed:
                title = self._labels[f"parameters_{location}"] + (f" ({caller})" if caller else "")
                title = bounded(title, LONGEST_TITLE)
                html.append(heading(level, f"{prefix}{location}-parameters", title))
                html += self._tables.parameters(text(title), listed)
        return html

    def _responses(self, operation: Operation, errors: Container[str], *, among: bool) -> Pieces:
        alone = len(operation.responses) == 1
        html: list[str] = []
        for index, response in enumerate(operation.responses):
            if (response.status in errors) is among:
                html += self._parts.response(response, 3, index, alone=alone)
        return html

    def _callbacks(self, operation: Operation) -> Iterator[str]:
        """Callbacks one level deeper: each request under an h3, its parts under h4."""
        number = 0
        for callback in operation.callbacks:
            if callback.unresolved:
                mark = self._words.unresolved(callback.unresolved)
                yield PARAGRAPH(f"{text(callback.name)}: {mark}")
            for called in callback.operations:
                number += 1
                yield from self._called(callback, called, f"callback-{number}-")

    def _called(self, callback: Callback, called: Operation, prefix: str) -> Iterator[str]:
        labels, name = self._labels, callback.name
        yield heading(3, prefix + "request", labels["callback"].format(name=name, request=called.heading))
        yield PARAGRAPH(self._words.label("callback_text"))
        if called.deprecated:
            yield PARAGRAPH(MARK(self._words.label("deprecated_operation")))
        for summary in dict.fromkeys((called.path_summary, called.summary)):
            yield PARAGRAPH(text(summary)) if summary else ""
        yield self._markdown.html(called.path_description)
        yield self._markdown.html(called.description)
        if called.operation_id:
            yield _NAMED_FACT(self._words.label("operation_id"), coded(called.operation_id))
        yield from self._parameters(called.parameters, 4, prefix, name)
        if called.request_body is not None:
            title = bounded(f"{labels['request_body']} ({name})", LONGEST_TITLE)
            yield from self._parts.body(called.request_body, 4, title, prefix)
        for index, response in enumerate(called.responses):
            alone = len(called.responses) == 1
            yield from self._parts.response(response, 4, index, alone=alone, prefix=prefix, caller=name)
        for part, html in (
            ("security", self._surroundings.security(called.security) if called.security is not None else ""),
            ("servers", self._surroundings.servers(called.servers) if called.servers else ""),
        ):
            title = bounded(f"{labels[part]} ({name})", LONGEST_TITLE)
            yield heading(4, prefix + part, title) + html if html else ""
