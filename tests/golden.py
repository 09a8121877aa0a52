"""Expected files of golden cases: compared, or written anew by `make golden`."""

import os
from pathlib import Path


def assert_golden(expected: Path, found: str) -> None:
    """Hold text against a case's file. With `HANPON_GOLDEN=write` in the environment the file is written instead."""
    if os.environ.get("HANPON_GOLDEN") == "write":
        expected.write_text(found, encoding="utf-8")
    assert found == (expected.read_text(encoding="utf-8") if expected.exists() else ""), (
        f"{expected} says otherwise; if the new text is right: make golden, and read the diff"
    )
