"""No crash can spoil an edition: see `crash_walk`."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.runs.bundles import Desk

REPOSITORY = Path(__file__).parents[2]
MEMORY = Path("/dev/shm")


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is such a thing: a walk writes the same few files hundreds of times."""
    if not os.access(MEMORY, os.W_OK):
        yield tmp_path / "work"
        return
    with TemporaryDirectory(dir=MEMORY) as folder:
        yield Path(folder) / "work"


def walk(before: Path | str, after: Path | str, work: Path) -> dict[str, int]:
    command = [sys.executable, "-m", "tests.runs.crash_walk", str(before), str(after), str(work)]
    ended = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False, env=os.environ)
    assert ended.returncode == 0, ended.stderr
    answer: dict[str, int] = json.loads(ended.stdout)
    return answer


def test_a_release_killed_at_any_write_leaves_the_old_edition_and_the_next_run_finishes(
    tmp_path: Path, work: Path
) -> None:
    before, after = Desk(tmp_path / "before"), Desk(tmp_path / "after")
    before.write("/kept", "/changed", "/removed", readers="group:a@example.co.jp, group:b@example.co.jp")
    after.write("/kept", "/changed", "/added", readers="group:b@example.co.jp", summary="Does that")
    answer = walk(before.bundle, after.bundle, work)
    assert answer["boundaries"] > 40
    assert answer["polls"] > answer["boundaries"]


def test_a_first_release_killed_at_any_write_is_finished_by_the_next_run(tmp_path: Path, work: Path) -> None:
    desk = Desk(tmp_path / "desk")
    desk.write("/a", "/b")
    assert walk("-", desk.bundle, work)["boundaries"] > 20


def test_a_withdrawal_killed_at_any_write_is_finished_by_the_next_one(tmp_path: Path, work: Path) -> None:
    desk = Desk(tmp_path / "desk")
    desk.write("/a", "/b")
    desk.put("shop.yaml", (desk.bundle / "shop.yaml").read_text() + "x-leaked: {text: secret}\n")
    assert walk(desk.bundle, "purge:shop@v1", work)["boundaries"] > 10
