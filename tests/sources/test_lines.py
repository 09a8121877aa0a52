"""The line at which a JSON Pointer stands in a text."""

import pytest

from hanpon.sources.texts.structured_text import locate, parse_outlined

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
    assert outline["/paths/~1a~1{b}/get"] == 10
    assert locate(text, outline) == outline
