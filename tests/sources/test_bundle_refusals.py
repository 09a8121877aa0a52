"""A hanpon.yaml that is wrong: refused whole, with everything that is wrong in it."""

import unicodedata
from pathlib import Path
from random import Random

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from hanpon.adapters.folder_tree import FolderTree
from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Finding
from hanpon.sources.bundles import paths
from hanpon.sources.bundles.expectations import KINDS, keys_of_kind
from hanpon.sources.bundles.reader import read_bundle
from tests.golden import assert_golden
from tests.hangs import must_end
from tests.sources.secret_values import UPPER, Values
from tests.trees import MemoryTree

CASES = sorted((Path(__file__).parent / "cases").glob("*-bundle"))
HEAD = "owner: me\nreaders: [all]\nlanguage: ja\n"


def problems_of(
    text: str | bytes, *files: str, links: tuple[str, ...] = (), unreadable: tuple[str, ...] = ()
) -> tuple[Finding, ...]:
    with pytest.raises(InvalidInput) as caught:
        read_bundle(
            MemoryTree(
                {"hanpon.yaml": text, **dict.fromkeys(files, b"")},
                links=links,
                unreadable=unreadable,
            )
        )
    return caught.value.problems


def told(items: str, *files: str, links: tuple[str, ...] = (), unreadable: tuple[str, ...] = ()) -> list[str]:
    text = f"{HEAD}items:\n{items}\n"
    return [str(problem) for problem in problems_of(text, *files, links=links, unreadable=unreadable)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_broken_bundle_is_told_everything_that_is_wrong_with_it(case: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_bundle(FolderTree(case))
    assert_golden(case / "expected.txt", f"{caught.value}\n")


def test_an_empty_folder_is_refused_in_its_own_words() -> None:
    with pytest.raises(InvalidInput, match="The folder holds no file at all"):
        read_bundle(MemoryTree({}))


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (["hanpon.yml"], "rename `hanpon.yml` to hanpon.yaml"),
        (["HANPON.YAML"], "rename `HANPON.YAML` to hanpon.yaml"),
        (["docs/hanpon.yaml"], "but `docs/hanpon.yaml`; name the folder that holds it"),
        (["a.md"], "a bundle is a folder with a hanpon.yaml at its root"),
    ],
)
def test_a_missing_hanpon_yaml_is_refused_with_what_is_there_instead(files: list[str], words: str) -> None:
    with pytest.raises(InvalidInput, match=words) as caught:
        read_bundle(MemoryTree(dict.fromkeys(files, b"")))
    assert [problem.rule for problem in caught.value.problems] == ["missing-hanpon-yaml"]


def test_a_hanpon_yaml_that_is_a_link_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"hanpon\.yaml is a symbolic link, and links are not followed"):
        read_bundle(MemoryTree({}, links=("hanpon.yaml",)))


@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n", "~\n", "\n\n"])
def test_an_empty_hanpon_yaml_is_refused(text: str) -> None:
    (problem,) = problems_of(text)
    assert problem.rule == "empty-hanpon-yaml"


@pytest.mark.parametrize("text", ["- a\n", "text\n", "3\n", "true\n"])
def test_a_hanpon_yaml_that_is_no_mapping_is_refused(text: str) -> None:
    (problem,) = problems_of(text)
    assert problem.rule == "wrong-type"
    assert str(problem).startswith("hanpon.yaml:1: Expected a mapping that describes a bundle, with `items`")


@pytest.mark.parametrize("text", ["{}", "items: []\n", "items:\n", "items: x\n"])
def test_a_bundle_without_items_is_refused(text: str) -> None:
    assert "a list of one or more items" in "\n".join(map(str, problems_of(text)))


def test_a_large_hanpon_yaml_is_not_read() -> None:
    tree = MemoryTree({"hanpon.yaml": b""}, sizes={"hanpon.yaml": 1024 * 1024 + 1})
    with pytest.raises(InvalidInput, match="1,048,577 bytes; at most 1,048,576 are read"):
        read_bundle(tree)
    assert tree.reads == []


