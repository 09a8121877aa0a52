"""Markdown as GitHub shows it: tables, task lists, footnotes, alerts, bare addresses as links.

In one thing it follows what authors mean instead: `**「強調」**の` is bold, though GitHub shows the asterisks.
Names between colons such as `:tada:` stay text, as in the ids of headings; line breaks are GitHub's in files.
"""

import re

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
_DEFINED = re.compile(r"^(?:[ >]{0,20})\[\^([^\]\s]{1,200})\]:", re.MULTILINE)


def github_html(markdown: str) -> str:
    """The HTML of a file, raw HTML included and not yet harmless.

    Headings of the source bear `data-sourcepos` ("12:1-12:30") and no id. A footnote that nothing refers to, which
    GitHub leaves out, stands at the end as a block of its own.
    """
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
    return _notes_without_reference(markdown)


def _notes_without_reference(markdown: str) -> list[str]:
    lines = markdown.split("\n")
    found = []
    waiting = [comrak.parse_document(markdown, _EXTENSIONS, _KEEPING)]
    while waiting:
        node = waiting.pop()
        value = node.node_value
        if isinstance(value, comrak.FootnoteDefinition) and not value.value.total_references:
            place = node.sourcepos
            found.append((place.start.line, place.end.line))
        else:
            waiting += node.children
    return [_note(lines[first - 1 : last]) for first, last in sorted(found)]


def _note(lines: list[str]) -> str:
    first = lines[0][lines[0].index("]:") + 2 :] if "]:" in lines[0] else lines[0]
    return "\n".join((first.strip(), *(line.removeprefix("    ") for line in lines[1:])))
