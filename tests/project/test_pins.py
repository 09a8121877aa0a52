"""The pinned requirements: exactly what pyproject.toml asks for, with hashes, tied to no index and no machine."""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
ASKED = {
    "requirements.txt": PROJECT["dependencies"],
    "requirements-dev.txt": [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]],
}
FILES = sorted(ASKED)
ADVICE = "run make pins"


def pins(file: str) -> list[Requirement]:
    text = (ROOT / file).read_text("utf-8").replace("\\\n", " ")
    return [Requirement(line.partition(" --hash")[0]) for line in text.splitlines()]


def pins_here(file: str) -> dict[str, str]:
    """The version of each package that is installed on this machine."""
    return {
        canonicalize_name(pin.name): str(pin.specifier).removeprefix("==")
        for pin in pins(file)
        if pin.marker is None or pin.marker.evaluate()
    }


def needed(asked: list[str]) -> Iterator[Requirement]:
    """What is asked for here and, by the metadata of what is installed, everything that needs in turn."""
    waiting = [Requirement(line) for line in asked]
    seen: set[tuple[str, str]] = set()
    while waiting:
        requirement = waiting.pop()
        yield requirement
        for extra in ("", *requirement.extras):
            if (requirement.name, extra) not in seen:
                seen.add((requirement.name, extra))
                waiting += [
                    Requirement(line)
                    for line in _requires(requirement.name)
                    if _applies(Requirement(line).marker, extra)
                ]


def _requires(name: str) -> list[str]:
    try:
        return distribution(name).requires or []
    except PackageNotFoundError:
        pytest.fail(f"{name} is not installed; run make setup")


def _applies(marker: Marker | None, extra: str) -> bool:
    return marker is None or marker.evaluate({"extra": extra})


@pytest.mark.parametrize("file", FILES)
def test_everything_that_is_needed_is_pinned_at_a_version_that_is_allowed(file: str) -> None:
    pinned = pins_here(file)
    for requirement in needed(ASKED[file]):
        version = pinned.get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement.name} is not in {file}: {ADVICE}"
        assert requirement.specifier.contains(version, prereleases=True), f"{requirement} against {version}: {ADVICE}"


@pytest.mark.parametrize("file", FILES)
def test_nothing_is_pinned_that_is_not_needed(file: str) -> None:
    wanted = {canonicalize_name(requirement.name) for requirement in needed(ASKED[file])}
    assert set(pins_here(file)) <= wanted, ADVICE


def test_what_people_run_is_what_was_tested() -> None:
    tested = {str(pin) for pin in pins("requirements-dev.txt")}
    assert {str(pin) for pin in pins("requirements.txt")} <= tested, ADVICE


@pytest.mark.parametrize("file", FILES)
def test_every_pin_has_hashes_and_nothing_else_stands_in_the_file(file: str) -> None:
    line = re.compile(r"[a-z0-9.-]+==[A-Za-z0-9.+!]+( ; [^\\#]+)?( \\\n {4}--hash=sha256:[0-9a-f]{64})+\n")
    text = (ROOT / file).read_text("utf-8")
    assert "".join(match[0] for match in line.finditer(text)) == text, ADVICE
