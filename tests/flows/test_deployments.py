"""`prefect.yaml`: Prefect ignores what it does not know in it, so a slip has to be found here."""

import importlib
from pathlib import Path
from typing import Any

import pytest
import yaml
from prefect import Flow
from prefect.cli.deploy._models import DeploymentConfig, PrefectYamlModel
from pydantic import BaseModel

ROOT = Path(__file__).parents[2]
CONTENT: dict[str, Any] = yaml.safe_load((ROOT / "prefect.yaml").read_text("utf-8"))
DEPLOYMENTS: list[dict[str, Any]] = CONTENT["deployments"]
ANCHORS = "definitions"
"""A key of our own, which Prefect leaves alone: what several deployments share."""


def flow_of(deployment: dict[str, Any]) -> Flow[..., Any]:
    file, _, name = deployment["entrypoint"].partition(":")
    flow = getattr(importlib.import_module(file.removesuffix(".py").replace("/", ".")), name)
    assert isinstance(flow, Flow)
    return flow


def unknown_keys(value: dict[str, Any], model: type[BaseModel]) -> set[str]:
    known = {alias for name, field in model.model_fields.items() for alias in (name, field.alias) if alias}
    return set(value) - known


by_name = pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=lambda deployment: deployment["name"])


def test_the_file_is_one_that_prefect_accepts() -> None:
    PrefectYamlModel.model_validate(CONTENT)


def test_no_key_is_misspelt() -> None:
    assert unknown_keys(CONTENT, PrefectYamlModel) == {ANCHORS}
    assert [unknown_keys(deployment, DeploymentConfig) for deployment in DEPLOYMENTS] == [set()] * len(DEPLOYMENTS)


@by_name
def test_what_a_deployment_is_made_of_has_no_misspelt_key_either(deployment: dict[str, Any]) -> None:
    assert set(deployment["work_pool"]) <= {"name", "work_queue_name", "job_variables"}
    limit = deployment["concurrency_limit"]
    assert set(limit) <= {"limit", "collision_strategy", "grace_period_seconds"}
    assert limit["collision_strategy"] in {"ENQUEUE", "CANCEL_NEW"}


def test_a_misspelt_key_would_be_found() -> None:
    assert unknown_keys({"entrypint": "flows/x.py:x"}, DeploymentConfig) == {"entrypint"}


def test_every_flow_has_one_deployment() -> None:
    files = {path.name for path in (ROOT / "flows").glob("*.py") if "@flow(" in path.read_text("utf-8")}
    assert sorted(deployment["entrypoint"].partition(":")[0] for deployment in DEPLOYMENTS) == sorted(
        f"flows/{name}" for name in files
    )
    assert len({deployment["name"] for deployment in DEPLOYMENTS}) == len(DEPLOYMENTS)


@by_name
def test_the_entrypoint_is_a_flow_of_its_files_name(deployment: dict[str, Any]) -> None:
    file, _, name = deployment["entrypoint"].partition(":")
    assert Path(file).stem == name
    assert flow_of(deployment).name == name.replace("_", "-")


@by_name
def test_its_parameters_are_some_that_the_flow_takes(deployment: dict[str, Any]) -> None:
    flow, given = flow_of(deployment), deployment["parameters"]
    assert set(given) <= set(flow.parameters.properties)
    for name, value in given.items():
        wanted = flow.fn.__annotations__[name]
        wanted.model_validate(value)
    assert deployment["enforce_parameter_schema"] is True


@by_name
def test_no_run_reports_to_anybody(deployment: dict[str, Any]) -> None:
    environment = deployment["work_pool"]["job_variables"]["env"]
    assert environment == {
        "DO_NOT_TRACK": "1",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_TELEMETRY_ENABLE_RESOURCE_METRICS": "false",
    }


def test_nothing_in_the_file_is_of_one_machine() -> None:
    text = (ROOT / "prefect.yaml").read_text("utf-8")
    assert "set_working_directory" not in text
    assert str(ROOT) not in text
    assert str(Path.home()) not in text
