"""What of a text no page shows, though its author wrote it: said, so that nothing is lost without a word."""

from collections.abc import Iterator

from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.formats.github_tables import overfull_rows
from hanpon.formats.harmless_html import fields_with_words
from hanpon.sources.writings.front_matter import Fronted


def cells_left_out(front: Fronted, file: str) -> Iterator[Finding]:
    """That rows of tables in GitHub's Markdown have more cells than their header, at the first such row."""
    rows = overfull_rows(front.rest)
    if rows:
        many = "A row of a table has" if len(rows) == 1 else f"{len(rows):,} rows of tables have"
        message = (
            f"{many} more cells than the header; as on GitHub, these are not shown: give the header as many, or "
            "write `\\|` for a bar inside a cell, in code as well."
        )
        yield Finding("cells-left-out", Severity.WARNING, Place(file, "", front.lines + rows[0]), message)


def fields_left_out(html: str, file: str) -> Iterator[Finding]:
    """That HTML which has not been through the allow list yet has form fields with words in them."""
    count = fields_with_words(html)
    if count:
        many = "A choice or field of a form is" if count == 1 else f"{count:,} choices and fields of forms are"
        message = f"{many} left out with the words in it; say as text what a reader is to know."
        yield Finding("form-fields-left-out", Severity.INFO, Place(file), message)
