"""Progress for a person at a terminal, on standard error; silence everywhere else."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hanpon.contracts.editions import Edition
from hanpon.contracts.ports import Progress
from hanpon.runs.silence import Silence

if TYPE_CHECKING:
    from rich.progress import Progress as Bars


@contextmanager
def shown_progress(*, quiet: bool) -> Iterator[Progress]:
    """Bars while the block runs; nothing where standard error is no terminal or `quiet` is asked for."""
    if quiet or not sys.stderr.isatty():
        yield Silence()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn
    from rich.progress import Progress as Bars

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        yield _Shown(bars)


class _Shown:
    def __init__(self, bars: "Bars") -> None:
        self._bars = bars
        self._task = bars.add_task("", total=None)

    def step(self, edition: Edition, stage: str, done: int = 0, total: int = 0) -> None:
        self._bars.update(self._task, description=f"{edition} {stage}", completed=done, total=total or None)
