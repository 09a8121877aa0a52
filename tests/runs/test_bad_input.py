"""Bad input, one kind at a time: one clear message with its place, the right exit code, the old edition as it was."""

import resource
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.runs.bundles import MANIFEST, READERS, Desk, definition

HEAD = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\n"
BODY = "paths: {{/a: {{get: {{responses: {{'200': {}}}}}}}}}\n"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A bundle whose edition is published."""
    desk = Desk(tmp_path)
    desk.write("/a", "/b")
    assert desk.release().exit_code == 0
    return desk


def with_schema(schema: str) -> str:
    return HEAD + BODY.format(f"{{description: d, content: {{application/json: {{schema: {schema}}}}}}}")


def fan_out() -> str:
    """Eight levels of eight references each: 8^8 ways through two kilobytes."""
    below = [", ".join([f"{{$ref: '#/components/schemas/L{number}'}}"] * 8) for number in range(1, 9)]
    levels = [f"    L{number}: {{allOf: [{branches}]}}" for number, branches in enumerate(below)]
    return with_schema("{$ref: '#/components/schemas/L0'}") + "\n".join(
        ["components:", "  schemas:", *levels, "    L8: {type: string}\n"]
    )


def alias_bomb() -> str:
    lines = ["x0: &x0 [1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"x{n}: &x{n} [{', '.join([f'*x{n - 1}'] * 9)}]" for n in range(1, 9)]
    return "\n".join(lines) + "\n"


REFUSED: dict[str, tuple[str, str | bytes, list[str]]] = {
    "broken YAML": ("shop.yaml", "openapi: 3.0.3\ninfo: [1\n", ["shop.yaml:3"]),
    "broken JSON": ("shop.yaml", '{"openapi": "3.0.3",\n "info": }', ["shop.yaml:2"]),
    "a duplicate key": (
        "shop.yaml",
        definition("/a") + "info: {title: U}\n",
        ["shop.yaml:6#/info", "`info`", "line 2"],
    ),
    "an unknown key in hanpon.yaml": (
        "hanpon.yaml",
        MANIFEST.format(readers=READERS) + "ownr: x\n",
        ["hanpon.yaml:6", "`ownr`", "`owner`"],
    ),
    "a missing file": (
        "hanpon.yaml",
        MANIFEST.format(readers=READERS).replace("shop.yaml", "shp.yaml"),
        ["hanpon.yaml:5#/items/0/definition", "shp.yaml"],
    ),
    "a reference to /etc/passwd": (
        "shop.yaml",
        with_schema("{$ref: /etc/passwd}"),
        ["shop.yaml:3#/paths/~1a/get/responses/200/content/application~1json/schema"],
    ),
    "a reference to a file URL": ("shop.yaml", with_schema("{$ref: 'file:///etc/passwd#/x'}"), ["shop.yaml:3"]),
    "a reference above the bundle": ("shop.yaml", with_schema("{$ref: ../../x.yaml}"), ["shop.yaml:3"]),
    "a dangling reference": ("shop.yaml", with_schema("{$ref: '#/components/schemas/X'}"), ["shop.yaml:3"]),
    "a loop of references alone": (
        "shop.yaml",
        with_schema("{$ref: '#/x-a'}") + "x-a: {$ref: '#/x-b'}\nx-b: {$ref: '#/x-a'}\n",
        ["shop.yaml"],
    ),
    "an alias bomb": ("shop.yaml", alias_bomb(), ["shop.yaml:"]),
    "an alias to itself": ("shop.yaml", "a: &a {b: *a}\n", ["shop.yaml:1"]),
    "100,000 nested brackets in YAML": ("shop.yaml", "a: " + "[" * 100_000, ["shop.yaml:1"]),
    "100,000 nested brackets in JSON": ("shop.yaml", "[" * 100_000 + "]" * 100_000, ["shop.yaml:1"]),
    "100 MB": ("shop.yaml", " " * 100 * 1024 * 1024, ["shop.yaml", "104,857,600 bytes"]),
    "Shift_JIS": ("shop.yaml", HEAD.replace("T,", "顧客管理,").encode("cp932"), ["shop.yaml", "encoding"]),
    "an unquoted version": (
        "shop.yaml",
        definition("/a").replace("3.0.3", "3.0"),
        ["shop.yaml:1#/openapi", 'write it as "3.0.0"'],
    ),
    "no version": ("shop.yaml", "info: {title: T, version: '1'}\npaths: {}\n", ["shop.yaml"]),
    "a list": ("shop.yaml", "- 1\n", ["shop.yaml:1"]),
    "an empty file": ("shop.yaml", "", ["shop.yaml"]),
    "no readers": ("hanpon.yaml", MANIFEST.format(readers=""), ["hanpon.yaml:2#/readers"]),
    "two items with one edition": (
        "hanpon.yaml",
        MANIFEST.format(readers=READERS) + "  - {kind: api, name: shop, version: v1, definition: b.yaml}\n",
        ["hanpon.yaml:6#/items/1", "shop@v1"],
    ),
    "an unknown tag": ("shop.yaml", "openapi: !!python/object:os.system x\n", ["shop.yaml:1"]),
    "a second document": ("shop.yaml", definition("/a") + "---\na: 1\n", ["shop.yaml:6", "second"]),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_bad_input_is_refused_with_its_place_and_the_old_edition_stays(desk: Desk, kind: str) -> None:
    name, text, words = REFUSED[kind]
    desk.put("b.yaml", definition("/x"))
    desk.put(name, text)
    files, rows = desk.files("storage"), desk.rows()
    result = desk.release()
    assert result.exit_code == 3
    for word in words:
        assert word in result.stderr
    assert "Traceback" not in result.stderr
    assert "root:" not in result.stderr
    assert max(len(line) for line in result.stderr.splitlines()) < 600
    assert desk.files("storage") == files
    assert desk.rows() == rows


def test_integer_response_keys_are_read_as_text(desk: Desk) -> None:
    desk.put("shop.yaml", definition("/a").replace("'200'", "200"))
    assert desk.release().exit_code == 0
    (page,) = [path for path in (desk.storage / "api/shop/v1/pages").iterdir() if "get-a" in path.name]
    assert "200" in page.read_text()


def test_a_fan_out_of_references_ends_within_the_limit(desk: Desk) -> None:
    desk.put("shop.yaml", fan_out())
    result = desk.release("--validator-timeout", "2", "--json")
    assert result.exit_code == 0
    assert "validator-did-not-finish" in result.stdout


def test_an_empty_folder_is_refused(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = desk.run("release", str(tmp_path / "empty"))
    assert result.exit_code == 3
    assert "hanpon.yaml" in result.stderr


def test_a_bundle_that_is_not_there_is_a_usage_error(desk: Desk, tmp_path: Path) -> None:
    result = desk.run("release", str(tmp_path / "nowhere"))
    assert result.exit_code == 2
    assert "nowhere" in result.stderr


def test_a_symbolic_link_is_not_followed(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text(definition("/secret"))
    (desk.bundle / "shop.yaml").unlink()
    (desk.bundle / "shop.yaml").symlink_to(tmp_path / "secret.yaml")
    result = desk.release()
    assert result.exit_code == 3
    assert "symbolic link" in result.stderr


@contextmanager
def listening() -> Iterator[tuple[int, list[bytes]]]:
    """A port of this machine and what was heard on it."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def listen() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    heard.append(connection.recv(1000))

        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        yield server.getsockname()[1], heard
        server.shutdown(socket.SHUT_RDWR)
        thread.join(10)


