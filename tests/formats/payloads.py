"""HTML and Markdown that would do harm if it came through, and what tells that it did."""

import re

from bs4 import BeautifulSoup, Tag

from hanpon.formats.untrusted_html import names

PAYLOADS = [
    "<script>alert(1)</script>",
    "<script src=//evil.example/x.js>",
    "<img src=x onerror=alert(1)>",
    '<a href="javascript:alert(1)">a</a>',
    '<a href="java\tscript:alert(1)">a</a>',
    '<a href="&#106;avascript:alert(1)">a</a>',
    "[a](javascript:alert(1))",
    "[a](data:text/html;base64,PHNjcmlwdD4=)",
    "![a](data:image/svg+xml;base64,PHN2Zz4=)",
    "<svg onload=alert(1)><script>1</script></svg>",
    "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<iframe src=https://evil.example></iframe>",
    "<object data=x></object><embed src=x>",
    "<form action=https://evil.example><input name=a><button>b</button></form>",
    "<style>@import url(https://evil.example)</style>",
    '<p style="background:url(https://evil.example)">a</p>',
    "<link rel=stylesheet href=https://evil.example><base href=https://evil.example>",
    '<meta http-equiv=refresh content="0;url=https://evil.example">',
    "<picture><source srcset=https://evil.example/x><img srcset=https://evil.example/y src=z></picture>",
    "<video poster=https://evil.example src=x autoplay></video><audio src=x>",
    "<table background=https://evil.example><td background=x>a</table>",
    "<details ontoggle=alert(1) open><summary onclick=x>a</summary></details>",
    "<input type=image src=https://evil.example><input autofocus onfocus=x>",
    "# a {: onclick=alert(1) style=x }",
    "[a](x){: onclick=alert(1) }",
    '<a href="https://a.example" target=_blank ping=https://evil.example>a</a>',
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<title><a title='</title><img src=x onerror=alert(1)>'>",
    "<template><script>1</script></template>",
    "<!--><script>alert(1)</script-->",
    "<plaintext><xmp><textarea>",
    '```"><script>alert(1)</script>\nx\n```',
    '``` {.x onclick="y" title="<script>"}\nx\n```',
    "<a id='x' name='y' class='language-x evil' href='#x'>a</a>",
    "[^1]\n\n[^1]: <script>alert(1)</script>",
    '=== "<script>1</script>"\n    a',
    '!!! note "<img src=x onerror=y>"\n    a',
    '*[a]: <script>"onclick=x\n\na',
    '--8<-- "/etc/passwd"',
]

_TAGS = names(
    "a abbr address article aside b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl "
    "dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img input ins kbd li main mark ol p pre q rp rt "
    "ruby s samp section small span strong sub summary sup table tbody td tfoot th thead tr tt u ul var wbr"
)
_ATTRIBUTES = names(
    "align alt checked class colspan data-sourcepos dir disabled height href id lang name open rel reversed rowspan "
    "scope span src start title type value width"
)
_HARMLESS_SCHEME = re.compile(r"(?:https?:|mailto:|writing:|#|\.\./assets/)")


def harm_in(html: str, *, resolved: bool) -> list[str]:
    """What of the HTML could run, load or look like another page's; addresses count where they are `resolved`."""
    found = []
    for tag in BeautifulSoup(f"<div>{html}</div>", "html.parser").find_all(True):
        assert isinstance(tag, Tag)
        found += [tag.name] if tag.name not in _TAGS else []
        found += [key for key in tag.attrs if key not in _ATTRIBUTES]
        if tag.name == "input" and (tag.get("type") != "checkbox" or not tag.has_attr("disabled")):
            found.append(str(tag))
        for name in ("href", "src"):
            address = str(tag.get(name, ""))
            bare = re.sub(r"[\t\n\r]", "", address).strip().lower()
            bad = bare.startswith(("javascript:", "vbscript:", "data:"))
            if bad or (resolved and address and not _HARMLESS_SCHEME.match(address)):
                found.append(address)
            if resolved and name == "src" and address and not address.startswith("../assets/"):
                found.append(address)
    return found