def test_another_encoding_is_refused_with_its_likely_name() -> None:
    (problem,) = problems_of(f"{HEAD}items: []\n# 顧客のAPIを公開する\n".encode("cp932"))
    assert problem.rule == "not-utf-8"
    assert "cp932" in problem.message


def test_broken_yaml_is_told_with_its_line() -> None:
    (problem, *_) = problems_of("owner: me\nitems:\n  - {kind: api\n")
    assert problem.where.line >= 3


def test_a_key_that_stands_twice_is_refused() -> None:
    (problem,) = problems_of("owner: me\nowner: you\n")
    assert (problem.rule, problem.where.line) == ("duplicate-key", 2)


def test_one_bad_item_does_not_hide_what_is_wrong_with_another() -> None:
    words = told(
        "  - 7\n"
        "  - {kind: api, name: a, version: 1.0, definition: a.yaml}\n"
        "  - {kind: api, name: b, version: v1, definition: nowhere.yaml}",
        "a.yaml",
    )
    assert [line.split(":")[1].split("#")[1] for line in words] == [
        "/items/0",
        "/items/1/version",
        "/items/2/definition",
    ]


@pytest.mark.parametrize(
    ("written", "found", "advice"),
    [
        ("3.10", "the number `3.1`", '"3.10"'),
        ("1", "the number `1`", '"1"'),
        ("1e3", "the number `1000.0`", '"1e3"'),
        ("0x10", "the number `16`", '"0x10"'),
        ("true", "true", '"true"'),
    ],
)
def test_a_version_must_be_text_and_the_advice_quotes_it_as_written(written: str, found: str, advice: str) -> None:
    (line,) = told(f"  - {{kind: api, name: a, version: {written}, definition: a.yaml}}", "a.yaml")
    assert f"YAML reads this version as {found}; put it in quotes, as `version: {advice}`." in line


def test_a_version_without_a_value_is_refused() -> None:
    (line,) = told("  - {kind: api, name: a, version: , definition: a.yaml}", "a.yaml")
    assert "found nothing" in line


@pytest.mark.parametrize("version", ["v1", "1.0.0-rc.1+build", "2026-11-30", "1" * 40])
def test_versions_of_every_usual_form_are_taken(version: str) -> None:
    text = f"{HEAD}items: [{{kind: api, name: a, version: '{version}', definition: a.yaml}}]"
    (item,) = read_bundle(MemoryTree({"hanpon.yaml": text, "a.yaml": b""})).items
    assert item.version == version


@pytest.mark.parametrize("version", ["", "-1", ".1", "v 1", "v1/2", "バージョン1", "1" * 41, "v1\\n"])
def test_versions_of_another_form_are_refused(version: str) -> None:
    (line,) = told(f'  - {{kind: api, name: a, version: "{version}", definition: a.yaml}}', "a.yaml")
    assert line.endswith("[bad-version]")


@pytest.mark.parametrize("name", ["customer", "顧客API", "ログ部品", "a.b_c-d", "_x", "9", "あ" * 33])
def test_names_of_letters_and_digits_of_any_script_are_taken(name: str) -> None:
    text = f"{HEAD}items: [{{kind: api, name: '{name}', version: v1, definition: a.yaml}}]"
    (item,) = read_bundle(MemoryTree({"hanpon.yaml": text, "a.yaml": b""})).items
    assert item.name == name


@pytest.mark.parametrize(
    "name", ["", ".", "..", "-x", "a b", "a/b", "a@b", "a\\u0000", "か\\u3099", "あ" * 34, "a:b", "\\u200b", "💡"]
)
def test_names_that_no_folder_or_filter_should_hold_are_refused(name: str) -> None:
    (line,) = told(f'  - {{kind: api, name: "{name}", version: v1, definition: a.yaml}}', "a.yaml")
    assert line.endswith("[bad-name]")


@pytest.mark.parametrize("word", ["COMMON", "ALL", "Common", "all"])
def test_reserved_words_are_no_name_and_no_version(word: str) -> None:
    words = told(f"  - {{kind: api, name: {word}, version: {word}, definition: a.yaml}}", "a.yaml")
    assert [line[-15:] for line in words] == ["[reserved-name]"] * 2