@pytest.mark.parametrize("validation", ["strict", "report"])
def test_nothing_is_fetched_for_a_remote_reference(desk: Desk, validation: str) -> None:
    with listening() as (port, heard):
        desk.put("shop.yaml", with_schema(f"{{$ref: 'http://127.0.0.1:{port}/x.json#/A'}}"))
        result = desk.release("--validation", validation, "--json")
    assert heard == []
    assert result.exit_code == (3 if validation == "strict" else 0)
    assert "reference-remote" in result.stdout


def in_a_process(desk: Desk, limit: int | None = None) -> "subprocess.CompletedProcess[str]":
    """A release in a process of its own, whose files may grow to `limit` bytes."""
    environment = {
        "HANPON_STORAGE": f"file:{desk.storage}",
        "HANPON_DATASTORE": f"sqlite:{desk.database}",
        "HANPON_CACHE": str(desk.folder / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",  # the limit would cut compiled modules short
    }
    command = [sys.executable, "-c", "from hanpon.cli import main; main()", "release", str(desk.bundle)]
    return subprocess.run(
        command,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))) if limit else None,
    )


@pytest.mark.parametrize(("limit", "words"), [(2_000, "disk I/O error"), (40_000, "File too large")])
def test_a_full_disk_stops_the_release_and_making_room_finishes_it(desk: Desk, limit: int, words: str) -> None:
    files, rows = desk.files("storage/api"), desk.rows()
    desk.write("/a", "/b", "/c", summary="It does so much " * 3_000)
    full = in_a_process(desk, limit)
    assert full.returncode == 4
    assert words in full.stderr
    assert "Traceback" not in full.stderr
    served = {name: digest for name, digest in desk.files("storage/api").items() if name in files}
    assert served == files
    assert desk.rows() == rows
    assert in_a_process(desk).returncode == 0
    assert desk.sections() == ["GET /a", "GET /b", "GET /c"]


@pytest.mark.parametrize("place", ["storage", "datastore"])
def test_output_that_cannot_be_written_is_told_with_its_place(desk: Desk, place: str) -> None:
    for folder in ("/proc/hanpon", "/dev/null/hanpon"):
        address = f"file:{folder}" if place == "storage" else f"sqlite:{folder}/x.db"
        result = desk.release(f"--{place}", address, "--take-over")
        assert result.exit_code in (2, 4)
        assert folder in result.stderr


def test_a_damaged_database_is_told_and_the_pages_stay(desk: Desk) -> None:
    files = desk.files("storage")
    desk.database.write_bytes(b"\x00garbage" * 5000)
    desk.write("/a", "/b", "/c")
    result = desk.release()
    assert result.exit_code == 2
    assert str(desk.database) in result.stderr
    assert desk.files("storage") == files
    desk.database.unlink()
    assert desk.release().exit_code == 0
