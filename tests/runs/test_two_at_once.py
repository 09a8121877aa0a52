"""Releases at the same time, in processes of their own."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hanpon.adapters.file_storage import FileStorage
from hanpon.contracts.editions import Edition, Kind
from tests.runs.bundles import Desk


def start(bundle: Path, desk: Desk, *arguments: str) -> "subprocess.Popen[str]":
    environment = {
        "HANPON_STORAGE": f"file:{desk.storage}",
        "HANPON_DATASTORE": f"sqlite:{desk.database}",
        "HANPON_CACHE": str(desk.folder / "cache"),
    }
    command = [sys.executable, "-c", "from hanpon.cli import main; main()", "release", str(bundle), *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    desk.write(*(f"/p{number}" for number in range(40)))
    return desk


def test_two_releases_of_one_edition_publish_it_once_and_whole(desk: Desk) -> None:
    running = [start(desk.bundle, desk) for _ in range(3)]
    ended = [(process.communicate(timeout=120), process.returncode) for process in running]
    assert {code for _, code in ended} <= {0, 5}
    assert any(code == 0 for _, code in ended)
    assert all("is held by run" in out[1] for out, code in ended if code == 5)
    assert len(list((desk.storage / "runs").iterdir())) == 1
    assert desk.edition()["status"] == "unchanged"


def test_with_wait_the_second_release_finds_the_work_done(desk: Desk) -> None:
    running = [start(desk.bundle, desk, "--wait", "60", "--json") for _ in range(3)]
    reports = [json.loads(process.communicate(timeout=120)[0]) for process in running]
    assert [process.returncode for process in running] == [0, 0, 0]
    assert sorted(report["editions"][0]["status"] for report in reports) == ["published", "unchanged", "unchanged"]


def test_two_editions_are_released_at_once_into_one_database(desk: Desk, tmp_path: Path) -> None:
    other = Desk(tmp_path / "other")
    other.write("/x", "/y")
    text = (other.bundle / "hanpon.yaml").read_text()
    other.put("hanpon.yaml", text.replace("name: shop", "name: other"))
    running = [start(desk.bundle, desk), start(other.bundle, desk)]
    for process in running:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
    assert len(dict(desk.rows())["document"]) == 42


def test_a_held_edition_exits_5_and_names_the_holder_and_other_work_is_done_when_it_is_free(desk: Desk) -> None:
    with FileStorage(desk.storage).hold(Edition(Kind.API, "shop", "v1"), "20261130-other", 0):
        held = desk.release()
        assert held.exit_code == 5
        assert "20261130-other" in held.stderr
        assert "[held]" in held.stderr
        waiting = start(desk.bundle, desk, "--wait", "60")
        time.sleep(2)
        assert waiting.poll() is None
    assert waiting.wait(timeout=120) == 0
    waiting.communicate()
