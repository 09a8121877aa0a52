"""A diagnosis: one thing `hanpon doctor` looked at."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What was looked at and found. `advice` says the next step; `exit_code` is 0 where all is well."""

    subject: str
    found: str
    advice: str = ""
    exit_code: int = 0

    def as_record(self) -> dict[str, Any]:
        return {"subject": self.subject, "ok": not self.exit_code, "found": self.found, "advice": self.advice}
