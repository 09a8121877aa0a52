"""The corpus of real definitions that tests may be given (HANPON_CORPUS; by default beside the repository)."""

import gzip
import os
from functools import cache
from pathlib import Path

import pytest

from tests.trees import MemoryTree

ROOT = Path(os.environ.get("HANPON_CORPUS") or Path(__file__).parents[2] / "shared" / "corpus")


@cache
def corpus_tree(folder: str) -> MemoryTree:
    """The files below a folder of the corpus, unpacked; skips the test where the corpus is not there."""
    base = ROOT / "openapi" / folder
    if not base.is_dir():
        pytest.skip(f"no corpus at {ROOT}; set HANPON_CORPUS")
    files = {}
    for path in sorted(base.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            name = path.relative_to(base).as_posix()
            files[name.removesuffix(".gz")] = gzip.decompress(data) if name.endswith(".gz") else data
    return MemoryTree(files)
