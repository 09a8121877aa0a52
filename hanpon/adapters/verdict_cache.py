"""Verdicts of the full validator on disk, by the content that was judged. May be deleted at any time."""

import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from hanpon.contracts.digests import canonical_json, digest_of_json
from hanpon.contracts.findings import Finding
from hanpon.contracts.ports import Verdict

_REVISION = 2
"""Raised by hand when the same content would get another verdict from our own side."""

_JUDGES = (
    "hanpon",
    "openapi-spec-validator",
    "openapi-schema-validator",
    "jsonschema",
    "jsonschema-path",
    "jsonschema-rs",
    "referencing",
)


class VerdictCache:
    """A folder of finished verdicts. What cannot be read there counts as absent, what cannot be written as unkept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "verdicts"

    def get(self, root: str, digests: Mapping[str, str], encoding: str = "utf-8") -> Verdict | None:
        """The verdict on files of these sha256 digests."""
        try:
            record = json.loads(self._file(root, digests, encoding).read_bytes())
            return Verdict(tuple(Finding.from_record(finding) for finding in record["findings"]))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def put(self, root: str, digests: Mapping[str, str], verdict: Verdict, encoding: str = "utf-8") -> None:
        """Keep a finished verdict, whole or not at all."""
        file = self._file(root, digests, encoding)
        record = canonical_json({"findings": [finding.as_record() for finding in verdict.findings]})
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            handle, scratch = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".tmp")
            try:
                with os.fdopen(handle, "wb") as writing:
                    writing.write(record)
                Path(scratch).replace(file)
            except BaseException:
                Path(scratch).unlink(missing_ok=True)
                raise

    def _file(self, root: str, digests: Mapping[str, str], encoding: str) -> Path:
        # "" stands for a file that a reference names and that is not there
        present = {path: digest for path, digest in digests.items() if digest}
        judged = {"root": root, "files": present, "encoding": encoding.lower(), "judges": _judges()}
        return self._folder / f"{digest_of_json(judged)}.json"


@lru_cache(maxsize=1)
def _judges() -> dict[str, str]:
    found = {"revision": str(_REVISION)}
    for name in _JUDGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = ""
    return found
