"""What holds for the whole project: its files, its documentation, the arrows between its packages."""

import re
import subprocess
import sys
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import click
import pytest
from importlinter.cli import lint_imports

from hanpon.adapters.folder_tree import FolderTree
from hanpon.cli import main
from hanpon.sources.bundles.reader import read_bundle
from hanpon.wiring import SETTINGS

ROOT = Path(__file__).parents[2]
MADE = {
    *(".git", ".venv", ".tools", "out", "build", "dist", "hanpon.egg-info", "__pycache__"),
    *(".hypothesis", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".import_linter_cache"),
}
"""Folders that commands make."""


@cache
def files() -> tuple[Path, ...]:
    """Every file of the project, tracked or about to be."""
    found, folders = [], [ROOT]
    while folders:
        for path in folders.pop().iterdir():
            if path.is_dir() and not path.is_symlink():
                folders += [] if path.name in MADE else [path]
            else:
                found.append(path)
    return tuple(sorted(found))


def texts() -> list[tuple[Path, str]]:
    return [(path.relative_to(ROOT), path.read_text("utf-8", "replace")) for path in files() if path.is_file()]


def test_no_lock_file_stands_in_the_project() -> None:
    locks = {"uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "package-lock.json", "npm-shrinkwrap.json"}
    locks |= {"yarn.lock", "pnpm-lock.yaml"}
    assert [path for path in files() if path.name in locks] == []


def test_no_file_names_a_package_index_or_a_path_of_this_machine() -> None:
    # written in two parts, or this file would name them
    hosts = ["pypi" + r"\.org", "python" + r"hosted\.org", "registry" + r"\.npmjs\.org", "npm" + r"js\.com/"]
    options = [r"--(extra-)?index" + "-url[ =]", "--find" + "-links[ =]", "file" + ":///(opt|root|home)/"]
    places = [re.escape(str(place)) + "/" for place in (ROOT, Path.home()) if len(place.parts) > 1]
    named = re.compile("|".join([*hosts, *options, *places]))
    assert [(str(path), found[0]) for path, text in texts() if (found := named.search(text))] == []


def test_no_file_of_flows_bears_the_name_of_a_package() -> None:
    # Prefect puts the folder first on the import path: a file `json.py` there would be loaded in place of json.
    taken = set(sys.stdlib_module_names) | set(packages_distributions()) | {"flows"}
    stems = {path.stem for path in files() if path.parent == ROOT / "flows" and path.suffix == ".py"}
    assert not stems & taken


def test_nothing_points_up_between_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    code = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True)
    assert code == 0, capsys.readouterr().out


@pytest.mark.parametrize("page", ["README.md", "README.ja.md"])
def test_the_readme_names_every_command_and_setting(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    commands = [f"hanpon {name}" for name in main.list_commands(click.Context(main))]
    settings = [word for setting in SETTINGS for word in (setting.flag, setting.variable)]
    assert [word for word in [*commands, *settings] if word not in text] == []


@pytest.mark.parametrize("page", ["README.md", "README.ja.md"])
def test_every_make_target_that_the_readme_names_is_there(page: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = set(
        re.findall(
            r"\bmake ([a-z]+)\b",
            "\n".join(re.findall(r"`[^`]+`|```.*?```", (ROOT / page).read_text("utf-8"), re.DOTALL)),
        )
    )
    assert named <= targets


def test_every_command_has_an_example() -> None:
    context = click.Context(main)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert command is not None
        assert "hanpon " + name in (command.epilog or ""), name


@pytest.mark.parametrize(
    "bundle", sorted((ROOT / "examples").glob("*/hanpon.yaml")), ids=lambda path: path.parent.name
)
def test_an_example_bundle_is_sound(bundle: Path) -> None:
    assert read_bundle(FolderTree(bundle.parent)).items


def test_the_ci_script_can_be_run() -> None:
    assert subprocess.run(["bash", "-n", str(ROOT / ".ci" / "run")], check=False).returncode == 0
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111


def test_the_licence_is_the_one_that_is_named() -> None:
    text = (ROOT / "LICENSE").read_text("utf-8")
    assert "Apache License\n" in text
    assert "Version 2.0, January 2004" in text
    assert 'license = "Apache-2.0"' in (ROOT / "pyproject.toml").read_text("utf-8")


def test_the_changelog_begins_with_this_version() -> None:
    version = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    first = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert version is not None
    assert first is not None
    assert first[1] == version[1]


def test_the_list_of_decisions_has_a_row_for_every_page() -> None:
    folder = ROOT / "docs/decisions"
    rows = re.findall(r"^\| \[(.+?)\]\((.+?)\) \|", (folder / "README.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(rows) == sorted((path.name, path.name) for path in folder.glob("*.md") if path.name != "README.md")
