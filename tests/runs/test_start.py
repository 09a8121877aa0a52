"""What a command loads before it works: libraries are for those alone whose bundle needs them."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.project.commands import commands
from tests.runs.bundles import Desk

LARGE = {
    *("bs4", "detect_secrets", "docx", "lark", "lxml", "markdown"),
    *("openpyxl", "openapi_spec_validator", "pptx", "pypdf", "pymdownx"),
}
"""Each takes 0.03 to 0.3 s to load, and much memory."""

SERVICES = {"fastapi", "flows", "google", "grpc", "httpx", "prefect", "pydantic", "sqlalchemy"}
"""What talks to Prefect and to Google: seconds to load, and for those who asked for it."""

SCRIPT = """
import json, sys
before = set(sys.modules)
from hanpon.cli import main
codes = []
for arguments in json.loads(sys.argv[1]):
    try:
        main(arguments)
    except SystemExit as ended:
        codes.append(ended.code or 0)
packages = {name.partition(".")[0] for name in set(sys.modules) - before}
sys.stderr.write(chr(10) + json.dumps([codes, sorted(packages - sys.stdlib_module_names)]))
"""


def loaded(*lines: Sequence[str]) -> set[str]:
    """The packages, without Python's own, that commands run one after the other have loaded when they end."""
    command = [sys.executable, "-c", SCRIPT, json.dumps(lines)]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    codes, packages = json.loads(ended.stderr.splitlines()[-1])
    assert codes == [0] * len(lines), ended.stderr
    return set(packages)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    desk.write("/a")
    return desk


def stores(desk: Desk) -> tuple[str, ...]:
    return "--storage", f"file:{desk.storage}", "--datastore", f"sqlite:{desk.database}"


def release(desk: Desk) -> list[str]:
    return ["release", str(desk.bundle), *stores(desk), "--cache", str(desk.folder / "cache")]


@pytest.mark.parametrize("name", commands())
def test_help_loads_hanpon_and_click_alone(name: str) -> None:
    """So it is there at once. Of Prefect or Google it would take seconds."""
    assert loaded([*name.split(), "--help"]) == {"hanpon", "click"}


def test_a_release_of_definitions_alone_loads_no_library_of_another_kind(desk: Desk) -> None:
    packages = loaded(release(desk))
    assert packages & LARGE == set()
    assert {"hanpon", "jsonschema_rs", "yaml"} <= packages


def test_only_what_is_asked_to_run_as_a_flow_loads_prefect(desk: Desk) -> None:
    storage = stores(desk)[:2]
    lines = [
        release(desk),
        ["documents", "shop", "v1", *storage],
        ["names", "shop", "v1", *storage],
        ["search", "Does", *stores(desk)],
        ["search", "Does", "--filter", 'api: ANY("shop")', *stores(desk)],
        ["check", *stores(desk)],
        ["datastore", "rebuild", *stores(desk)],
        ["datastore", "plan", *stores(desk)[2:]],
        ["doctor", *stores(desk)],
        ["withdraw", "shop", "v1", *stores(desk)],
    ]
    tried = {line[0] for line in lines}
    assert tried == {name.split()[0] for name in commands() if name}, "try the new command here too"
    assert loaded(*lines) & SERVICES == set()
