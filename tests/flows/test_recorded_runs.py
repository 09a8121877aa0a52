"""Flow runs on a real Prefect server: what a person finds there of a release, a backfill, a check."""

import json
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterFlowRunId
from prefect.client.schemas.objects import FlowRun, State

from flows import recorded_steps
from flows.backfill_editions import backfill_editions
from flows.check_consistency import check_consistency
from flows.endings import result_of
from flows.parameters import Backfill, Check, Release, Stores
from flows.release_editions import release_editions
from hanpon.adapters.file_storage import FileStorage
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import Unavailable
from tests.runs.bundles import Desk

pytestmark = [
    pytest.mark.usefixtures("prefect_server"),
    pytest.mark.xdist_group("prefect"),  # one worker, one server
]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    desk.write("/a", "/b")
    return desk


@pytest.fixture(autouse=True)
def _without_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded_steps, "carry_out", recorded_steps.carry_out.with_options(retry_delay_seconds=0))


def stores(desk: Desk) -> Stores:
    return Stores(
        storage=f"file:{desk.storage}", datastore=f"sqlite:{desk.database}", cache=str(desk.folder / "cache")
    )


def released(desk: Desk, **flags: Any) -> State[Any]:
    return release_editions(Release(bundle=str(desk.bundle), **flags), stores(desk), return_state=True)


def on_record(state: State[Any]) -> FlowRun:
    run = state.state_details.flow_run_id
    assert run is not None
    with get_client(sync_client=True) as client:
        return client.read_flow_run(run)


def artifacts_of(run: UUID) -> dict[str, str]:
    with get_client(sync_client=True) as client:
        kept = client.read_artifacts(artifact_filter=ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[run])))
    return {artifact.key or "": str(artifact.data) for artifact in kept}


def test_a_release_is_on_record_with_its_parameters_its_steps_a_table_and_a_page(desk: Desk) -> None:
    state = released(desk)
    run = on_record(state)
    assert (run.state_name, run.name) == ("Completed", "release bundle")
    assert state.message == "1 published"
    assert run.parameters["release"]["bundle"] == str(desk.bundle)
    assert run.parameters["stores"]["storage"] == f"file:{desk.storage}"
    artifacts = artifacts_of(run.id)
    (row,) = json.loads(artifacts["release-editions"])
    assert (row["name"], row["version"], row["status"], row["added"]) == ("shop", "v1", "published", 2)
    assert "1 published" in artifacts["release-report"]
    assert desk.sections() == ["GET /a", "GET /b"]


def test_an_unchanged_release_publishes_nothing_and_says_so(desk: Desk) -> None:
    released(desk)
    before = desk.files()
    state = released(desk)
    assert (state.is_completed(), state.message) == (True, "1 unchanged")
    assert desk.files() == before


def test_a_release_as_a_flow_publishes_the_very_same_as_one_without(desk: Desk, tmp_path: Path) -> None:
    released(desk)
    plain = Desk(tmp_path / "plain")
    plain.write("/a", "/b")
    assert plain.release().exit_code == 0
    assert plain.rows() == desk.rows()
    assert [path for path in plain.files("storage") if "/pages/" in path] == [
        path for path in desk.files("storage") if "/pages/" in path
    ]


def test_a_refused_edition_fails_the_run_in_words_and_is_not_tried_again(desk: Desk) -> None:
    desk.put("shop.yaml", "openapi: 3.0.3\npaths: {}\n")
    state = released(desk)
    run = on_record(state)
    assert (run.state_name, state.message) == ("Failed", "1 failed (exit code 3)")
    report = result_of(state)
    assert report.exit_code == 3
    assert "info" in artifacts_of(run.id)["release-report"]
    assert not desk.sections()


def test_what_keeps_a_run_from_beginning_is_its_message(desk: Desk) -> None:
    state = release_editions(Release(bundle=str(desk.folder / "nowhere")), stores(desk), return_state=True)
    assert state.is_failed()
    assert "nowhere does not exist" in str(state.message)
    assert result_of(state).exit_code == 2


