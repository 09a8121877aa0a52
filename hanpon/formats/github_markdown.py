"""Markdown as GitHub shows it: tables, task lists, footnotes, alerts, bare addresses as links.

In one thing it follows what authors mean instead: `**「強調」**の` is bold, though GitHub shows the asterisks.
Names between colons such as `:tada:` stay text, as in the ids of headings; line breaks are GitHub's in files.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import comrak

from hanpon.formats.heading_ids import Taken

EXTENSIONS = comrak.ExtensionOptions(
    table=True,
    strikethrough=True,
    autolink=True,
    tasklist=True,
    footnotes=True,
    alerts=True,
    cjk_friendly_emphasis=True,
)
"""What GitHub reads beyond CommonMark."""

# raw HTML comes through for the allow list; places are wanted of headings
_RENDER = comrak.RenderOptions(unsafe_=True, tasklist_classes=True, sourcepos=True)
_PLAIN = comrak.RenderOptions(unsafe_=True)
_PARSE = comrak.ParseOptions()
_KEEPING = comrak.ParseOptions(leave_footnote_definitions=True)
_LABEL = re.compile(r"\[\^([^\]\s]{1,200})\]")
_BLOCKS = (
    comrak.Document,
    comrak.BlockQuote,
    comrak.Alert,
    comrak.List,
    comrak.Item,
    comrak.TaskItem,
    comrak.FootnoteDefinition,
)
"""What a footnote may stand in."""


def github_html(markdown: str) -> str:
    """The HTML of a file, raw HTML included and not yet harmless.

    Headings of the source bear `data-sourcepos` ("12:1-12:30") and no id. A footnote that nothing refers to, which
    GitHub leaves out, stands at the end as a block of its own; so does the second of a name.
    """
    notes = _definitions(markdown)
    if len({note.name for note in notes}) < len(notes):
        markdown = _with_names_of_their_own(markdown, notes)
        notes = _definitions(markdown)
    lines = markdown.split("\n")
    unused = (_note(lines[note.first - 1 : note.last]) for note in notes if not note.uses)
    html = comrak.markdown_to_html(markdown, EXTENSIONS, _PARSE, _RENDER)
    return "\n".join((html, *(comrak.markdown_to_html(note, EXTENSIONS, _PARSE, _PLAIN) for note in unused)))


@dataclass(frozen=True, slots=True)
class _Definition:
    """Where a footnote stands, by lines, and how often it is referred to."""

    first: int
    last: int
    name: str
    uses: int


def _definitions(markdown: str) -> list[_Definition]:
    """The footnotes of a text, in order, without those that are shown in another one."""
    found: list[_Definition] = []
    waiting = [comrak.parse_document(markdown, EXTENSIONS, _KEEPING)] if "[^" in markdown else []
    while waiting:
        node = waiting.pop()
        value = node.node_value
        is_shown = False
        if isinstance(value, comrak.FootnoteDefinition):
            place, note = node.sourcepos, value.value
            found.append(_Definition(place.start.line, place.end.line, note.name.casefold(), note.total_references))
            is_shown = note.total_references > 0
        if isinstance(value, _BLOCKS) and not is_shown:
            waiting += reversed(node.children)
    return found


def _with_names_of_their_own(markdown: str, notes: Sequence[_Definition]) -> str:
    """The Markdown with another name for each further footnote of one name.

    References mean the first; the converter would take the last, and close the list of footnotes too late.
    """
    taken = Taken()
    for name in _LABEL.findall(markdown):
        taken.claim(name.casefold())
    met: set[str] = set()
    lines = markdown.split("\n")
    for note in notes:
        line = lines[note.first - 1]
        label = _LABEL.search(line)
        if note.name in met and label and label[1].casefold() == note.name:
            lines[note.first - 1] = line.replace(label[0], f"[^{taken.numbered(note.name)}]", 1)
        met.add(note.name)
    return "\n".join(lines)


def _note(lines: list[str]) -> str:
    """The Markdown of a footnote, without its label and without what stands before that."""
    first = lines[0].partition("]:")[2] if "]:" in lines[0] else lines[0]
    return "\n".join((first.strip(), *(line.removeprefix("    ") for line in lines[1:])))
