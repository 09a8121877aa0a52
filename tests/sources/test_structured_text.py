"""What comes out of JSON and YAML text, and what is refused."""

import gc
import json
import re
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hanpon.contracts.definitions import MAX_BYTES, MAX_DEPTH
from hanpon.contracts.digests import canonical_json
from hanpon.contracts.errors import InvalidInput, UsageError
from hanpon.contracts.findings import Finding
from hanpon.sources.texts.structured_text import parse, refuse_too_large


def of_yaml(text: str) -> Any:
    return parse(text.encode(), "a.yaml")


def of_json(text: str) -> Any:
    return parse(text.encode(), "a.json")


def refusals(text: str | bytes, file: str = "a.yaml", encoding: str = "utf-8") -> list[tuple[str, str, int]]:
    with pytest.raises(InvalidInput) as caught:
        parse(text.encode() if isinstance(text, str) else text, file, encoding)
    return [(found.rule, found.where.pointer, found.where.line) for found in caught.value.problems]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        *[(word, word) for word in ("on", "off", "yes", "no", "NO", "Yes", "y", "n")],
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("2020-01-01", "2020-01-01"),
        ("2001-12-14t21:59:43.10-05:00", "2001-12-14t21:59:43.10-05:00"),
        ("1_000", "1_000"),
        ("0123", 123),
        ("0o17", 15),
        ("0x1F", 31),
        ("0b11", "0b11"),
        ("12:30:45", "12:30:45"),
        ("1e3", 1000.0),
        ("-.5", -0.5),
        ("5.", 5.0),
        ("+7", 7),
        ("=", "="),
        ("1.2.3", "1.2.3"),
        ("'12'", "12"),
        ("!!str 12", "12"),
        ("!!int '12'", 12),
        ("!!float 1", 1.0),
        ("! 12", "12"),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("1e999", "1e999"),
        ("9" * 1001, "9" * 1001),
    ],
)
def test_a_plain_scalar_is_what_the_core_schema_of_yaml_1_2_says(written: str, value: Any) -> None:
    found = of_yaml(f"a: {written}")["a"]
    assert (found, type(found)) == (value, type(value))
    canonical_json(found)


@pytest.mark.parametrize("key", ["200", "1.0", "null", "true", "~", "on", "2020-01-01", "0x10", "="])
def test_a_key_is_text_as_written(key: str) -> None:
    assert of_yaml(f"{key}: x") == {key: "x"}


def test_a_merge_key_fills_in_what_a_mapping_does_not_say_itself() -> None:
    merged = of_yaml("x: &x {a: 1, b: 2}\ny: &y {b: 3, c: 4}\nz: {<<: [*x, *y], a: 0}\nw: {<<: *y}\n")
    assert merged["z"] == {"a": 0, "b": 2, "c": 4}
    assert merged["w"] == {"b": 3, "c": 4}


def test_a_quoted_merge_key_is_a_plain_key() -> None:
    assert of_yaml("'<<': {a: 1}") == {"<<": {"a": 1}}


def test_a_merge_into_an_anchored_mapping_is_seen_by_its_aliases() -> None:
    assert of_yaml("x: &x {a: 1}\ny: &y {<<: *x, b: 2}\nz: *y")["z"] == {"a": 1, "b": 2}


def test_an_alias_shares_the_object_of_its_anchor() -> None:
    value = of_yaml("a: &a {b: 1}\nc: *a\nd: [*a]")
    assert value["c"] is value["a"] is value["d"][0]


def test_an_alias_of_a_scalar_may_be_a_key() -> None:
    assert of_yaml("a: &k 200\n*k : x") == {"a": 200, "200": "x"}


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert of_yaml("\ufeffa: 1") == {"a": 1}
    assert of_json('\ufeff{"a": 1}') == {"a": 1}


@pytest.mark.parametrize("character", ["\x85", "\u2028", "\u2029"])
def test_a_line_break_of_yaml_1_1_alone_is_a_character_like_others(character: str) -> None:
    text = f"a: x{character}y\nb: |\n  x{character}y\n# x{character}y\n'{character}': 1\nc: '\U00100000'\n"
    value = {"a": f"x{character}y", "b": f"x{character}y\n", character: 1, "c": "\U00100000"}
    assert of_yaml(text) == value
    assert refusals(text + "a: 1\n") == [("duplicate-key", "/a", 7)]


