"""The HTML of a file, by the form in which it is written."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from html import escape, unescape
from pathlib import PurePosixPath
from typing import Literal

from hanpon.contracts.bundle import Dialect
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.contracts.texts import clean
from hanpon.formats.github_markdown import github_html
from hanpon.formats.harmless_html import TooIntricate, harmless_markdown, harmless_page
from hanpon.formats.mkdocs_markdown import TooHeavy, mkdocs_html
from hanpon.formats.untrusted_html import names
from hanpon.sources.texts.inputs import Inputs
from hanpon.sources.writings.dialects import dialect_of
from hanpon.sources.writings.front_matter import Fronted, fronted, with_mkdocs_meta
from hanpon.sources.writings.left_out import cells_left_out, fields_left_out

Form = Literal["markdown", "html", "text"]

FORMS: dict[str, Form] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mkd": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".txt": "text",
}
"""The formats that are read, by the end of a file's name."""

_EMPTY_LINES = re.compile(r"\n[ \t\u3000]*(?:\n[ \t\u3000]*)+")
_TITLE = re.compile(
    r"((?:(?!<(?:title|svg)\b).)*+)<title\b[^>]*+>((?:(?!</title).)*+)(?=</title)",
    re.IGNORECASE | re.DOTALL,
)
"""The head of a page up to the end of its title."""

_SELF_CLOSED = re.compile(r"""<([A-Za-z][\w:-]*)((?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+)(?<=/)>""")
_VOID = names("area base br col embed hr img input link meta param source track wbr")


def form_of(file: str) -> Form | None:
    """How a file is written, by its name; None where such files are not read."""
    return FORMS.get(PurePosixPath(file).suffix.lower())


@dataclass(frozen=True, slots=True, kw_only=True)
class Readable:
    """A text as harmless HTML. `title` is what an HTML page calls itself; `names` says who names its headings."""

    html: str
    fronted: Fronted
    names: Literal["github", "mkdocs", "html"] = "github"
    title: str = ""
    findings: tuple[Finding, ...] = ()


def readable(text: str, file: str, form: Form, said: Dialect, inputs: Inputs) -> Readable:
    """The HTML of a text. What is nested absurdly deep is shown as it is written, with a finding."""
    text = clean(text.replace("\r\n", "\n").replace("\r", "\n"))
    if form == "markdown":
        return _through(harmless_markdown, _markdown(text, file, said, inputs), file)
    if form == "html":
        return _through(harmless_page, _page(text), file)
    return Readable(html=_paragraphs(text), fronted=Fronted(rest=text))


def _through(allow_list: Callable[[str], str], raw: Readable, file: str) -> Readable:
    """A text of which the HTML was not harmless yet."""
    try:
        html = allow_list(raw.html)
    except TooIntricate:
        message = (
            "Elements are nested too deep, or a tag is too long, to be shown as such: the text is shown as it is."
        )
        finding = Finding("too-deep", Severity.WARNING, Place(file), message)
        shown = f"<pre>{escape(raw.fronted.rest, quote=False)}</pre>"
        return replace(raw, html=shown, findings=(*raw.findings, finding))
    return replace(raw, html=html, findings=(*raw.findings, *fields_left_out(raw.html, file)))


def _markdown(text: str, file: str, said: Dialect, inputs: Inputs) -> Readable:
    front = fronted(text, file)
    findings = list(front.findings)
    if dialect_of(file, said, inputs) == "mkdocs":
        front = front if front.lines else with_mkdocs_meta(text)
        try:
            html = mkdocs_html(front.rest)
        except TooHeavy:
            message = "The file is too long or too intricate for the MkDocs dialect and is read as GitHub's Markdown."
            findings.append(Finding("dialect-not-applied", Severity.WARNING, Place(file), message))
        else:
            return Readable(html=html, names="mkdocs", fronted=front, findings=tuple(findings))
    findings += cells_left_out(front, file)
    return Readable(html=github_html(front.rest), fronted=front, findings=tuple(findings))


def _page(text: str) -> Readable:
    """The body of an HTML page. What it says of its encoding, and where its addresses start from, is not believed."""
    title, body = _title_cut_off(text)
    if text.lstrip().startswith("<?xml"):
        body = _SELF_CLOSED.sub(_opened_and_closed, body)
    return Readable(html=body, fronted=Fronted(rest=text), names="html", title=title)


def _title_cut_off(text: str) -> tuple[str, str]:
    """The title of a page, "" for none, and the rest. That of a drawing is none."""
    found = _TITLE.match(text)
    if found is None:
        return "", text
    return " ".join(unescape(found[2]).split()), found[1] + text[found.end() :]


def _opened_and_closed(tag: re.Match[str]) -> str:
    if tag[1].lower() in _VOID:
        return tag[0]
    return f"<{tag[1]}{tag[2].removesuffix('/')}></{tag[1]}>"


def _paragraphs(text: str) -> str:
    paragraphs = (part.strip("\n").rstrip() for part in _EMPTY_LINES.split(text))
    return "\n".join(
        f"<p>{escape(part, quote=False)}</p>".replace("\n", "<br>\n") for part in paragraphs if part.strip()
    )
