"""The full validator in its child process: what it says, what it may cost, and that it can be got rid of."""

import json
import os
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from hanpon.adapters.subprocess_validator import SubprocessValidator
from hanpon.contracts.digests import digest_of
from hanpon.contracts.findings import Severity
from hanpon.contracts.ports import Verdict
from hanpon.sources.definitions.checks import check_definition, without_repeats
from hanpon.sources.definitions.files import open_definition
from tests.sources.test_hostile_definitions import fan_out
from tests.trees import MemoryTree

HEAD = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\n"
SOUND = HEAD + "paths: {/a: {get: {responses: {200: {description: ok}}}}}\n"
ENDLESS = fan_out(8, 8)


def verdict(files: Mapping[str, str | bytes], *, time_limit: float = 60.0) -> Verdict:
    contents = {path: data.encode() if isinstance(data, str) else data for path, data in files.items()}
    return SubprocessValidator(time_limit=time_limit).start(next(iter(contents)), contents)()


def lines(given: Verdict) -> list[str]:
    assert given.finished
    return [str(found) for found in given.findings]


@pytest.mark.parametrize("version", ["openapi: 3.0.3", "openapi: 3.1.0", "openapi: 3.2.0", "swagger: '2.0'"])
def test_a_sound_definition_has_no_findings(version: str) -> None:
    assert lines(verdict({"a.yaml": SOUND.replace("openapi: 3.0.3", version)})) == []


def test_each_error_is_one_sentence_at_its_place_and_quotes_no_value() -> None:
    root = (
        HEAD
        + """tags: [{name: a, description: x}, {name: a}]
paths:
  /a/{id}:
    get:
      operationId: x
      parameters:
      - {name: a, in: query, schema: {type: integer, default: s3cret}}
      - {name: a, in: query, schema: {type: string}}
      responses: {200: {description: ok, content: {a/b: {schema: {$ref: 'types/o.yaml#/A'}}}}}
    post:
      operationId: x
      responses: {200: {description: ok, content: {a/b: {schema: {$ref: 'p.yaml'}}}}}
"""
    )
    others = {
        "types/o.yaml": "A: {allOf: [{type: object}], required: [zz], properties: {q: {type: string, default: 3}}}",
        "p.yaml": "$ref: 'types/o.yaml#/A/properties/q'",
    }
    found = verdict({"a.yaml": root, **others}).findings
    assert [f"{one.where} {one.rule}" for one in found] == [
        "a.yaml:3#/tags tag-twice",
        "a.yaml:6#/paths/~1a~1{id}/get path-parameters-disagree",
        "a.yaml:8#/paths/~1a~1{id}/get/parameters parameter-twice",
        "a.yaml:9#/paths/~1a~1{id}/get/parameters/0/schema/default default-does-not-fit",
        "a.yaml:12#/paths/~1a~1{id}/post path-parameters-disagree",
        "a.yaml:13#/paths/~1a~1{id}/post/operationId operation-id-twice",
        "types/o.yaml:1#/A/properties/q/default default-does-not-fit",
        "types/o.yaml:1#/A/required required-not-a-property",
    ]
    assert [one.message for one in found] == [
        "The tag `a` is declared twice.",
        "The path and the path parameters declared do not agree on `id`.",
        "The parameter `a` is declared twice.",
        "The default does not fit its own schema (`type`).",
        "The path and the path parameters declared do not agree on `id`.",
        "The operationId is also that of another operation.",
        "The default does not fit its own schema (`type`).",
        "`required` names `zz`, which is no property of the schema.",
    ]


def test_faults_of_form_are_told_as_our_own_pass_tells_them() -> None:
    root = HEAD + "paths: {/a: {get: {parameters: [{name: a, in: querry, schema: {type: string}}]}}}\n"
    own = check_definition(open_definition(MemoryTree({"a.yaml": root}), "a.yaml"))
    given = verdict({"a.yaml": root})
    assert given.findings == own
    assert without_repeats(own, given.findings) == ()


