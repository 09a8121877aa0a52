"""What `hanpon doctor` says of Google Cloud: what it found, and the exact next step."""

import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import google.auth
import pytest
from google.auth.exceptions import DefaultCredentialsError, RefreshError, TransportError
from google.oauth2.credentials import Credentials

from hanpon.adapters import cloud_diagnosis
from hanpon.adapters.bucket_diagnosis import diagnose_bucket
from hanpon.adapters.cloud_diagnosis import diagnose_cloud
from hanpon.adapters.cloud_looks import CloudPlaces, Identity, within
from hanpon.adapters.google_rights import CALLS, OBJECTS
from hanpon.adapters.vertex_form import create_store
from hanpon.contracts.datastore_form import DatastoreForm
from hanpon.contracts.diagnoses import Diagnosis
from hanpon.contracts.errors import UsageError
from tests.cloud.discovery_engine.server import serving
from tests.cloud.discovery_engine.state import State

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
FORM = DatastoreForm.wanted("shop-1", "global", "docs", access="filtered", chunk_size=500)
ENFORCED = replace(FORM, access_control=True)
PLACES = CloudPlaces(storage="gs://pages/hanpon", form=FORM, auditor="", endpoint="", now=lambda: NOON)
AUDITOR = "auditor@shop-1.iam.gserviceaccount.com"
MEMBER = "serviceAccount:ci@shop-1.iam.gserviceaccount.com"
Token: Any = Credentials  # Google's library types none of its calls
Refused: Any = RefreshError
Unreachable: Any = TransportError
NoneFound: Any = DefaultCredentialsError
IDENTITY = Identity(credentials=Token(token="t"), member=MEMBER)

Answers = dict[str, tuple[int, Any]]

GOOD_BUCKET: dict[str, Any] = {
    "kind": "storage#bucket",
    "name": "pages",
    "iamConfiguration": {"uniformBucketLevelAccess": {"enabled": True}, "publicAccessPrevention": "enforced"},
}
AGENT = "serviceAccount:service-7@gcp-sa-discoveryengine.iam.gserviceaccount.com"


