"""Earlier answers of an item: read line by line, checked, and those with secrets left out."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hanpon.contracts.access import Access, Grant
from hanpon.contracts.answers import Answer, AnswersSource
from hanpon.contracts.bundle import FilesItem
from hanpon.contracts.editions import EVERY_VERSION
from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Finding, Place, Severity, in_order
from hanpon.sources.access.entries import not_granted
from hanpon.sources.answers.record_checks import PLAIN_KEY, misfits_of, unknown_keys, versions_of
from hanpon.sources.answers.record_secrets import in_words, secrets_of
from hanpon.sources.answers.records import Record, records_in
from hanpon.sources.texts.inputs import Inputs
from hanpon.sources.texts.structured_text import refuse_too_large
from hanpon.sources.texts.text_encoding import decode
from hanpon.sources.texts.text_problems import problem, shown


def read_answers(item: FilesItem, access: Access, inputs: Inputs) -> AnswersSource:
    """The answers of an item that may be published, and what is wrong with the others.

    A file without a grant is not read. A record with what looks like a secret is left out, and nothing of it, no part
    and no digest, is in the source, in a finding or in an exception. A record that is wrong is left out with an
    error; the others go on. Raises Unavailable as `inputs` does, and nothing else.
    """
    reading = _Reading()
    for file in item.files:
        grant = access.of(file)
        if grant is None:
            reading.findings.append(not_granted(file, item))
        else:
            reading.file(file, grant, item.encoding, inputs)
    return AnswersSource(item=item, answers=tuple(reading.answers), findings=in_order(reading.findings))


@dataclass(slots=True)
class _Reading:
    answers: list[Answer] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=dict)
    """Where each id was met first."""

    def file(self, file: str, grant: Grant, encoding: str, inputs: Inputs) -> None:
        try:
            text = _text(file, encoding, inputs)
        except InvalidInput as invalid:
            self.findings.extend(invalid.problems)
            return
        tally = _Tally(file)
        for record in records_in(text, file):
            answer = self.answer(record, Place(file, "", record.line), grant, tally)
            if answer:
                self.answers.append(answer)
        self.findings.extend(tally.findings())

    def answer(self, record: Record, place: Place, grant: Grant, tally: "_Tally") -> Answer | None:
        """The answer of a record; None, with findings, where there is none to publish."""
        secrets = secrets_of(record)
        if secrets:
            # before anything else is said of the record: whatever that is may quote it
            self.findings.append(Finding("answer-with-secret", Severity.WARNING, place, in_words(secrets)))
            return None
        problems = list(record.problems) or [problem(rule, place, words) for rule, words in misfits_of(record.value)]
        self.findings.extend(problems)
        if problems:
            return None
        first = self.places.setdefault(record.value["id"], place)
        if first is not place:
            self.findings.append(problem("answer-twice", place, _same_id(first, place)))
            return None
        tally.add(record)
        return _answer(record.value, grant, place)


def _same_id(first: Place, second: Place) -> str:
    where = f"line {first.line}" if first.file == second.file else f"line {first.line} of {shown(first.file)}"
    return f"This answer has the same id as the one in {where}, which is kept; give each an id of its own."


def _text(file: str, encoding: str, inputs: Inputs) -> str:
    size = inputs.size(file)
    if size is None:
        raise InvalidInput([problem("missing-file", Place(file), "There is no such file in the bundle.")])
    refuse_too_large(size, file)
    return decode(inputs.read(file), file, encoding)


def _answer(value: dict[str, Any], grant: Grant, place: Place) -> Answer:
    """What a record leaves open is said by its file's grant: `COMMON` and `ALL` where that says nothing else."""
    about = value.get("api", value.get("component"))
    return Answer(
        id=value["id"],
        question=value["question"],
        answer=value["answer"],
        api=about or grant.api,
        versions=versions_of(value) or ((EVERY_VERSION if about else grant.api_version),),
        superseded=value.get("superseded", False),
        date=value.get("date", ""),
        approved_by=value.get("approved_by", ""),
        grant=grant,
        place=place,
    )


_MOST_KEYS = 20


@dataclass(slots=True)
class _Tally:
    """What is told once for a file, with how often it was met."""

    name: str
    keys: dict[str, list[int]] = field(default_factory=dict)
    unbound: list[int] = field(default_factory=list)

    def add(self, record: Record) -> None:
        for key in unknown_keys(record.value):
            # a key is text of the file as well: only a plain word is shown
            self.keys.setdefault(key if PLAIN_KEY.fullmatch(key) else "", []).append(record.line)
        if not record.value.keys() & {"api", "component", "versions"}:
            self.unbound.append(record.line)

    def findings(self) -> Iterator[Finding]:
        for key, lines in list(self.keys.items())[:_MOST_KEYS]:
            named = f"The key {shown(key)}" if key else "A key that is no plain word"
            message = f"{named} is not one of an answer and is not published; {len(lines)} answers here have it."
            yield Finding("unknown-key", Severity.WARNING, Place(self.name, "", lines[0]), message)
        if self.unbound:
            message = (
                f"{len(self.unbound)} answers here name no `api` or `component` and no `versions`, so they hold for "
                "every one; say what they are about if that is not meant."
            )
            yield Finding(
                "answer-for-every-version", Severity.WARNING, Place(self.name, "", self.unbound[0]), message
            )