def test_the_server_of_a_link_is_sound_in_3_1() -> None:
    root = HEAD.replace("3.0.3", "3.1.0") + "components: {links: {L: {operationId: x, server: {url: /}}}}\n"
    assert lines(verdict({"a.yaml": root})) == []


def test_a_download_is_sound_in_2_0() -> None:
    head = HEAD.replace("openapi: 3.0.3", "swagger: '2.0'")
    root = head + "paths: {/a: {get: {responses: {200: {description: ok, schema: {type: file}}}}}}\n"
    assert lines(verdict({"a.yaml": root})) == []
    elsewhere = root + "definitions: {A: {type: file}}\n"
    assert [one.rule for one in verdict({"a.yaml": elsewhere}).findings] == ["value-not-allowed"]


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0", "3.2.0"])
def test_a_pattern_is_an_expression_of_ecmascript(version: str) -> None:
    schemas = "components: {{schemas: {{A: {{type: string, pattern: '{}'}}}}}}\npaths: {{}}\n"
    head = HEAD.replace("3.0.3", version)
    assert lines(verdict({"a.yaml": head + schemas.format(r"^\p{Script=Hiragana}+$")})) == []
    assert verdict({"a.yaml": head + schemas.format("(")}).findings != ()


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0", "3.2.0"])
def test_keys_beside_the_reference_of_a_path_item_are_sound(version: str) -> None:
    parameter = "{name: id, in: path, required: true, schema: {type: string}}"
    root = HEAD.replace("3.0.3", version) + f"paths: {{'/a/{{id}}': {{$ref: p.yaml, parameters: [{parameter}]}}}}\n"
    assert lines(verdict({"a.yaml": root, "p.yaml": "get: {responses: {200: {description: ok}}}"})) == []


def test_a_schema_of_another_dialect_may_have_a_list_of_schemas() -> None:
    root = HEAD.replace("3.0.3", "3.1.0") + "components: {schemas: {A: {$ref: s.json}}}\n"
    schema = '{"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}]}'
    assert lines(verdict({"a.yaml": root, "s.json": schema})) == []
    assert [one.rule for one in verdict({"a.yaml": root, "s.json": '{"items": [{}]}'}).findings] == ["schema-invalid"]


def test_a_dialect_that_the_validator_does_not_know_is_a_warning() -> None:
    root = HEAD.replace("3.0.3", "3.1.0") + "jsonSchemaDialect: 'urn:example:d'\ncomponents: {schemas: {A: {}}}\n"
    [found] = verdict({"a.yaml": root}).findings
    assert (found.rule, found.severity) == ("schema-dialect-unknown", Severity.WARNING)


def test_a_definition_in_another_encoding_is_judged_too() -> None:
    root = SOUND.replace("title: T", "title: 顧客の情報を取得する").encode("cp932")
    assert lines(verdict({"a.yaml": root})) == []
    assert SubprocessValidator().start("a.yaml", {"a.yaml": root}, "cp932")() == Verdict(())


def test_schemas_that_lead_to_one_another_a_thousand_deep_are_sound() -> None:
    link = "  A{}: {{type: object, properties: {{x: {{$ref: '#/components/schemas/A{}'}}}}}}\n"
    schemas = "".join(link.format(i, i + 1) for i in range(1000))
    root = HEAD + "paths: {}\ncomponents:\n schemas:\n" + schemas + "  A1000: {type: string}\n"
    assert lines(verdict({"a.yaml": root})) == []


@pytest.mark.parametrize(
    "body",
    [
        "paths: {/a: {get: {responses: {200: {$ref: '#/components/responses/Nope'}}}}}",
        "components: {schemas: {A: {$ref: '#/components/schemas/A'}}}\npaths: {}",
        "paths: {/a: {$ref: none.yaml}}",
        "paths: {/a: {get: {responses: [1]}}, /b: 3}",
        "paths: {/a: {get: {parameters: [{}], responses: {200: {description: ok}}}}}",
        "paths: [1]\ntags: x",
    ],
)
def test_where_the_validator_itself_fails_the_rest_is_told(body: str) -> None:
    given = verdict({"a.yaml": HEAD + body + "\n"})
    assert given.finished
    of_form = {"value-not-allowed", "wrong-type", "required-key-missing", "unknown-key"}
    assert {found.rule for found in given.findings} - of_form <= {"validator-stopped"}
    assert given.findings
    assert all(len(found.message) < 300 for found in given.findings)


