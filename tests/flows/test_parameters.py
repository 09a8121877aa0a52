"""Parameters of the flows: what a form shows, what is refused before a run is made, what a run is given."""

from typing import Any

import jsonschema_rs
import pytest
from prefect import Flow
from prefect.exceptions import ParameterTypeError
from prefect.utilities.callables import parameter_schema
from pydantic import ValidationError

from flows.backfill_editions import backfill_editions
from flows.check_consistency import check_consistency
from flows.parameters import Backfill, Release, Stores
from flows.release_editions import release_editions
from hanpon.contracts.errors import UsageError
from hanpon.contracts.settings import SETTINGS
from hanpon.wiring import ReleaseFlags

FLOWS = [release_editions, backfill_editions, check_consistency]


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.name)
def test_every_parameter_of_a_form_says_what_it_means(flow: Flow[..., Any]) -> None:
    schema = parameter_schema(flow).model_dump()
    fields = [field for each in schema["definitions"].values() for field in each["properties"].values()]
    assert fields
    assert all(field["description"] for field in fields)


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.name)
def test_every_flow_says_what_it_does(flow: Flow[..., Any]) -> None:
    assert flow.description


def test_stores_are_the_settings_of_the_command_line() -> None:
    assert [f"--{name.replace('_', '-')}" for name in Stores.model_fields] == [setting.flag for setting in SETTINGS]


def test_stores_that_are_left_empty_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANPON_STORAGE", "file:elsewhere")
    assert Stores().settings.storage == "file:elsewhere"
    assert Stores(storage="file:here").settings.storage == "file:here"


def test_a_setting_that_is_wrong_is_refused_before_a_run_is_made() -> None:
    with pytest.raises(ValidationError, match="greater than 0"):
        Stores(keep=0)


def test_a_setting_of_the_environment_that_is_wrong_is_told_as_the_command_line_tells_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HANPON_KEEP", "many")
    with pytest.raises(UsageError, match="--keep or HANPON_KEEP: expected a number above 0, found 'many'"):
        _ = Stores().settings


def test_numbers_of_settings_reach_them() -> None:
    settings = Stores(keep=3, validator_timeout=0.5).settings
    assert (settings.keep, settings.validator_timeout) == (3, 0.5)


@pytest.mark.parametrize(
    "parameters",
    [
        {"bundel": "shop"},
        {"bundle": ""},
        {"bundle": "shop", "validation": "lax"},
        {"bundle": "shop", "wait": -1},
        {"bundle": "shop", "only": "customer@v1"},
        {"bundle": "shop", "dryrun": True},
        {"bundle": "shop\0"},
    ],
)
def test_a_parameter_that_is_wrong_or_misspelt_is_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(ParameterTypeError):
        release_editions.validate_parameters({"release": parameters})


def test_a_backfill_of_nothing_is_refused() -> None:
    with pytest.raises(ValidationError):
        Backfill(bundles=[])


def test_flags_reach_the_release_as_they_were_given() -> None:
    release = Release(
        bundle="shop",
        only=["a", "b@v1"],
        dry_run=True,
        validation="report",
        allow_removals=True,
        take_over=True,
        wait=5,
    )
    assert release.flags == ReleaseFlags(
        only=("a", "b@v1"), dry_run=True, validation="report", allow_removals=True, take_over=True, wait=5
    )


def test_a_release_is_strict_and_a_backfill_is_not() -> None:
    assert Release(bundle="shop").flags == ReleaseFlags()
    assert Backfill(bundles=["shop"]).flags.validation == "report"


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.name)
@pytest.mark.parametrize(
    "stores",
    [
        {"storage": "gs://user:s3cret@bucket/prefix"},
        {"datastore": "postgres://user:s3cret@host/base"},
        {"storage": "file:"},
        {"cache": "/cache\0"},
    ],
)
def test_a_server_refuses_stores_that_may_hold_a_password_before_a_run_is_made(
    flow: Flow[..., Any], stores: dict[str, str]
) -> None:
    schema = parameter_schema(flow).model_dump()["definitions"]["Stores"]
    assert not jsonschema_rs.is_valid(schema, stores)
    assert jsonschema_rs.is_valid(
        schema, {"storage": "file:/s", "datastore": "sqlite:/d.db", "cache": "", "keep": None}
    )


def test_stores_in_the_cloud_are_named_as_on_the_command_line() -> None:
    cloud = Stores(
        storage="gs://pages/hanpon",
        datastore="vertex://p/eu/docs",
        access="filtered",
        chunk_size=200,
        auditor="auditor@p.iam.gserviceaccount.com",
        google_endpoint="eu-discoveryengine.googleapis.com",
    )
    assert (cloud.settings.storage, cloud.settings.datastore) == ("gs://pages/hanpon", "vertex://p/eu/docs")
    assert (cloud.settings.access, cloud.settings.chunk_size) == ("filtered", 200)
    with pytest.raises(ValidationError):
        Stores(access="public")


@pytest.mark.parametrize(
    ("bundle", "name"),
    [
        ("/bundles/shop", "shop"),
        ("/bundles/shop/", "shop"),
        ("/", "/"),
        ("/x/{release.bundle} {{ y }}", "{release.bundle} {{ y }}"),
        ("/x/a\nb", "a\\u000ab"),
        ("/" + "a" * 500, "a" * 50 + "…" + "a" * 49),
    ],
)
def test_a_run_is_called_after_the_folder_of_its_bundle(bundle: str, name: str) -> None:
    assert Release(bundle=bundle).folder == name
