"""What people are told to type is typed here, in order, in a copy of the examples: the READMEs, and every --help."""

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import pytest

from hanpon.sources.texts.structured_text import parse
from tests.project.checkout import ROOT, modules, tree_of
from tests.project.commands import commands, example_of
from tests.project.markdown_pages import READMES, code_of

NOT_TYPED: Mapping[str, str] = {
    r"make( [a-z]+)+( [A-Z]+=\S+)*": "sets up an environment of its own; test_readmes.py looks for the targets",
    r"export PATH=\S+": "here `hanpon` is that of the Python that runs the tests",
    r"pip install \.": "it is installed",
    r"export PREFECT_API_URL=\S+": "names a server that is not here",
    r"prefect (--no-prompt )?(server start|work-pool create|deploy|worker start|deployment run)\b.*": (
        "needs a server that goes on for as long as it is wanted; tests/flows has its own"
    ),
    r"hanpon .* --flow( .*)?": "starts Prefect; tests/flows does",
}
"""Lines of the READMEs that are not run here, each with the reason. Whatever is neither here nor `hanpon …` fails."""

ENOUGH = 120
"""Seconds after which a command hangs."""


def lines_of(page: str) -> list[str]:
    """The command lines of a page, in order, without remarks; lines that go on with `\\` are one."""
    text = "\n".join(code_of(page, "sh")).replace("\\\n", " ")
    return [line for line in map(without_remark, text.splitlines()) if line]


def without_remark(line: str) -> str:
    """A line up to the `#` that begins a remark: one behind white space and outside quotes."""
    quoted = r"\"[^\"]*\"|'[^']*'|[^\s\"']+"
    words = re.findall(rf"(?:{quoted})+", line)
    remark = next((number for number, word in enumerate(words) if word.startswith("#")), len(words))
    return " ".join(words[:remark])


def is_left_out(line: str) -> bool:
    return any(re.fullmatch(pattern, line) for pattern in NOT_TYPED)


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with the examples in it, as a checkout has them."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    return tmp_path


def typed(line: str, desk: Path) -> subprocess.CompletedProcess[str]:
    """A line as a shell runs it there, with nothing set and nothing kept from the environment of the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HANPON_", "PREFECT_"))}
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)])
    command = ["/bin/sh", "-euc", line]
    environment = {**kept, "PATH": path, "HOME": str(desk)}
    return subprocess.run(
        command, cwd=desk, env=environment, capture_output=True, text=True, timeout=ENOUGH, check=False
    )


def assert_works(line: str, desk: Path) -> str:
    """What the line says. It has to end well, and say what it has to say in its own words."""
    ended = typed(line, desk)
    told = ended.stdout + ended.stderr
    assert ended.returncode == 0, f"{line}\nends with {ended.returncode}:\n{told}"
    assert "Traceback" not in told, told
    return ended.stdout


def test_the_command_that_is_typed_is_that_of_this_python() -> None:
    assert (Path(sysconfig.get_path("scripts")) / "hanpon").exists(), f"install hanpon for {sys.executable}"


@pytest.mark.parametrize("page", READMES)
def test_every_line_of_code_is_of_a_kind_that_is_known(page: str) -> None:
    unknown = [line for line in lines_of(page) if not is_left_out(line) and not line.startswith("hanpon ")]
    assert not unknown, f"run them in {Path(__file__).name}, or say there why not: {unknown}"
    assert sum(line.startswith("hanpon ") for line in lines_of(page)) > 5


def test_every_deployment_that_is_shown_is_made_and_takes_the_parameters_that_are_shown() -> None:
    made = parse((ROOT / "prefect.yaml").read_bytes(), "prefect.yaml")["deployments"]
    there = {f"{flow}/{each['name']}": taken for each in made for flow, taken in [flow_at(each["entrypoint"])]}
    pools = {each["work_pool"]["name"] for each in made}
    for words in map(shlex.split, lines_of(READMES[0])):
        if words[:3] == ["prefect", "deployment", "run"]:
            given = dict(word.split("=", 1) for flag, word in pairwise(words) if flag == "--param")
            assert words[3] in there, f"{words[3]} is none of {sorted(there)}"
            assert given.keys() <= there[words[3]]
            assert all(isinstance(json.loads(value), dict) for value in given.values())
        if words[:2] in (["prefect", "work-pool"], ["prefect", "worker"]):
            assert pools <= set(words), f"prefect.yaml has its work done in {pools}"


def flow_at(entrypoint: str) -> tuple[str, set[str]]:
    """The name of the flow at `flows/x.py:function`, and its parameters."""
    file, _, name = entrypoint.partition(":")
    function = next(node for node in tree_of(ROOT / file).body if getattr(node, "name", "") == name)
    assert isinstance(function, ast.FunctionDef)
    (flow,) = (call for call in function.decorator_list if isinstance(call, ast.Call))
    (called,) = (ast.literal_eval(each.value) for each in flow.keywords if each.arg == "name")
    return called, {argument.arg for argument in function.args.args}


def test_both_readmes_show_the_same_commands() -> None:
    """So they are typed once."""
    one, other = map(lines_of, READMES)
    assert one == other


def test_every_command_of_the_readme_works_in_the_order_that_it_is_told(desk: Path) -> None:
    said = [(line, assert_works(line, desk)) for line in lines_of(READMES[0]) if not is_left_out(line)]
    assert all(answer.strip() for line, answer in said if " search " not in line), said
    # "A design that only the finance group may read is found by them, and by nobody else"
    finance, engineers = (answer for line, answer in said if re.match(r'hanpon search "与信限度額" --as', line))
    assert "credit-limit" in finance
    assert "credit-limit" not in engineers


def examples() -> Iterator[str]:
    """What each --help ends with, what publishes first and what takes away last."""
    found = sorted({example_of(command) for command in commands().values()})
    last = ("withdraw", "rollback")
    yield from (line for line in found if line.startswith("hanpon release"))
    yield from (
        line for line in found if not line.startswith(("hanpon release", *(f"hanpon {name}" for name in last)))
    )
    yield from (line for line in found if line.startswith(tuple(f"hanpon {name}" for name in last)))


def test_every_example_of_the_help_works(desk: Path) -> None:
    assert_works("hanpon release examples/shop-platform", desk)
    for line in examples():
        if not is_left_out(line):
            assert_works(line, desk)


def test_what_is_left_to_the_tests_of_flows_is_tested_there() -> None:
    left = [line for line in (*lines_of(READMES[0]), *examples()) if " --flow" in line]
    code = "".join(path.read_text("utf-8") for path in modules("tests") if path.parent == ROOT / "tests" / "flows")
    assert not left or '"--flow"' in code, f"no test in tests/flows runs a command with --flow, as {left} does"


def test_a_remark_ends_a_line_and_a_sign_in_quotes_does_not() -> None:
    assert without_remark("make demo    # twice") == "make demo"
    assert without_remark("""hanpon search "C# is" 'a # b' x#y  # why""") == """hanpon search "C# is" 'a # b' x#y"""
    assert shlex.split(without_remark("  # nothing")) == []