def test_a_root_that_is_no_definition_is_told() -> None:
    assert lines(verdict({"a.yaml": "[1"}))[0].endswith("[yaml-syntax]")


def test_nothing_is_fetched_and_no_file_is_read() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/x.json#/A"
        files = ("file:///etc/passwd", "/etc/passwd", "../../../etc/passwd")
        for reference in (url, *files, "//127.0.0.1/x", "ftp://127.0.0.1/x"):
            root = HEAD + f"paths: {{}}\ncomponents: {{schemas: {{A: {{$ref: '{reference}'}}}}}}\n"
            given = verdict({"a.yaml": root})
            assert [found.rule for found in given.findings] == ["validator-stopped"]
            assert "root:" not in str(given)
        with pytest.raises(TimeoutError):
            server.accept()


def test_what_takes_too_long_is_given_up_with_a_warning() -> None:
    given = verdict({"a.yaml": ENDLESS}, time_limit=3)
    assert not given.finished
    [found] = given.findings
    assert (found.rule, found.severity) == ("validator-did-not-finish", Severity.WARNING)
    assert found.message == "openapi-spec-validator gave no verdict within 3 seconds; our own checks decide."


def test_what_crashes_is_a_warning_too() -> None:
    given = SubprocessValidator(memory_limit=300 * 1024 * 1024).start("a.yaml", {"a.yaml": SOUND.encode()})()
    assert not given.finished
    assert [found.rule for found in given.findings] == ["validator-did-not-finish"]


def test_a_verdict_may_be_asked_for_again() -> None:
    ask = SubprocessValidator(time_limit=60).start("a.yaml", {"a.yaml": SOUND.encode()})
    assert ask() is ask()


def test_a_verdict_is_kept_by_content_and_known_without_a_child(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"a.yaml": SOUND.encode() + b"tags: [{name: a}, {name: a, description: x}]\n"}
    digests = {path: digest_of(data) for path, data in files.items()}
    assert SubprocessValidator(tmp_path).known("a.yaml", digests) is None
    given = SubprocessValidator(tmp_path).start("a.yaml", files)()
    assert [found.rule for found in given.findings] == ["tag-twice"]

    monkeypatch.setattr(subprocess, "Popen", None)
    assert SubprocessValidator(tmp_path).known("a.yaml", digests) == given
    assert SubprocessValidator(tmp_path).known("a.yaml", {**digests, "absent.yaml": ""}) == given
    assert SubprocessValidator(tmp_path).start("a.yaml", files)() == given
    assert SubprocessValidator(tmp_path).known("b.yaml", digests) is None
    assert SubprocessValidator(tmp_path).known("a.yaml", {"a.yaml": digest_of(b"other")}) is None
    assert SubprocessValidator(tmp_path).known("a.yaml", digests, "cp932") is None


def test_a_verdict_that_was_not_reached_is_not_kept(tmp_path: Path) -> None:
    files = {"a.yaml": ENDLESS.encode()}
    assert not SubprocessValidator(tmp_path, time_limit=1).start("a.yaml", files)().finished
    assert not list(tmp_path.rglob("*.json"))


def test_where_verdicts_are_not_to_be_kept_nothing_is_written(tmp_path: Path) -> None:
    SubprocessValidator(tmp_path / "cache", keeps_verdicts=False).start("a.yaml", {"a.yaml": SOUND.encode()})()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("rubbish", [b"", b"{", b"[]", b'{"findings": [{}]}', b"\xff", b'{"findings": 3}'])
