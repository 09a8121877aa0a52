"""Laws that hold for every definition, found out with made-up ones."""

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from bs4 import BeautifulSoup, Tag
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hanpon.inventory.api_names import names_of
from renderers.labels import labels_of
from renderers.markdown_text import MarkdownTexts, allowed, converted, harmless, html_of, is_plain, unsifted
from renderers.operation import render
from renderers.page import encoded
from renderers.schema_rows import SchemaRows
from renderers.schema_words import SchemaWords
from tests.apis import Page, pages_of, source_of

MARKERS = Path(__file__).parent / "markers"
DEFINITIONS = {path.name: yaml.safe_load(path.read_text("utf-8")) for path in sorted(MARKERS.iterdir())}
SLOW = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])

texts = st.text(alphabet=st.characters(codec="utf-8"), max_size=30) | st.sampled_from(
    [
        "<script>alert(1)</script>",
        "</style></title></main>",
        "{{ 7 * 7 }} {% raw %}",
        "a|b`c`*d*_e_",
        '" onload="x',
        "\x00\x01\x02\x03 \x7f \uffff",
        "<!--",
        "]]>",
        "&lt;&amp;",
        "<img src=x onerror=alert(1)>",
    ]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from places(member, (*path, key))


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    found = copy.deepcopy(value)
    owner = found
    for key in path[:-1]:
        owner = owner[key]
    owner[path[-1]] = new
    return found


def pages_of_value(definition: Any) -> list[Page]:
    return list(pages_of(json.dumps(definition)).values())


@SLOW
@given(st.sampled_from(sorted(DEFINITIONS)), st.data())
def test_no_value_anywhere_stops_the_printing(name: str, data: st.DataObject) -> None:
    definition = DEFINITIONS[name]
    inner = [path for path in places(definition) if path and path[0] not in ("openapi", "swagger")]
    for _ in range(data.draw(st.integers(1, 4))):
        path = data.draw(st.sampled_from(inner))
        try:
            definition = changed(definition, path, data.draw(values))
        except (KeyError, IndexError, TypeError):
            continue
    source = source_of(json.dumps(definition))
    documents = list(render(source).documents)
    named = {entry.document for entry in names_of(source).names if entry.document}
    assert named == {document.id for document in documents}
    for page in map(Page, documents):
        assert_well_formed(page)


def assert_well_formed(page: Page) -> None:
    identifiers = [str(tag["id"]) for tag in page.soup.find_all(id=True)]
    assert len(identifiers) == len(set(identifiers))
    levels = [int(tag.name[1]) for tag in page.soup.find_all(["h1", "h2", "h3", "h4", "h5", "h6"])]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))
    for tag in page.soup.find_all(True):
        assert tag.name not in {"script", "iframe", "img", "link", "object", "form", "input"}
        for attribute, value in tag.attrs.items():
            assert not attribute.startswith("on")
            assert attribute in ALLOWED, attribute
            assert not str(value).lower().lstrip().startswith("javascript:")
    assert not any(code in page.html for code in "\x00\x01\x02\x03")


ALLOWED = set(
    "lang charset name content id class href rel title scope colspan rowspan align start".split()  # noqa: SIM905
)


def shape(page: Page) -> list[str]:
    return [tag.name for tag in page.soup.find_all(True)]


PLAIN_PLACES = (
    ("paths", "/zq-path", "query", "summary"),
    ("paths", "/zq-path", "query", "tags", 0),
    ("paths", "/zq-path", "query", "parameters", 0, "name"),
    ("paths", "/zq-path", "query", "responses", "200", "summary"),
    ("servers", 0, "url"),
)


@given(st.sampled_from(PLAIN_PLACES), texts.filter(lambda text: bool(text.strip())))
def test_text_in_plain_fields_never_changes_the_tree(path: tuple[Any, ...], text: str) -> None:
    definition = changed(DEFINITIONS["openapi-3.2.yaml"], ("tags",), [])
    neutral = pages_of_value(changed(definition, path, "neutral"))[0]
    assert shape(pages_of_value(changed(definition, path, text))[0]) == shape(neutral)


@given(texts)
def test_names_enums_and_defaults_stay_text(text: str) -> None:
    def definition(word: str) -> Any:
        schema = {"type": "object", "properties": {f"p{word}": {"enum": [f"a{word}"], "default": f"d{word}"}}}
        content = {f"m{word}": {"schema": schema, "example": f"e{word}"}}
        responses = {"200": {"description": "ok", "content": content}}
        return {"openapi": "3.0.3", "info": {}, "paths": {f"/{word}": {"get": {"responses": responses}}}}

    (page,), (neutral,) = pages_of_value(definition(text)), pages_of_value(definition("x"))
    assert shape(page) == shape(neutral)


