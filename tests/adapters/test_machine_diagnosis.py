"""What `hanpon doctor` looks at on this machine."""

import re
import tomllib
from pathlib import Path

import pytest

from hanpon.adapters import machine_diagnosis
from hanpon.adapters.machine_diagnosis import PACKAGES, diagnose_machine

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"


def test_every_package_that_hanpon_requires_is_looked_at() -> None:
    required = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]["dependencies"]
    assert [re.split(r"[^A-Za-z0-9._-]", each)[0] for each in required] == list(PACKAGES)


def test_a_machine_that_has_all_of_it_is_well() -> None:
    assert [diagnosis for diagnosis in diagnose_machine() if diagnosis.exit_code] == []


def test_a_package_that_is_not_installed_is_told_with_the_next_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_diagnosis, "PACKAGES", ("no-such-package",))
    lacking = [diagnosis for diagnosis in diagnose_machine() if diagnosis.exit_code]
    assert [(each.subject, each.advice) for each in lacking] == [("no-such-package", "pip install no-such-package")]
