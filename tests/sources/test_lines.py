"""The line at which a JSON Pointer stands in a text."""

import json
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.pointers import pointer_of
from hanpon.sources.texts import json_lines
from hanpon.sources.texts.outlines import Outline
from hanpon.sources.texts.structured_text import locate, locate_in, parse_outlined

YAML = """# a comment
openapi: 3.0.3
info:
  title: x
  description: |
    several
    lines
paths:
  /a/{b}:
    get: {tags: [x,
      y]}
  ? /long
  :
    get: *x
"""

JSON = """{
  "openapi": "3.0.3",
  "paths": {"/a/{b}": {
    "get": {"tags": ["x",
      "y"]}},
   "a\\"b": 1},
  "last":
    {"a": [
      {}]}
}
"""


@pytest.mark.parametrize(
    ("pointer", "line"),
    [
        ("", 2),
        ("/openapi", 2),
        ("/info/description", 5),
        ("/paths/~1a~1{b}", 9),
        ("/paths/~1a~1{b}/get", 10),
        ("/paths/~1a~1{b}/get/tags/1", 11),
        ("/paths/~1long/get", 14),
        ("/paths/~1long/get/responses/200", 14),
        ("/paths/~1none/get", 8),
        ("/none", 2),
    ],
)
def test_a_place_in_yaml_is_found_or_its_nearest_ancestor(pointer: str, line: int) -> None:
    assert locate(YAML, [pointer]) == {pointer: line}


@pytest.mark.parametrize(
    ("pointer", "line"),
    [
        ("", 1),
        ("/openapi", 2),
        ("/paths/~1a~1{b}/get", 4),
        ("/paths/~1a~1{b}/get/tags/1", 5),
        ('/paths/a"b', 6),
        ("/last", 7),
        ("/last/a", 8),
        ("/last/a/0", 9),
        ("/last/a/1", 8),
        ("/paths/none/x", 3),
    ],
)
def test_a_place_in_json_is_found_or_its_nearest_ancestor(pointer: str, line: int) -> None:
    assert locate(JSON, [pointer]) == {pointer: line}


def test_many_places_are_found_in_one_pass() -> None:
    pointers = ["/last/a/0", "/openapi", "", "/paths/~1a~1{b}/get/tags/0"]
    assert locate(JSON, pointers) == {"/last/a/0": 9, "/openapi": 2, "": 1, "/paths/~1a~1{b}/get/tags/0": 4}


def test_places_after_a_fault_are_those_of_what_was_read() -> None:
    assert locate("a: 1\nb:\n  c: 2\n  d: [", ["/b/c", "/b/d", "/b/d/0", "/e"]) == {
        "/b/c": 3,
        "/b/d": 4,
        "/b/d/0": 4,
        "/e": 1,
    }
    assert locate('{"a": 1,\n"b": }', ["/b"])["/b"] in {1, 2}


def test_a_flow_mapping_of_yaml_has_lines_too() -> None:
    assert locate("{a: 1,\n b: {c: 2}}", ["/b/c"]) == {"/b/c": 2}


def test_the_outline_of_a_yaml_text_agrees_with_a_search() -> None:
    text = YAML.replace("*x", "{}")
    _, outline = parse_outlined(text.encode(), "a.yaml")
    assert outline.lines["/paths/~1a~1{b}/get"] == 10
    assert locate(text, outline.lines) == outline.lines


def pointers_in(value: Any, above: str = "") -> Iterator[str]:
    yield above
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, member in members:
        yield from pointers_in(member, above + pointer_of([step]))


KEYS = st.sampled_from(["a", "b", "c d", "0", "1", "/x", "- y", "#z", "第4条", "k:"])
TREES = st.recursive(
    st.none() | st.integers(0, 9) | st.sampled_from(["text", "two\nlines\n", "- x: 1\n", "", "a: b", "x\u2028y"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=25,
)


@settings(deadline=None)
@given(st.dictionaries(KEYS, TREES, min_size=1, max_size=4), st.sampled_from([None, False, True]), st.integers(2, 6))
def test_an_outline_changes_no_line(tree: dict[str, Any], flow: bool | None, indent: int) -> None:
    text = yaml.safe_dump(tree, default_flow_style=flow, indent=indent, width=20, sort_keys=False, allow_unicode=True)
    value, outline = parse_outlined(text.encode(), "a.yaml")
    wanted = [*pointers_in(value), "/a/b/c/nothing", "/nothing/at/all"]
    assert locate_in(text.encode(), "a", wanted, outline) == locate(text, wanted)


@settings(deadline=None)
@given(
    st.dictionaries(KEYS, TREES, min_size=1, max_size=4),
    st.sampled_from([None, 1, 4]),
    st.sampled_from([":", " :\n "]),
    st.sampled_from([4, 65536]),
)
def test_an_outline_changes_no_line_of_json(tree: dict[str, Any], indent: int | None, colon: str, block: int) -> None:
    text = json.dumps(tree, ensure_ascii=False, indent=indent, separators=("\r\n,", colon))
    value, outline = parse_outlined(text.encode(), "a.json")
    assert value == tree
    assert outline.columns
    wanted = [*pointers_in(value), "/a/b/c/nothing", "/nothing/at/all"]
    with patch.object(json_lines, "_BLOCK", block):
        for some in (wanted, wanted[-3:], wanted[1:2]):
            assert locate_in(text.encode(), "a", some, outline) == locate(text, some)


@pytest.mark.parametrize(
    "text",
    [
        "a:\n  b:\n    c:\n      d:\n        e: 1\n  - f\n",
        "a:\n- b:\n    c:\n      d: {e: 1}\n- f: 1\n  c:\n    d:\n      e: 1\n- 5\n",
        "a: {b: {\n  c: {d: {e: 1}},\n  f: 1}}\n",
        "a:\n  b:\n    c: &x\n      d:\n        e: 1\n    f: *x\n",
        "a:\n  b:\n    ? c\n    : d:\n        e: 1\n",
        "a:\n  b:\n    c:\n      d:\n        e: |\n          f: 1\n\n    # end\n    g: 1\n",
        "a:\r\n  b:\r\n    c:\r\n      d:\r\n        e: 1\r\n",
        "---\na:\n  b:\n    c:\n      d:\n        e: 1\n...\n",
        'a:\n  b:\n    "c": {d:\n      {e: 1}}\n',
        "a:\n  b:\n    c:\n      d:\n        e: 1\n    <<: {f: {g: {h: 1}}}\n",
    ],
)
def test_an_outline_changes_no_line_in_whatever_style(text: str) -> None:
    try:
        value, outline = parse_outlined(text.encode(), "a.yaml")
    except InvalidInput:
        value, outline = None, Outline(lines={"/a": 1, "/a/b": 2, "/a/b/c": 3})
    wanted = [*pointers_in(value), "/a/b/c", "/a/b/c/d", "/a/b/c/d/e", "/a/b/f/d/e", "/a/0/b/c/d/e", "/a/1/c/d/e"]
    assert locate_in(text.encode(), "a", wanted, outline) == locate(text, wanted)