def test_a_link_behind_a_path_or_in_the_way_of_a_pattern_is_refused() -> None:
    words = told(
        "  - {kind: guideline, name: a, files: [linked/a.md]}\n"
        "  - {kind: guideline, name: b, files: ['docs/**/*.md']}\n"
        "  - {kind: component, name: c, version: v1, code: {language: go, path: src}}",
        "docs/a.md",
        "src/a.go",
        links=("linked", "docs/deep/more", "src/generated"),
    )
    assert [line.rpartition(" ")[2] for line in words] == ["[symbolic-link]"] * 3
    assert "lies behind the symbolic link `linked`" in words[0]
    assert "meets the symbolic link `docs/deep/more`" in words[1]


def test_links_that_no_path_meets_are_nobodys_concern() -> None:
    text = f"{HEAD}items: [{{kind: guideline, name: a, files: ['docs/*.md']}}]"
    tree = MemoryTree({"hanpon.yaml": text, "docs/a.md": b""}, links=("other", "docs/x.txt", "docs.md"))
    assert len(read_bundle(tree).items) == 1


def test_a_definition_of_two_versions_is_a_file_claimed_twice() -> None:
    (line,) = told(
        "  - {kind: api, name: a, version: v1, definition: a.yaml}\n"
        "  - {kind: api, name: a, version: v2, definition: a.yaml}",
        "a.yaml",
    )
    assert line.startswith("hanpon.yaml:6#/items/1/definition: `a.yaml` already belongs to `a@v1` in line 5")


def test_many_files_claimed_twice_are_one_problem() -> None:
    (line,) = told(
        "  - {kind: guideline, name: a, files: ['*.md']}\n  - {kind: guideline, name: b, files: ['**/*.md']}",
        *(f"{number}.md" for number in range(100)),
    )
    assert "`0.md` and 99 more already belongs to `a` in line 5" in line


def test_nobody_to_read_an_item_is_refused() -> None:
    item = "items: [{kind: api, name: a, version: v1, definition: a.yaml%s}]"
    for head, tail in (("", ""), ("readers: []\n", ""), ("readers: [all]\n", ", readers: []")):
        (problem,) = problems_of(f"owner: me\nlanguage: ja\n{head}{item % tail}", "a.yaml")
        assert problem.rule == "no-readers"
        assert "No readers are known, and without readers nothing is published" in problem.message


@pytest.mark.parametrize(
    "reader", ["engineers", "group:", "group:a b", "group:a;b", 'user:a"b', "ALL", "team:a", "user:a\\\\b"]
)
def test_readers_of_another_form_are_refused(reader: str) -> None:
    escaped = reader.replace('"', '\\"')
    head = f'owner: me\nlanguage: ja\nreaders: ["{escaped}"]\n'
    (problem,) = problems_of(head + "items: [{kind: api, name: a, version: v1, definition: a}]", "a")
    assert problem.rule == "bad-principal"


@pytest.mark.parametrize(
    "address",
    [
        "https://",
        "https://user:pw@example.com/",
        "https://example.com/?a=b",
        "https://example.com/#x",
        "https://a b/",
        "http://[1/",
        "mailto:a@b",
    ],
)
def test_an_address_no_page_can_stand_below_is_refused_without_quoting_it(address: str) -> None:
    (problem,) = problems_of(
        f'{HEAD}link_base: "{address}"\nitems: [{{kind: api, name: a, version: v1, definition: a}}]', "a"
    )
    assert (problem.rule, problem.where.pointer) == ("bad-link-base", "/link_base")
    assert "pw" not in problem.message


def test_a_password_in_an_address_among_paths_is_not_quoted() -> None:
    (line,) = told("  - {kind: api, name: a, version: v1, definition: 'https://user:pw@example.com/a'}")
    assert "//***@example.com/a" in line


@pytest.mark.parametrize("encoding", ["klingon", "base64", "rot13", "punycode", "IDNA", "a\\0b", "../../x"])
def test_an_encoding_that_is_none_is_refused(encoding: str) -> None:
    (line,) = told(f'  - {{kind: api, name: a, version: v1, definition: a, encoding: "{encoding}"}}', "a")
    assert line.endswith("[unknown-encoding]")


