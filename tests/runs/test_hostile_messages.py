"""What a definition holds never writes on the terminal, and does not flood it."""

import json
from pathlib import Path

from tests.runs.bundles import MANIFEST, READERS, Desk


def desk_with(folder: Path, paths: dict[str, object]) -> Desk:
    desk = Desk(folder)
    desk.put("hanpon.yaml", MANIFEST.format(readers=READERS).replace("shop.yaml", "shop.json"))
    root = {"openapi": "3.0.3", "info": {"title": "T", "version": "1"}, "paths": paths}
    desk.put("shop.json", json.dumps(root))
    return desk


def test_no_path_writes_on_the_terminal_or_forges_a_line(tmp_path: Path) -> None:
    wrong = {"get": {"responses": 3}}
    desk = desk_with(tmp_path, {"/\x1b]0;owned\x07{x}": wrong, "/{y}\nerror: a.json:1: FAKE LINE [fake]": wrong})
    result = desk.release()
    assert result.exit_code == 3
    assert not set("\x1b\x07") & set(result.stderr + result.stdout)
    assert not [line for line in result.stderr.splitlines() if line.startswith("error: a.json")]
    found = json.loads(desk.release("--json").stdout)["editions"][0]["findings"]
    assert any("\x1b]0;owned\x07" in one["where"]["pointer"] for one in found)


def test_json_on_a_terminal_is_safe_too(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, {"/\x9b31m\u202e": {"get": {"responses": 3}}})
    answer = desk.release("--json").stdout
    assert not set("\x9b\u202e") & set(answer)
    found = json.loads(answer)["editions"][0]["findings"]
    assert any("~1\x9b31m\u202e" in one["where"]["pointer"] for one in found)


def test_a_long_name_and_many_errors_do_not_flood_the_terminal(tmp_path: Path) -> None:
    paths: dict[str, object] = {"/" + "x" * 600_000: {"get": {"responses": 3, "k" * 500_000: 1}}}
    paths |= {f"/{number}/{{id}}": {"get": {"responses": {"200": {"description": "d"}}}} for number in range(900)}
    desk = desk_with(tmp_path, paths)
    result = desk.release()
    assert result.exit_code == 3
    lines = result.stderr.splitlines()
    assert len(lines) < 250
    assert max(map(len, lines)) < 2000
    assert any(line.endswith("more; --json lists them all") for line in lines)
    assert len(json.loads(desk.release("--json").stdout)["editions"][0]["findings"]) > 900
