"""Who may see which file: the item's readers, or an access file as a table."""

import csv
import io
import unicodedata
from collections import Counter
from functools import cache
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.contracts.access import Access, Grant
from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Severity
from hanpon.sources.access.holding import holding_problem
from hanpon.sources.access.principals import is_principal
from hanpon.sources.access.reader import read_access
from hanpon.sources.texts.inputs import Inputs
from schemas import load
from tests.sources.file_sets import READERS, access_from, all_of_access, item_of, readers_of, told
from tests.trees import MemoryTree

A, B, DEEP = "designs/a.md", "designs/b.md", "designs/設計/c.docx"


def grant(*readers: str, api: str = "COMMON", version: str = "ALL") -> Grant:
    return Grant(readers=readers, api=api, api_version=version)


def refused(data: str | bytes, name: str = "designs/access.csv") -> list[tuple[str, int]]:
    with pytest.raises(InvalidInput) as caught:
        access_from(data, A, name=name)
    return [(problem.rule, problem.where.line) for problem in caught.value.problems]


def test_without_an_access_file_every_file_has_the_readers_of_its_item() -> None:
    item = item_of(A, readers=("user:b@x", "group:a@x"), api="order", api_version="v1")
    access, findings = read_access(item, Inputs(MemoryTree({})))
    assert (access, findings) == (Access(common=grant("group:a@x", "user:b@x", api="order", version="v1")), ())


def test_without_readers_nobody_is_granted_anything() -> None:
    access, _ = read_access(item_of(A, readers=()), Inputs(MemoryTree({})))
    assert access.of(A) is None


def test_an_access_file_replaces_the_readers_of_the_item() -> None:
    access, findings = access_from(f"path,principals\n{A},user:taro@x;group:crm@x\n{B},all\n", A, B, DEEP)
    assert access.by_file == {A: grant("group:crm@x", "user:taro@x"), B: grant("all")}
    assert access.common is None
    assert (access.of(DEEP), findings) == (None, ())
    assert not set(READERS) & set(readers_of(access, A))


def test_columns_may_stand_in_any_order_and_say_what_a_file_holds_for() -> None:
    table = f"api_version,principals,path,api\nv2,all,{A},order\n,all,{B},\n"
    access, findings = access_from(table, A, B, api="customer", api_version="v1")
    assert access.by_file == {
        A: grant("all", api="order", version="v2"),
        B: grant("all", api="customer", version="v1"),
    }
    assert findings == ()


@pytest.mark.parametrize(
    ("said", "expected"),
    [("COMMON,", ("COMMON", "ALL")), ("order,ALL", ("order", "ALL")), (",v3", ("customer", "v3"))],
)
def test_what_a_line_leaves_open_is_said_by_the_item(said: str, expected: tuple[str, str]) -> None:
    access, _ = access_from(f"path,principals,api,api_version\n{A},all,{said}\n", A, api="customer", api_version="v1")
    assert access.by_file[A] == grant("all", api=expected[0], version=expected[1])


def test_excel_writes_a_mark_line_ends_quotes_and_blank_lines() -> None:
    table = f'\ufeffpath,principals\r\n"{A}","group:x@x; user:y@x;"\r\n\r\n,\r\n{B} , all \r\n'
    access, findings = access_from(table, A, B)
    assert access.by_file == {A: grant("group:x@x", "user:y@x"), B: grant("all")}
    assert findings == ()


def test_a_table_in_the_encoding_of_the_item_is_read_and_so_is_one_in_utf_8() -> None:
    table = f"path,principals\n{DEEP},all\n"
    for encoding in ("cp932", "utf-8"):
        access, _ = access_from(table.encode(encoding), DEEP, encoding="cp932")
        assert access.by_file == {DEEP: grant("all")}
    assert refused(table.encode("cp932")) == [("not-utf-8", 2)]


def test_a_path_is_read_in_nfc() -> None:
    access, _ = access_from("path,principals\ndesigns/カ\u3099.md,all\n", "designs/ガ.md")
    assert access.by_file == {"designs/ガ.md": grant("all")}


def test_a_principal_that_is_none_takes_the_grant_from_the_whole_line() -> None:
    access, findings = access_from(f"path,principals\n{A},all;everyone\n{B},group:x@x\n", A, B)
    assert access.by_file == {B: grant("group:x@x")}
    assert told(findings) == [("bad-principal", "error", 2)]
    assert "`everyone`" in findings[0].message


