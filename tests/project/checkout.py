"""The project's own files, as its tests look at them."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]

MADE = {
    *(".git", ".venv", ".tools", "out", "build", "dist", "hanpon.egg-info", "__pycache__"),
    *(".hypothesis", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".import_linter_cache"),
}
"""Folders that commands make."""

PACKAGES = ("hanpon", "flows", "renderers", "schemas", "templates")
"""What is installed. `flows` and `renderers` are the user's own words, so they stand beside the engine."""


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


def named(path: Path) -> str:
    """A file as a person names it: its path in the project."""
    return path.relative_to(ROOT).as_posix()


def texts() -> list[tuple[str, str]]:
    """Every file by its name, with what stands in it."""
    return [(named(path), path.read_text("utf-8", "replace")) for path in files() if path.is_file()]


def modules(*packages: str) -> list[Path]:
    """The Python files of packages, of all that are installed where none is named."""
    return [path for path in files() if path.suffix == ".py" and named(path).split("/")[0] in (packages or PACKAGES)]


@cache
def tree_of(path: Path) -> ast.Module:
    """A module as Python reads it."""
    return ast.parse(path.read_text("utf-8"))


def imports_of(path: Path) -> Iterator[str]:
    """The modules that a file imports by absolute name, in full, wherever in it."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module
