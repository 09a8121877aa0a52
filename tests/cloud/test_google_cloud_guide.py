"""The guide to Google Cloud: the same in two languages, and what it tells people to type is typed against doubles."""

import json
import os
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
import requests

from hanpon.adapters.google_rights import (
    CALLS,
    MAKING,
    OBJECTS,
    ROLE,
    SEARCH_ROLE,
    SEARCHING,
    bucket_command,
    impersonation_command,
    making_command,
    project_command,
    role_command,
    search_role_command,
)
from hanpon.adapters.vertex_names import StoreNames
from tests.cloud.discovery_engine.objects import ObjectsOfServer
from tests.cloud.discovery_engine.resource_names import ResourceNames
from tests.cloud.discovery_engine.server import serving
from tests.cloud.discovery_engine.state import State
from tests.cloud.gcs_server import client
from tests.project.checkout import ROOT
from tests.project.markdown_pages import blocks_of
from tests.project.test_readmes import shape
from tests.project.test_shown_commands import lines_of

GUIDES = ("docs/google-cloud.md", "docs/google-cloud.ja.md")

AT_GOOGLE: Mapping[str, str] = {
    r"gcloud .*": "sets up a project at Google",
    r"curl .*": "likewise",
    r"export NUMBER=.*": "asks Google",
}
"""Lines that are not typed here, each with the reason."""

FOR_FILTERS = " --as "
"""Of a search that a store with access control refuses."""

ACCESS_MODES = ("enforced", "filtered")

AUDITOR = re.compile(r" HANPON_AUDITOR=\S+")
"""Taken out: to act as another account, Google's own service is asked."""


def test_both_guides_say_the_same_block_by_block() -> None:
    for one, other in zip_longest(*map(blocks_of, GUIDES)):
        beginnings = [block.text[:80] if block else "(the end)" for block in (one, other)]
        if one and one.links and one.links[0].startswith("#"):
            continue  # a heading has another anchor in another language
        assert shape(one) == shape(other), " differs from ".join(beginnings)


def test_every_permission_that_the_code_knows_stands_in_the_table_and_no_other() -> None:
    (table,) = (block for block in blocks_of(GUIDES[0]) if block.kind == "table" and "storage.objects" in block.text)
    told = [span for row in table.rows[1:] for span in re.findall(r"`([a-zA-Z.]+)`", row[0])]
    assert told == [*CALLS, *MAKING, *OBJECTS, "iam.serviceAccounts.getAccessToken", SEARCHING[1]]
    assert SEARCHING[0] in CALLS
    for row in table.rows[1:]:
        for call in {**CALLS, **MAKING}.get(row[0].strip("`"), ()):
            assert row[3].startswith(call)


def test_the_commands_that_doctor_names_are_those_of_the_guide() -> None:
    lines = lines_of(GUIDES[0])
    member = "serviceAccount:$PUBLISHER"
    for command in (
        role_command("$PROJECT"),
        project_command("$PROJECT", member),
        bucket_command("$BUCKET", member),
        making_command("$BUCKET", "$PROJECT", "$BUCKET_LOCATION"),
        impersonation_command("$PUBLISHER", "user:$YOU"),
        search_role_command("$PROJECT"),
        project_command("$PROJECT", "group:$READERS", SEARCH_ROLE),
    ):
        assert command in lines
    assert f"`{ROLE}`" in (ROOT / GUIDES[0]).read_text("utf-8")


def test_every_line_is_typed_here_or_is_for_google() -> None:
    lines = lines_of(GUIDES[0])
    other = [line for line in lines if not is_at_google(line) and not line.startswith(("hanpon ", "export "))]
    assert not other
    assert sum(line.startswith("hanpon ") for line in lines) > 10


def is_at_google(line: str) -> bool:
    return any(re.fullmatch(pattern, line) for pattern in AT_GOOGLE)


def questions() -> Iterator[tuple[str, dict[str, Any]]]:
    """What a bot is told to ask: where, and with which body."""
    for line in lines_of(GUIDES[0]):
        if found := re.search(r'"https://\$ENDPOINT/v1/(\S+):search".* --data \'(.+)\'$', line):
            yield found[1], json.loads(found[2])


def test_a_bot_asks_where_hanpon_asks_and_names_readers_only_where_a_filter_keeps_them_out() -> None:
    (filtered, one), (enforced, other) = questions()
    assert filtered == enforced == StoreNames("$PROJECT", "$LOCATION", "$STORE").serving_config
    assert "groups" in one["filter"]
    assert "groups" not in other["filter"]


@pytest.fixture
def state(gcs_endpoint: str) -> Iterator[State]:
    objects = ObjectsOfServer(gcs_endpoint)
    state = State(objects, ResourceNames(project="shop-1"))
    state.identity = {"idpType": "GSUITE"}
    state.quotas.per_minute["imports"] = 100  # 5, which others test, would have to be waited for
    yield state
    objects.close()


@pytest.fixture
def endpoint(state: State) -> Iterator[str]:
    with serving(state) as url:
        yield url


def keep_first_items(bundle: Path, number: int = 2) -> None:
    """Leave out the rest: with the whole example, the quota of imports would have to be waited for."""
    head, *items = re.split(r"(?m)^(?=  - kind:)", bundle.read_text("utf-8"))
    bundle.write_text("".join([head, *items[:number]]), "utf-8")


@pytest.mark.parametrize("access", ACCESS_MODES)
def test_every_command_of_the_guide_works_in_the_order_that_it_is_told(
    access: str, state: State, endpoint: str, gcs_endpoint: str, tmp_path: Path
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    keep_first_items(tmp_path / "examples/shop-platform/hanpon.yaml")
    bucket = f"shop-1-hanpon-{access}"
    client(gcs_endpoint).create_bucket(bucket)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HANPON_", "PREFECT_"))}
    environment = {
        **kept,
        "PATH": os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)]),
        "HOME": str(tmp_path),
        "STORAGE_EMULATOR_HOST": gcs_endpoint,
        "HANPON_GOOGLE_ENDPOINT": endpoint,
    }
    said: dict[str, str] = {}
    exports: list[str] = []
    for line in lines_of(GUIDES[0]):
        of_other = "HANPON_ACCESS=" in line and f"HANPON_ACCESS={access}" not in line
        if is_at_google(line) or of_other or (access == "enforced" and FOR_FILTERS in line):
            continue
        if line.startswith("export "):
            exports.append(AUDITOR.sub("", line).replace("BUCKET=shop-1-hanpon", f"BUCKET={bucket}"))
            continue
        script = "\n".join([*exports, line])
        ended = subprocess.run(
            ["/bin/sh", "-euc", script], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120,
            check=False,
        )  # fmt: skip
        assert ended.returncode == 0, f"{line}\n{ended.stdout}{ended.stderr}"
        assert "Traceback" not in ended.stdout + ended.stderr
        said[line] = ended.stdout
    assert "as the settings want it" in said["hanpon datastore describe"]
    assert (
        "to switch: name vertex://shop-1/global/docs-2"
        in said["hanpon datastore rebuild --datastore vertex://$PROJECT/$LOCATION/docs-2"]
    )
    for _, question in questions():
        name = StoreNames("shop-1", "global", "docs-1").serving_config
        answer = requests.post(f"{endpoint}/v1/{name}:search", json=question, timeout=30)
        assert answer.status_code == 200, answer.text
        assert access == "enforced" or "content" in answer.json()["results"][0]["chunk"]
    one, two = (state.stores[name].documents.keys() for name in ("docs-1", "docs-2"))
    assert one
    assert one == two, "the new store holds what the old one does"
