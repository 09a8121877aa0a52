"""HTML of unknown origin made ready for an allow list, so that nothing of its text is swallowed on the way."""

import re


def names(words: str) -> frozenset[str]:
    return frozenset(words.split())


TEXT_TAGS = names(
    "a abbr b blockquote br caption cite code dd del details dfn div dl dt em h1 h2 h3 h4 h5 h6 hr i img ins kbd li "
    "mark ol p pre q rp rt ruby s samp small span strong sub summary sup table tbody td tfoot th thead tr tt u ul "
    "var"
)
"""The elements that text is made of."""

_STRIPPED = names(
    "applet audio base body button canvas embed fieldset form frame frameset head html img input link main math meta "
    "object param picture script section select source style svg template track video"
)
"""Elements that are taken out silently; any other bare `<word>` is a placeholder that the author meant as text."""

_SWALLOWING = re.compile(
    r"</?(?:iframe|noembed|noframes|noscript|plaintext|textarea|title|xmp)\b[^>]*>", re.IGNORECASE
)
"""Elements whose content a parser takes as text up to their end: without the end they would swallow the rest."""

DEEPEST = 300
"""Elements that may lie in one another."""

_NESTING = re.compile(r"<(/?)(?!(?:p|li|d[dt]|t[dhr]|br|hr|img|col|wbr)\b)[a-z]", re.IGNORECASE)
"""Tags of elements that lie in one another; the others end where the next of their kind begins."""

_BARE_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*)(\s*/?)>")


def is_nested_too_deep(html: str) -> bool:
    """True where elements lie deeper than `DEEPEST`: the allow list takes time with the square of the depth."""
    if html.count("<") <= DEEPEST:
        return False
    depth = 0
    for tag in _NESTING.finditer(html):
        depth = max(depth - 1, 0) if tag[1] else depth + 1
        if depth > DEEPEST:
            return True
    return False


def without_swallowing(html: str) -> str:
    """The HTML without the tags of elements that would swallow what follows; what stands in them stays."""
    return _SWALLOWING.sub("", html)


def with_placeholders(html: str, tags: frozenset[str]) -> str:
    """`<id>` and its like as text: to a browser they would be unknown elements, and their names would be lost.

    `tags` are the elements that the allow list lets through.
    """
    if {name.lower() for _, name, _ in _BARE_TAG.findall(html)} <= tags:
        return html
    opened = {tag[2].lower() for tag in _BARE_TAG.finditer(html) if not tag[1]}
    unclosed = {name for name in ("script", "style") if f"</{name}" not in html.lower()}

    def shown(tag: re.Match[str]) -> str:
        name = tag[2].lower()
        is_markup = name in tags or (name in _STRIPPED and name not in unclosed)
        if is_markup or (tag[1] and name not in opened):
            return tag[0]
        return f"&lt;{tag[1]}{tag[2]}{tag[3]}&gt;"

    return _BARE_TAG.sub(shown, html)
