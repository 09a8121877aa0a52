"""Earlier answers: questions that a person answered or approved, each for the versions it holds for."""

from dataclasses import dataclass

from hanpon.contracts.access import Grant
from hanpon.contracts.bundle import FilesItem
from hanpon.contracts.findings import Finding, Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer, free of secrets. `question` and `answer` are Markdown as written; the others plain text."""

    id: str
    question: str
    answer: str
    api: str
    """The API or component that it is about, `COMMON` for all."""
    versions: tuple[str, ...]
    """Without repetition, never empty; `ALL` for all."""
    superseded: bool = False
    date: str = ""
    """ISO 8601, "" where it is not known."""
    approved_by: str = ""
    grant: Grant
    """Its readers; what it holds for is said by `api` and `versions`."""
    place: Place
    """File, JSON Pointer "" and line of the record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersSource:
    """The answers of an item that may be published, in order of file and line."""

    item: FilesItem
    answers: tuple[Answer, ...]
    findings: tuple[Finding, ...] = ()
