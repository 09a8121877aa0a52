"""Links and images of a text are kept, resolved or reported."""

import pytest

from hanpon.contracts.bundle import Dialect
from hanpon.sources.writings.bitmaps import LARGEST, bitmap
from tests.sources.writings import PNG, findings_of, html_of, reading_of, tags_of

FILES = {
    "docs/b c.md": "x",
    "docs/sub/README.md": "x",
    "docs/sub/index.md": "x",
    "README.md": "x",
    "src/A.java": "x",
    "docs/日本.md": "x",
}
ITEM = ("docs/b c.md", "docs/sub/README.md", "README.md", "docs/日本.md")

WHERE = {
    "b%20c.md": "writing:docs/b%20c.md",
    "./b%20c.md#A%20b": "writing:docs/b%20c.md#A b",
    "../docs/b%20c.md?plain=1": "writing:docs/b%20c.md",
    "/docs/b%20c.md": "writing:docs/b%20c.md",
    "sub/": "writing:docs/sub/README.md",
    "sub": "writing:docs/sub/README.md",
    "..": "writing:README.md",
    "/": "writing:README.md",
    "日本.md": "writing:docs/%E6%97%A5%E6%9C%AC.md",
    "a.md#見出し": "#見出し",
    "#見出し": "#見出し",
    "#%E8%A6%8B%E5%87%BA%E3%81%97": "#見出し",
    "#user-content-見出し": "#見出し",
    "#big-words": "#big-words",
    "#BIG-Words": "#big-words",
    "#mark": "#mark",
    "#": "#見出し",
    "#top": "#見出し",
    "https://a.example/?b=1&c=2#d": "https://a.example/?b=1&c=2#d",
    "//a.example/b": "https://a.example/b",
    "mailto:a@b.example": "mailto:a@b.example",
}
NOWHERE = {
    "none.md": "link-dangling",
    "#none": "link-dangling",
    "https:none": "link-dangling",
    "": "link-dangling",
    "../../up.md": "link-outside-bundle",
    "/../up.md": "link-outside-bundle",
    "../src/A.java": "link-unpublished",
    "../src/": "link-unpublished",
    "sub/index.md": "link-unpublished",
    "ftp://a.example/b": "link-scheme",
    "vscode://x": "link-scheme",
    "javascript:alert(1)": "link-scheme",
    "https://user:geheim@a.example/": "link-with-credentials",
}


@pytest.mark.parametrize("written", WHERE)
def test_a_link_leads_where_its_author_meant(written: str) -> None:
    text = f'# 見出し\n\n[words](<{written}>)\n\n## Big Words\n\n<i id="mark">x</i>\n'
    reading = reading_of(text, beside=FILES, item=ITEM)
    (link,) = tags_of(html_of(reading), "a")
    assert link["href"] == WHERE[written]
    is_outside = WHERE[written].startswith(("https:", "http:", "mailto:"))
    assert link.get("rel") == (["noopener", "noreferrer"] if is_outside else None)
    assert not reading.findings


@pytest.mark.parametrize("dialect", ["gfm", "mkdocs"])
def test_a_link_to_a_heading_need_not_know_of_the_footnotes_in_it(dialect: Dialect) -> None:
    reading = reading_of("[w](#rule)\n\n# Rule[^1]\n\n[^1]: note\n", dialect=dialect)
    (heading,) = (section for section in reading.writing.sections if section.level)
    assert tags_of(reading.writing.sections[0].html, "a")[0]["href"] == f"#{heading.anchor}"


def test_a_finding_quotes_a_link_as_its_author_wrote_it() -> None:
    told = "".join(map(str, reading_of("[w](#第9条) [x](%E3%81.md)").findings))
    assert "`#第9条`" in told
    assert "`%E3%81.md`" in told


@pytest.mark.parametrize("first", ["<h1>t</h1>", "<h1>t<img src='x.png' alt='i'></h1>"])
def test_the_top_of_a_page_is_its_first_heading_whoever_named_it(first: str) -> None:
    reading = reading_of(f"{first}<h2 id='own'>u</h2><p><a href='#top'>a</a></p>", "a.html")
    assert tags_of(reading.writing.sections[-1].html, "a")[0]["href"] == "#t"


@pytest.mark.parametrize("written", NOWHERE)
def test_a_link_that_leads_nowhere_leaves_its_words_and_a_finding(written: str) -> None:
    reading = reading_of(f"# 見出し\n\n[words](<{written}>) and [words](<{written}>)\n", beside=FILES, item=ITEM)
    html = html_of(reading)
    assert not tags_of(html, "a")
    assert html.count("words") == 2
    (finding,) = reading.findings
    assert finding.rule == NOWHERE[written]
    assert "2 times" in finding.message
    assert "geheim" not in f"{html}{finding}"


