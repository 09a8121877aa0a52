"""Long-running operations: begun by one call, asked for by name, by whoever and as often as they like."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from tests.cloud.discovery_engine.conduct import Conduct
from tests.cloud.discovery_engine.messages import Json, packed
from tests.cloud.discovery_engine.refusals import Refused, absent


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the work of an operation came to."""

    metadata: Json
    response: Json


@dataclass
class Operation:
    """Its work is done when it ends, not when it begins."""

    name: str
    kind: str
    metadata_type: Any
    response_type: Any
    work: Callable[[], Outcome]
    began: float
    polls_left: float
    ends: float
    planned_error: tuple[int, str] | None
    done: bool = False
    ended: float = 0.0
    outcome: Outcome = field(default_factory=lambda: Outcome({}, {}))
    error: Json | None = None


class Operations:
    """All operations of the project, kept by name for as long as the double lives."""

    def __init__(self, conduct: Conduct, clock: Callable[[], float]) -> None:
        self.all: dict[str, Operation] = {}
        self._conduct = conduct
        self._clock = clock

    def begin(self, parent: str, kind: str, types: tuple[Any, Any], work: Callable[[], Outcome]) -> Json:
        """Begin an operation below a resource; `types` are those of its metadata and response."""
        planned, self._conduct.operation_error = self._conduct.operation_error, None
        now = self._clock()
        operation = Operation(
            name=f"{parent}/operations/{kind}-{len(self.all) + 1}",
            kind=kind,
            metadata_type=types[0],
            response_type=types[1],
            work=work,
            began=now,
            polls_left=self._conduct.operation_polls,
            ends=now + self._conduct.operation_seconds,
            planned_error=planned,
        )
        self.all[operation.name] = operation
        shown = self._shown(operation)
        if operation.polls_left <= 0:
            self._end(operation)
        return shown

    def get(self, name: str) -> Json:
        """An operation as it stands, for one who asks; asking counts. Raises Refused for a name never given."""
        operation = self.all.get(name)
        if operation is None:
            raise absent(f"Operation {name} not found.")
        if not operation.done:
            if operation.polls_left <= 0:
                self._end(operation)
            operation.polls_left -= 1
        return self._shown(operation)

    def below(self, parent: str) -> list[Json]:
        """The operations below a resource, oldest first; looking does not count."""
        return [self._shown(each) for each in self.all.values() if each.name.startswith(f"{parent}/operations/")]

    def settle(self) -> None:
        """End those whose time has come."""
        for operation in self.all.values():
            if not operation.done and self._clock() >= operation.ends:
                self._end(operation)

    def under_way(self, kind: str) -> int:
        """How many of a kind have not ended."""
        return sum(1 for each in self.all.values() if each.kind == kind and not each.done)

    def _end(self, operation: Operation) -> None:
        operation.done, operation.ended = True, self._clock()
        if operation.planned_error is not None:
            code, message = operation.planned_error
            operation.error = {"code": code, "message": message}
            return
        try:
            operation.outcome = operation.work()
        except Refused as refusal:
            operation.error = {"code": refusal.code, "message": refusal.message}

    def _shown(self, operation: Operation) -> Json:
        times = {"createTime": moment(operation.began), "updateTime": moment(operation.ended or operation.began)}
        metadata = packed(operation.metadata_type, {**times, **operation.outcome.metadata})
        shown: Json = {"name": operation.name, "metadata": metadata}
        if operation.done:
            shown["done"] = True
        if operation.error is not None:
            shown["error"] = operation.error
        elif operation.done:
            shown["response"] = packed(operation.response_type, operation.outcome.response)
        return shown


def moment(seconds: float) -> str:
    """A time of the double's clock as messages write it."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
