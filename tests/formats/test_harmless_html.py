"""Nothing that does harm comes through the allow list, and what text needs does."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanpon.formats.github_markdown import github_html
from hanpon.formats.harmless_html import TooIntricate, fields_with_words, harmless_markdown, harmless_page
from hanpon.formats.mkdocs_markdown import mkdocs_html
from tests.formats.payloads import PAYLOADS, harm_in

KEPT = [
    '<h2 id="a">b</h2>',
    '<a href="b.md#c" id="x" title="t">d</a>',
    '<pre><code class="language-c++">x</code></pre>',
    '<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p></div>',
    '<details open=""><summary>a</summary>b</details>',
    '<table><thead><tr><th align="right" colspan="2">a</th></tr></thead></table>',
    '<ol start="3"><li>a</li></ol>',
    '<img src="a.png" alt="b" width="10%" height="20">',
    '<sup id="fnref:1"><a class="footnote-ref" href="#fn:1">1</a></sup>',
    "<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>",
]


@pytest.mark.parametrize("html", KEPT)
@pytest.mark.parametrize("clean", [harmless_markdown, harmless_page])
def test_what_text_needs_comes_through(clean: Callable[[str], str], html: str) -> None:
    assert clean(html) == html


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_planted_payload_does_no_harm(payload: str) -> None:
    for html in (harmless_markdown(payload), harmless_page(payload)):
        assert not harm_in(html, resolved=False)
    assert not harm_in(harmless_markdown(github_html(payload)), resolved=False)
    assert not harm_in(harmless_markdown(mkdocs_html(payload)), resolved=False)


@given(
    st.lists(st.sampled_from(PAYLOADS) | st.text(alphabet="<>/='\" &#;:ahscript\n`[]()!-", max_size=20), max_size=6)
)
@settings(max_examples=200)
def test_no_mixture_of_payloads_does_harm(parts: list[str]) -> None:
    for joint in ("", "\n\n"):
        text = joint.join(parts)
        assert not harm_in(harmless_page(text), resolved=False)
        assert not harm_in(harmless_markdown(github_html(text)), resolved=False)


def test_a_check_box_is_all_that_is_left_of_forms() -> None:
    boxes = harmless_markdown('<input type="checkbox" checked name="x"><input type=checkbox><input type=text><input>')
    assert boxes == '<input type="checkbox" disabled="" checked=""><input type="checkbox" disabled="">'


def test_a_bare_placeholder_is_text_and_a_component_of_a_site_is_not() -> None:
    html = harmless_markdown("<p>set <user-id> and <page-title/> <nobr>x</nobr></p>")
    assert html == "<p>set &lt;user-id&gt; and  x</p>"


def test_a_placeholder_may_have_several_words_and_an_element_with_values_is_none() -> None:
    html = harmless_markdown('<p>set <your name>, <Map of T> and <b of c>x</b> <x-card title="a">y</x-card></p>')
    assert html == "<p>set &lt;your name&gt;, &lt;Map of T&gt; and <b>x</b> y</p>"


@pytest.mark.parametrize("clean", [harmless_markdown, harmless_page])
@pytest.mark.parametrize("name", ["limit", "list", "text", "path", "filter", "set", "mi", "math", "custom", "dialog"])
def test_an_unknown_element_goes_and_what_stands_in_it_and_behind_it_stays(
    clean: Callable[[str], str], name: str
) -> None:
    assert clean(f'<p>a <{name} x="<y>">b</{name}> c <{name} x=1>d</p>') == "<p>a b c d</p>"


def test_the_tags_of_a_formula_in_a_page_go_and_its_words_stay() -> None:
    assert harmless_page("<p><math><mi>x</mi><mo>=</mo><mn>1</mn></math></p>") == "<p>x=1</p>"


@pytest.mark.parametrize("clean", [harmless_markdown, harmless_page])
def test_a_comment_is_nothing_and_one_without_end_is_text(clean: Callable[[str], str]) -> None:
    assert clean("a<!-- b --><!-->c<!-- d <b>e</b>") == "ac&lt;!-- d <b>e</b>"


def test_an_element_that_nothing_ends_swallows_nothing() -> None:
    for name in ("script", "style", "svg", "select", "textarea", "title", "noscript", "iframe", "template", "math"):
        assert "after" in harmless_page(f"<p>before</p><{name}><p>after</p>")


def test_what_stands_around_the_text_of_a_page_goes() -> None:
    html = harmless_page("<nav>menu</nav><script>x</script><style>y</style><p>text</p><button>z</button>")
    assert html == "<p>text</p>"


@pytest.mark.parametrize("html", ["<div>" * 1000, "<a " + " ".join(f"b{i}=''" for i in range(20_000)) + ">"])
def test_html_that_would_take_forever_is_refused(html: str) -> None:
    with pytest.raises(TooIntricate):
        harmless_page(html)


@pytest.mark.parametrize(
    ("html", "count"),
    [
        ("<select><option>x</select> <SELECT></SELECT><datalist>", 3),
        ("<input value='x'><input placeholder=x type=text><input value=''><input>", 2),
        ("<input type=hidden value=x><input type='checkbox' value=x><input value=x type=\"submit\">", 0),
        ("<!-- <select> <input value=x> --><p>&lt;select&gt;</p>", 0),
        ("<input title='value'><input data-value=x>", 0),
    ],
)
def test_fields_whose_words_are_left_out_are_counted(html: str, count: int) -> None:
    assert fields_with_words(html) == count
