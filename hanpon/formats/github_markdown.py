"""Markdown as GitHub shows it: tables, task lists, footnotes, alerts, bare addresses as links.

In one thing it follows what authors mean instead: `**「強調」**の` is bold, though GitHub shows the asterisks.
Names between colons such as `:tada:` stay text, as in the ids of headings; line breaks are GitHub's in files.
"""

import re
from dataclasses import dataclass
from itertools import count

import comrak

_EXTENSIONS = comrak.ExtensionOptions(
    table=True,
    strikethrough=True,
    autolink=True,
    tasklist=True,
    footnotes=True,
    alerts=True,
    cjk_friendly_emphasis=True,
)
# raw HTML comes through for the allow list; places are wanted of headings
_RENDER = comrak.RenderOptions(unsafe_=True, tasklist_classes=True, sourcepos=True)
_PLAIN = comrak.RenderOptions(unsafe_=True)
_PARSE = comrak.ParseOptions()
_KEEPING = comrak.ParseOptions(leave_footnote_definitions=True)
_LABEL = re.compile(r"\[\^([^\]\s]{1,200})\](:?)")
_DEFINED = re.compile(r"^[ >*+-]{0,20}\[\^([^\]\s]{1,200})\]:", re.MULTILINE)


def github_html(markdown: str) -> str:
    """The HTML of a file, raw HTML included and not yet harmless.

    Headings of the source bear `data-sourcepos` ("12:1-12:30") and no id. A footnote that nothing refers to, which
    GitHub leaves out, stands at the end as a block of its own; so does the second of a name.
    """
    markdown = _with_names_of_their_own(markdown)
    html = comrak.markdown_to_html(markdown, _EXTENSIONS, _PARSE, _RENDER)
    notes = (comrak.markdown_to_html(note, _EXTENSIONS, _PARSE, _PLAIN) for note in unused_notes(markdown))
    return "\n".join((html, *notes))


def unused_notes(markdown: str) -> list[str]:
    """The Markdown of the footnotes to which nothing refers."""
    defined = {label.casefold() for label in _DEFINED.findall(markdown)}
    if not defined:
        return []
    referred = {label.casefold() for label, colon in _LABEL.findall(markdown) if not colon}
    if defined <= referred:
        return []
    lines = markdown.split("\n")
    unused = [note for note in _definitions(markdown) if not note.uses]
    return [_note(lines[note.first - 1 : note.last]) for note in unused]


@dataclass(frozen=True, slots=True)
class _Definition:
    """Where a footnote stands, by lines, and how often it is referred to."""

    first: int
    last: int
    name: str
    uses: int


def _definitions(markdown: str) -> list[_Definition]:
    """The footnotes of a text, in order."""
    found = []
    waiting = [comrak.parse_document(markdown, _EXTENSIONS, _KEEPING)]
    while waiting:
        node = waiting.pop()
        value = node.node_value
        if isinstance(value, comrak.FootnoteDefinition):
            place, note = node.sourcepos, value.value
            found.append(_Definition(place.start.line, place.end.line, note.name.casefold(), note.total_references))
        waiting += reversed(node.children)
    return found


def _with_names_of_their_own(markdown: str) -> str:
    """The Markdown with another name for each further footnote of one name.

    References mean the first; the converter would take the last, and close the list of footnotes too late.
    """
    labels = [label.casefold() for label in _DEFINED.findall(markdown)]
    if len(set(labels)) == len(labels):
        return markdown
    taken = {label.casefold() for label, _ in _LABEL.findall(markdown)}
    met: set[str] = set()
    lines = markdown.split("\n")
    for note in _definitions(markdown):
        label = _DEFINED.match(lines[note.first - 1])
        if note.name in met and label and label[1].casefold() == note.name:
            name = next(name for n in count(2) if (name := f"{label[1]}-{n}").casefold() not in taken)
            taken.add(name.casefold())
            lines[note.first - 1] = lines[note.first - 1].replace(f"[^{label[1]}]:", f"[^{name}]:", 1)
        met.add(note.name)
    return "\n".join(lines)


def _note(lines: list[str]) -> str:
    first = lines[0][lines[0].index("]:") + 2 :] if "]:" in lines[0] else lines[0]
    return "\n".join((first.strip(), *(line.removeprefix("    ") for line in lines[1:])))
