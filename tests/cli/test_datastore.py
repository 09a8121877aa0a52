"""`hanpon datastore plan`, `create` and `describe`, typed as a person or a machine would."""

import json
from collections.abc import Iterator
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from hanpon.cli import datastore as commands
from hanpon.cli import main
from tests.cloud.discovery_engine.server import serving
from tests.cloud.discovery_engine.state import State

STORE = "vertex://p/global/docs"


class Counter:
    """Commands against a double of the service, with access that is only filtered unless it is said otherwise."""

    def __init__(self, state: State, endpoint: str) -> None:
        self.state = state
        self._environment = {
            "HANPON_DATASTORE": STORE,
            "HANPON_ACCESS": "filtered",
            "HANPON_GOOGLE_ENDPOINT": endpoint,
        }

    def run(self, *arguments: str) -> Result:
        return CliRunner(env=self._environment).invoke(main, ["datastore", *arguments])

    def record(self, *arguments: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.run(*arguments, "--json").stdout)
        return found

    @property
    def made(self) -> list[str]:
        return sorted(self.state.stores)


@pytest.fixture
def counter() -> Iterator[Counter]:
    state = State()
    with serving(state) as endpoint:
        yield Counter(state, endpoint)


def agree(monkeypatch: pytest.MonkeyPatch, answer: bool | type[Exception]) -> None:
    """Somebody sits at a terminal and says this."""

    def confirm(*_: Any, **__: Any) -> bool:
        if isinstance(answer, bool):
            return answer
        raise answer

    monkeypatch.setattr(commands, "at_terminal", lambda: True)
    monkeypatch.setattr(click, "confirm", confirm)


def test_a_plan_shows_all_that_is_decided_for_ever_and_makes_nothing(counter: Counter) -> None:
    ended = counter.run("plan")
    assert ended.exit_code == 0
    for told in ("location: global", "access control: off", "500 tokens", "layout for HTML", "17 fields"):
        assert told in ended.stdout
    assert counter.made == []


def test_a_plan_for_machines_has_the_form_that_is_wanted_and_what_is_there(counter: Counter) -> None:
    before = counter.record("plan", "--chunk-size", "200")
    assert before["wanted"]["chunk_size"] == 200
    assert before["found"] is None
    counter.run("create", "--yes", "--chunk-size", "200")
    after = counter.record("plan", "--chunk-size", "200")
    assert after["found"]["schema"] == after["wanted"]["schema"]
    assert (after["steps"], after["differences"]) == ([], [])


@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_nothing_is_made_without_a_yes_where_nobody_can_be_asked(
    counter: Counter, arguments: tuple[str, ...]
) -> None:
    ended = counter.run("create", *arguments)
    assert ended.exit_code == 2
    assert "--yes" in ended.stderr
    assert counter.made == []


def test_who_sits_at_a_terminal_is_asked(counter: Counter, monkeypatch: pytest.MonkeyPatch) -> None:
    agree(monkeypatch, answer=False)
    refused = counter.run("create")
    assert (refused.exit_code, counter.made) == (2, [])
    assert "nothing was made" in refused.stderr
    agree(monkeypatch, answer=click.Abort)
    assert (counter.run("create").exit_code, counter.made) == (130, [])
    agree(monkeypatch, answer=True)
    assert (counter.run("create").exit_code, counter.made) == (0, ["docs"])


def test_a_machine_is_never_asked(counter: Counter, monkeypatch: pytest.MonkeyPatch) -> None:
    agree(monkeypatch, answer=True)
    assert (counter.run("create", "--json").exit_code, counter.made) == (2, [])


def test_a_store_is_made_once(counter: Counter) -> None:
    assert "reads back as wanted" in counter.run("create", "--yes").stdout
    again = counter.run("create")
    assert again.exit_code == 0
    assert "nothing to do" in again.stdout


def test_a_store_is_described_as_it_was_made(counter: Counter) -> None:
    counter.run("create", "--yes", "--chunk-size", "200")
    ended = counter.run("describe", "--chunk-size", "200")
    assert ended.exit_code == 0
    assert "200 tokens at most" in ended.stdout
    assert "as the settings want it" in ended.stdout


def test_a_store_of_another_form_is_refused_with_what_to_do(counter: Counter) -> None:
    counter.run("create", "--yes")
    for command in ("plan", "describe", "create"):
        ended = counter.run(command, "--chunk-size", "200")
        assert ended.exit_code == 2, command
        assert "chunk size: 200 tokens wanted, 500 tokens found (can never be changed" in ended.stdout
        assert "hanpon datastore rebuild" in ended.stdout
    assert [each["what"] for each in counter.record("plan", "--chunk-size", "200")["differences"]] == ["chunk size"]


def test_a_store_that_is_not_there_cannot_be_described(counter: Counter) -> None:
    ended = counter.run("describe")
    assert ended.exit_code == 2
    assert "hanpon datastore create" in ended.stderr


def test_access_control_wants_an_identity_provider_first(counter: Counter) -> None:
    assert "identity provider: none; set it up" in counter.run("plan", "--access", "enforced").stdout
    ended = counter.run("create", "--yes", "--access", "enforced")
    assert (ended.exit_code, counter.made) == (2, [])
    assert "no identity provider" in ended.stderr


@pytest.mark.parametrize("command", ["plan", "describe", "create"])
def test_a_database_leaves_nothing_to_decide(counter: Counter, command: str) -> None:
    ended = counter.run(command, "--datastore", "sqlite:some.db")
    assert ended.exit_code == 0
    assert "can be made anew" in ended.stdout
    record = counter.record(command, "--datastore", "sqlite:some.db")
    assert (record["address"], record["wanted"], record["found"]) == ("sqlite:some.db", None, None)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--datastore", "vertex://p/asia/docs"), "global, us, eu"),
        (("--datastore", "vertex://p/docs"), "vertex://PROJECT/LOCATION/DATA_STORE"),
        (("--datastore", "vertex:docs"), "vertex://PROJECT/LOCATION/DATA_STORE"),
        (("--datastore", "postgres://u:secret@h/db"), "expected sqlite:PATH or vertex://"),
        (("--chunk-size", "50"), "100 to 500"),
        (("--access", "open"), "enforced or filtered"),
        (("--google-endpoint", "http://u:secret@h/x"), "HOST[:PORT]"),
    ],
)
def test_a_setting_that_is_wrong_is_told_without_a_secret(
    counter: Counter, arguments: tuple[str, ...], told: str
) -> None:
    ended = counter.run("plan", *arguments)
    assert ended.exit_code == 2
    assert told in ended.stderr
    assert "secret" not in ended.output
    assert counter.state.calls == []


def test_what_is_not_permitted_is_told_without_a_traceback(counter: Counter) -> None:
    counter.state.conduct.denied = {"GetDataStore"}
    ended = counter.run("plan")
    assert ended.exit_code == 2
    assert "not permitted" in ended.stderr
    assert "hanpon doctor" in ended.stderr
