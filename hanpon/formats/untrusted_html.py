"""HTML of unknown origin made ready for an allow list, so that nothing of its text is swallowed on the way."""

import re


def names(words: str) -> frozenset[str]:
    """The names of elements, or of anything else, that stand between blanks."""
    return frozenset(words.split())


TEXT_TAGS = names(
    "a abbr b blockquote br caption cite code dd del details dfn div dl dt em h1 h2 h3 h4 h5 h6 hr i img ins kbd li "
    "mark ol p pre q rp rt ruby s samp small span strong sub summary sup table tbody td tfoot th thead tr tt u ul "
    "var"
)
"""The elements that text is made of."""

STRIPPED = names(
    "applet audio base body button canvas embed fieldset form frame frameset head html img input link main meta "
    "object param picture script section select source style svg template track video"
)
"""Elements that are taken out silently; any other `<word>` or `<of words>` is a placeholder, meant as text."""

_SWALLOWING = re.compile(
    r"</?(?:iframe|noembed|noframes|noscript|plaintext|textarea|title|xmp)\b[^<>]*+>", re.IGNORECASE
)
"""Elements whose content a parser takes as text up to their end: without the end they would swallow the rest."""

DEEPEST = 300
"""Elements that may lie in one another."""

_NESTING = re.compile(r"<(/?)(?!(?:p|li|d[dt]|t[dhr]|br|hr|img|col|wbr)\b)[a-z]", re.IGNORECASE)
"""Tags of elements that lie in one another; the others end where the next of their kind begins."""

_ANY_TAG = re.compile(r"""<(/?)([A-Za-z][^\s<>="'/]*+)((?:[^<>"']++|"[^"]*+"|'[^']*+')*+)>""")


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


def without_unknown(html: str, known: frozenset[str]) -> str:
    """The HTML without the tags of other elements; what stands in them stays.

    The allow list does the same, but for names that SVG and MathML have too, such as `<text>` and `<limit>`: those it
    takes away with all that stands in them.
    """
    return _ANY_TAG.sub(lambda tag: tag[0] if tag[2].lower() in known else "", html)


def with_placeholders(html: str, tags: frozenset[str]) -> str:
    """`<id>`, `<your name>` and their like as text: to a browser they would be unknown elements, and lost.

    `tags` are the elements that the allow list lets through; an unknown one with values goes, what is in it stays.
    """
    found = _ANY_TAG.findall(html)
    if {name.lower() for _, name, _ in found} <= tags:
        return html
    lowered = html.lower()
    markup = tags | STRIPPED - {name for name in ("script", "style") if f"</{name}" not in lowered}
    opened = {name.lower() for slash, name, rest in found if not slash and "=" not in rest}

    def shown(tag: re.Match[str]) -> str:
        slash, name, rest = tag.groups()
        if name.lower() in markup:
            return tag[0]
        is_placeholder = "=" not in rest and (not slash or name.lower() in opened)
        return f"&lt;{slash}{name}{rest}&gt;" if is_placeholder else ""

    return _ANY_TAG.sub(shown, html)
