"""What holds for the whole project: its files, its examples, its Makefile, the arrows between its packages."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

from hanpon.adapters.folder_tree import FolderTree
from hanpon.sources.bundles.reader import read_bundle
from tests.project.checkout import ROOT, files, texts
from tests.runs.bundles import Desk

EXAMPLES = sorted((ROOT / "examples").glob("*/hanpon.yaml"))


def test_no_lock_file_stands_in_the_project() -> None:
    locks = {"uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "package-lock.json", "npm-shrinkwrap.json"}
    locks |= {"yarn.lock", "pnpm-lock.yaml"}
    assert [path for path in files() if path.name in locks] == []


def test_no_file_names_a_package_index_or_a_path_of_this_machine() -> None:
    # written in two parts, or this file would name them
    hosts = ["pypi" + r"\.org", "python" + r"hosted\.org", "registry" + r"\.npmjs\.org", "npm" + r"js\.com/"]
    options = [r"--(extra-)?index" + "-url[ =]", "--find" + "-links[ =]", "file" + ":///(opt|root|home)/"]
    places = [re.escape(str(place)) + "/" for place in (ROOT, Path.home()) if len(place.parts) > 1]
    named = re.compile("|".join([*hosts, *options, *places]))
    assert [(path, found[0]) for path, text in texts() if (found := named.search(text))] == []


def test_nothing_points_up_between_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    code = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True)
    assert code == 0, capsys.readouterr().out


@pytest.mark.parametrize("bundle", EXAMPLES, ids=lambda path: path.parent.name)
def test_an_example_bundle_is_sound(bundle: Path) -> None:
    assert read_bundle(FolderTree(bundle.parent)).items


EXPECTED = {
    "answer-with-secret": "shows what happens to an answer with a password",
    "names-not-listed": "names in code are not listed yet",
    "no-access-entry": "shows a draft that nobody may see",
    "not-rendered": "what a definition says of itself is on no page yet",
    "speaks-of-another-version": "shows a README that tells of the version before",
}
"""What an example is told of, each with the reason why it is left so."""


@pytest.mark.parametrize("bundle", EXAMPLES, ids=lambda path: path.parent.name)
def test_an_example_passes_the_gate_before_a_tag_and_is_told_of_nothing_unexpected(
    bundle: Path, tmp_path: Path
) -> None:
    ended = Desk(tmp_path).run("release", str(bundle.parent), "--dry-run", "--validation", "strict", "--json")
    report = json.loads(ended.stdout)
    findings = [finding for edition in report["editions"] for finding in edition["findings"]] + report["findings"]
    assert ended.exit_code == 0
    assert [finding for finding in findings if finding["severity"] == "error"] == []
    assert [finding for finding in findings if finding["rule"] not in EXPECTED] == []


def test_every_target_of_the_makefile_is_in_its_help_and_is_no_file() -> None:
    text = (ROOT / "Makefile").read_text("utf-8")
    targets = re.findall(r"^([a-z]+):", text, re.MULTILINE)
    assert re.findall(r"^([a-z]+):.*## .+", text, re.MULTILINE) == targets, "say behind ## what it does"
    phony = re.search(r"^\.PHONY: (.+)", text, re.MULTILINE)
    assert phony is not None
    assert sorted(phony[1].split()) == sorted(targets)


def test_what_ci_makes_is_in_the_makefile() -> None:
    made = set(re.findall(r"\bmake ([a-z]+)", (ROOT / ".ci" / "run").read_text("utf-8")))
    assert {"test", "check"} <= made
    assert made <= set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def test_the_ci_script_can_be_run() -> None:
    assert subprocess.run(["bash", "-n", str(ROOT / ".ci" / "run")], check=False).returncode == 0
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111


def test_the_licence_is_the_one_that_is_named() -> None:
    text = (ROOT / "LICENSE").read_text("utf-8")
    assert "Apache License\n" in text
    assert "Version 2.0, January 2004" in text
    assert 'license = "Apache-2.0"' in (ROOT / "pyproject.toml").read_text("utf-8")


def test_the_changelog_begins_with_this_version() -> None:
    version = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    first = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert version is not None
    assert first is not None
    assert first[1] == version[1]


def test_the_list_of_decisions_has_a_row_for_every_page() -> None:
    folder = ROOT / "docs/decisions"
    rows = re.findall(r"^\| \[(.+?)\]\((.+?)\) \|", (folder / "README.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(rows) == sorted((path.name, path.name) for path in folder.glob("*.md") if path.name != "README.md")
