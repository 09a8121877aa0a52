"""Where MkDocs leaves words of a text out, they are kept: cells beyond a table's header, footnotes of one name."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions.footnotes import FootnoteExtension
from markdown.extensions.tables import TableExtension, TableProcessor

from hanpon.formats.heading_ids import Taken


class WholeTables(TableExtension):
    """Tables whose rows may have more cells than the header."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  the library's name
        super().extendMarkdown(md)
        md.parser.blockprocessors.register(_WholeRows(md.parser, self.getConfigs()), "table", _PRIORITY)


_PRIORITY = 75
"""That of the processor whose place is taken."""


class _WholeRows(TableProcessor):
    def _build_row(self, row: str, parent: Element, align: Sequence[str | None]) -> None:
        more = len(self._split_row(row)) - len(align)  # type: ignore[attr-defined]  # the stubs leave both out
        super()._build_row(row, parent, [*align, *[None] * more])  # type: ignore[misc]


class AllFootnotes(FootnoteExtension):
    """Footnotes of which a second one takes the name, as in MkDocs, and the first stays under a new one."""

    def setFootnote(self, id: str, text: str) -> None:  # noqa: A002, N802  the library's names
        """Keep a footnote under its name; one that had the name before goes on under the name with a number."""
        if id in self.footnotes:
            taken = Taken()
            taken.ids.update(self.footnotes)
            self.footnotes[taken.numbered(id)] = self.footnotes[id]
        super().setFootnote(id, text)
