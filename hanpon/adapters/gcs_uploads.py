"""Objects on their way into a bucket: sent by a bounded pool of threads, waited for together."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from hanpon.contracts.errors import Conflict, Unavailable, UsageError

MOST_WAITING_BYTES = 64 * 1024 * 1024
"""How much may wait to be sent; one object alone may be larger."""


class Uploads:
    """Work under keys, done in the background. One thread gives the work; what it gives for one key keeps its order.

    After a failure nothing more is taken up: each failure may have cost minutes of tries.
    """

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="gcs-upload")
        self._most_waiting = 2 * threads
        self._changed = threading.Condition()
        self._waiting: dict[str, Future[None]] = {}
        self._bytes = 0
        self._failures: dict[str, Exception] = {}
        self._left_out = 0
        self._abandoned = False

    def send(self, key: str, size: int, work: Callable[[], None]) -> None:
        """Do `work`, which sends `size` bytes, as soon as there is room. Raises as `settle` does."""
        with self._changed:
            self._changed.wait_for(lambda: bool(self._failures) or self._has_room(key, size))
            failed = bool(self._failures)
            if not failed:
                self._bytes += size
                self._waiting[key] = self._pool.submit(self._do, key, size, work)
        if failed:
            self.settle()

    def wait(self) -> None:
        """Wait for all that was given, however it ends."""
        with self._changed:
            self._changed.wait_for(lambda: not self._waiting)

    def settle(self) -> None:
        """Wait for all that was given. Raises one error that tells of every failure since the last time."""
        self.wait()
        failures, self._failures = self._failures, {}
        left_out, self._left_out = self._left_out, 0
        if failures:
            raise _together(failures, left_out)

    def permit(self) -> None:
        """Asked before each try. Raises Unavailable once the work was abandoned."""
        if self._abandoned:
            raise Unavailable("storage: the run ended before the object was sent")

    def close(self) -> None:
        """Give up what has not begun, and wait for what has: nothing is sent any more once this returns."""
        self._abandoned = True
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _has_room(self, key: str, size: int) -> bool:
        if not self._waiting:
            return True
        is_full = len(self._waiting) >= self._most_waiting or self._bytes + size > MOST_WAITING_BYTES
        return not is_full and key not in self._waiting

    def _do(self, key: str, size: int, work: Callable[[], None]) -> None:
        failure: Exception | None = None
        with self._changed:
            is_left_out = bool(self._failures)
            self._left_out += is_left_out
        try:
            if not is_left_out:
                work()
        except Exception as error:  # noqa: BLE001  told by settle, in the thread that gave the work
            failure = error
        with self._changed:
            if failure is not None:
                self._failures[key] = failure
            self._bytes -= size
            del self._waiting[key]
            self._changed.notify_all()


def _together(failures: dict[str, Exception], left_out: int) -> Exception:
    """One error for all, of the kind that a caller can do the least about."""
    kinds = (Conflict, UsageError, Unavailable)
    for error in failures.values():
        if not isinstance(error, kinds):
            return error  # a slip of ours
    kind = next(kind for kind in kinds if any(isinstance(error, kind) for error in failures.values()))
    reasons = "; ".join(dict.fromkeys(str(failures[key]).removeprefix("storage: ") for key in sorted(failures)))
    rest = f", {left_out} more were left out" if left_out else ""
    if len(failures) == 1 and not left_out:
        return kind(f"storage: {reasons}")
    return kind(f"storage: {len(failures)} objects could not be stored{rest}: {reasons}")
