"""Files of `flows/` bear names that nothing else bears: Prefect loads a file there under its stem.

It puts the folder first on the import path, so a file `json.py` would be loaded wherever json is asked for.
"""

import sys
from importlib.metadata import packages_distributions
from importlib.util import find_spec

import pytest

from tests.project.checkout import ROOT, files, imports_of, modules

FLOWS = ROOT / "flows"


def stems() -> set[str]:
    return {path.stem for path in files() if path.parent == FLOWS and path.suffix == ".py"} - {"__init__"}


def taken() -> dict[str, str]:
    """The names that mean something to whoever imports them, each with what that is."""
    ours = {path.name for path in ROOT.iterdir() if path.is_dir() or path.suffix == ".py"}
    asked = {name.split(".")[0] for path in modules("flows") for name in imports_of(path)}
    return {
        **dict.fromkeys(asked, "what a file of flows imports"),
        **dict.fromkeys((name.removesuffix(".py") for name in ours), "a folder or module of the project"),
        **dict.fromkeys(packages_distributions(), "an installed package"),
        **dict.fromkeys(sys.stdlib_module_names, "a module of Python"),
    }


def test_no_file_of_flows_bears_the_name_of_a_module_or_package() -> None:
    names = taken()
    assert {stem: names[stem] for stem in stems() if stem in names} == {}


@pytest.mark.parametrize("name", ["json", "prefect", "hanpon", "tests", "click"])
def test_such_names_are_taken(name: str) -> None:
    assert name in taken()


def test_a_file_of_flows_asks_for_another_by_its_full_name() -> None:
    """`flows.x` is found wherever hanpon is installed, `x` where Prefect has set the path alone."""
    asked = {name.split(".")[0] for path in modules("flows") for name in imports_of(path)}
    assert asked.isdisjoint(stems())


def test_no_stem_of_flows_is_found_from_outside() -> None:
    assert [stem for stem in sorted(stems()) if find_spec(stem) is not None] == []