@contextlib.contextmanager
def answering(answers: Answers, date: datetime | None = NOON) -> Iterator[str]:
    """A server that gives the answer whose key the path ends with (`b/pages`), 404 to all else; its address."""

    class Answering(BaseHTTPRequestHandler):
        def handle_one(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path = self.path.partition("?")[0]
            status, body = next((found for key, found in answers.items() if path.endswith(key)), (404, {}))
            data = json.dumps(body).encode()
            self.send_response_only(status)
            if date:
                self.send_header("Date", format_datetime(date, usegmt=True))
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = handle_one  # noqa: N815  the names http.server asks for

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  as it is called there
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def bucket_answers(**changed: tuple[int, Any]) -> Answers:
    policy = {"bindings": [{"role": "roles/storage.objectViewer", "members": [AGENT]}]}
    return {
        "/b/pages": changed.get("bucket", (200, GOOD_BUCKET)),
        "/b/pages/o": changed.get("objects", (200, {"items": []})),
        "/b/pages/iam/testPermissions": changed.get("rights", (200, {"permissions": list(OBJECTS)})),
        "/b/pages/iam": changed.get("policy", (200, policy)),
    }


def looked_at_bucket(monkeypatch: pytest.MonkeyPatch, answers: Answers) -> list[Diagnosis]:
    with answering(answers) as url:
        monkeypatch.setenv("STORAGE_EMULATOR_HOST", url)
        return list(diagnose_bucket(PLACES, IDENTITY))


def problems(found: Sequence[Diagnosis]) -> list[tuple[str, str]]:
    return [(each.found, each.advice) for each in found if each.exit_code]


def test_a_bucket_that_is_as_it_should_be_is_well(monkeypatch: pytest.MonkeyPatch) -> None:
    found = looked_at_bucket(monkeypatch, bucket_answers())
    assert [each.advice for each in found] == [""] * len(found)
    assert [each.found for each in found] == [
        "is there, and can be listed",
        "all 4 that are needed",
        "may read pages",
    ]


def test_a_bucket_that_is_not_there_is_told_with_the_command_that_makes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ((found, advice),) = problems(looked_at_bucket(monkeypatch, {}))
    assert found == "does not exist"
    assert advice == (
        "gcloud storage buckets create gs://pages --project=shop-1 --location=US --uniform-bucket-level-access "
        "--public-access-prevention"
    )


def test_a_command_for_somebody_unknown_says_who_that_is(monkeypatch: pytest.MonkeyPatch) -> None:
    with answering(bucket_answers(rights=(200, {}))) as url:
        monkeypatch.setenv("STORAGE_EMULATOR_HOST", url)
        found = list(diagnose_bucket(PLACES, replace(IDENTITY, member="")))
    ((_, advice),) = problems(found)
    assert "--member=MEMBER " in advice
    assert "(MEMBER is the account that publishes" in advice


def test_rights_that_are_missing_are_named_with_the_command_that_gives_them(monkeypatch: pytest.MonkeyPatch) -> None:
    held = {"permissions": ["storage.objects.get", "storage.objects.list"]}
    ((found, advice),) = problems(looked_at_bucket(monkeypatch, bucket_answers(rights=(200, held))))
    assert found == "missing: storage.objects.create, storage.objects.delete"
    assert advice == (
        f"gcloud storage buckets add-iam-policy-binding gs://pages --member={MEMBER} --role=roles/storage.objectUser"
    )


def test_what_the_caller_may_not_see_is_no_problem_and_says_how_to_look(monkeypatch: pytest.MonkeyPatch) -> None:
    hidden = (403, {"error": {"code": 403, "message": "no"}})
    answers = bucket_answers(bucket=hidden, policy=hidden, rights=(501, {}))
    found = looked_at_bucket(monkeypatch, answers)
    assert problems(found) == []
    told = " ".join(each.found for each in found)
    assert told.count("cannot be seen") == 3
    assert "get-iam-policy gs://pages" in " ".join(each.advice for each in found)


def test_a_bucket_that_may_not_be_listed_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    hidden = (403, {"error": {"code": 403, "message": "no"}})
    found = looked_at_bucket(monkeypatch, bucket_answers(objects=hidden))
    assert [words for words, _ in problems(found)] == ["may not be listed"]


def test_settings_that_let_others_in_or_keep_pages_from_being_replaced_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loose = {"kind": "storage#bucket", "name": "pages", "retentionPolicy": {"retentionPeriod": "60"}}
    found = looked_at_bucket(monkeypatch, bucket_answers(bucket=(200, loose)))
    ((blocked, advice),) = problems(found)
    assert blocked == "objects cannot be replaced for 60 seconds"
    assert "--clear-retention-period" in advice
    warned = [each for each in found if each.found.startswith("warning")]
    assert ["--uniform-bucket-level-access" in each.advice for each in warned] == [True, False]
    assert ["--public-access-prevention" in each.advice for each in warned] == [False, True]


def test_a_service_agent_without_a_role_is_told_with_the_command_that_gives_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = looked_at_bucket(monkeypatch, bucket_answers(policy=(200, {"bindings": []})))
    (agent,) = (each for each in found if "service agent" in each.subject)
    assert "roles/storage.objectViewer" in agent.advice
    assert "gcp-sa-discoveryengine" in agent.advice


def test_rights_on_the_project_that_are_missing_are_named_with_the_least_role() -> None:
    held = [
        each for each in CALLS if each not in {"discoveryengine.documents.purge", "discoveryengine.aclConfigs.get"}
    ]
    with answering({"/v1/projects/shop-1:testIamPermissions": (200, {"permissions": held})}) as url:
        found = cloud_diagnosis._project_rights(replace(PLACES, manager=url), FORM, IDENTITY)
    assert (found.found, found.exit_code) == ("missing: discoveryengine.documents.purge", 2)
    assert f"--member={MEMBER} --role=projects/shop-1/roles/hanponPublisher --condition=None" in found.advice
    assert "gcloud iam roles create hanponPublisher --project=shop-1" in found.advice
    assert all(permission in found.advice for permission in CALLS)


def test_only_the_rights_that_the_access_mode_needs_count() -> None:
    held = [each for each in CALLS if each != "discoveryengine.documents.list"]
    with answering({":testIamPermissions": (200, {"permissions": held})}) as url:
        found = cloud_diagnosis._project_rights(replace(PLACES, manager=url), ENFORCED, IDENTITY)
    assert found.exit_code == 0


def test_rights_that_nobody_tells_are_no_problem() -> None:
    with answering({":testIamPermissions": (403, {})}) as url:
        found = cloud_diagnosis._project_rights(replace(PLACES, manager=url), FORM, IDENTITY)
    assert (found.found, found.exit_code) == ("cannot be seen (HTTP 403)", 0)
    assert "gcloud services enable cloudresourcemanager.googleapis.com --project=shop-1" in found.advice


@pytest.mark.parametrize(
    ("held", "code", "words"),
    [
        ((200, {"permissions": ["iam.serviceAccounts.getAccessToken"]}), 0, "may be searched as"),
        ((200, {}), 2, "missing: iam.serviceAccounts.getAccessToken"),
        ((404, {}), 0, "cannot be seen"),
    ],
)
def test_the_auditor_is_to_be_searched_as(held: tuple[int, Any], code: int, words: str) -> None:
    with answering({f"/v1/projects/shop-1/serviceAccounts/{AUDITOR}:testIamPermissions": held}) as url:
        found = cloud_diagnosis._auditor(replace(PLACES, form=ENFORCED, auditor=AUDITOR, iam=url), IDENTITY)
    assert words in found.found
    assert found.exit_code == code
    assert not code or "roles/iam.serviceAccountTokenCreator" in found.advice


def test_a_store_with_access_control_wants_an_auditor_and_does_without() -> None:
    found = cloud_diagnosis._auditor(replace(PLACES, form=ENFORCED), IDENTITY)
    assert (found.found, found.exit_code) == ("none is named", 0)
    assert "HANPON_AUDITOR" in found.advice


@pytest.mark.parametrize(
    ("seconds", "code", "words"), [(0, 0, "0 seconds"), (59, 0, "ahead of"), (-61, 2, "61 seconds behind")]
)
def test_a_clock_that_is_wrong_is_told(seconds: int, code: int, words: str) -> None:
    now = NOON + timedelta(seconds=seconds)
    with answering({}) as url:
        clock = cloud_diagnosis._clock(replace(PLACES, endpoint=url, now=lambda: now))
    assert words in clock.found
    assert clock.exit_code == code


@pytest.mark.parametrize(
    ("location", "endpoint", "code"),
    [
        ("global", "", 0),
        ("eu", "", 0),
        ("eu", "eu-discoveryengine.googleapis.com", 0),
        ("eu", "us-discoveryengine.googleapis.com", 2),
        ("eu", "discoveryengine.googleapis.com", 2),
        ("eu", "https://search.shop.example", 0),
    ],
)
def test_an_endpoint_that_serves_another_location_is_told(location: str, endpoint: str, code: int) -> None:
    form = replace(FORM, location=location)
    found = cloud_diagnosis._location(replace(PLACES, form=form, endpoint=endpoint), form)
    assert found.exit_code == code


def default_of(credentials: Any) -> Callable[..., Any]:
    def default(**_: Any) -> Any:
        if isinstance(credentials, Exception):
            raise credentials
        return credentials, "shop-1"

    return default


class Expired(Credentials):
    @classmethod
    def some(cls) -> Any:
        made: Any = cls
        return made(token="t")

    @property
    def valid(self) -> bool:
        return False

    def refresh(self, request: Any) -> None:
        raise Refused("the login has ended")


@pytest.mark.parametrize("wrong", [NoneFound("none"), Expired.some()])
def test_without_credentials_nothing_else_is_asked_that_needs_them(
    monkeypatch: pytest.MonkeyPatch, wrong: Any
) -> None:
    monkeypatch.setattr(google.auth, "default", default_of(wrong))
    identity, found = cloud_diagnosis._identity(PLACES)
    assert identity.credentials is None
    assert found.exit_code == 2
    assert "gcloud auth application-default login" in found.advice


def test_credentials_are_told_with_whom_they_are_of(monkeypatch: pytest.MonkeyPatch) -> None:
    person = Token(token="t", account="ann@shop.example")
    monkeypatch.setattr(google.auth, "default", default_of(person))
    _, found = cloud_diagnosis._identity(PLACES)
    assert (found.found, found.exit_code) == ("user:ann@shop.example", 0)
    assert found.advice == "gcloud auth application-default set-quota-project shop-1"


def test_a_look_that_hangs_or_breaks_is_told_and_never_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    never = threading.Event()

    def hanging() -> list[Diagnosis]:
        never.wait(60)
        return []

    def broken() -> list[Diagnosis]:
        raise RuntimeError("out of paper")

    def refused() -> list[Diagnosis]:
        raise UsageError("no such place")

    def unreachable() -> list[Diagnosis]:
        raise Unreachable("no route")

    late, wrong, unusable, far = (within("it", look, 0.05)[0] for look in (hanging, broken, refused, unreachable))
    never.set()
    assert (far.found, far.exit_code) == ("cannot be reached (TransportError)", 4)
    assert (late.found, late.exit_code) == ("no answer within 0.05 seconds", 4)
    assert "RuntimeError: out of paper" in wrong.found
    assert (unusable.found, unusable.exit_code) == ("no such place", 2)


@pytest.fixture
def state() -> State:
    state = State()
    state.names = replace(state.names, project="shop-1")
    return state


def store_told(state: State, form: DatastoreForm, *, made: DatastoreForm | None = None) -> dict[str, Diagnosis]:
    """The diagnoses of everything at a double that needs no credentials, by subject."""
    with serving(state) as url:
        if made:
            create_store(made, url)
        before = [call for call in state.calls if call.startswith(("Create", "Update"))]
        found = diagnose_cloud(replace(PLACES, storage="", form=form, endpoint=url))
        assert [call for call in state.calls if call.startswith(("Create", "Update"))] == before
    return {each.subject: each for each in found}


def test_a_store_that_is_as_wanted_is_well(state: State) -> None:
    found = store_told(state, FORM, made=FORM)
    assert [each for each in found.values() if each.exit_code] == []
    assert "all 17 fields" in found["store vertex://shop-1/global/docs"].found


def test_a_store_that_is_not_there_is_told_with_the_commands_that_make_it(state: State) -> None:
    store = store_told(state, FORM)["store vertex://shop-1/global/docs"]
    assert (store.found, store.exit_code) == ("does not exist", 2)
    assert "hanpon datastore create" in store.advice


def test_a_store_of_another_form_is_told_with_all_that_differs(state: State) -> None:
    wanted = replace(FORM, chunk_size=300, ancestor_headings=False)
    store = store_told(state, wanted, made=FORM)["store vertex://shop-1/global/docs"]
    assert store.exit_code == 2
    assert "chunk size" in store.found
    assert "headings above" in store.found


def test_an_identity_provider_that_is_not_set_up_is_told_where_access_is_enforced(state: State) -> None:
    assert store_told(state, ENFORCED)["identity provider"].exit_code == 2
    assert "identity provider" not in store_told(state, FORM)
    state.identity = {"idpType": "GSUITE"}
    assert "Google Identity" in store_told(state, ENFORCED)["identity provider"].found


def test_what_is_forbidden_is_told_with_how_to_switch_the_service_on(state: State) -> None:
    state.conduct.denied = {"GetDataStore"}
    store = store_told(state, FORM)["store vertex://shop-1/global/docs"]
    assert "not permitted" in store.found
    assert "gcloud services enable discoveryengine.googleapis.com --project=shop-1" in store.advice


def test_a_place_that_cannot_be_reached_is_told_within_seconds_and_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", "http://127.0.0.1:9")
    found = diagnose_cloud(replace(PLACES, endpoint="http://127.0.0.1:9", patience=0.3))
    assert {each.exit_code for each in found} == {0, 4}
    assert all(each.advice for each in found if each.exit_code)
