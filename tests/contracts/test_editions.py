"""What can be the name and version of an edition: both become folders of storage."""

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.contracts.editions import LONGEST_NAME, Edition, Kind


@pytest.mark.parametrize(
    "name", ["customer", "顧客", "ガイド", "a.b-c_d", "_x", "9", "manifests", "x" * LONGEST_NAME]
)
def test_names_of_items_are_names(name: str) -> None:
    assert Edition(Kind.API, name, "v1").folder == f"api/{name}/v1"


@pytest.mark.parametrize(
    "name", ["", ".", "..", ".held", "-x", "a/b", "a\\b", "a@b", "a b", "a\n", "a\0", "x" * 101, "顧" * 34, "\ud800"]
)
def test_what_could_be_another_folder_or_too_long_for_one_is_no_name(name: str) -> None:
    with pytest.raises(ValueError, match="can be no item's name"):
        Edition(Kind.API, name, "v1")


@pytest.mark.parametrize("version", ["", ".", "..", "-1", "v 1", "v1/", "版", "v1\n", "1" * 41])
def test_what_could_be_another_folder_is_no_version(version: str) -> None:
    with pytest.raises(ValueError, match="can be no version"):
        Edition(Kind.API, "customer", version)


@given(st.sampled_from(Kind), st.text(max_size=8), st.text(max_size=8))
def test_an_edition_never_leads_out_of_its_kind(kind: Kind, name: str, version: str) -> None:
    try:
        edition = Edition(kind, name, version)
    except ValueError:
        return
    assert PurePosixPath(edition.folder).parts == (str(kind), name, version)
    assert not {name[0], version[0]} & set("./")
    assert str(edition).split("@") == [name, version]
