"""How the code of the packages looks: short files, the field's own names, a sentence for whatever others may use."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.project.checkout import PACKAGES, ROOT, files, imports_of, modules, named, tree_of
from tests.project.markdown_pages import blocks_of

MOST_LINES = 250
LONGER: Mapping[str, str] = {
    "hanpon/adapters/gcs_lease.py": "one dense subject: a lease from its taking to its end",
    "hanpon/contracts/operations.py": "a table: the nouns of an operation",
    "hanpon/sources/openapi/members.py": "one dense subject: how members of `allOf` become one schema",
    "hanpon/wiring.py": "the one place where settings become adapters",
    "renderers/labels.py": "a table: the words on pages in two languages",
    "renderers/operation_page.py": "the order of everything on the page of an operation",
}
"""Files that are longer, each with the reason. One that has become short is taken off the list."""

EMPTY_NAMES = re.compile(r"(.*_)?(utils?|helpers?|managers?|commons?|misc|base|stuff|tools?)")
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_no_module_is_longer_than_can_be_read_at_once() -> None:
    lengths = {named(path): len(path.read_text("utf-8").splitlines()) for path in modules()}
    longer = {name: length for name, length in lengths.items() if length > MOST_LINES}
    assert not longer.keys() - LONGER.keys(), f"divide them, or say in {Path(__file__).name} why not"
    assert not LONGER.keys() - longer.keys(), f"these are short now: take them off the list in {Path(__file__).name}"


def test_no_module_or_folder_bears_a_name_that_says_nothing() -> None:
    parts = {part.removesuffix(".py") for path in modules(*PACKAGES, "tests") for part in named(path).split("/")}
    assert not [part for part in parts if EMPTY_NAMES.fullmatch(part)]


def public_parts(path: Path) -> Iterator[tuple[str, str | None]]:
    """The public functions and classes of a module with their docstrings; methods where they have one.

    A function that is one expression, such as `pointer_key`, says itself what may be relied on.
    """
    for node in tree_of(path).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            if not isinstance(node.body[0], ast.Return):
                yield node.name, ast.get_docstring(node)
            for member in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(member, ast.FunctionDef) and (text := ast.get_docstring(member)):
                    yield f"{node.name}.{member.name}", text


def is_sentence(docstring: str | None) -> bool:
    """True of a first line that ends as a sentence does; `:` leads over to a list."""
    return bool(docstring) and str(docstring).partition("\n")[0].endswith((".", ":"))


def holds_something(path: Path) -> bool:
    return bool(tree_of(path).body)


def test_every_module_begins_with_a_sentence_that_says_what_it_holds() -> None:
    found = [path for path in modules(*PACKAGES, "tests", "benchmarks") if holds_something(path)]
    without = [named(path) for path in found if not is_sentence(ast.get_docstring(tree_of(path)))]
    assert not without, "the first line of the docstring is a sentence that ends there"


def test_every_package_begins_with_a_sentence_even_where_it_holds_nothing_else() -> None:
    without = [named(path) for path in modules() if path.name == "__init__.py" and not holds_something(path)]
    assert not without, "say in a docstring what the package holds"


def test_whatever_others_may_use_says_in_a_sentence_what_they_may_rely_on() -> None:
    without = [
        f"{named(path)}: {name}" for path in modules() for name, text in public_parts(path) if not is_sentence(text)
    ]
    assert not without, "the first line of the docstring is a sentence that ends there"


def test_nothing_in_the_packages_is_left_for_later() -> None:
    kept = [path for path in files() if named(path).split("/")[0] in PACKAGES]
    assert [named(path) for path in kept if UNFINISHED.search(path.read_text("utf-8", "replace"))] == []


def test_every_test_module_has_tests_and_every_test_a_name_that_is_a_sentence() -> None:
    for path in modules("tests"):
        if path.name.startswith("test_"):
            tests = [name for name in functions_in(path) if name.startswith("test_")]
            assert tests, f"{named(path)} has no test"
            short = [name for name in tests if name.count("_") < 3]
            assert not short, f"{named(path)}: say in the name what holds: {short}"


def functions_in(path: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name


def packages_here() -> list[str]:
    """The folders at the top that hold code which is installed."""
    return sorted({named(path).split("/")[0] for path in modules()})


def test_every_package_is_installed_typed_and_held_by_the_arrows() -> None:
    tools = PROJECT["tool"]
    installed = [pattern.removesuffix("*") for pattern in tools["setuptools"]["packages"]["find"]["include"]]
    for package in packages_here():
        assert package in installed, f"pyproject.toml, setuptools: {package} would not be installed"
        assert package in tools["mypy"]["packages"], f"pyproject.toml, mypy: {package} would not be checked"
        assert package in tools["importlinter"]["root_packages"], (
            f"pyproject.toml, importlinter: {package} may point up"
        )


def test_the_arrows_that_are_drawn_are_those_that_are_held() -> None:
    page = re.sub(r"\s+", " ", (ROOT / "ARCHITECTURE.md").read_text("utf-8"))
    for contract in PROJECT["tool"]["importlinter"]["contracts"]:
        drawn = " → ".join(f"({layer})" if "|" in layer else layer for layer in contract["layers"])
        assert drawn in page, f"ARCHITECTURE.md does not draw: {drawn}"


def test_the_page_of_the_architecture_names_every_package() -> None:
    engine = {
        "/".join(named(path).split("/")[:2]) for path in modules("hanpon") if path.parent.parent.name == "hanpon"
    }
    spans = {span.rstrip("/") for block in blocks_of("ARCHITECTURE.md") for span in block.spans}
    assert not sorted({*packages_here(), *engine} - spans), "say in ARCHITECTURE.md what they hold"


@cache
def asked_for() -> dict[str, set[str]]:
    """The packages that pyproject.toml asks for, each with the names under which it is imported."""
    found: dict[str, set[str]] = {
        canonicalize_name(Requirement(line).name): set() for line in PROJECT["project"]["dependencies"]
    }
    for name, distributions in packages_distributions().items():
        for distribution in distributions:
            found.get(canonicalize_name(distribution), set()).add(name)
    return found


def imported() -> dict[str, str]:
    """The packages of others that the code imports, each with a file that does."""
    known = {*sys.stdlib_module_names, *packages_here()}
    return {
        top: named(path)
        for path in modules()
        for name in imports_of(path)
        if (top := name.split(".")[0]) not in known
    }


def test_whatever_is_imported_is_asked_for() -> None:
    """What comes along with another package may stay away at its next version."""
    known = set().union(*asked_for().values())
    missing = {name: where for name, where in imported().items() if name not in known}
    assert not missing, "name the package in pyproject.toml, and run make pins"


def named_in_text() -> set[str]:
    """The modules that texts of the code name with a dot behind them, as extensions of Markdown are."""
    texts = [node.value for path in modules() for node in ast.walk(tree_of(path)) if isinstance(node, ast.Constant)]
    return {text.split(".")[0] for text in texts if isinstance(text, str) and re.fullmatch(r"\w+(\.\w*)+", text)}


def test_whatever_is_asked_for_is_used() -> None:
    used = imported().keys() | named_in_text()
    idle = [package for package, names in asked_for().items() if not names & used]
    assert not idle, "take it out of pyproject.toml, or use it"


@pytest.mark.parametrize("table", ["docs/decisions/libraries.md"])
def test_whatever_is_asked_for_is_accounted_for(table: str) -> None:
    told = re.findall(r"[\w-]+", (ROOT / table).read_text("utf-8").lower())
    assert not sorted(asked_for().keys() - set(told)), f"say in {table} what it is for"
