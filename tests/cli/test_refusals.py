"""What is refused with --json: a machine finds the reason on standard output, in the shape it reads anyway."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from hanpon.cli import main
from tests.contracts.test_records import misfits
from tests.project.commands import leaves, options_of

ARGUMENTS = {
    "release": [str(Path(__file__).parents[2] / "examples/shop-platform")],
    "documents": ["customer", "v1"],
    "names": ["customer", "v1"],
    "search": ["anything"],
    "withdraw": ["customer", "v1"],
}
"""What a command must be given besides options."""

NUMBERS = {
    "--wait": ["nan", "inf", "-1", "many", "1e99"],
    "--limit": ["nan", "0", "1.5", "99999"],
    "--keep": ["nan", "inf", "0", "-3", "1.5"],
    "--validator-timeout": ["nan", "inf", "0", "-1", "soon"],
    "--chunk-size": ["nan", "99", "501", "1e9"],
}
"""Options that take a number, each with values that are none of theirs."""

OTHERS = {"--storage": ["s3://bucket"], "--datastore": ["postgres:x"], "--validation": ["lax"], "--access": ["open"]}

REFUSED = [
    (words, option, value)
    for words, command in sorted(leaves().items())
    for option, values in (NUMBERS | OTHERS).items()
    if option in options_of(command)
    for value in values
    if words != "doctor" or option in NUMBERS  # to tell of stores that cannot be used is what a doctor is for
]


def refused(words: str, *options: str, folder: Path) -> Result:
    arguments = [*words.split(), *ARGUMENTS.get(words, []), *options]
    environment = {"HANPON_STORAGE": f"file:{folder}/storage", "HANPON_DATASTORE": f"sqlite:{folder}/hanpon.db"}
    return CliRunner(env=environment).invoke(main, arguments)


def reasons(record: Any) -> Sequence[str]:
    """What is told, whatever the command's shape is."""
    if isinstance(record, list):
        return [diagnosis["found"] for diagnosis in record if not diagnosis["ok"]]
    for finding in record["findings"]:
        assert finding["severity"] == "error"
        assert misfits(finding, "urn:hanpon:schema:finding") == []
    return [finding["message"] for finding in record["findings"]]


@pytest.mark.parametrize(("words", "option", "value"), REFUSED)
def test_a_value_that_an_option_refuses_is_told_to_machines_and_people(
    words: str, option: str, value: str, tmp_path: Path
) -> None:
    ended = refused(words, option, value, "--json", folder=tmp_path)
    (reason,) = reasons(json.loads(ended.stdout))
    assert option in reason
    assert reason in ended.stderr
    assert ended.exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_every_option_that_takes_a_number_is_tried() -> None:
    tried = {option for _, option, _ in REFUSED}
    assert NUMBERS.keys() <= tried


@pytest.mark.parametrize("words", ["release", "check", "datastore rebuild"])
@pytest.mark.parametrize("options", [("--keep", "nan"), ("--unknown",), ("--datastore", "x:y")])
def test_a_report_of_what_was_refused_has_the_shape_of_every_other(
    words: str, options: Sequence[str], tmp_path: Path
) -> None:
    ended = refused(words, *options, "--dry-run", "--json", folder=tmp_path)
    record = json.loads(ended.stdout)
    schema = {"release": "run", "check": "check", "datastore rebuild": "rebuild"}[words]
    assert misfits(record, f"urn:hanpon:schema:{schema}") == []
    assert (record["dry_run"], record["editions"], len(record["findings"])) == (True, [], 1)


@pytest.mark.parametrize("line", ["--json", "nothing --json", "--unknown --json", "datastore nothing --json"])
def test_a_command_that_there_is_not_is_refused_for_machines_too(line: str) -> None:
    ended = CliRunner().invoke(main, line.split())
    assert len(json.loads(ended.stdout)["findings"]) == 1
    assert ended.exit_code == 2
    assert ended.stderr


def test_without_json_standard_output_stays_empty(tmp_path: Path) -> None:
    for options in (("--keep", "nan"), ("--wait", "nan")):
        ended = refused("release", *options, folder=tmp_path)
        assert (ended.exit_code, ended.stdout) == (2, "")
        assert "nan" in ended.stderr


def test_a_word_after_two_dashes_is_no_option(tmp_path: Path) -> None:
    ended = refused("search", "--limit", "0", "--", "--json", folder=tmp_path)
    assert (ended.exit_code, ended.stdout) == (2, "")
