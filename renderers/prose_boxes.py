"""The titles that Markdown gives boxes of itself, "Note" and the like, in the language of the page."""

import re

from renderers.labels import Labels
from renderers.page import text

_TITLE = re.compile(
    r'(<(?:div|details) class="(?:admonition |markdown-alert markdown-alert-)?([a-z]+)"[^>]*>\s*'
    r'<(?:p class="(?:admonition|markdown-alert)-title"|summary)>)([A-Z][a-z]+)(?=</)'
)


def boxes_titled(html: str, labels: Labels) -> str:
    """The HTML with our word for each kind of box whose author gave it no title: Markdown writes the kind's name."""

    def titled(box: re.Match[str]) -> str:
        word = labels.get(f"box_{box[2]}", "") if box[3].lower() == box[2] else ""
        return box[1] + text(word) if word else box[0]

    return _TITLE.sub(titled, html)
