"""What a command loads before it works: libraries are for those alone whose bundle needs them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.runs.bundles import Desk

LARGE = {
    *("bs4", "detect_secrets", "docx", "lark", "lxml", "markdown"),
    *("openpyxl", "openapi_spec_validator", "pptx", "pypdf", "pymdownx"),
}
"""Each takes 0.03 to 0.3 s to load, and much memory."""

SCRIPT = """
import json, sys
from hanpon.cli import main
try:
    main(json.loads(sys.argv[1]))
except SystemExit as ended:
    sys.stderr.write(json.dumps([ended.code or 0, sorted({name.partition(".")[0] for name in sys.modules})]))
"""


def loaded(*arguments: str) -> set[str]:
    """The packages that a command has loaded when it ends."""
    command = [sys.executable, "-c", SCRIPT, json.dumps(arguments)]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    code, modules = json.loads(ended.stderr.splitlines()[-1])
    assert code == 0, ended.stderr
    return set(modules)


@pytest.mark.parametrize(
    "arguments", [["--help"], ["release", "--help"], ["search", "--help"], ["datastore", "--help"]]
)
def test_help_loads_no_library_of_a_reader(arguments: list[str]) -> None:
    assert loaded(*arguments) & (LARGE | {"jsonschema_rs", "yaml", "rich"}) == set()


def test_a_release_of_definitions_alone_loads_no_library_of_another_kind(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.write("/a")
    stores = ("--storage", f"file:{desk.storage}", "--datastore", f"sqlite:{desk.database}")
    modules = loaded("release", str(desk.bundle), *stores, "--cache", str(tmp_path / "cache"))
    assert modules & LARGE == set()
    assert {"hanpon", "jsonschema_rs", "yaml"} <= modules
