"""The ways a run can stop. "Stop" is an exception; "wrong" is a finding.

The class decides the exit code, and the rule of the finding that tells of it, so nobody else has to.
"""

from collections.abc import Sequence
from typing import ClassVar

from hanpon.contracts.findings import Finding


class HanponError(Exception):
    """Something that a user is told in one message; `exit_code` is what the command returns.

    Where it stops one edition and not the run, a finding tells of it under `rule`; `InvalidInput` has its own.
    """

    exit_code: ClassVar[int] = 2
    rule: ClassVar[str] = "unusable-store"


class UsageError(HanponError):
    """A setting or an argument cannot be used as given (exit 2)."""


class InvalidInput(HanponError):
    """The input is refused (exit 3). Carries every problem that was found in it, not the first."""

    exit_code = 3

    def __init__(self, problems: Sequence[Finding]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class Unavailable(HanponError):
    """A service or a disk did not do what it was asked (exit 4). The only kind that is ever retried."""

    exit_code = 4
    rule = "unavailable"


class Held(HanponError):
    """Someone else holds the edition (exit 5)."""

    exit_code = 5
    rule = "held"


class Conflict(HanponError):
    """A conditional write met another state than expected: someone else moved it meanwhile (exit 5)."""

    exit_code = 5
    rule = "held"


class Missing(HanponError):
    """An object of storage, or a file of a bundle, that was asked for does not exist (exit 4)."""

    exit_code = 4
    rule = "unavailable"
