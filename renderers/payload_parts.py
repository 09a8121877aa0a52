"""What a body holds: its schema as a table, how its parts are sent, its examples in full."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hanpon.contracts.operations import Encoding, Example, MediaType, Parameter
from hanpon.contracts.texts import bounded
from renderers.labels import Labels
from renderers.markdown_text import MarkdownTexts
from renderers.page import LONGEST_TITLE, Pieces, Skeleton, macro, marked, quoted, text, wrapper
from renderers.parameter_tables import REQUEST, ParameterTables
from renderers.schema_rows import SchemaRows
from renderers.schema_words import PARAGRAPH, SchemaWords, coded, link

_HEADING = Skeleton("parts.html", "heading", ("level", "id", "title", "level"))
_NAMED = Skeleton("parts.html", "named", ("name", "content"))
_JSON = wrapper("parts.html", "json")
_PAYLOAD = wrapper("parts.html", "payload")
_SAID = wrapper("parts.html", "said")


class PayloadParts:
    """Prints media types. `title` names the part: `Response 200 — application/json`, in LONGEST_TITLE at most."""

    def __init__(
        self, words: SchemaWords, rows: SchemaRows, tables: ParameterTables, markdown: MarkdownTexts
    ) -> None:
        self._words = words
        self._labels = words.labels
        self._rows = rows
        self._tables = tables
        self._markdown = markdown

    def content(self, media: MediaType, level: int, title: str, identity: str) -> Pieces:
        html: list[str] = []
        if media.schema:
            html += self._schema(media.schema, title, "schema_line")
        if media.item_schema:
            html += self._schema(media.item_schema, f"{title} — {self._labels['stream_item']}", "stream_item")
        if media.encodings:
            html.append(self._encodings(media.encodings, title))
        return [*html, *self._examples(media.examples, level + 1, title, identity)]

    def _schema(self, key: str, title: str, label: str) -> Pieces:
        words = self._words
        schema = words.schemas[key]
        said, bounds = words.said(key)
        html = _NAMED(words.label(label), words.type_of(key))
        html += _SAID(said) if said else ""
        html += _NAMED(words.label("constraints"), bounds) if bounds else ""
        rows = self._rows.below(key)
        if not rows.html:
            return (html,)
        name = schema.name or schema.title
        pattern = "fields_of" if name else "fields"
        caption = words.label(pattern, part=text(title), name=text(bounded(name, LONGEST_TITLE)))
        return html, *self._tables.table(caption, rows.html, rows.cut)

    def _encodings(self, encodings: Sequence[Encoding], title: str) -> str:
        rows = [
            {
                "property": encoding.property,
                "content_type": encoding.content_type,
                "style": marked(self._style(encoding)),
                "headers": marked(
                    "; ".join(
                        f"{coded(header.name)} {self._of_header(header)} {self._markdown.html(header.description)}"
                        for header in encoding.headers
                    )
                ),
            }
            for encoding in encodings
        ]
        return str(
            macro("parts.html", "encodings")(self._labels, caption_of(self._labels, "encoding_of", title), rows)
        )

    def _of_header(self, header: Parameter) -> str:
        """Type and constraints of a part's header, in one phrase."""
        if not header.schema:
            return ""
        bounds = self._words.said(header.schema)[1]
        return "; ".join(filter(None, (self._words.type_of(header.schema), bounds)))

    def _style(self, encoding: Encoding) -> str:
        pieces = [self._tables.style(encoding.style, explode=encoding.explode)]
        if encoding.allow_reserved:
            pieces.append(self._words.label("allow_reserved"))
        return "; ".join(filter(None, pieces))

    def _examples(self, examples: Sequence[Example], level: int, part: str, identity: str) -> Iterator[str]:
        """Every example in full, each below a heading with its name."""
        for index, example in enumerate(examples, 1):
            pattern = self._labels["example_named" if example.name else "example_of"]
            title = quoted(pattern.format(name=example.name, part=part))
            head = _HEADING(str(level), text(f"{identity}-example-{index}"), title, str(level))
            yield "\n".join((head, *self._about(example), ""))
            if example.text:
                yield (_JSON if example.is_json else _PAYLOAD)(quoted(example.text)) + "\n"

    def _about(self, example: Example) -> Iterator[str]:
        words = self._words
        if example.summary:
            yield PARAGRAPH(quoted(example.summary))
        yield self._markdown.html(example.description)
        if example.unresolved:
            yield PARAGRAPH(words.unresolved(example.unresolved))
        if example.url:
            yield PARAGRAPH(f"{words.label('example_elsewhere')}: {link(example.url, example.url)}")


def alike(content: Sequence[MediaType]) -> list[MediaType]:
    """Media types of one schema as one, named together, so that its table stands on the page once."""
    groups: dict[object, list[MediaType]] = {}
    for index, media in enumerate(content):
        is_schema = media.schema and not media.item_schema and not media.encodings
        groups.setdefault(media.schema if is_schema else index, []).append(media)
    return [_together(group) if len(group) > 1 else group[0] for group in groups.values()]


def _together(group: Sequence[MediaType]) -> MediaType:
    examples = tuple(
        replace(example, name=f"{example.name} {media.name}".strip()) for media in group for example in media.examples
    )
    return replace(group[0], name=", ".join(media.name for media in group), examples=examples)


def caption_of(labels: Labels, label: str, part: str = "") -> str:
    """A caption that names the operation and the part; plain text."""
    part = bounded(part, LONGEST_TITLE)
    return labels["caption"].format(request=REQUEST, part=labels[label].format(part=part))


def heading(level: int, identity: str, title: str) -> str:
    """A heading that names its part in full, in one text node; one that is too long stands below it once more."""
    html = _HEADING(str(level), text(identity), text(bounded(title, LONGEST_TITLE)), str(level))
    return html if len(title) <= LONGEST_TITLE else html + PARAGRAPH(text(title))
