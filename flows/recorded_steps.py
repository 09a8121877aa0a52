"""The steps of a run as Prefect tasks: on record one by one, and tried again where a service was unavailable."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from prefect import Task, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State, TaskRun
from prefect.states import Failed

from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import HanponError, Unavailable
from hanpon.contracts.lines import one_line

T = TypeVar("T")

RETRY_DELAYS = (2, 10, 30)
"""Seconds before each new try of a step, about."""

SHOWN_MESSAGE = 1000


class Attempt(Generic[T]):
    """Work whose result, or error, stays with this process: Prefect keeps neither pages nor tracebacks of it."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._results: list[T] = []
        self._error: HanponError | None = None

    def make(self) -> HanponError | None:
        """Do the work; the error that it ended with, if a user is to be told of it."""
        self._error = None
        try:
            self._results = [self._work()]
        except HanponError as error:
            self._error = error
        return self._error

    def result(self, state: State[Any]) -> T:
        """What the work returned; raises what it raised. `state` is how its task ended."""
        if self._error is not None:
            raise self._error
        if not self._results:
            state.result()  # raises what kept the task from being done
        return self._results[0]


def was_unavailable(_task: Task[..., Any], _run: TaskRun, state: State[Any]) -> bool:
    """Whether a task that failed may be tried again."""
    return isinstance(state.data, Unavailable)


@task(
    retries=len(RETRY_DELAYS),
    retry_delay_seconds=list(RETRY_DELAYS),
    retry_jitter_factor=0.3,
    retry_condition_fn=was_unavailable,
    cache_policy=NO_CACHE,
    persist_result=False,
)
def carry_out(attempt: Attempt[Any]) -> State[Any] | None:
    """One try of a step. An error in words fails the task in words; a traceback would tell a user nothing."""
    error = attempt.make()
    return Failed(message=one_line(str(error), SHOWN_MESSAGE), data=error) if error is not None else None


class RecordedSteps:
    """The promises of `contracts.ports.Steps` within a flow run."""

    def take(self, step: str, edition: Edition, work: Callable[[], T]) -> T:
        attempt = Attempt(work)
        recorded = carry_out.with_options(name=step, task_run_name=f"{step} {edition}")
        return attempt.result(recorded(attempt, return_state=True))