def test_flow_mappings_of_yaml_are_read_although_they_begin_like_json() -> None:
    assert of_yaml("{a: 1, b: [x, y]}") == {"a": 1, "b": ["x", "y"]}


def test_json_is_read_as_json_whatever_its_name() -> None:
    assert of_yaml('{"a":\t"\\ud83d\\ude00",\n"b": 1}') == {"a": "😀", "b": 1}


def test_an_empty_file_holds_nothing() -> None:
    assert of_yaml("") is None
    assert of_yaml("# only a comment\n") is None
    assert of_json(" \n") is None


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("a: 1\nb: {c: 1,\n c: 2}\na: 3", [("duplicate-key", "/b/c", 3), ("duplicate-key", "/a", 4)]),
        ("a: !foo bar\nb: !!binary aGk=", [("yaml-tag", "/a", 1), ("yaml-tag", "/b", 2)]),
        ("a: !!set {x}", [("yaml-tag", "/a", 1)]),
        ("a: !!int x", [("yaml-tag", "/a", 1)]),
        ("a: 1\n---\nb: 2", [("second-document", "", 2)]),
        ("a: &a {b: *a}", [("alias-to-itself", "/a/b", 1)]),
        ("a: &a\n- b\n- *a", [("alias-to-itself", "/a/1", 3)]),
        ("a: *b", [("yaml-syntax", "/a", 1)]),
        ("? [a]\n: 1", [("key-not-text", "", 1)]),
        ("a: &a [1]\n*a : 1", [("key-not-text", "", 2)]),
        ("a: {<<: 1}", [("yaml-merge", "/a", 1)]),
        ("a: {<<: {b: 1}, <<: {c: 1}}", [("duplicate-key", "/a", 1)]),
        ("a:\n\tb: 1", [("yaml-syntax", "", 2)]),
        ("a: b: c", [("yaml-syntax", "", 1)]),
        ("a: [1", [("yaml-syntax", "", 2)]),
        ("a: 1\nb: \x01", [("control-character", "", 2)]),
        ('a: "\\ud800"', [("yaml-syntax", "", 1)]),
    ],
)
def test_yaml_that_says_nothing_sound_is_refused_with_its_line(
    text: str, problems: list[tuple[str, str, int]]
) -> None:
    assert refusals(text) == problems


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ('{"a": 1,\n"b": {"c": 1, "c": 2},\n"a": 3}', [("duplicate-key", "/b/c", 2), ("duplicate-key", "/a", 3)]),
        ('{"a":\nNaN}', [("number-out-of-range", "", 2)]),
        ("[-Infinity]", [("number-out-of-range", "", 1)]),
        ("[\n1e999]", [("number-out-of-range", "", 2)]),
        ("[1,\n" + "9" * 10_000 + "]", [("number-out-of-range", "", 2)]),
        ('{"a": ["\\ud800"]}', [("lone-surrogate", "/a/0", 1)]),
        ('{"\\ud800": 1}', [("lone-surrogate", "", 1)]),
        ('["\\ud83d\\ude00",\n"\\ude00\\ud83d", "\\\\ud800"]', [("lone-surrogate", "/1", 2)]),
        ('{"a": 1,}', [("json-syntax", "", 1)]),
        ("{", [("json-syntax", "", 1)]),
    ],
)
def test_json_that_says_nothing_sound_is_refused_with_its_line(
    text: str, problems: list[tuple[str, str, int]]
) -> None:
    assert refusals(text, "a.json") == problems


def test_a_repeated_key_names_both_lines() -> None:
    sentence = r":3#/a: The key `a` stands here a second time; the first is in line 1\."
    for text, file in (("a: 1\nb: 2\na: 3", "a.yaml"), ('{"a": 1,\n"b": 2,\n"a": 3}', "a.json")):
        with pytest.raises(InvalidInput, match=sentence):
            parse(text.encode(), file)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: @b", "text that begins with `@` must be quoted"),
        ("a: 1\n\tb: 2", "a tab stands where YAML wants spaces"),
        ("a: b: c", "a `: ` stands in text that is not quoted"),
        ("a: - b", "a `-` stands where no list can begin"),
        ("a: 'b", "a quotation mark is not closed"),
        ('a: "\\d+"', "begins an escape that YAML does not have: use single quotes"),
        ("a: *\n", "quote text that begins so"),
        ("a: [", "a bracket before it is not closed"),
        ("a:\n  b: 1\n c: 2\n", "a line is indented otherwise than those it belongs to"),
        ("a: |\n  b\nc\n", "text of several lines must be indented"),
    ],
)
def test_what_is_no_yaml_is_told_in_plain_words(text: str, words: str) -> None:
    with pytest.raises(InvalidInput, match="This is not YAML: .*" + re.escape(words)):
        of_yaml(text)


