"""Stores that somebody or a disk has damaged: a command ends, says where and what to do, and does the rest."""

import contextlib
import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.hangs import must_come_back
from tests.runs.bundles import Desk

EDITION = "storage/api/shop/v1"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    desk.write("/a", "/b", "/c")
    assert desk.release().exit_code == 0
    return desk


def put_a_pipe(desk: Desk, pattern: str) -> Path:
    (path, *_) = sorted(desk.folder.glob(f"{EDITION}/{pattern}"))
    path.unlink()
    os.mkfifo(path)
    return path


def run_sql(desk: Desk, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(desk.database)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize("pattern", ["index.html", "pages/*", "manifests/*", "inventory/*"])
def test_a_pipe_in_place_of_what_can_be_made_anew_is_told_and_replaced_by_a_release(desk: Desk, pattern: str) -> None:
    before = desk.files(EDITION)
    path = put_a_pipe(desk, pattern)
    with must_come_back():
        checked = desk.run("check")
        assert checked.exit_code in (0, 1)  # 0 where no reader meets it
        assert path.name in checked.output
        assert desk.release().exit_code == 0
        assert desk.run("check").exit_code == 0
    assert path.is_file()
    assert desk.files(EDITION).keys() == before.keys()


def test_a_pipe_in_place_of_the_pointer_stops_its_edition_in_words(desk: Desk) -> None:
    path = put_a_pipe(desk, "current.json")
    shutil.rmtree(desk.folder / "cache", ignore_errors=True)
    desk.database.unlink()
    for command in (["check"], ["datastore", "rebuild"], ["release", str(desk.bundle)], ["documents", "shop", "v1"]):
        with must_come_back():
            ended = desk.run(*command)
        assert ended.exit_code == 4
        assert f"{path} is a named pipe, where a file is expected; put the file back from a copy" in ended.stderr


def test_a_stray_file_that_bears_the_name_of_a_kind_stops_no_check(desk: Desk) -> None:
    (desk.storage / "answers").touch()
    (desk.storage / "design").touch()
    ended = desk.run("check")
    assert (ended.exit_code, ended.stderr) == (0, "")
    assert ended.stdout.startswith("shop@v1: consistent")


ODD_ROWS = [
    "UPDATE document SET kind = 'x' WHERE rowid = 1",
    "UPDATE document SET name = CAST(name AS BLOB) WHERE rowid = 1",
    "UPDATE document SET id = CAST(id AS BLOB) WHERE rowid = 1",
    "UPDATE document SET metadata = replace(hex(zeroblob(50000)), '00', '[') WHERE rowid = 1",
    "UPDATE document SET key = CAST(key AS BLOB) WHERE rowid = 1",
    "UPDATE reader SET principal = CAST(principal AS BLOB)",
    "UPDATE piece SET ordinal = 'first' WHERE number = 1",
    "INSERT INTO reader VALUES ('gone', 'all')",
    "INSERT INTO piece_index (rowid, title, body, meta) VALUES (999, 'gone', 'gone', '')",
]


@pytest.mark.parametrize("damage", ODD_ROWS)
def test_an_odd_row_is_told_by_a_check_and_mended_by_a_rebuild(desk: Desk, damage: str) -> None:
    before = desk.rows()
    run_sql(desk, damage)
    checked = json.loads(desk.run("check", "--json").stdout)
    assert [edition["name"] for edition in checked["editions"]] == ["shop"]
    told = [*checked["findings"], *checked["editions"][0]["findings"]]
    assert told
    assert "internal-error" not in {finding["rule"] for finding in told}
    assert desk.run("datastore", "rebuild").exit_code == 0
    assert desk.rows() == before
    assert desk.run("check").exit_code == 0


@pytest.mark.parametrize("damage", ["DELETE FROM piece_index_data WHERE id < 11", "DROP TABLE piece_index_config"])
def test_a_rebuild_is_the_way_out_where_the_index_of_words_cannot_be_opened(desk: Desk, damage: str) -> None:
    before = desk.rows()
    run_sql(desk, damage)
    checked = desk.run("check")
    assert "run `hanpon datastore rebuild`" in checked.stderr
    rebuilt = desk.run("datastore", "rebuild")
    assert (rebuilt.exit_code, rebuilt.stderr) == (0, "")
    assert desk.rows() == before


@pytest.mark.parametrize("command", [["check"], ["datastore", "rebuild"], ["search", "it"]])
def test_what_is_no_database_is_left_alone_and_told_with_the_way_out(desk: Desk, command: list[str]) -> None:
    damaged = b"this was a database once, as likely as not" * 100
    desk.database.write_bytes(damaged)
    ended = desk.run(*command)
    assert ended.exit_code == 2
    assert f"{desk.database} is damaged or no SQLite database" in ended.stderr
    assert "move it away and run `hanpon datastore rebuild`" in ended.stderr
    assert desk.database.read_bytes() == damaged
    desk.database.rename(desk.folder / "away.db")
    assert desk.run("datastore", "rebuild").exit_code == 0
    assert desk.run("check").exit_code == 0
