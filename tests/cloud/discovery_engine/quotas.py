"""Quotas of a project: so many calls of a kind in any minute, counted by the double's clock."""

from collections import defaultdict, deque
from collections.abc import Callable

from tests.cloud.discovery_engine.refusals import exhausted

MINUTE = 60.0

PER_MINUTE = {
    "imports": 5,
    "batch requests": 100,
    "purges": 100,
    "document reads": 300,
    "searches": 300,
}
"""Calls a minute; `imports` are those from Cloud Storage, `batch requests` are inline imports and purges."""

PENDING = {"imports": 300, "purges": 100}
"""Operations under way at a time."""


class Quotas:
    """Counts calls; `per_minute` and `pending` may be changed by a test. A call that is refused is not counted."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.per_minute = dict(PER_MINUTE)
        self.pending = dict(PENDING)
        self._clock = clock
        self._calls: defaultdict[str, deque[float]] = defaultdict(deque)

    def count(self, *kinds: str) -> None:
        """Count a call that falls under these quotas. Raises Refused where one of them is used up."""
        now = self._clock()
        for kind in kinds:
            calls = self._calls[kind]
            while calls and calls[0] <= now - MINUTE:
                calls.popleft()
            if len(calls) >= self.per_minute[kind]:
                limit = self.per_minute[kind]
                raise exhausted(f"Quota exceeded for quota metric '{kind}' and limit '{limit} per minute'.")
        for kind in kinds:
            self._calls[kind].append(now)

    def admit(self, kind: str, under_way: int) -> None:
        """Raises Refused where no more operations of this kind may be begun."""
        if under_way >= self.pending[kind]:
            raise exhausted(f"Quota exceeded for pending operations: {kind}, {self.pending[kind]} at a time.")