def test_a_folder_in_place_of_its_files_is_told() -> None:
    (line,) = told("  - {kind: guideline, name: a, files: docs}", "docs/a.md")
    assert "it is a folder: write `docs/*` for its files" in line


def test_hanpon_yaml_the_ledger_and_access_files_are_never_item_files() -> None:
    text = f"{HEAD}ledger: l.csv\nitems: [{{kind: guideline, name: a, files: ['*'], access: a.csv}}]"
    (item,) = read_bundle(MemoryTree({"hanpon.yaml": text, "l.csv": b"", "a.csv": b"", "x.md": b""})).items
    assert getattr(item, "files", ()) == ("x.md",)


def test_patterns_that_would_take_for_ever_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "MOST_COMPARISONS", 15)
    words = told(
        "  - {kind: guideline, name: a, files: ['**/a.md', '**/b.md', '**/c.md']}", *(f"{n}.md" for n in range(9))
    )
    assert [line.rpartition(" ")[2] for line in words] == ["[pattern-matches-nothing]", "[too-many-patterns]"]


def test_thousands_of_mistakes_are_told_in_good_time() -> None:
    items = "\n".join(f"  - {{kind: api, name: 'a {n}', version: {n}, x: y, definition: n/{n}}}" for n in range(3000))
    with must_end():
        assert len(problems_of(f"{HEAD}items:\n{items}\n", *(f"f/{n}" for n in range(3000)))) > 3000


def test_thousands_of_links_beside_thousands_of_patterns_cost_little_time() -> None:
    items = "\n".join(f"  - {{kind: guideline, name: a{n}, files: 'a{n}/**/*'}}" for n in range(2000))
    links = tuple(f"l{n}/x/y" for n in range(20_000))
    with must_end():
        found = problems_of(f"{HEAD}items:\n{items}\n", links=(*links, "a7", "a8/b/c"))
    assert [one.where.pointer for one in found if one.rule == "symbolic-link"] == ["/items/7/files", "/items/8/files"]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
PATHS = st.sampled_from(
    ["a.yaml", "docs/*.md", "**", "../x", "", "docs", "a" + "*a" * 30, "http://x/", "C:\\x", "**/*"]
)
WORDS = (
    PATHS | st.sampled_from(["v1", "ALL", "COMMON", "all", "ja", "go", "customer", "Customer", "group:a"]) | ANYTHING
)
KEYS = sorted(keys_of_kind("") | {"x"})
ITEMS = st.fixed_dictionaries(
    {},
    optional={"kind": st.sampled_from([*KINDS, "x"]) | ANYTHING}
    | {key: WORDS | st.lists(WORDS, max_size=3) for key in KEYS if key != "kind"},
)
BUNDLES = st.fixed_dictionaries(
    {},
    optional={
        **{
            key: WORDS | st.lists(WORDS, max_size=2)
            for key in ("owner", "readers", "language", "link_base", "ledger", "x")
        },
        "items": st.lists(ITEMS | ANYTHING, max_size=4) | ANYTHING,
    },
)


def read_or_refuse(data: bytes) -> tuple[Finding, ...]:
    files = {"hanpon.yaml": data, "a.yaml": b"", "docs/b.md": b"", "docs/c.md": b""}
    try:
        read_bundle(MemoryTree(files, links=("docs/linked",)))
    except InvalidInput as refusal:
        return refusal.problems
    return ()


@settings(max_examples=300)
@given(BUNDLES | ANYTHING)
def test_any_value_in_hanpon_yaml_is_read_or_refused(value: object) -> None:
    problems = read_or_refuse(yaml.safe_dump(value, allow_unicode=True).encode("utf-8", "replace"))
    assert all(problem.message.endswith((".", "?")) for problem in problems)
    assert all(problem.where.line or problem.rule == "empty-hanpon-yaml" for problem in problems)


@settings(max_examples=100)
@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace")))
def test_any_bytes_in_hanpon_yaml_are_read_or_refused(data: bytes) -> None:
    read_or_refuse(data)


