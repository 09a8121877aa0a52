"""The process in which openapi-spec-validator judges one definition; started by `subprocess_validator`.

It is given everything on its standard input and has nothing else: no file of the bundle, no network. It ends
when that input ends, so it cannot outlive the process that started it.
"""

import contextlib
import json
import os
import resource
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from hanpon.contracts.errors import InvalidInput, Missing
from hanpon.contracts.findings import Finding, in_order
from hanpon.sources.texts.text_encoding import likely_encoding

_STACK = 512 * 1024 * 1024
_RECURSION = 20_000
"""Schemas that lead to one another a thousand deep are valid, and the validator recurses along them."""

_FORBIDDEN = ("socket.", "urllib.Request", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "http.client.")
_OWN_SCHEMAS = "/openapi_spec_validator/resources/schemas/"


class GivenFiles:
    """A `BundleTree` of the files that were given."""

    origin = ref = ""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files

    def paths(self) -> Sequence[str]:
        return sorted(self._files)

    def links(self) -> frozenset[str]:
        return frozenset()

    def unreadable(self) -> frozenset[str]:
        return frozenset()

    def size(self, path: str) -> int:
        return len(self.read(path))

    def read(self, path: str) -> bytes:
        if path not in self._files:
            raise Missing(path)
        return self._files[path]


def main() -> None:
    """Read one question, print one answer, end."""
    question = json.loads(sys.stdin.buffer.readline())
    _limit(question["seconds"], question["memory"])
    files = {path: sys.stdin.buffer.read(size) for path, size in question["files"].items()}
    threading.Thread(target=_end_with_input, daemon=True).start()
    answer: list[dict[str, Any]] = []
    threading.stack_size(_STACK)
    sys.setrecursionlimit(_RECURSION)
    judging = threading.Thread(target=lambda: answer.append(_judged(question, files)))
    judging.start()
    judging.join()
    if answer:
        sys.stdout.write(json.dumps(answer[0]))
        sys.stdout.flush()
    os._exit(0 if answer else 1)


def _limit(seconds: int, memory: int) -> None:
    for what, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(ValueError, OSError):  # macOS knows no limit on addresses
            resource.setrlimit(what, (most, most))


def _end_with_input() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


def _judged(question: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, Any]:
    # imported here: the limits must hold before, and the input be read
    from hanpon.adapters.spec_validator_errors import findings_of  # noqa: PLC0415
    from hanpon.sources.definitions.files import open_definition  # noqa: PLC0415

    sys.addaudithook(_refuse)
    encoding = _encoding(question["encoding"], files)
    try:
        definition = open_definition(GivenFiles(files), question["root"], encoding)
    except InvalidInput as refused:
        found: list[Finding] = list(refused.problems)
    else:
        found = definition.with_lines(findings_of(definition))
    return {"findings": [finding.as_record() for finding in in_order(found)]}


def _encoding(said: str, files: Mapping[str, bytes]) -> str:
    """What was said; where nobody said anything but UTF-8 and it is not, what an item will have said."""
    if said == "utf-8":
        for data in files.values():
            try:
                data.decode("utf-8")
            except UnicodeDecodeError:
                return likely_encoding(data) or said
    return said


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    # the validator reads its own schemas by `file:` addresses
    own = event == "urllib.Request" and _OWN_SCHEMAS in str(arguments[0]) and str(arguments[0]).startswith("file:")
    if event.startswith(_FORBIDDEN) and not own:
        raise PermissionError(event)


if __name__ == "__main__":
    main()