def test_a_path_with_two_lines_has_no_grant_and_both_lines_are_told() -> None:
    access, findings = access_from(f"path,principals\n{A},all\n{B},all\n{A},group:x@x\n", A, B)
    assert access.by_file == {B: grant("all")}
    assert told(findings) == [("access-entry-twice", "error", 4)]
    assert "line 2" in findings[0].message


def test_a_second_line_that_is_broken_takes_the_grant_of_the_first_as_well() -> None:
    access, findings = access_from(f"path,principals\n{A},all\n{A},group:x@x,user:y@x\n", A)
    assert access.by_file == {}
    assert [finding.rule for finding in findings] == ["access-entry-twice", "access-row"]


def test_what_becomes_of_files_without_a_sound_entry_is_told_once_while_there_are_errors() -> None:
    broken = f"path,principals\n{A},gruop:x@x\n{B},all\n"
    _, findings = all_of_access(broken, A, B, DEEP)
    [unclear] = [each for each in findings if each.rule == "access-unclear"]
    assert unclear.severity is Severity.WARNING
    assert f"`{A}` and 1 more" in unclear.message
    assert "hanpon withdraw" in unclear.message
    for sound in (f"path,principals\n{B},all\n", f"path,principals\n{A},\n{B},all\n"):
        _, findings = all_of_access(sound, A, B)
        assert "access-unclear" not in {each.rule for each in findings}, "nobody is meant, and that is clear"
    _, findings = all_of_access(f"path,principals\nx.md,gruop:x@x\n{A},all\n", A, "designs/flow.png")
    assert "access-unclear" not in {each.rule for each in findings}, (
        "every file has its readers, and images need none"
    )


def test_a_line_without_principals_is_for_nobody() -> None:
    access, findings = access_from(f"path,principals\n{A},\n{B}, ; \n", A, B)
    assert access.by_file == {}
    assert told(findings) == [("no-readers", "warning", 2), ("no-readers", "warning", 3)]


@pytest.mark.parametrize("line", [f"{A}", f"{A},group:x@x,user:y@x", ",all"])
def test_a_line_of_other_cells_than_the_header_grants_nothing(line: str) -> None:
    access, findings = access_from(f"path,principals\n{line}\n", A)
    assert access.by_file == {}
    assert ("access-row", "error", 2) in told(findings)


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("order,", "access-entry"),
        ("or der,v1", "bad-name"),
        ("order,v 1", "bad-version"),
        ("common,ALL", "reserved-name"),
        ("ALL,v1", "reserved-name"),
        ("order,all", "reserved-name"),
        ("COMMON,v1", "common-with-version"),
        ("x" * 101 + ",v1", "bad-name"),
    ],
)
def test_what_a_file_holds_for_follows_the_rules_of_hanpon_yaml(said: str, rule: str) -> None:
    access, findings = access_from(f"path,principals,api,api_version\n{A},all,{said}\n", A)
    assert access.by_file == {}
    assert told(findings) == [(rule, "error", 2)]


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("a.md", f"write `{A}`"),
        (r"..\designs\a.md", f"write `{A}`"),
        ("Designs/A.md", f"`{A}`"),
        ("designs/aa.md", f"did you mean `{A}`"),
        ("elsewhere/entirely.pdf", "does nothing."),
    ],
)
def test_an_entry_in_vain_is_told_with_a_hint(written: str, hint: str) -> None:
    access, findings = access_from(f"path,principals\n{written},all\n", A)
    assert access.by_file == {}
    assert told(findings) == [("access-entry-unused", "warning", 2)]
    assert hint in findings[0].message


def test_a_pattern_is_an_error_unless_a_file_is_called_so() -> None:
    _, findings = access_from("path,principals\ndesigns/*.md,all\ndesigns/?.md,all\n", A)
    assert told(findings) == [("access-pattern", "error", 2), ("access-pattern", "error", 3)]
    access, findings = access_from("path,principals\ndesigns/*.md,all\n", "designs/*.md")
    assert (access.by_file, findings) == ({"designs/*.md": grant("all")}, ())


@pytest.mark.parametrize(
    ("table", "problems"),
    [
        ("", [("access-header", 0)]),
        ("\n  \n", [("access-header", 0)]),
        ("file,principals\n", [("access-header", 1), ("access-header", 1)]),
        ("\npath,principals,except\n", [("access-header", 2)]),
        ("path,path,principals\n", [("access-header", 1)]),
        ("Path,Principals\n", [("access-header", 1)] * 4),
        (f'path,principals\n{A},all\n"{B},all\n', [("csv-syntax", 3)]),
        (f'path,principals\n"{A}"x,all\n', [("csv-syntax", 2)]),
        (b"path,principals\n\xff,all\n", [("not-utf-8", 2)]),
    ],
)
def test_a_table_that_cannot_be_relied_on_is_refused_whole(
    table: str | bytes, problems: list[tuple[str, int]]
) -> None:
    assert refused(table) == problems


