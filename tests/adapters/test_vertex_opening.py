"""Opening a datastore of Vertex AI Search by its address."""

from typing import Any

import google.auth
import pytest
from google.auth import impersonated_credentials
from google.auth.credentials import AnonymousCredentials
from google.auth.exceptions import DefaultCredentialsError

from hanpon.adapters import vertex_opening
from hanpon.adapters.vertex_names import StoreNames
from hanpon.adapters.vertex_opening import open_vertex
from hanpon.contracts.errors import UsageError
from tests.adapters.vertex_world import MemoryBucket, World, world
from tests.editions import CUSTOMER

NOBODY: Any = AnonymousCredentials()


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("vertex://p/global", "expected vertex://PROJECT/LOCATION/DATA_STORE"),
        ("vertex://p/global/docs/more", "expected vertex://"),
        ("vertex://p/global/Docs", "in lower case"),
        ("vertex://p/asia-northeast1/docs", "one of global, us, eu, found asia-northeast1"),
        ("vertex:p/global/docs", "expected vertex://"),
        ("vertex://p/global/" + "d" * 64, "expected vertex://"),
        ("", "expected vertex://"),
    ],
)
def test_an_odd_address_is_refused(address: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        StoreNames.of(address)


@pytest.mark.parametrize(
    ("location", "host"),
    [
        ("global", "discoveryengine.googleapis.com"),
        ("us", "us-discoveryengine.googleapis.com"),
        ("eu", "eu-discoveryengine.googleapis.com"),
    ],
)
def test_a_location_has_its_own_host(location: str, host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(google.auth, "default", lambda **_: (NOBODY, "p"))
    clients = vertex_opening._clients(StoreNames.of(f"vertex://p/{location}/docs").endpoint, "")
    assert clients.documents.api_endpoint == host
    assert clients.auditor is None


def test_the_auditor_is_impersonated(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def impersonated(source: Any, principal: str, scopes: list[str]) -> Any:
        asked.append((principal, scopes))
        return NOBODY

    monkeypatch.setattr(google.auth, "default", lambda **_: (NOBODY, "p"))
    monkeypatch.setattr(impersonated_credentials, "Credentials", impersonated)
    clients = vertex_opening._clients("discoveryengine.googleapis.com", "audit@p.iam.gserviceaccount.com")
    assert clients.auditor is not None
    assert asked == [("audit@p.iam.gserviceaccount.com", ["https://www.googleapis.com/auth/cloud-platform"])]


def test_a_plain_http_endpoint_is_asked_without_credentials() -> None:
    with world() as made:
        opened = open_vertex(
            "vertex://p/global/docs", bucket(made), access="filtered", run="r", endpoint=made.project.endpoint
        )
        assert opened.rows(CUSTOMER) == {}
        assert opened.address == "vertex://p/global/docs"


def bucket(made: World) -> Any:
    return MemoryBucket(made)


def test_what_cannot_be_used_is_refused_before_anything_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with world() as made:
        storage = bucket(made)
        with pytest.raises(UsageError, match="expected enforced or filtered"):
            open_vertex("vertex://p/global/docs", storage, access="open", run="r")  # type: ignore[arg-type]
        storage.address = "file:out"
        with pytest.raises(UsageError, match="the storage is file:out"):
            open_vertex("vertex://p/global/docs", storage, access="enforced", run="r")


def test_missing_credentials_are_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(**_: Any) -> Any:
        raise DefaultCredentialsError("none found")

    monkeypatch.setattr(google.auth, "default", missing)
    with world() as made, pytest.raises(UsageError, match="gcloud auth application-default login"):
        open_vertex("vertex://p/global/docs", bucket(made), access="enforced", run="r")
