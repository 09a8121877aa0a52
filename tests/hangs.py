"""A guard against hanging: what takes no time worth speaking of must at least end."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

PATIENCE = 60
"""Seconds after which work counts as hanging; what is guarded takes a few seconds at most."""


@contextmanager
def must_end() -> Iterator[None]:
    """Fails where the block takes a minute of this process. How fast it is stands in `benchmarks/`, not in tests."""

    def give_up(_signal: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"it did not end within {PATIENCE} processor seconds")

    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def must_come_back() -> Iterator[None]:
    """Fails where the block waits for a minute: whoever waits for a pipe uses no processor time."""

    def give_up(_signal: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"it did not come back within {PATIENCE} seconds")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
