"""The benchmark of a release: it runs, and what it says of the three releases is what they promise."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

from hanpon.sources.texts.structured_text import parse

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/shop-platform/apis/customer/v2/openapi.yaml"


def run(*arguments: str) -> str:
    """What the benchmark prints; it runs where the project is not installed, too."""
    command = [sys.executable, "benchmarks/definition_to_edition.py", "--repeat", "1", *arguments]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def test_the_three_releases_write_and_parse_what_they_promise() -> None:
    jobs = json.loads(run("--json"))["jobs"]
    first, unchanged, changed = jobs["first"], jobs["unchanged"], jobs["changed"]
    assert first["written"]["page"] == first["written"]["row"] == first["documents"]
    assert unchanged["status"] == "unchanged"
    assert not unchanged["parsed"]
    assert not unchanged["written"]
    written = {"page": 1, "row": 1, "manifest": 1, "current.json": 1, "index.html": 1, "run report": 1}
    assert changed["written"] == written
    assert changed["documents"] == first["documents"]


def test_a_packed_definition_of_json_is_measured_as_well(tmp_path: Path) -> None:
    packed = tmp_path / "customer.json.gz"
    value = parse(EXAMPLE.read_bytes(), EXAMPLE.name)
    packed.write_bytes(gzip.compress(json.dumps(value, ensure_ascii=False, indent=2).encode()))
    lines = run(str(packed)).splitlines()
    assert lines[0].startswith("customer.json.gz: ")
    assert sum("peak memory" in line for line in lines) == 3
    assert "  unchanged; written: nothing; definitions parsed: 0" in lines
