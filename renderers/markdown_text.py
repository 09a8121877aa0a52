"""Descriptions: Markdown (CommonMark with GitHub's tables and autolinks) as HTML that can do no harm.

Raw HTML in a description goes through an allow list; nothing loads from elsewhere, so an image becomes a link to
it; headings become bold lines, so that the outline is the page's own.
"""

import re
from html import escape

import comrak
import nh3

from hanpon.formats.untrusted_html import TEXT_TAGS, is_nested_too_deep, with_placeholders, without_swallowing
from renderers.page import Skeleton, wrapper

_EXTENSIONS = comrak.ExtensionOptions(table=True, strikethrough=True, autolink=True, cjk_friendly_emphasis=True)
_RENDER = comrak.RenderOptions(unsafe_=True)  # raw HTML is let through to the allow list below
_PARSE = comrak.ParseOptions()
_ATTRIBUTES = {
    "a": {"href", "title"},
    "img": {"src", "alt"},
    "td": {"colspan", "rowspan", "align"},
    "th": {"colspan", "rowspan", "align", "scope"},
    "ol": {"start"},
    "abbr": {"title"},
}
_CLEANER = nh3.Cleaner(
    tags=set(TEXT_TAGS),
    attributes=_ATTRIBUTES,
    url_schemes={"http", "https", "mailto"},
    url_relative="deny",
    clean_content_tags={"script", "style"},
)

_PLAIN = re.compile(
    r"(?![-+ ]|\d+[.)])[^\n\t*_`#\[\]<>&|\\~!@=\x00:]*+(?:: [^\n\t*_`#\[\]<>&|\\~!@=\x00:]*+)*+(?<! )"
)
_HEADING = re.compile(r"<(/?)h[1-6]>")
_TAG = re.compile(r'<img((?: [a-z]+="[^"]*")*)>|<a[ >]|</a>')
_ATTRIBUTE = re.compile(r' ([a-z]+)="([^"]*)"')
_PARAGRAPH = wrapper("text.html", "paragraph")
_IMAGE_LINK = Skeleton("text.html", "image_link", ("address", "words"))


class MarkdownTexts:
    """Converts each text once. The same text always gives the same HTML."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {"": ""}

    def html(self, markdown: str) -> str:
        """A description as HTML blocks; "" for nothing."""
        found = self._known.get(markdown)
        if found is None:
            found = self._known[markdown] = html_of(markdown)
        return found


def html_of(markdown: str) -> str:
    """Markdown as HTML blocks."""
    stripped = markdown.strip()
    if not stripped:
        return ""
    if is_plain(stripped):
        return _PARAGRAPH(escape(stripped, quote=False))
    return converted(stripped)


def is_plain(markdown: str) -> bool:
    """True for one line in which no character means anything to Markdown, so that conversion can be skipped."""
    return _PLAIN.fullmatch(markdown) is not None and "www." not in markdown.lower()


def converted(markdown: str) -> str:
    """Markdown through the converter and the allow list; what is nested absurdly deep is shown as it is written."""
    html = unsifted(markdown)
    if is_nested_too_deep(html):
        return _PARAGRAPH(escape(markdown, quote=False))
    return _without_images(_HEADING.sub(_bold_line, harmless(html, markdown))).strip()


def unsifted(markdown: str) -> str:
    """What the converter makes of Markdown: raw HTML comes through, whatever it is."""
    return comrak.markdown_to_html(markdown, _EXTENSIONS, _PARSE, _RENDER)


def harmless(html: str, markdown: str) -> str:
    """What the allow list makes of HTML that the converter made of Markdown.

    Without `<` in the Markdown there is no raw HTML in it, but only the converter's own elements, and text in which
    it writes each quotation mark as `&quot;`; without `&` in it no character hides behind a reference. So where no
    other quotation mark comes out, no element has an attribute, and the allow list would do nothing but write these
    quotation marks as they are, `<br />` as `<br>`, no-break spaces as `&nbsp;`, carriage returns as line ends.
    """
    if "<" in markdown or "&" in markdown:
        return allowed(html)
    if '"' in html or "/>" in html or "\xa0" in html or "\r" in html:
        return _CLEANER.clean(html)
    return html.replace("&quot;", '"')


def allowed(html: str) -> str:
    """HTML through the allow list."""
    return _CLEANER.clean(without_swallowing(with_placeholders(html, TEXT_TAGS)))


def _bold_line(tag: re.Match[str]) -> str:
    return "</strong></div>" if tag[1] else '<div class="heading"><strong>'


def _without_images(html: str) -> str:
    """Images as links to where they are, or as their words inside a link."""
    if "<img" not in html:
        return html
    in_link = False

    def replaced(tag: re.Match[str]) -> str:
        nonlocal in_link
        if not tag[0].startswith("<img"):
            in_link = not tag[0].startswith("</")
            return tag[0]
        attributes = dict(_ATTRIBUTE.findall(tag[1] or ""))
        address, words = attributes.get("src", ""), attributes.get("alt", "")
        is_elsewhere = address.startswith(("http://", "https://"))
        return _IMAGE_LINK(address, words or address) if is_elsewhere and not in_link else words

    return _TAG.sub(replaced, html)
