"""The full openapi-spec-validator pass in a child process with limits; verdicts are kept by content.

It takes up to a hundred times as long as parsing, recurses as deep as the input wants, and hostile input keeps it
busy for ever. So it gets a process of its own, time and memory limits, no network and no files but those given.
"""

import json
import os
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from hanpon.adapters.verdict_cache import VerdictCache
from hanpon.contracts.digests import digest_of
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.contracts.ports import Verdict

DEFAULT_TIME_LIMIT = 300.0
DEFAULT_MEMORY_LIMIT = 3 * 1024**3 // 2
"""Bytes of addresses. GitHub's definition, 13 MB, takes 0.8 GB, of which 0.5 are the stack that is kept ready."""

_COMMAND = (sys.executable, "-I", "-B", "-X", "utf8", "-m", "hanpon.adapters.spec_validator_child")
_ENVIRONMENT = {
    "PATH": os.defpath,
    "LANG": "C.UTF-8",
    # the validator takes jsonschema-rs where it finds it: its speed and messages must not depend on that
    "OPENAPI_SPEC_VALIDATOR_SCHEMA_VALIDATOR_BACKEND": "jsonschema-rs",
}


class SubprocessValidator:
    """A `DefinitionValidator`. Verdicts are looked for in the folder `cache`, and kept there if `keeps_verdicts`.

    `time_limit` is the wall time in seconds (and, in the child, the processor time) after which a verdict is given
    up, `memory_limit` the bytes that the child may address, where the system knows such a limit. What was given up,
    what crashed and what could not be started is a warning, is not finished and is never kept.
    """

    def __init__(
        self,
        cache: Path | None = None,
        *,
        time_limit: float = DEFAULT_TIME_LIMIT,
        memory_limit: int = DEFAULT_MEMORY_LIMIT,
        keeps_verdicts: bool = True,
    ) -> None:
        self._cache = VerdictCache(cache) if cache is not None else None
        self._keeps_verdicts = keeps_verdicts
        self._time_limit = time_limit
        self._memory_limit = memory_limit

    def known(self, root: str, digests: Mapping[str, str], encoding: str = "utf-8") -> Verdict | None:
        """The verdict on files of these sha256 digests, if it was kept; nothing is parsed."""
        return self._cache.get(root, digests, encoding) if self._cache is not None else None

    def start(self, root: str, files: Mapping[str, bytes], encoding: str = "utf-8") -> Callable[[], Verdict]:
        """Begin judging; the returned function waits for the verdict, and may be called again.

        The child ends when the function is dropped, and when this process does.
        """
        digests = {path: digest_of(data) for path, data in files.items()}
        kept = self.known(root, digests, encoding)
        if kept is not None:
            return lambda: kept
        question = {
            "root": root,
            "encoding": encoding,
            "seconds": int(self._time_limit) + 1,
            "memory": self._memory_limit,
            "files": {path: len(data) for path, data in files.items()},
        }
        try:
            judging = _Judging(question, list(files.values()), self._time_limit)
        except (OSError, RuntimeError, MemoryError) as failure:  # no descriptor, process, thread or memory is left
            unfinished = _unfinished(root, f"could not be started ({_why(failure)})")
            return lambda: unfinished

        def verdict() -> Verdict:
            given = judging.verdict()
            if given.finished and self._cache is not None and self._keeps_verdicts:
                self._cache.put(root, digests, given, encoding)
            return given

        return verdict


class _Judging:
    """One child at work. It is ended when this is no longer referred to."""

    def __init__(self, question: dict[str, Any], contents: list[bytes], seconds: float) -> None:
        self._root = question["root"]
        self._seconds = seconds
        self._until = time.monotonic() + seconds
        self._answer: list[bytes] = []
        self._given: Verdict | None = None
        self._process = subprocess.Popen(  # noqa: S603  a fixed command, no shell
            _COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # a traceback may quote the definition
            env=_ENVIRONMENT,
            cwd="/",
            start_new_session=True,  # an interrupt from the terminal is this process's to answer
        )
        self._end = weakref.finalize(self, _end, self._process)
        # the thread must not refer to this object, or it would never be dropped
        self._talking = threading.Thread(
            target=_talk, args=(self._process, json.dumps(question), contents, self._answer), daemon=True
        )
        try:
            self._talking.start()
        except BaseException:
            self._end()
            raise

    def verdict(self) -> Verdict:
        """Wait for the child, end it where it takes too long, and say what it said."""
        if self._given is None:
            self._talking.join(max(self._until - time.monotonic(), 0))
            late = self._talking.is_alive()
            self._end()
            self._talking.join()
            what = f"gave no verdict within {self._seconds:g} seconds" if late else "ended before it gave a verdict"
            self._given = self._read() or _unfinished(self._root, what)
        return self._given

    def _read(self) -> Verdict | None:
        try:
            record = json.loads(self._answer[0])
            return Verdict(tuple(Finding.from_record(finding) for finding in record["findings"]))
        except (IndexError, ValueError, KeyError, TypeError):
            return None


def _unfinished(root: str, what: str) -> Verdict:
    message = f"openapi-spec-validator {what}; our own checks decide."
    finding = Finding("validator-did-not-finish", Severity.WARNING, Place(root), message)
    return Verdict((finding,), finished=False)


def _why(failure: Exception) -> str:
    return (failure.strerror if isinstance(failure, OSError) else "") or str(failure) or type(failure).__name__


def _talk(process: "subprocess.Popen[bytes]", question: str, contents: list[bytes], answer: list[bytes]) -> None:
    """Write the question and read the answer; input stays open, for its end tells the child to end."""
    asking, answering = _pipes(process)
    with suppress(OSError, ValueError):  # the child is gone, or was ended
        asking.write(question.encode() + b"\n")
        for data in contents:
            asking.write(data)
        asking.flush()
        contents.clear()
        answer.append(answering.read())


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()
    for pipe in _pipes(process):
        with suppress(OSError, ValueError):
            pipe.close()


def _pipes(process: "subprocess.Popen[bytes]") -> tuple[IO[bytes], IO[bytes]]:
    if process.stdin is None or process.stdout is None:
        raise ValueError("the child was started without pipes")
    return process.stdin, process.stdout