@pytest.mark.parametrize("written", ["other", "other/", "other.html", "./other.md", "other/#x"])
def test_mkdocs_links_lead_to_files_of_markdown(written: str) -> None:
    reading = reading_of(f"[w]({written})\n", dialect="mkdocs", beside={"docs/other.md": ""}, item=["docs/other.md"])
    assert str(tags_of(html_of(reading), "a")[0]["href"]).startswith("writing:docs/other.md")


def test_the_address_itself_is_masked_where_it_holds_a_password() -> None:
    html = html_of(reading_of("<https://user:geheim@a.example/>\n"))
    assert "geheim" not in html
    assert "https://***@a.example/" in html


def test_a_finding_says_on_which_line_a_link_stands() -> None:
    reading = reading_of("---\na: 1\n---\n\nx\n[w](none.md)\n")
    said = (
        "warning docs/a.md:6: The link `none.md` leads to no file of the bundle, so only its words are shown."
        " [link-dangling]"
    )
    assert findings_of(reading) == [said]


def test_findings_on_links_are_not_without_end() -> None:
    reading = reading_of("".join(f"[w](none{n}.md)\n" for n in range(500)))
    assert len(reading.findings) == 101
    assert any(finding.rule == "too-many-problems" for finding in reading.findings)


def test_existence_is_asked_through_the_inputs_and_so_remembered() -> None:
    first = reading_of("[w](later.md)\n")
    assert first.findings
    assert not reading_of("[w](later.md)\n", beside={"docs/later.md": ""}, item=["docs/later.md"]).findings


def test_an_image_of_the_bundle_is_shown_once_however_often_it_stands() -> None:
    text = '![a](img/x.png "t") <img src="./img/x.png" width="50%" height="evil" onerror="y">\n'
    reading = reading_of(text, beside={"docs/img/x.png": PNG})
    (image,) = reading.writing.images
    assert (image.data, image.media_type, image.extension) == (PNG, "image/png", "png")
    first, second = tags_of(html_of(reading), "img")
    assert first.attrs == {"alt": "a", "src": f"../assets/{image.name}", "title": "t"}
    assert second.attrs == {"alt": "", "src": f"../assets/{image.name}", "width": "50%"}


IMAGES = {
    "none.png": "image-missing",
    "../../x.png": "link-outside-bundle",
    "x.svg": "image-not-shown",
    "huge.png": "image-not-shown",
    "data:image/png;base64,AAAA": "image-not-shown",
    "ftp://a.example/x.png": "image-not-shown",
    "https://u:p@a.example/x.png": "link-with-credentials",
}


@pytest.mark.parametrize("written", IMAGES)
def test_an_image_that_cannot_be_shown_leaves_its_words_and_a_finding(written: str) -> None:
    beside: dict[str, str | bytes] = {
        "docs/x.svg": "<svg onload='alert(1)'/>",
        "docs/huge.png": PNG + b"\0" * LARGEST,
    }
    reading = reading_of(f"a ![words]({written}) b\n", beside=beside)
    assert html_of(reading).endswith("<p>a words b</p>")
    assert [finding.rule for finding in reading.findings] == [IMAGES[written]]
    assert not reading.writing.images


def test_an_image_elsewhere_becomes_a_link_or_the_words_of_its_link() -> None:
    text = (
        "![words](https://a.example/x.png) ![](https://a.example/y.png)\n\n"
        "[![badge](https://b.example/z.svg)](https://c.example) [![](https://b.example/z.svg)](https://d.example)\n"
    )
    reading = reading_of(text)
    links = [(link["href"], link.get_text()) for link in tags_of(html_of(reading), "a")]
    assert links == [
        ("https://a.example/x.png", "words"),
        ("https://a.example/y.png", "https://a.example/y.png"),
        ("https://c.example", "badge"),
        ("https://d.example", "b.example"),
    ]
    assert not reading.findings


@pytest.mark.parametrize(
    ("data", "extension"),
    [(PNG, "png"), (b"\xff\xd8\xff\xe0", "jpg"), (b"GIF89a", "gif"), (b"RIFF\0\0\0\0WEBPVP8 ", "webp")],
)
def test_bitmaps_are_told_by_their_bytes(data: bytes, extension: str) -> None:
    image = bitmap(data)
    assert image is not None
    assert image.extension == extension


@pytest.mark.parametrize("data", [b"", b"<svg/>", b"RIFF\0\0\0\0WAVE", b"BM", b"\x89PNG"])
def test_nothing_else_is_a_bitmap(data: bytes) -> None:
    assert bitmap(data) is None


@pytest.mark.parametrize("dialect", ["gfm", "mkdocs"])
def test_links_and_images_are_all_accounted_for(dialect: Dialect) -> None:
    text = "# [a](x) ![b](y.png)\n\n" + " ".join(f"[w](<{one}>) ![i](<{one}>)" for one in (*WHERE, *NOWHERE))
    tally = reading_of(text, dialect=dialect, beside=FILES, item=ITEM).tally
    assert tally.adds_up
    assert tally.links >= len(WHERE) + len(NOWHERE)