def test_an_access_file_of_another_kind_is_refused() -> None:
    assert refused("path: x", "designs/access.yaml") == [("access-format", 0)]


def test_an_access_file_that_is_gone_or_too_large_is_refused() -> None:
    item = item_of(A, access="designs/access.csv")
    for tree in (MemoryTree({}), MemoryTree({item.access: "x"}, sizes={item.access: 2**40})):
        with pytest.raises(InvalidInput, match=r"missing-file|too-large"):
            read_access(item, Inputs(tree))


def test_what_was_read_is_remembered_as_an_input() -> None:
    inputs = Inputs(MemoryTree({"a.csv": "path,principals\n"}))
    read_access(item_of(A, access="a.csv"), inputs)
    assert set(inputs.remembered) == {"a.csv"}


def test_no_more_than_a_hundred_problems_are_listed_and_every_grant_stays_away() -> None:
    files = [f"designs/{number}.md" for number in range(300)]
    access, findings = access_from("path,principals\n" + "".join(f"{file},x\n" for file in files), *files)
    assert access.by_file == {}
    assert Counter(each.rule for each in findings) == {"bad-principal": 100, "too-many-problems": 1}


PRINCIPALS = st.sampled_from(["all", "group:a@x", "user:b@x", "everyone", "group:", "user:a b", ""])
PATHS = st.sampled_from([A, B, DEEP, "a.md", "designs/*", " " + A, "DESIGNS/A.MD", ""])
LINES = st.lists(st.tuples(PATHS, st.lists(PRINCIPALS, max_size=3)), max_size=6)


@given(LINES)
def test_nobody_gets_in_but_the_principals_written_for_exactly_that_path(
    lines: list[tuple[str, list[str]]],
) -> None:
    text = io.StringIO()
    csv.writer(text).writerows([["path", "principals"], *([path, ";".join(who)] for path, who in lines)])
    access, _ = access_from(text.getvalue(), A, B, DEEP)
    for file in (A, B, DEEP):
        own = [who for path, who in lines if path.strip() == file]
        assert set(readers_of(access, file)) <= {principal for who in own for principal in who}
        if len(own) != 1 or not all(is_principal(each) or not each for each in own[0]):
            assert access.of(file) is None


@given(st.text(max_size=200))
def test_whatever_stands_in_a_table_widens_nothing_and_breaks_nothing(text: str) -> None:
    try:
        access, _ = access_from(text.encode("utf-8", "surrogatepass"), A)
    except InvalidInput:
        return
    assert all(reader in text for reader in readers_of(access, A))


@cache
def _validator(defined: str) -> Any:
    """Made once: the categories of Unicode in its patterns take a tenth of a second to read."""
    bundle = load("bundle")
    return jsonschema_rs.validator_for({"$schema": bundle["$schema"]} | bundle["$defs"][defined])


def fits(defined: str, value: str) -> bool:
    """Whether the schema of hanpon.yaml takes a value for what it defines under this name."""
    return bool(_validator(defined).is_valid(value))


@given(
    st.text(max_size=12)
    | st.from_regex(r"(group|user|all):?[^;]{0,12}", fullmatch=True)
    | st.just("user:" + "x" * 201)
)
def test_a_principal_is_what_the_schema_of_hanpon_yaml_says(text: str) -> None:
    assert is_principal(text) == fits("principal", text)


KNOWN = st.characters(exclude_categories=["Cs", "Cn"])
"""Characters that this Python knows: the schema's reader may know letters of a later Unicode."""


@given(st.text(KNOWN, min_size=1, max_size=8), st.text(KNOWN, min_size=1, max_size=8))
def test_a_name_and_a_version_are_what_the_schema_of_hanpon_yaml_says(api: str, version: str) -> None:
    said = holding_problem(api, version)
    rule = said.rule if said else ""
    is_name = fits("held_api", api) and unicodedata.is_normalized("NFC", api)  # of which a schema can say nothing
    assert (rule == "bad-name") == (not is_name)
    if rule != "bad-name":
        assert (rule == "bad-version") == (not fits("held_version", version))
