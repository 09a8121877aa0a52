"""Definitions with everything wrong: the whole list of what is said of each, word by word."""

from pathlib import Path

import pytest

from hanpon.sources.definitions.checks import check_definition
from hanpon.sources.definitions.files import open_definition
from tests.golden import assert_golden
from tests.trees import MemoryTree

CASES = sorted((Path(__file__).parent / "cases" / "definitions").iterdir())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_everything_that_is_wrong_is_said_at_once(case: Path) -> None:
    files = {path.name: path.read_bytes() for path in case.glob("*.yaml")}
    found = check_definition(open_definition(MemoryTree(files), "openapi.yaml"))
    assert_golden(case / "expected.txt", "".join(f"{one.severity} {one}\n" for one in found))