def test_printing_twice_and_in_another_order_gives_the_same_bytes() -> None:
    for definition in DEFINITIONS.values():
        source = source_of(json.dumps(definition, default=str))
        once = {document.id: document for document in render(source).documents}
        again = {document.id: document for document in render(source).documents}
        turned = replace(source, operations=source.operations[::-1], webhooks=source.webhooks[::-1])
        assert once == again == {document.id: document for document in render(turned).documents}
        for operation in source.operations:
            (alone,) = render(replace(source, operations=(operation,), webhooks=())).documents
            assert once[alone.id] == alone


names = st.sampled_from(["A", "B", "C", "D"])
leaves = st.sampled_from([{"type": "string"}, {"type": "integer", "minimum": 1}, {"enum": ["x"]}, True])
schemas = st.recursive(
    leaves | names.map(lambda name: {"$ref": f"#/components/schemas/{name}"}),
    lambda inner: st.one_of(
        st.dictionaries(st.sampled_from(["p", "q", "r.s"]), inner, max_size=3).map(
            lambda properties: {"type": "object", "properties": properties}
        ),
        inner.map(lambda items: {"type": "array", "items": items}),
        st.lists(inner, min_size=1, max_size=2).map(lambda members: {"allOf": members}),
        st.lists(inner, min_size=2, max_size=3).map(lambda members: {"oneOf": members}),
        inner.map(lambda other: {"type": "object", "additionalProperties": other}),
    ),
    max_leaves=8,
)


@given(st.fixed_dictionaries(dict.fromkeys("ABCD", schemas)), st.integers(1, 12), st.integers(1, 4))
def test_tables_end_and_do_not_depend_on_how_they_are_put_together(
    components: dict[str, Any], rows: int, depth: int
) -> None:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}
    responses = {"200": {"description": "ok", "content": content}}
    definition = {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "paths": {"/a": {"get": {"responses": responses}}},
        "components": {"schemas": components},
    }
    source = source_of(json.dumps(definition))
    words = SchemaWords(source.schemas, labels_of("en"), MarkdownTexts())
    for key in source.schemas:
        joined = SchemaRows(words, rows=rows, depth=depth).below(key)
        assert joined == SchemaRows(words, rows=rows, depth=depth)._expanded(key, "")
        assert joined.html.count("<tr>") <= max(rows, len(source.schemas[key].children) + 30)
        prefixed = SchemaRows(words, rows=rows, depth=depth).below(key, "top")
        assert prefixed == SchemaRows(words, rows=rows, depth=depth)._expanded(key, "top")


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=60))
def test_a_text_that_skips_conversion_would_have_come_out_the_same(text: str) -> None:
    stripped = text.strip()
    if stripped and is_plain(stripped) and stripped.isprintable():
        assert html_of(stripped) == converted(stripped)


markup = st.sampled_from(
    """* ** _ ~~ ` ``` # > | - + 1. = [ ] ( ) ! : @ . \\ " ' < & ; / www.a.b http://a.b a@b.c --- |---| [a](b) ![a](http://b)
    <b> </b> <br> &nbsp; &quot; &#13;""".split()  # noqa: SIM905
) | st.sampled_from([" ", "\n", "\n\n", "    ", "  \n", "\t", "\r", "\xa0", "\x0c", "\xad", "\u3000"])


@given(st.lists(markup | st.text(alphabet=st.characters(codec="utf-8"), max_size=5), max_size=25).map("".join))
def test_html_that_skips_the_allow_list_would_have_come_out_of_it_the_same(text: str) -> None:
    assert harmless(unsifted(text), text) == allowed(unsifted(text))


@given(st.lists(st.text(st.characters(), max_size=8) | st.sampled_from(["\ud83d", "\ude00"]), max_size=5))
def test_a_page_in_pieces_has_the_bytes_of_the_whole(pieces: list[str]) -> None:
    assert encoded(*pieces) == encoded("".join(pieces))


@given(st.lists(texts, max_size=4).map(" ".join))
def test_descriptions_are_balanced_and_harmless(text: str) -> None:
    soup = BeautifulSoup(f"<main>{html_of(text.encode(errors='replace').decode())}</main>", "html.parser")
    assert isinstance(soup.main, Tag)
    assert [child for child in soup.children if isinstance(child, Tag)] == [soup.main]
    assert not soup.find_all(["script", "style", "iframe", "img", "h1", "h2", "h3"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<the signer name>/<id>", "<the signer name>/<id>"),
        ('a <limit max="1">b</limit> c', "a b c"),
        ('<list type="x">one\n\ntwo', "one two"),
    ],
)
def test_words_in_what_looks_like_an_element_stay(text: str, words: str) -> None:
    assert " ".join(BeautifulSoup(html_of(text), "html.parser").get_text(" ").split()) == words