def test_a_kept_verdict_that_cannot_be_read_counts_as_absent(tmp_path: Path, rubbish: bytes) -> None:
    files = {"a.yaml": SOUND.encode()}
    SubprocessValidator(tmp_path).start("a.yaml", files)()
    [kept] = tmp_path.rglob("*.json")
    kept.write_bytes(rubbish)
    assert SubprocessValidator(tmp_path).known("a.yaml", {"a.yaml": digest_of(files["a.yaml"])}) is None


def test_a_folder_that_cannot_be_written_keeps_nothing_and_harms_nothing(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file in the way")
    assert SubprocessValidator(tmp_path / "cache").start("a.yaml", {"a.yaml": SOUND.encode()})() == Verdict(())


def children() -> set[int]:
    task = Path(f"/proc/self/task/{os.getpid()}/children")
    if not task.exists():
        pytest.skip("children are not listed on this system")
    return {int(pid) for pid in task.read_text().split()}


def test_a_verdict_that_nobody_waits_for_ends_its_child() -> None:
    before = children()
    ask = SubprocessValidator().start("a.yaml", {"a.yaml": ENDLESS.encode()})
    assert len(children() - before) == 1
    del ask
    assert children() == before


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="processes are looked up in /proc")
def test_the_child_ends_with_the_process_that_started_it() -> None:
    program = """
import json, sys, time
from hanpon.adapters.subprocess_validator import SubprocessValidator
files = {"a.yaml": json.loads(sys.stdin.readline()).encode()}
ask = SubprocessValidator().start("a.yaml", files)
print(open("/proc/self/task/%d/children" % __import__("os").getpid()).read(), flush=True)
time.sleep(60)
"""
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdin is not None
        assert parent.stdout is not None
        parent.stdin.write(json.dumps(ENDLESS) + "\n")
        parent.stdin.flush()
        child = int(parent.stdout.readline())
        assert is_running(child)
        time.sleep(1.5)  # it is at work by now
        parent.kill()
    until = time.monotonic() + 10
    while is_running(child) and time.monotonic() < until:
        time.sleep(0.05)
    assert not is_running(child)


NO_MORE = "openapi-spec-validator could not be started (Too many open files); our own checks decide."


def test_a_validator_that_cannot_be_started_is_a_warning_too() -> None:
    program = """
import os, resource
from hanpon.adapters.subprocess_validator import SubprocessValidator
resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))
given = SubprocessValidator().start("a.yaml", {"a.yaml": b"x"})()
print(given.finished, given.findings[0].severity, given.findings[0].message)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == f"False warning {NO_MORE}", done.stderr


@pytest.mark.parametrize("failure", [OSError(12, "Cannot allocate memory"), MemoryError()])
def test_a_machine_without_memory_for_the_child_gets_the_warning(
    failure: Exception, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise failure

    monkeypatch.setattr(subprocess, "Popen", refuse)
    given = SubprocessValidator(tmp_path).start("a.yaml", {"a.yaml": SOUND.encode()})()
    assert not given.finished
    assert [found.rule for found in given.findings] == ["validator-did-not-finish"]
    assert list(tmp_path.iterdir()) == []


def test_where_no_thread_can_be_started_the_child_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    before = children()
    monkeypatch.setattr(threading.Thread, "start", refuse)
    given = SubprocessValidator().start("a.yaml", {"a.yaml": SOUND.encode()})()
    assert given.findings[0].message.startswith(
        "openapi-spec-validator could not be started (can't start new thread)"
    )
    assert children() == before


def test_a_cycle_that_eats_memory_is_given_up_before_the_machine_suffers() -> None:
    every = ", ".join(f"{{$ref: '#/components/schemas/S{number}'}}" for number in range(8))
    schemas = "".join(f"  S{number}: {{allOf: [{every}]}}\n" for number in range(8))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    given = verdict({"a.yaml": HEAD + "paths: {}\ncomponents:\n schemas:\n" + schemas}, time_limit=20)
    assert given.findings
    assert max(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, before) * 1024 < 1.5 * 1024**3
