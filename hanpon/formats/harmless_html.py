"""The allow list for whole documents: what comes out can do no harm and loads nothing but what `img` names.

Its addresses are not resolved: `href` and `src` are relative or of a few schemes, and the caller decides on each.
"""

import re

import nh3

from hanpon.formats.untrusted_html import (
    STRIPPED,
    TEXT_TAGS,
    is_nested_too_deep,
    names,
    with_placeholders,
    without_swallowing,
    without_unknown,
)

LINE = "data-sourcepos"
"""The attribute in which a heading may bear its place in the source."""

_TAGS = TEXT_TAGS | names(
    "address article aside big bdi bdo center col colgroup figcaption figure font footer header hgroup input main "
    "menu nav nobr picture search section source strike time wbr"
)
"""What authors write; `_KEPT` comes out, the tags of the rest are taken away."""

_KEPT = _TAGS - names("big center font hgroup menu nav nobr picture search source strike time")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_ATTRIBUTES = {
    "*": {"id", "class", "lang", "dir"},
    "a": {"href", "title", "name"},
    "abbr": {"title"},
    "col": {"span"},
    "colgroup": {"span"},
    "details": {"open"},
    "img": {"src", "alt", "title", "width", "height"},
    "input": {"type", "checked"},
    "li": {"value"},
    "ol": {"start", "type", "reversed"},
    "td": {"colspan", "rowspan", "align"},
    "th": {"colspan", "rowspan", "align", "scope"},
    **{heading: {LINE} for heading in _HEADINGS},
}
_SCHEMES = {"http", "https", "mailto"} | names(
    "file ftp ftps git irc ldap news sftp slack sms ssh tel urn vscode xmpp"
)
"""Beside the three that links may have, those that a message can name because the address comes through."""

_CLASS = re.compile(
    r"language-[\w+#.-]{1,40}|markdown-alert(?:-[a-z]{1,20})?|(?:contains-)?task-list(?:-item(?:-checkbox)?)?"
    r"|footnotes?|footnote-(?:ref|backref)|admonition(?:-title)?|tabbed-(?:set|label|content)|filename|headerlink"
    r"|abstract|attention|bug|caution|danger|error|example|failure|hint|important|info|note|question|quote|success"
    r"|tip|warning"
)
_SIZE = re.compile(r"[0-9]{1,5}(?:%|px)?")
_LONGEST_TAG = 50_000
_WHOLE_TAG = re.compile(r"""<[A-Za-z](?:[^<>"']++|"[^"]*+"|'[^']*+')*+""")
_COMPONENT = re.compile(r"<[A-Za-z][\w-]*-[\w-]*\s*/>")
"""An element of the author's site, `<page-title/>`; a placeholder has no slash."""

_INPUT = re.compile(r"<input\b([^>]*)>")
_UNHEARD = names("script select style svg template")
_UNHEARD_IN_PAGES = _UNHEARD | names("button datalist nav object canvas audio video")
_UNCLOSED = re.compile(r"<(script|style|svg|template|select)\b", re.IGNORECASE)


class TooIntricate(ValueError):
    """The elements lie so deep, or a tag is so long, that sorting them out would take forever."""


def harmless_markdown(html: str) -> str:
    """HTML that a Markdown converter made, raw HTML in it included. Raises TooIntricate."""
    refuse_intricate(html)
    html = _COMPONENT.sub("", without_unclosed(html))
    return _cleaned(with_placeholders(html, _TAGS), _OF_MARKDOWN)


def harmless_page(html: str) -> str:
    """The body of an HTML page, without what stands around its text: menus, forms, scripts. Raises TooIntricate."""
    refuse_intricate(html)
    known = without_unknown(without_unclosed(html), _TAGS | STRIPPED | _UNHEARD_IN_PAGES)
    return _cleaned(known, _OF_PAGES)


def refuse_intricate(html: str) -> None:
    """Raises TooIntricate for HTML that is nested too deep, or that has a tag of absurd length."""
    if is_nested_too_deep(html):
        raise TooIntricate("too deep")
    # a parser holds each attribute of a tag against all others
    if len(html) > _LONGEST_TAG and any(len(tag[0]) > _LONGEST_TAG for tag in _WHOLE_TAG.finditer(html)):
        raise TooIntricate("too long")


def without_unclosed(html: str) -> str:
    """The HTML without what would be thrown away with all that follows, because nothing ends it.

    The beginning of such a comment is text.
    """
    last = max(html.rfind("-->"), html.rfind("--!>"), 0)
    html = html[:last] + html[last:].replace("<!--", "&lt;!--")
    lowered = html.lower()
    ends = {name: lowered.rfind(f"</{name}") for name in _UNHEARD}

    def kept(tag: re.Match[str]) -> str:
        return tag[0] if ends[tag[1].lower()] > tag.start() else "<span"

    return _UNCLOSED.sub(kept, html) if len(lowered) == len(html) else html


def fields_with_words(html: str) -> int:
    """How many choices and fields of forms with words in them a text has: the allow list leaves them out."""
    shown = _COMMENT.sub("", without_unclosed(html))
    fields = sum(1 for field in _FIELD.finditer(shown) if _VALUE.search(field[1]) and not _WORDLESS.search(field[1]))
    return fields + len(_CHOICE.findall(shown))


_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_CHOICE = re.compile(r"<(?:select|datalist)\b", re.IGNORECASE)
_FIELD = re.compile(r"<input\b([^<>]*+)", re.IGNORECASE)
_VALUE = re.compile(r"""(?<![\w-])(?:value|placeholder)\s*=\s*(?:"\s*[^"\s]|'\s*[^'\s]|[^"'\s])""", re.IGNORECASE)
_WORDLESS = re.compile(
    r"""(?<![\w-])type\s*=\s*["']?(?:hidden|checkbox|radio|button|submit|reset|image|color|range)\b""", re.IGNORECASE
)
"""Fields whose values nobody sees, or that are controls of a page."""


def _filtered(element: str, attribute: str, value: str) -> str | None:
    del element
    if attribute == "class":
        return " ".join(word for word in value.split() if _CLASS.fullmatch(word)) or None
    if attribute in {"width", "height"}:
        return value if _SIZE.fullmatch(value) else None
    return value


def _cleaner(unheard: frozenset[str]) -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=set(_KEPT - unheard),
        attributes=_ATTRIBUTES,
        attribute_filter=_filtered,
        url_schemes=_SCHEMES,
        link_rel=None,
        clean_content_tags=set(unheard),
    )


_OF_MARKDOWN = _cleaner(_UNHEARD)
_OF_PAGES = _cleaner(_UNHEARD_IN_PAGES)


def _cleaned(html: str, cleaner: nh3.Cleaner) -> str:
    return _INPUT.sub(_checkbox, cleaner.clean(without_swallowing(html)))


def _checkbox(tag: re.Match[str]) -> str:
    if 'type="checkbox"' not in tag[1].lower():
        return ""
    return f'<input type="checkbox" disabled=""{" checked=" + chr(34) * 2 if "checked=" in tag[1] else ""}>'
