"""The report of a withdrawal: what `withdraw --json` prints."""

from dataclasses import dataclass
from typing import Any

from hanpon.contracts.editions import Edition


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal:
    """What was taken away: rows from the datastore, objects from storage."""

    edition: Edition
    rows: int
    objects: int
    kept: int
    """Objects that stay in storage, for a release to use again."""

    def as_record(self) -> dict[str, Any]:
        """The record of `schemas/withdrawal.schema.json`."""
        return {**self.edition.as_address(), "rows": self.rows, "objects": self.objects, "kept": self.kept}
