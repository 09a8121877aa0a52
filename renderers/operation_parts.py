"""The parts of an operation's page as HTML: request bodies and responses. Shared responses are printed once."""

from collections.abc import Sequence

from hanpon.contracts.operations import Link, RequestBody, Response
from hanpon.contracts.texts import bounded
from renderers.markdown_text import MarkdownTexts
from renderers.page import LONGEST_TITLE, Pieces, macro, marked, text
from renderers.parameter_tables import ParameterTables
from renderers.payload_parts import PayloadParts, alike, caption_of, heading
from renderers.schema_words import PARAGRAPH, SchemaWords, coded

_LONG_STATUS = 20


class OperationParts:
    """Prints the parts. A printed part depends on the part alone, with `REQUEST` where the operation is named.

    `met_once` are the identities (`id`) of responses that no other operation has.
    """

    def __init__(
        self,
        words: SchemaWords,
        tables: ParameterTables,
        payloads: PayloadParts,
        markdown: MarkdownTexts,
        met_once: frozenset[int],
    ) -> None:
        self._words = words
        self._labels = words.labels
        self._tables = tables
        self._payloads = payloads
        self._markdown = markdown
        self._met_once = met_once
        self._known: dict[tuple[object, ...], tuple[Response, Pieces]] = {}

    def body(self, body: RequestBody, level: int, title: str, prefix: str = "") -> Pieces:
        """A request body: what holds for all of it, then every media type under its own heading."""
        words = self._words
        html = PARAGRAPH(words.label("body_required" if body.required else "body_optional"))
        if body.unresolved:
            html = PARAGRAPH(words.unresolved(body.unresolved))
        pieces = [html + self._markdown.html(body.description)]
        for index, media in enumerate(alike(body.content), 1):
            name, identity = f"{title} — {media.name}", f"{prefix}request-body-{index}"
            pieces.append(heading(level, identity, name))
            pieces += self._payloads.content(media, level, bounded(name, LONGEST_TITLE), identity)
        return pieces

    def response(
        self, response: Response, level: int, index: int, *, alone: bool, prefix: str = "", caller: str = ""
    ) -> Pieces:
        """A response: one heading, its headers, each media type, its links. `caller` is a callback's name."""
        is_plain = response.status.isalnum() and response.status.isascii() and len(response.status) < _LONG_STATUS
        status = response.status if is_plain else f"n{index}"
        identity = f"{prefix}response-{status}"
        known = (id(response), level, identity, alone, caller)
        found = self._known.get(known)
        if found is None:  # the value is kept beside its HTML, so its identity cannot be given to another
            title = self._title(response, caller, alone=alone)
            found = (response, self._response(response, level, identity, title))
            if id(response) not in self._met_once:  # most are: kept, they would take the memory of all pages again
                self._known[known] = found
        return found[1]

    def _response(self, response: Response, level: int, identity: str, title: str) -> Pieces:
        words = self._words
        content = alike(response.content)
        html = heading(level, identity, f"{title} — {content[0].name}" if content else title)
        if len(response.status) >= LONGEST_TITLE:
            html += PARAGRAPH(text(response.status))
        if response.unresolved:
            html += PARAGRAPH(words.unresolved(response.unresolved))
        if response.summary:
            html += PARAGRAPH(text(response.summary))
        html += self._markdown.html(response.description)
        if not content and not response.unresolved:
            html += PARAGRAPH(words.label("no_body"))
        pieces = [html]
        if response.headers:
            pieces += self._tables.parameters(words.label("headers_of", part=text(title)), response.headers)
        for number, media in enumerate(content, 1):
            name = f"{title} — {media.name}"
            if number > 1:
                pieces.append(heading(level, f"{identity}-{number}", name))
            pieces += self._payloads.content(media, level, bounded(name, LONGEST_TITLE), f"{identity}-{number}")
        if response.links:
            pieces.append(self._links(response.links, title))
        return pieces

    def _title(self, response: Response, caller: str, *, alone: bool) -> str:
        if response.status == "default":
            title = self._labels["any_response" if alone else "error_default"]
        else:
            title = self._labels["error" if response.is_error else "response"].format(status=response.status)
        return bounded(f"{title} ({caller})" if caller else title, LONGEST_TITLE)

    def _links(self, links: Sequence[Link], title: str) -> str:
        rows = []
        for one in links:
            values = [f"{coded(name)} = {coded(value)}" for name, value in one.parameters]
            if one.request_body:
                values.append(f"{self._words.label('request_body')} = {coded(one.request_body)}")
            operation = coded(one.operation) if one.operation else ""
            if one.unresolved:
                operation = self._words.unresolved(one.unresolved)
            if one.server is not None:
                operation += f" ({coded(one.server.url)})"
            rows.append(
                {
                    "name": one.name,
                    "operation": marked(operation),
                    "values": marked("; ".join(values)),
                    "text": marked(self._markdown.html(one.description)),
                }
            )
        return str(macro("parts.html", "links")(self._labels, caption_of(self._labels, "links_of", title), rows))
