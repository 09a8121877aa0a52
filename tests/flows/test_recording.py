"""What a user is told where Prefect cannot be used, and what Prefect is told of the environment."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from flows import recording
from hanpon.contracts.errors import Unavailable
from hanpon.wiring import ReleaseFlags, settings_from
from tests.runs.bundles import Desk


def environment(folder: Path, **more: str) -> dict[str, str]:
    """The environment without anything of Prefect's but a home of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PREFECT_", "DO_NOT_TRACK"))}
    return {**kept, "PREFECT_HOME": str(folder / "prefect"), **more}


def hanpon(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from hanpon.cli import main; main()", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment(folder, **more), capture_output=True, text=True, check=False
    )


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    desk.write("/a")
    return desk


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"PREFECT_API_URL": "http://127.0.0.1:9/api"}, "Prefect (http://127.0.0.1:9/api) cannot be reached"),
        ({"PREFECT_SERVER_EPHEMERAL_ENABLED": "false"}, "PREFECT_API_URL is not set"),
    ],
)
def test_a_server_that_is_not_there_is_told_before_anything_is_released(
    desk: Desk, more: dict[str, str], words: str
) -> None:
    ended = hanpon(desk.folder, "release", "bundle", "--flow", **more)
    assert ended.returncode == 4
    assert words in ended.stderr
    assert "release without --flow" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not (desk.folder / "out").exists()


def test_a_machine_is_told_so_in_the_reports_own_shape(desk: Desk) -> None:
    ended = hanpon(desk.folder, "release", "bundle", "--flow", "--json", PREFECT_API_URL="http://127.0.0.1:9/api")
    record = json.loads(ended.stdout)
    assert (record["editions"], record["findings"][0]["rule"]) == ([], "not-begun")


def test_an_address_with_a_password_is_not_shown(desk: Desk) -> None:
    ended = hanpon(desk.folder, "release", "bundle", "--flow", PREFECT_API_URL="http://u:s3cret@127.0.0.1:9/api")
    assert ended.returncode == 4
    assert "s3cret" not in ended.stderr


def test_prefect_that_fails_on_the_way_is_told_with_what_to_do(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("the server went away")

    monkeypatch.setattr(recording, "require_api", lambda: None)
    monkeypatch.setattr(recording, "release_editions", fail)
    with pytest.raises(Unavailable, match=r"the server went away.*what was published until then is published"):
        recording.record_release(desk.bundle, ReleaseFlags(), settings_from({}))


SETTINGS = """
import flows, json, prefect.settings
settings = prefect.settings.get_current_settings()
print(json.dumps([
    settings.server.analytics_enabled,
    settings.telemetry.enable_resource_metrics,
    settings.server.ephemeral.startup_timeout_seconds,
    settings.api.url,
]))
"""


def seen(folder: Path, **more: str) -> list[Any]:
    command = [sys.executable, "-c", SETTINGS]
    printed = subprocess.run(command, env=environment(folder, **more), capture_output=True, text=True, check=True)
    found: list[Any] = json.loads(printed.stdout)
    return found


def test_prefect_reports_to_nobody_and_its_temporary_server_gets_time(tmp_path: Path) -> None:
    assert seen(tmp_path, PREFECT_SERVER_ANALYTICS_ENABLED="true") == [False, False, 120, None]


def test_what_a_user_has_settled_stays(tmp_path: Path) -> None:
    more = {
        "PREFECT_API_URL": "http://prefect.example/api",
        "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "300",
    }
    assert seen(tmp_path, **more) == [False, False, 300, "http://prefect.example/api"]
