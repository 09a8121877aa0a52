"""Tables of five columns: parameters, headers, and the fields of schemas. Shared parameters are printed once."""

from collections.abc import Iterable, Sequence

from hanpon.contracts.operations import Parameter
from renderers.markdown_text import MarkdownTexts
from renderers.page import Pieces, Skeleton, macro, marked, text
from renderers.schema_rows import Cut, Rows, SchemaRows
from renderers.schema_words import MARK, PARAGRAPH, SEPARATOR, SchemaWords, coded, link

REQUEST = "\x03"
"""Stands for `GET /customers/{id}` in shared parts; it is replaced page by page."""

_CUT_NAMES = 10
"""So many are named below a table that is cut (Stripe's would name a hundred); each row names its own."""

_TABLE = Skeleton("rows.html", "table", ("caption", "name", "type", "required", "text", "constraints", "rows"))


class ParameterTables:
    """Prints tables under captions that name the operation (as `REQUEST`) and the part."""

    def __init__(self, words: SchemaWords, rows: SchemaRows, markdown: MarkdownTexts) -> None:
        self._words = words
        self._labels = words.labels
        self._rows = rows
        self._markdown = markdown
        self._columns = tuple(map(words.label, ("name", "type", "required", "text", "constraints")))
        self._known: dict[int, tuple[Parameter, Rows]] = {}

    def table(self, part: str, rows: str, cut: Sequence[Cut] = ()) -> Pieces:
        """Rows of five columns under a caption that names the operation and the part; `part` is HTML text."""
        caption = self._words.label("caption", request=REQUEST, part=part)
        return _TABLE.begun(caption, *self._columns), rows, f"{_TABLE.end}\n{self._left_out(cut)}"

    def _left_out(self, cuts: Sequence[Cut]) -> str:
        if not cuts:
            return ""
        html = ""
        names = list(dict.fromkeys(one.name for one in cuts if one.is_whole))
        for one in [one for one in cuts if not one.is_whole][:_CUT_NAMES]:
            html += PARAGRAPH(MARK(self._rows.words_of_cut(one, one.name)))
        if names:
            limits = {"rows": str(self._rows.max_rows), "depth": str(self._rows.max_depth)}
            listed = ", ".join(map(text, names[:_CUT_NAMES]))
            if len(names) > _CUT_NAMES:
                listed = self._words.label("and_more", names=listed, count=str(len(names) - _CUT_NAMES))
            html += PARAGRAPH(MARK(self._words.label("cut_table", names=listed, **limits)))
        return html

    def parameters(self, part: str, parameters: Sequence[Parameter]) -> Pieces:
        """One table for the parameters of one location, or for headers."""
        rows = [self._rows_of(parameter) for parameter in parameters]
        return self.table(part, "".join([row.html for row in rows]), [cut for row in rows for cut in row.cut])

    def _rows_of(self, parameter: Parameter) -> Rows:
        found = self._known.get(id(parameter))
        if found is None:  # the value is kept beside its rows, so its identity cannot be given to another
            found = self._known[id(parameter)] = (parameter, self._parameter(parameter))
        return found[1]

    def _parameter(self, parameter: Parameter) -> Rows:
        words = self._words
        key = _schema_of(parameter)
        how, examples = list(self._how(parameter)), list(self._examples(parameter))
        said = self._markdown.html(parameter.description)
        deprecated = PARAGRAPH(MARK(words.label("deprecated"))) if parameter.deprecated else ""
        required = words.label("yes" if parameter.required else "no")
        if key:
            schema = words.schemas[key]
            if schema.description == parameter.description:
                said = ""
            deprecated = "" if schema.deprecated else deprecated
            bounds = SEPARATOR.join(filter(None, (*how, words.said(key)[1], *examples)))
            row = self._rows.row(parameter.name, required, key, deprecated + said, bounds)
            below = self._rows.below(key, parameter.name)
            return Rows(row + below.html, below.cut)
        kind = words.label("any")
        if parameter.unresolved:
            kind = words.unresolved(parameter.unresolved)
        html = macro("rows.html", "row")(
            parameter.name,
            "",
            marked(kind),
            marked(required),
            marked(deprecated + said),
            marked(SEPARATOR.join((*how, *examples))),
        )
        return Rows(str(html))

    def _how(self, parameter: Parameter) -> Iterable[str]:
        words = self._words
        if parameter.media_type is not None:
            yield words.label("media_type", value=coded(parameter.media_type.name))
        if parameter.style or parameter.explode is not None:
            yield self.style(parameter.style, explode=parameter.explode)
        if parameter.allow_empty:
            yield words.label("allow_empty")
        if parameter.allow_reserved:
            yield words.label("allow_reserved")

    def _examples(self, parameter: Parameter) -> Iterable[str]:
        words = self._words
        media = parameter.media_type
        for example in (*parameter.examples, *(media.examples if media else ())):
            about = ": ".join(piece for piece in (example.name, example.summary) if piece)
            value = coded(example.text) if example.text else link(example.url, example.url)
            if example.unresolved:
                value = words.unresolved(example.unresolved)
            phrase = words.label("examples", values=f"{text(about)} {value}" if about else value)
            yield phrase + (f" {self._markdown.html(example.description)}" if example.description else "")

    def style(self, style: str, *, explode: bool | None) -> str:
        name = f"style_{style}"
        if explode and f"{name}_explode" in self._labels:
            return self._words.label(f"{name}_explode")
        words = self._words.label(name) if name in self._labels else ""
        if not words and style:
            words = self._words.label("style_other", value=coded(style))
        if explode is not None and style not in {"form", "simple"}:
            words += "; " * bool(words) + self._words.label("exploded" if explode else "not_exploded")
        return words


def _schema_of(parameter: Parameter) -> str:
    return parameter.schema or (parameter.media_type.schema if parameter.media_type else "")
