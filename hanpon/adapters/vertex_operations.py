"""Long-running operations of Vertex AI Search: waited for by name, whoever began them."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from google.api_core import exceptions as refusals_of_google
from google.cloud import discoveryengine_v1 as discoveryengine
from google.longrunning import operations_pb2

from hanpon.adapters.google_calls import TRY, google_errors_in_words, patience
from hanpon.contracts.errors import Unavailable

_MOMENT = 0.001
"""Seconds: a clock may not tell less apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Time, and how many seconds are given: to one operation, and to a change until it shows."""

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    operation: float = 3600.0
    lag: float = 300.0

    def until(self, seconds: float, *, first: float = 1.0, most: float = 30.0) -> Iterator[None]:
        """Yields at once, and again after pauses that grow, until so many seconds have gone by."""
        end, pause = self.clock() + seconds, first
        while True:
            yield
            left = end - self.clock()
            if left < _MOMENT:
                return
            self.sleep(min(pause, left))
            pause = min(pause * 1.5, most)


def unpacked(message: Any, kind: Any) -> Any:
    """An operation's `metadata` or `response` as a message of this kind; an empty one where it holds nothing."""
    found = kind.pb()()
    message.Unpack(found)
    return found


class Operations:
    """Operations on the documents of one branch."""

    def __init__(self, documents: discoveryengine.DocumentServiceClient, store: str, pace: Pace) -> None:
        # operations are named below the number of the branch, whatever the request called it
        self._documents, self._branch, self._pace = documents, f"{store}/branches/0", pace

    def ended(self, name: str) -> Any:
        """The operation once it has ended; None where the service has forgotten it, so that it ended long ago.

        Raises Unavailable where it does not end in time: it goes on, and whoever knows its name can wait again.
        """
        for _ in self._pace.until(self._pace.operation):
            operation = self._get(name)
            if operation is None or operation.done:
                return operation
        raise Unavailable(
            f"Vertex AI Search: {name} has not ended after {self._pace.operation:,.0f} seconds; "
            "it goes on there, and the next run waits for it"
        )

    def is_under_way(self, name: str) -> bool:
        operation = self._get(name)
        return operation is not None and not operation.done

    def any_under_way(self) -> list[str]:
        """The names of all operations of the branch that have not ended, whoever began them."""
        names: list[str] = []
        token = ""
        while True:
            request = operations_pb2.ListOperationsRequest(name=self._branch, page_token=token)
            with google_errors_in_words(f"{self._branch}: listing operations"):
                page = self._documents.list_operations(request, retry=patience(), timeout=TRY)
            names += [each.name for each in page.operations if not each.done]
            token = page.next_page_token
            if not token:
                return names

    def _get(self, name: str) -> Any:
        request = operations_pb2.GetOperationRequest(name=name)
        with google_errors_in_words(f"{name}: asking how far it is"):
            try:
                return self._documents.get_operation(request, retry=patience(), timeout=TRY)
            except refusals_of_google.NotFound:
                return None
