"""API definitions: one page per operation and per webhook.

A page stands alone: the method and the path are its h1 in one piece of text, every heading names its part in
full, parameters, bodies, responses and errors are static text. The same source gives the same bytes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from hanpon.contracts.documents import Document, Metadata, identify
from hanpon.contracts.operations import ApiSource, Operation, Parameter, Tag
from hanpon.contracts.versions import version_rank
from renderers.labels import Labels, labels_of
from renderers.markdown_text import MarkdownTexts
from renderers.operation_parts import OperationParts
from renderers.page import encoded, marked, one_line, template, text
from renderers.parameter_tables import REQUEST, ParameterTables
from renderers.payload_parts import PayloadParts, heading
from renderers.schema_rows import MAX_DEPTH, MAX_ROWS, SchemaRows
from renderers.schema_words import MARK, PARAGRAPH, SchemaWords, coded, link
from renderers.surroundings import Surroundings

RECIPE = 1
"""Raised by hand whenever the same source gives other bytes; a test ties it to the golden cases."""

MAX_BYTES = 2_500_000
"""Vertex AI Search takes HTML up to this size."""

_SMALLER = ((100, 5), (30, 3), (10, 2))
"""Rows and levels of a table on a page that would be too large otherwise."""

_LOCATIONS = ("path", "query", "querystring", "header", "cookie")
_SUMMARY_LENGTH = 200


def render(source: ApiSource) -> Iterator[Document]:
    """A document for every operation and webhook of the source, in its order."""
    printer = _Printer(source, MAX_ROWS, MAX_DEPTH)
    smaller: list[_Printer] = []
    for operation in source.documented:
        content = printer.page(operation)
        for rows, depth in _SMALLER if len(content) >= MAX_BYTES else ():
            if len(content) >= MAX_BYTES:
                smaller = [*smaller, _Printer(source, rows, depth, examples=rows > _SMALLER[-1][0])]
                content = smaller[-1].page(operation)
        yield _document(source, operation, content)


def title_of(operation: Operation) -> str:
    """`GET /customers/{id}: summary`, the title in the index."""
    summary = one_line(operation.summary or operation.path_summary)
    return f"{one_line(operation.heading)}: {summary}" if summary else one_line(operation.heading)


def _document(source: ApiSource, operation: Operation, content: bytes) -> Document:
    item = source.item
    identifier, slug = identify(item.edition, "api_spec", operation.logical_path)
    deprecated: Literal["true", "false"] = "true" if operation.deprecated else "false"
    return Document(
        id=identifier,
        slug=slug,
        edition=item.edition,
        readers=item.readers,
        content=content,
        metadata=Metadata(
            title=title_of(operation),
            doc_type="api_spec",
            api=item.name,
            api_version=item.version,
            version_rank=version_rank(item.version),
            deprecated=deprecated,
            owner=item.owner,
            language=item.language,
            section=operation.heading,
            method=operation.method,
            path=operation.target,
            operation_id=operation.operation_id,
            tags=tuple(tag.name for tag in operation.tags),
            groups=item.readers,
            source=f"{operation.place.file}#{operation.place.pointer}",
        ),
    )


@dataclass(frozen=True, slots=True)
class _Section:
    """An h2 and what stands below it, as HTML."""

    id: str
    title: str
    html: str


class _Printer:
    """Prints the pages of one source; what pages share is printed once."""

    def __init__(self, source: ApiSource, rows: int, depth: int, *, examples: bool = True) -> None:
        self._source = source
        self._labels: Labels = labels_of(source.item.language)
        self._markdown = MarkdownTexts()
        self._words = SchemaWords(source.schemas, self._labels, self._markdown)
        schema_rows = SchemaRows(self._words, rows=rows, depth=depth)
        self._tables = ParameterTables(self._words, schema_rows, self._markdown)
        payloads = PayloadParts(self._words, schema_rows, self._tables, self._markdown, examples=examples)
        self._parts = OperationParts(self._words, self._tables, payloads, self._markdown)
        self._surroundings = Surroundings(self._words, self._markdown)
        self._template = template("operation.html")
        self._api_line = self._labels["api_line"].format(title=source.item.title, version=source.item.version)

    def page(self, operation: Operation) -> bytes:
        labels = self._labels
        summary = one_line(operation.summary or operation.path_summary)
        about = summary or one_line(operation.description or operation.path_description)
        html = self._template.render(
            t=labels,
            language=self._source.item.language,
            title=f"{title_of(operation)} | {self._api_line}",
            about=about if len(about) <= _SUMMARY_LENGTH else about[: _SUMMARY_LENGTH - 1] + "…",
            heading=operation.heading,
            summary=operation.summary or operation.path_summary,
            api_line=self._api_line,
            operation=operation,
            tags=[self._tag(tag) for tag in operation.tags],
            sections=[section for section in self._sections(operation) if section.html],
        )
        return encoded(html.replace(REQUEST, text(operation.heading)))

    def _tag(self, tag: Tag) -> dict[str, str]:
        name = f"{tag.title} ({tag.name})" if tag.title and tag.title != tag.name else tag.name
        return {"name": name, "text": marked(self._markdown.html(tag.description))}

    def _sections(self, operation: Operation) -> Iterator[_Section]:
        labels, parts = self._labels, self._parts
        yield _Section("description", labels["description"], self._description(operation))
        parameters = self._parameters(operation.parameters, 3, "")
        if not parameters and operation.kind == "path":
            parameters = PARAGRAPH(text(labels["parameters_none"]))
        yield _Section("parameters", labels["parameters"], parameters)
        if operation.request_body is not None:
            title = labels["request_body"]
            yield _Section("request-body", title, parts.body(operation.request_body, 3, title))
        responses = self._responses(operation, errors=False)
        if not operation.responses:
            responses = PARAGRAPH(text(labels["responses_none"]))
        yield _Section("responses", labels["responses"], responses)
        yield _Section("errors", labels["errors"], self._responses(operation, errors=True))
        yield _Section("security", labels["security"], self._surroundings.security(operation.security))
        if operation.servers:
            yield _Section("servers", labels["servers"], self._surroundings.servers(operation.servers))
        yield _Section("callbacks", labels["callbacks"], "".join(self._callbacks(operation)))

    def _description(self, operation: Operation) -> str:
        html = self._markdown.html(operation.description)
        summary = operation.path_summary if operation.summary else ""
        if operation.path_description or summary:
            html += heading(3, "path-description", self._labels["path_description"])
            html += (PARAGRAPH(text(summary)) if summary else "") + self._markdown.html(operation.path_description)
        docs = operation.external_docs
        if docs is not None and docs.url:
            html += f"<p>{text(self._labels['more'])}: {link(docs.url, docs.description or docs.url)}</p>"
        return html

    def _parameters(self, parameters: tuple[Parameter, ...], level: int, prefix: str) -> str:
        html = []
        for location in _LOCATIONS:
            listed = [parameter for parameter in parameters if parameter.location == location]
            if listed:
                title = self._labels[f"parameters_{location}"]
                html.append(heading(level, f"{prefix}{location}-parameters", title))
                html.append(self._tables.parameters(text(title), listed))
        return "".join(html)

    def _responses(self, operation: Operation, *, errors: bool) -> str:
        return "".join(
            self._parts.response(response, 3, index)
            for index, response in enumerate(operation.responses)
            if response.is_error is errors
        )

    def _callbacks(self, operation: Operation) -> Iterator[str]:
        """Callbacks one level deeper: each request under an h3, its parts under h4."""
        labels, parts = self._labels, self._parts
        number = 0
        for callback in operation.callbacks:
            if callback.unresolved:
                mark = MARK(self._words.label("unresolved", reference=coded(callback.unresolved)))
                yield f"<p>{text(callback.name)}: {mark}</p>"
            for called in callback.operations:
                number += 1
                prefix = f"callback-{number}-"
                yield heading(
                    3, prefix + "request", labels["callback"].format(name=callback.name, request=called.heading)
                )
                yield f"<p>{text(labels['callback_text'])}</p>"
                if called.summary:
                    yield f"<p>{text(called.summary)}</p>"
                yield self._markdown.html(called.description)
                yield self._parameters(called.parameters, 4, prefix)
                if called.request_body is not None:
                    title = f"{labels['request_body']} ({callback.name})"
                    yield parts.body(called.request_body, 4, title, prefix)
                for index, response in enumerate(called.responses):
                    yield parts.response(response, 4, index, prefix=prefix, caller=callback.name)
