"""Stores in Google Cloud by their addresses: what goes with what, and what a command says where it does not."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hanpon.cli import main
from hanpon.contracts.errors import UsageError
from hanpon.wiring import _own_places, diagnoses, open_datastore, open_storage, settings_from


def settings(**given: str) -> Any:
    return settings_from({f"--{name.replace('_', '-')}": value for name, value in given.items()}, {})


def test_vertex_ai_search_reads_pages_from_a_bucket_alone() -> None:
    with pytest.raises(UsageError, match=r"expected gs://BUCKET/PREFIX.*found 'file:pages'"):
        open_datastore(settings(storage="file:pages", datastore="vertex://p/global/docs"))


def test_a_command_says_so_too() -> None:
    ended = CliRunner(env={"HANPON_DATASTORE": "vertex://p/global/docs"}).invoke(main, ["search", "order"])
    assert ended.exit_code == 2
    assert "gs://BUCKET/PREFIX" in ended.output


def test_an_address_of_no_known_form_is_told_with_the_forms_that_there_are() -> None:
    with pytest.raises(UsageError, match="expected file:PATH or gs://BUCKET/PREFIX, found 's3://pages'"):
        open_storage(settings(storage="s3://pages"))
    with pytest.raises(UsageError, match="gs://BUCKET"):
        open_storage(settings(storage="gs:pages"))


def test_places_in_the_cloud_are_no_folders_of_a_bundle() -> None:
    cloud = settings(storage="gs://pages/x", datastore="vertex://p/global/docs", cache="kept")
    assert list(_own_places(cloud)) == [Path("kept")]
    local = settings(storage="file:pages", datastore="sqlite:a.db", cache="kept")
    assert {Path("pages"), Path("a.db"), Path("kept")} <= set(_own_places(local))


def test_doctor_tells_of_an_address_that_is_none_and_of_stores_that_do_not_go_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wrong = diagnoses(settings(storage="file:pages", datastore="vertex://p/moon/docs"))
    assert [each.exit_code for each in wrong if each.subject == "datastore"] == [2]
    apart = diagnoses(
        settings(
            storage="file:pages", datastore="vertex://p/global/docs", google_endpoint="http://127.0.0.1:9",
            access="filtered",
        )
    )  # fmt: skip
    assert any("cannot be read by vertex://p/global/docs" in each.found for each in apart)


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("access", "public"), ("chunk_size", "99"), ("chunk_size", "501"), ("chunk_size", "a"),
        ("auditor", "group:a@b"), ("auditor", "nobody"), ("google_endpoint", "host/path"),
    ],
)  # fmt: skip
def test_a_setting_out_of_its_bounds_is_refused_with_its_flag_and_variable(flag: str, value: str) -> None:
    with pytest.raises(UsageError, match=rf"--{flag.replace('_', '-')} or HANPON_{flag.upper()}: expected"):
        settings(**{flag: value})


def test_settings_of_the_cloud_have_defaults_that_keep_documents_closed() -> None:
    given = settings()
    assert (given.access, given.chunk_size, given.auditor, given.google_endpoint) == ("enforced", 500, "", "")
