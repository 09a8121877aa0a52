"""Progress that nobody watches."""

from hanpon.contracts.editions import Edition


class Silence:
    """Shows nothing: the promise of `contracts.ports.Progress` at its plainest."""

    def step(self, edition: Edition, stage: str, done: int = 0, total: int = 0) -> None:  # noqa: ARG002
        return