@pytest.mark.parametrize(
    "name",
    ["\u2126", "\u1112\u1161\u11ab", "\ufa19", "go-\ufa19.x"],
    ids=["ohm", "jamo", "compatibility ideograph", "beside signs"],
)
@pytest.mark.parametrize("key", ["name", "api"])
def test_letters_that_nfc_writes_otherwise_are_refused_with_what_to_write(name: str, key: str) -> None:
    names = {"name": "a", "api": "b", key: name}
    fields = "".join(f"{each}: {text}, " for each, text in names.items())
    (line,) = told(f"  - {{kind: design, {fields}api_version: v1, files: a.md}}", "a.md")
    composed = unicodedata.normalize("NFC", name)
    assert line.endswith(f"is not in Unicode NFC (composed characters); write `{composed}`. [bad-name]")


@pytest.mark.parametrize(
    "pair", [("customer", "ｃｕｓｔｏｍｅｒ"), ("ﬁle", "FILE"), ("ガイド", "ｶﾞｲﾄﾞ"), ("K", "\u212a")]
)
def test_names_that_look_like_one_another_are_refused(pair: tuple[str, str]) -> None:
    items = "\n".join(
        f"  - {{kind: api, name: {name}, version: v1, definition: {file}}}"
        for name, file in zip(pair, "ab", strict=True)
    )
    rules = [line.rpartition(" ")[2] for line in told(items, "a", "b")]
    assert "[differs-in-case]" in rules


@pytest.mark.parametrize("word", ["ＡＬＬ", "ｃｏｍｍｏｎ"])
def test_reserved_words_are_reserved_in_every_width(word: str) -> None:
    (line,) = told(f"  - {{kind: api, name: {word}, version: v1, definition: a}}", "a")
    assert line.endswith("[reserved-name]")


@pytest.mark.parametrize(
    ("wanted", "is_told"),
    [
        ("docs/closed/a.md", True),
        ("docs/closed", True),
        ("docs/**/*.md", True),
        ("**/*.md", True),
        ("docs/*/a.md", True),
        ("docs/cl*/**", True),
        ("docs/*.md", False),
        ("docs/*", False),
        ("docs/open/**/*", False),
        ("*/a.md", False),
    ],
)
def test_a_folder_that_may_not_be_read_is_told_where_what_is_wanted_may_stand_in_it(
    wanted: str, is_told: bool
) -> None:
    item = f"  - {{kind: guideline, name: a, files: '{wanted}'}}"
    files = ("docs/a.md", "docs/open/a.md")
    if is_told:
        (line,) = told(item, *files, unreadable=("docs/closed",))
        assert "the folder `docs/closed`, which this user may not read" in line
        assert line.endswith("[unreadable-folder]")
    else:
        text = f"{HEAD}items:\n{item}\n"
        tree = MemoryTree({"hanpon.yaml": text, **dict.fromkeys(files, b"")}, unreadable=["docs/closed"])
        assert read_bundle(tree).items


def test_code_below_a_folder_that_may_not_be_read_is_told() -> None:
    item = "  - {kind: component, name: a, version: v1, code: {language: go, path: src}}"
    (line,) = told(item, "src/a.go", unreadable=("src/closed",))
    assert line.endswith("[unreadable-folder]")


def test_a_reader_that_is_no_principal_is_quoted_with_its_mail_address() -> None:
    (line,) = told("  - {kind: guideline, name: a, files: a.md, readers: ['usr:taro@example.co.jp']}", "a.md")
    assert "`usr:taro@example.co.jp`" in line


def test_a_file_whose_name_holds_a_secret_is_refused_without_saying_it() -> None:
    key = f"AKIA{Values(Random(3)).of(UPPER + '234567', 16)}"
    items = (
        "  - {kind: answers, name: past, files: ['answers/**/*']}\n  - {kind: api, name: a, version: v1, definition: "
    )
    (first, second) = told(f"{items}'{key}.yaml'}}", "answers/a.jsonl", f"answers/{key}/b.jsonl", f"{key}.yaml")
    for line, problem in ((5, first), (6, second)):
        assert problem.startswith(f"hanpon.yaml:{line}#")
        assert problem.endswith("[secret-in-file-name]")
        assert "an AWS access key id" in problem
        assert key not in problem