class FailingHold:
    """`FileStorage.hold` that is unavailable so many times before it works."""

    def __init__(self, times: int) -> None:
        self.left = times
        self.hold = FileStorage.hold

    def __call__(self) -> Callable[..., AbstractContextManager[None]]:
        failing = self

        def hold(storage: FileStorage, edition: Edition, holder: str, wait: float) -> AbstractContextManager[None]:
            if failing.left:
                failing.left -= 1
                raise Unavailable("the disk was away")
            return failing.hold(storage, edition, holder, wait)

        return hold


@pytest.mark.parametrize(("times", "status"), [(1, "published"), (3, "published"), (4, "failed")])
def test_a_step_is_tried_again_where_a_service_was_unavailable(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, times: int, status: str
) -> None:
    monkeypatch.setattr(FileStorage, "hold", FailingHold(times)())
    state = released(desk)
    (edition,) = result_of(state).editions
    assert edition.status == status
    assert (state.is_completed(), edition.exit_code) == ((True, 0) if status == "published" else (False, 4))
    assert desk.sections() == (["GET /a", "GET /b"] if status == "published" else [])


def test_a_slip_of_hanpons_own_fails_its_edition_and_is_not_tried_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def hold(*arguments: object) -> None:
        calls.append(arguments)
        raise ZeroDivisionError

    monkeypatch.setattr(FileStorage, "hold", hold)
    (edition,) = result_of(released(desk)).editions
    assert [finding.rule for finding in edition.findings if finding.severity == "error"] == ["internal-error"]
    assert len(calls) == 1


def test_a_backfill_goes_on_after_a_bundle_that_fails(desk: Desk, tmp_path: Path) -> None:
    backfill = Backfill(bundles=[str(tmp_path / "nowhere"), str(desk.bundle)])
    state = backfill_editions(backfill, stores(desk), return_state=True)
    assert state.is_failed()
    assert [report.exit_code for report in result_of(state)] == [2, 0]
    assert desk.sections() == ["GET /a", "GET /b"]
    assert set(artifacts_of(on_record(state).id)) == {"backfill-editions", "backfill-report"}


def test_a_backfill_publishes_what_can_be_shown_of_an_invalid_definition(desk: Desk) -> None:
    desk.put("shop.yaml", "openapi: 3.0.3\npaths: {/a: {get: {responses: {'200': {description: fine}}}}}\n")
    state = backfill_editions(Backfill(bundles=[str(desk.bundle)]), stores(desk), return_state=True)
    assert (state.is_completed(), desk.sections()) == (True, ["GET /a"])


def test_a_check_completes_where_all_is_consistent_and_fails_where_something_has_drifted(desk: Desk) -> None:
    released(desk)
    sound = check_consistency(Check(), stores(desk), return_state=True)
    assert (sound.is_completed(), sound.message) == (True, "1 consistent")
    next(iter((desk.storage / "api/shop/v1/pages").iterdir())).unlink()
    drifted = check_consistency(Check(), stores(desk), return_state=True)
    assert (drifted.is_failed(), drifted.message) == (True, "1 drifted (exit code 1)")
    assert "release the edition again" in artifacts_of(on_record(drifted).id)["check-report"]


def test_the_command_line_records_a_run_and_prints_what_it_prints_without(desk: Desk) -> None:
    record = desk.report("--flow")
    assert [edition["status"] for edition in record["editions"]] == ["published"]
    assert desk.release("--flow").stdout.startswith("shop@v1: unchanged")


def labels_of(run: UUID) -> list[str]:
    with get_client(sync_client=True) as client:
        graph = client.request("GET", "/flow_runs/{id}/graph-v2", path_params={"id": run}).json()
    return [node["label"] for _, node in graph["nodes"] if node["kind"] == "task-run"]


def test_the_steps_of_a_release_are_few_tasks_for_each_edition(desk: Desk) -> None:
    released(desk)
    desk.write("/a", "/b", readers="group:few@example.co.jp")
    run = on_record(released(desk)).id
    steps = ["narrow shop@v1", "print shop@v1", "publish shop@v1"]
    for _ in range(100):  # the server is told of tasks by events, a moment later
        if len(labels_of(run)) >= len(steps):
            break
        time.sleep(0.2)
    assert labels_of(run) == steps