def test_a_number_of_ten_thousand_digits_in_yaml_stays_text() -> None:
    digits = "9" * 10_000
    assert of_yaml(f"a: {digits}\nb: 0x{digits}") == {"a": digits, "b": "0x" + digits}


@pytest.mark.parametrize(
    ("opening", "closing", "file"),
    [
        ("[", "]", "a.json"),
        ('{"a":[', "]}", "a.json"),
        ("[", "]", "a.yaml"),
        ("{a: ", "}", "a.yaml"),
        ("- ", "", "a.yaml"),
    ],
)
@pytest.mark.parametrize("times", [MAX_DEPTH + 1, 100_000])
def test_nesting_beyond_the_limit_is_refused(opening: str, closing: str, file: str, times: int) -> None:
    rule, _, line = refusals(opening * times + closing * times, file)[0]
    assert (rule, line) == ("too-deep", 1)


def test_nesting_at_the_limit_is_read() -> None:
    assert of_json("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    assert of_yaml("[" * MAX_DEPTH + "x" + "]" * MAX_DEPTH)


def test_nesting_through_aliases_counts_as_deep_as_it_is() -> None:
    half = MAX_DEPTH // 2
    inner = "a: &a " + "[" * half + "]" * half + "\n"
    assert of_yaml(inner + "b: " + "[" * (half - 2) + "*a" + "]" * (half - 2))
    assert refusals(inner + "b: " + "[" * (half + 2) + "*a" + "]" * (half + 2))[0][0] == "too-deep"


def test_an_alias_bomb_is_refused_by_what_it_would_grow_to() -> None:
    text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for level in range(1, 9):
        text += f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]\n"
    assert refusals(text)[0][0] == "too-many-values"


def test_a_file_beyond_the_limit_is_refused_by_its_size_alone() -> None:
    with pytest.raises(InvalidInput, match=r"a\.yaml: The file has 104,857,600 bytes; at most"):
        refuse_too_large(100 * 1024 * 1024, "a.yaml")
    refuse_too_large(MAX_BYTES, "a.yaml")


def test_the_collector_is_left_as_it_was() -> None:
    large = json.dumps(["x" * 100] * 5000).encode()
    for switch, state in ((gc.disable, False), (gc.enable, True)):
        switch()
        try:
            parse(large, "a.json")
            assert gc.isenabled() is state
        finally:
            gc.enable()


def test_pyyaml_without_libyaml_is_named_as_the_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml, "__with_libyaml__", False)
    with pytest.raises(UsageError, match="without libyaml"):
        of_yaml("a: 1")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=30,
)


class _Quoting(yaml.CSafeDumper):
    """Quotes every text, so that a 1.1 dumper says to a 1.2 reader what it means."""


_Quoting.add_representer(str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"'))


@given(json_values)
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_value_comes_back_from_json_and_from_yaml(value: Any) -> None:
    assert parse(json.dumps(value).encode(), "a.json") == value
    as_yaml = yaml.dump(value, Dumper=_Quoting, allow_unicode=False, width=10**6)
    assert parse(as_yaml.encode(), "a.yaml") == json.loads(json.dumps(value))


def refusals_if_any(data: bytes, file: str, encoding: str = "utf-8") -> tuple[Finding, ...]:
    try:
        canonical_json(parse(data, file, encoding))
    except InvalidInput as refused:
        return refused.problems
    return ()


@given(st.text() | st.text(alphabet="[]{}:,-&*!|>'\"%@#?<= \n\tax0.e"), st.sampled_from(["a.json", "a.yaml"]))
@settings(max_examples=500, deadline=None)
def test_no_text_makes_anything_else_than_a_refusal(text: str, file: str) -> None:
    problems = refusals_if_any(text.encode(), file)
    assert all(found.where.file == file and len(found.message) < 300 for found in problems)


@given(st.binary(), st.sampled_from(["a.json", "a.yaml"]), st.sampled_from(["utf-8", "cp932", "euc_jp", "utf-16"]))
@settings(max_examples=300, deadline=None)
def test_no_bytes_make_anything_else_than_a_refusal(data: bytes, file: str, encoding: str) -> None:
    refusals_if_any(data, file, encoding)
