"""The two READMEs: they name all there is, nothing that is not there, and say the same in two languages."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from pathlib import Path

import pytest

from hanpon.contracts.editions import Kind
from hanpon.contracts.settings import SETTINGS
from schemas import load
from tests.project.checkout import ROOT, modules, tree_of
from tests.project.commands import (
    SETTING_FLAGS,
    command_of,
    commands,
    example_of,
    leaves,
    options_of,
    unknown_options,
    usage_of,
)
from tests.project.markdown_pages import (
    READMES,
    Block,
    blocks_of,
    code_of,
    pages,
    passages,
    spans_in,
)

VARIABLE = re.compile(r"\bHANPON_[A-Z_]+\b|\bPREFECT_API_URL\b")
EXIT_CODES = re.compile(r"^(?:Exit codes:|終了コード:)")
OF_THE_SHELL = 128
"""Codes above it tell of a signal; they are no decision of a command's."""

everywhere = pytest.mark.parametrize("page", READMES)


def words(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


def table_of_commands(page: str) -> Block:
    return next(block for block in blocks_of(page) if block.kind == "table" and "`hanpon " in block.text)


def table_of_settings(page: str) -> Block:
    return next(block for block in blocks_of(page) if block.kind == "table" and "`HANPON_" in block.text)


@everywhere
def test_the_table_of_commands_is_the_list_of_commands(page: str) -> None:
    listed = [spans_in(row[0]) for row in table_of_commands(page).rows[1:]]
    assert listed == [[usage_of(name)] for name in leaves()], (
        f"{page}: a row for each command, in the order of --help"
    )


@everywhere
def test_every_option_of_every_command_is_explained(page: str) -> None:
    """An option stands where its command is named too; what all have, and settings, stand somewhere."""
    told = [(spans_in(above), spans_in(line)) for above, line in passages(page)]
    missing = [
        f"{option} of hanpon {name}".strip()
        for name, command in commands().items()
        for option in options_of(command)
        if option not in SETTING_FLAGS and not any(explains(name, option, *place) for place in told)
    ]
    assert not missing, f"{page} does not explain {', '.join(missing)}"


def explains(name: str, option: str, above: list[str], line: list[str]) -> bool:
    if not any(option in span.split() for span in line):
        return False
    every = option in {"--help", "--json", "--version"}
    return every or any(span == name or f"{span} ".startswith(f"hanpon {name} ") for span in (*above, *line))


@everywhere
def test_every_setting_stands_with_its_flag_its_variable_and_its_default(page: str) -> None:
    rows = [[spans_in(cell) for cell in row[:3]] for row in table_of_settings(page).rows[1:]]
    assert rows == [[[each.flag], [each.variable], [each.default] if each.default else []] for each in SETTINGS]


@everywhere
def test_every_variable_that_is_read_is_named_and_no_other(page: str) -> None:
    asked = {found for path in modules() for found in VARIABLE.findall(path.read_text("utf-8"))}
    told = set(VARIABLE.findall(words(page)))
    assert not asked - told, f"{page} does not name {sorted(asked - told)}"
    known = asked | {found for path in modules("tests", "benchmarks") for found in VARIABLE.findall(path.read_text())}
    assert not told - known, f"{page} names what nothing reads: {sorted(told - known)}"


def codes_in(path: Path) -> Iterator[int]:
    """The exit codes that a module decides on: `exit_code = 4`, `INTERRUPTED = 130` and `sys.exit(INTERRUPTED)`, …"""
    tree = tree_of(path)
    numbers = {
        target.id: value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(value := node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for expression in (part for node in ast.walk(tree) for part in decisions_in(node)):
        for part in ast.walk(expression):
            number = part.value if isinstance(part, ast.Constant) else numbers.get(getattr(part, "id", ""))
            if type(number) is int:
                yield number


def decisions_in(node: ast.AST) -> Iterator[ast.expr]:
    """What an exit code is made of: an assignment, an argument, what a property returns, what ends the command."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) | ast.keyword(arg=str(name), value=value):
            yield from [value] if name.startswith("exit_code") else []
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield from [value] if name.startswith("exit_code") else []
        case ast.FunctionDef(name="exit_code"):
            yield from (
                part.value for part in ast.walk(node) if isinstance(part, ast.Return) and part.value is not None
            )
        case ast.Call(args=[argument]) if ast.unparse(node.func) in {"sys.exit", "SystemExit"}:
            yield argument


@cache
def exit_codes() -> set[int]:
    return {code for path in modules("hanpon", "flows") for code in codes_in(path)}


def told_codes(page: str) -> set[int]:
    line = next(block for block in blocks_of(page) if EXIT_CODES.match(block.text))
    return {int(span) for span in line.spans if span.isdecimal()}


def test_the_exit_codes_are_found_in_the_code() -> None:
    assert exit_codes() >= {0, 1, 2, 3, 4, 5}


@everywhere
def test_every_exit_code_that_a_command_may_end_with_is_told(page: str) -> None:
    untold = exit_codes() - told_codes(page)
    assert not untold, f"{page} does not say when a command ends with {sorted(untold)}"
    assert told_codes(page) <= exit_codes(), f"{page} tells of codes that no command ends with"


def test_the_help_of_hanpon_tells_the_same_exit_codes() -> None:
    told = {int(found) for found in re.findall(r"[:;]\s+(\d+) ", commands()[""].help or "")}
    assert told == {code for code in exit_codes() if code < OF_THE_SHELL}


@everywhere
def test_every_field_of_the_metadata_and_every_doc_type_is_named_where_filters_are(page: str) -> None:
    (row,) = (line for _, line in passages(page) if line.startswith("`--filter"))
    fields = load("document")["$defs"]["metadata"]["properties"]
    assert {*fields, *fields["doc_type"]["enum"]} <= set(spans_in(row))


@everywhere
def test_every_kind_stands_in_the_bundle_that_is_shown(page: str) -> None:
    (bundle,) = (text for text in code_of(page, "yaml") if "items:" in text)
    assert re.findall(r"kind: (\w+)", bundle) == [str(kind) for kind in Kind], (
        f"{page}: one item of each kind, in order"
    )


@everywhere
def test_every_key_of_a_bundle_is_named(page: str) -> None:
    schema = load("bundle")
    keys = set(schema["properties"]).union(*(schema["$defs"].get(kind, {}).get("properties", ()) for kind in Kind))
    shown = {key for block in code_of(page, "yaml") for key in re.findall(r"(\w+):", block)}
    told = {word for block in blocks_of(page) for span in block.spans for word in re.findall(r"\w+", span)}
    assert sorted(keys - shown - told) == [], f"{page} does not name these keys of hanpon.yaml"


@everywhere
def test_every_command_line_in_a_page_can_be_typed(page: str) -> None:
    assert_can_be_typed(page)


@pytest.mark.parametrize("page", [page for page in pages() if page not in READMES])
def test_every_command_line_in_another_page_can_be_typed(page: str) -> None:
    assert_can_be_typed(page)


def assert_can_be_typed(page: str) -> None:
    lines = [span for block in blocks_of(page) for span in block.spans if re.match(r"hanpon [a-z-]", span)]
    wrong = [line for line in lines if not is_known(line)]
    assert not wrong, f"{page} shows commands or options that are not there: {wrong}"


def is_known(line: str) -> bool:
    try:
        command_of(line)
    except KeyError:
        return False
    return not unknown_options(line)


def test_a_command_or_option_that_is_not_there_is_noticed() -> None:
    assert is_known("hanpon datastore rebuild --dry-run")
    assert not is_known("hanpon datastore rebuild --purge")
    assert not is_known("hanpon unheard-of")


@pytest.mark.parametrize("name", commands())
def test_every_command_has_an_example_of_itself(name: str) -> None:
    example = example_of(commands()[name])
    assert example, f'give `hanpon {name}` an epilog such as "Example: {usage_of(name)}"'
    assert f"{example} ".startswith(f"hanpon {name} ".replace("  ", " "))
    assert is_known(example)


@pytest.mark.parametrize("name", leaves())
def test_every_command_answers_machines_too(name: str) -> None:
    assert "--json" in options_of(leaves()[name])


def shape(block: Block | None) -> object:
    """What must be equal in two languages: the kind of block, its size, and whatever stands in code."""
    if block is None:
        return "nothing"
    if block.is_code:
        return block.kind, block.without_comments
    links = sorted(link for link in block.links if link not in READMES)
    if block.kind == "heading":
        return len(block.text.split()[0]), block.spans
    if block.kind == "table":
        return [[frozenset(spans_in(cell)) for cell in row] for row in block.rows], links
    items = block.text.count("\n- ") if block.kind == "list" else 0
    return block.kind, items, block.spans, links


def test_the_two_readmes_say_the_same_block_by_block() -> None:
    for one, other in zip_longest(*map(blocks_of, READMES)):
        beginnings = [block.text.partition("\n")[0][:100] if block else "(the end)" for block in (one, other)]
        assert shape(one) == shape(other), " differs from ".join(f"“{beginning}”" for beginning in beginnings)


def test_what_is_no_code_is_another_language() -> None:
    """A paragraph that was never translated would be as long and as full of code."""
    for one, other in zip(*map(blocks_of, READMES), strict=False):
        if one.kind == "paragraph" and len(one.text) > 40:
            assert one.text != other.text, one.text


@everywhere
def test_every_make_target_that_is_named_is_there_and_the_important_ones_are_named(page: str) -> None:
    there = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    code = "\n".join(block.text if block.is_code else "\n".join(block.spans) for block in blocks_of(page))
    told = set(re.findall(r"\bmake ([a-z]+)\b", code))
    assert told <= there
    assert {"demo", "test"} <= told
    last = max(number for number, block in enumerate(blocks_of(page)) if block.kind == "heading")
    developing = {span for block in blocks_of(page)[last:] for span in block.spans}
    missing = [
        f"make {name}" for name in ("check", "golden", "pins", "bench") if not names(f"make {name}", developing)
    ]
    assert not missing, f"the last section of {page} does not say what {', '.join(missing)} does"


def names(start: str, spans: set[str]) -> bool:
    return any(f"{span} ".startswith(f"{start} ") for span in spans)


@everywhere
def test_the_records_that_are_shown_are_described(page: str) -> None:
    """Each line of JSON stands below a link to its schema."""
    for number, block in enumerate(blocks_of(page)):
        if block.kind == "json":
            (link,) = (link for link in blocks_of(page)[number - 1].links if link.endswith(".schema.json"))
            assert (
                json.loads(block.text).keys()
                <= load(Path(link).name.removesuffix(".schema.json"))["properties"].keys()
            )
