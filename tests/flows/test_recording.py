"""What a user is told where Prefect cannot be used, and what Prefect is told of the environment."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from prefect.client.schemas.objects import State
from prefect.states import Completed

from flows import recording
from flows.parameters import Release, Stores
from hanpon.contracts.errors import Unavailable, UsageError
from hanpon.contracts.reports import RunReport
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


def test_a_setting_that_prefect_cannot_use_is_told_in_the_reports_own_shape(desk: Desk) -> None:
    ended = hanpon(desk.folder, "release", "bundle", "--flow", "--json", PREFECT_LOGGING_LEVEL="LOUD")
    assert ended.returncode == 2
    assert "Prefect cannot use its settings" in json.loads(ended.stdout)["findings"][0]["message"]
    assert "Traceback" not in ended.stderr


def test_a_home_that_prefect_cannot_have_is_told_at_once(desk: Desk) -> None:
    desk.put("../home", "no folder")
    ended = hanpon(desk.folder, "release", "bundle", "--flow", PREFECT_HOME=str(desk.folder / "home"))
    assert ended.returncode == 4
    assert "home" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("flag", ["--storage", "--datastore"])
def test_an_address_that_may_hold_a_password_reaches_no_server(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, flag: str
) -> None:
    monkeypatch.setattr(recording, "require_api", lambda: pytest.fail("Prefect was asked"))
    with pytest.raises(UsageError, match=r"found 'elsewhere://\*\*\*@host/x'"):
        recording.record_release(desk.bundle, ReleaseFlags(), settings_from({flag: "elsewhere://user:s3cret@host/x"}))


def test_a_name_that_is_no_text_is_refused_before_anything_is_on_record(desk: Desk) -> None:
    with pytest.raises(UsageError, match="--only"):
        recording.record_release(desk.bundle, ReleaseFlags(only=("\udcff",)), settings_from({}))
    with pytest.raises(UsageError, match="--cache"):
        recording.record_release(desk.bundle, ReleaseFlags(), settings_from({"--cache": "\udcff"}))


def test_what_prefect_is_given_does_not_depend_on_the_current_folder(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Any] = []

    def begun(release: Release, stores: Stores, **_: Any) -> State[Any]:
        given.extend((release.bundle, stores.storage, stores.datastore, stores.cache, Path.cwd()))
        return Completed(data=RunReport(run="r1", dry_run=False))

    monkeypatch.setattr(recording, "require_api", lambda: None)
    monkeypatch.setattr(recording, "release_editions", begun)
    monkeypatch.chdir(desk.folder)
    recording.record_release(
        Path("bundle"),
        ReleaseFlags(),
        settings_from({"--storage": "file:s", "--datastore": "sqlite:d", "--cache": "c"}),
    )
    folder = desk.folder
    assert given == [str(folder / "bundle"), f"file:{folder}/s", f"sqlite:{folder}/d", str(folder / "c"), Path("/")]
    assert Path.cwd() == folder


def test_sigterm_ends_a_recorded_run_as_ctrl_c_does(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(recording, "require_api", lambda: signal.raise_signal(signal.SIGTERM))
    with pytest.raises(KeyboardInterrupt):
        recording.record_release(desk.bundle, ReleaseFlags(), settings_from({}))
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.parametrize("file", ["prefect.toml", ".env", "pyproject.toml"])
def test_the_current_folder_settles_nothing_of_prefects(desk: Desk, file: str) -> None:
    elsewhere = "http://elsewhere.example/api"
    written = {
        "prefect.toml": f'[api]\nurl = "{elsewhere}"\n',
        ".env": f"PREFECT_API_URL={elsewhere}\n",
        "pyproject.toml": f'[tool.prefect.api]\nurl = "{elsewhere}"\n',
    }
    (desk.folder / file).write_text(written[file])
    assert seen(desk.folder) == [False, False, 120, None]


def test_the_temporary_server_runs_no_code_of_the_current_folder(desk: Desk) -> None:
    """Python puts the current folder first where a module is run, as Prefect runs its server."""
    (desk.folder / "uvicorn.py").write_text("open('was-run', 'w').close()\n")
    ended = hanpon(desk.folder, "release", "bundle", "--flow", "--json")
    assert [edition["status"] for edition in json.loads(ended.stdout)["editions"]] == ["published"]
    assert (desk.folder / "out" / "hanpon.db").exists()
    assert not list(desk.folder.rglob("was-run"))


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
    printed = subprocess.run(
        command, cwd=folder, env=environment(folder, **more), capture_output=True, text=True, check=True
    )
    found: list[Any] = json.loads(printed.stdout)
    return found


def test_prefect_reports_to_nobody_and_its_temporary_server_gets_time(tmp_path: Path) -> None:
    assert seen(tmp_path, PREFECT_SERVER_ANALYTICS_ENABLED="true") == [False, False, 120, None]


def test_where_a_run_can_be_seen_is_logged_without_a_password(tmp_path: Path) -> None:
    printed = subprocess.run(
        [sys.executable, "-c", "import flows, prefect.settings as s; print(s.get_current_settings().ui_url)"],
        cwd=tmp_path,
        env=environment(tmp_path, PREFECT_API_URL="https://user:s3cret@prefect.example/api"),
        capture_output=True,
        text=True,
        check=True,
    )
    assert printed.stdout == "https://prefect.example\n"


def test_what_a_user_has_settled_stays(tmp_path: Path) -> None:
    more = {
        "PREFECT_API_URL": "http://prefect.example/api",
        "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "300",
    }
    assert seen(tmp_path, **more) == [False, False, 300, "http://prefect.example/api"]
