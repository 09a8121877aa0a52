"""The README's way to a deployment and a run through a worker, typed as it stands there, on this session's server."""

import os
import shlex
import subprocess
import sysconfig
from pathlib import Path

import pytest
from prefect.client.orchestration import get_client
from prefect.settings import get_current_settings

from tests.project.test_shown_commands import lines_of
from tests.runs.bundles import Desk

ROOT = Path(__file__).parents[2]

pytestmark = [pytest.mark.usefixtures("prefect_server"), pytest.mark.xdist_group("prefect")]


def typed(words: list[str], desk: Desk) -> str:
    """What a command of the README says. A worker does what is scheduled and goes home."""
    command = [str(Path(sysconfig.get_path("scripts")) / words[0]), *words[1:]]
    if words[1:3] == ["worker", "start"]:
        command.append("--run-once")
    environment = {
        **os.environ,
        "PREFECT_API_URL": str(get_current_settings().api.url),
        "PREFECT_HOME": str(desk.folder / "prefect"),
        "HANPON_STORAGE": f"file:{desk.storage}",
        "HANPON_DATASTORE": f"sqlite:{desk.database}",
        "HANPON_CACHE": str(desk.folder / "cache"),
    }
    ended = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def test_the_flows_are_deployed_and_run_by_a_worker_as_the_readme_says(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.write("/a", "/b")
    lines = [shlex.split(line) for line in lines_of("README.md") if line.startswith("prefect ")]
    made = [words for words in lines if words[1] in ("work-pool", "--no-prompt")]
    runs = [words for words in lines if words[1:3] == ["deployment", "run"]]
    worker = next(words for words in lines if words[1] == "worker")
    assert (len(made), len(runs)) == (2, 3)
    for words in made:
        typed(words, desk)
    for together in (runs[:1], runs[1:]):  # a release waits for nobody, unless it is told to
        for words in together:
            typed([word.replace("/path/to/bundle", str(desk.bundle)) for word in words], desk)
        typed(worker, desk)
    assert desk.sections() == ["GET /a", "GET /b"]
    with get_client(sync_client=True) as client:
        deployed = [deployment.id for deployment in client.read_deployments()]
        recorded = [run for run in client.read_flow_runs() if run.deployment_id in deployed]
    assert len(deployed) == 3
    assert [run.state_name for run in recorded] == ["Completed"] * 3
