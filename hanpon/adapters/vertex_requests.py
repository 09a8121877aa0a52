"""Requests to Vertex AI Search that begin an operation: noted before they are sent, and waited for."""

import itertools
from collections import deque
from collections.abc import Callable
from typing import Any

from google.api_core.exceptions import TooManyRequests

from hanpon.adapters.google_calls import DamagedAnswer, google_errors_in_words, passes
from hanpon.adapters.vertex_bucket import Bucket
from hanpon.adapters.vertex_notes import Notebook, Notes, is_operation
from hanpon.adapters.vertex_operations import Operations, Pace
from hanpon.contracts.errors import Unavailable, UsageError

FOLDER = "imports/"
"""Where lines lie in the bucket, and errors below `errors/`, while a change is under way."""

IMPORTS_A_MINUTE = 5
MINUTE = 60.0
"""The quota of a project; others may use it too, so a refusal is waited for all the same."""

PATIENCE = 300.0
"""Seconds for which a request is sent again and again where the service does not take it."""

PASSING_CODES = frozenset({4, 8, 10, 13, 14})
"""google.rpc codes after which trying again may help: deadline, quota, aborted, internal, unavailable."""

Begin = Callable[[int], str]
"""Sends a request, for the nth time, and gives the name of the operation that it began."""


class Requests:
    """Sends requests for one datastore. `run` is its own: no other's files in `imports/` begin like this."""

    def __init__(self, bucket: Bucket, operations: Operations, pace: Pace, run: str) -> None:
        self._bucket, self._operations, self._pace, self._run = bucket, operations, pace, run
        self._numbers = itertools.count(1)
        self._imports: deque[float] = deque(maxlen=IMPORTS_A_MINUTE)

    def name(self) -> str:
        """A name for one request's files, used by no other."""
        return f"{self._run}-{next(self._numbers)}"

    def announce(self, notebook: Notebook) -> None:
        """Note that a request is going to be sent: from now on the next run looks for what became of it."""
        notebook.write(Notes(unanswered=True, run=self._run))

    def wait_for_quota(self) -> None:
        """Wait until one more import is within the quota, as far as this process knows."""
        if len(self._imports) == IMPORTS_A_MINUTE:
            self._pace.sleep(max(0.0, self._imports[0] + MINUTE - self._pace.clock()))
            self._bucket.still_held()
        self._imports.append(self._pace.clock())

    def carry_out(self, what: str, begin: Begin, notebook: Notebook) -> Any:
        """Send a request that was announced, and give its operation once that has ended.

        What it begins may be begun twice, where an answer is lost: so it must do no harm twice, and no operation of
        the store is left under way that may be the one whose name is not known. Nothing is sent once the edition is
        held no more. Raises Unavailable, UsageError and Conflict.
        """
        name, is_sure = self._sent(what, begin)
        notebook.write(Notes(operations=(name,), unanswered=not is_sure, run=self._run))
        operation = self._operations.ended(name)
        if not is_sure:
            self._end_all()
        if operation is None:
            raise Unavailable(f"{what}: the service does not know {name} any more; try again")
        if operation.HasField("error"):
            kind = Unavailable if operation.error.code in PASSING_CODES else UsageError
            raise kind(f"{what}: failed ({operation.error.message or operation.error.code})")
        return operation

    def recover(self, notebook: Notebook) -> Notes:
        """Wait for what a former run left under way, remove its files, and give what it noted. Nothing is noted."""
        notes = notebook.read()
        for name in notes.operations:
            self._operations.ended(name)
        if notes.unanswered:
            self._end_all()
        if notes.run:
            self.tidy(notes.run)
        return notes

    def tidy(self, run: str = "") -> None:
        """Remove the files of this or of another run."""
        begins = tuple(f"{folder}{run or self._run}-" for folder in (FOLDER, f"{FOLDER}errors/"))
        self._bucket.delete([key for key in self._bucket.list(FOLDER) if key.startswith(begins)])

    def _sent(self, what: str, begin: Begin) -> tuple[str, bool]:
        """The operation's name, and whether it is sure that no other was begun."""
        is_sure, last = True, None
        with google_errors_in_words(what):
            for attempt, _ in enumerate(self._pace.until(PATIENCE), 1):
                self._bucket.still_held()  # a try after that would undo what another run has done since
                try:
                    return _checked(begin(attempt)), is_sure
                except Exception as error:
                    if not passes(error):
                        raise
                    is_sure, last = is_sure and isinstance(error, TooManyRequests), error
            raise last or AssertionError
        raise AssertionError

    def _end_all(self) -> None:
        for name in self._operations.any_under_way():
            self._operations.ended(name)


def _checked(name: str) -> str:
    """The name of an operation, as the service answered. Raises DamagedAnswer: nobody can wait for any other."""
    if not is_operation(name):
        raise DamagedAnswer(f"the answer names no operation, but {name!r}")
    return name
