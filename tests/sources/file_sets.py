"""Items made of files, and their access and answers read from memory."""

from collections.abc import Mapping
from typing import Any

from hanpon.contracts.access import Access
from hanpon.contracts.answers import AnswersSource
from hanpon.contracts.bundle import FilesItem
from hanpon.contracts.editions import Kind
from hanpon.contracts.findings import Finding, Place
from hanpon.sources.access.reader import read_access
from hanpon.sources.answers.reader import read_answers
from hanpon.sources.texts.inputs import Inputs
from tests.trees import MemoryTree

READERS = ("group:engineers@example.co.jp",)


def item_of(*files: str, kind: Kind = Kind.ANSWERS, **said: Any) -> FilesItem:
    settings = {"readers": READERS, "api": "COMMON", "api_version": "ALL"} | said
    place = Place("hanpon.yaml", "/items/0", 3)
    return FilesItem(
        kind=kind, name="past", title="past", language="ja", place=place, files=tuple(sorted(files)), **settings
    )


def access_from(
    data: str | bytes, *files: str, name: str = "designs/access.csv", **said: Any
) -> tuple[Access, tuple[Finding, ...]]:
    """What an access file says of the files of a design, and what is wrong with its entries."""
    access, findings = all_of_access(data, *files, name=name, **said)
    return access, tuple(each for each in findings if each.rule != "access-unclear")


def all_of_access(
    data: str | bytes, *files: str, name: str = "designs/access.csv", **said: Any
) -> tuple[Access, tuple[Finding, ...]]:
    """The same with what becomes of files of which the readers are not known."""
    item = item_of(*files, kind=Kind.DESIGN, access=name, **said)
    return read_access(item, Inputs(MemoryTree({name: data} | dict.fromkeys(files, "x"))))


def answers_from(files: Mapping[str, str | bytes], **said: Any) -> AnswersSource:
    """The answers of files that every reader of the item may see."""
    item = item_of(*files, **said)
    inputs = Inputs(MemoryTree(files))
    return read_answers(item, read_access(item, inputs)[0], inputs)


def readers_of(access: Access, file: str) -> tuple[str, ...]:
    """Who may see what is made of a file; () for nobody."""
    grant = access.of(file)
    return grant.readers if grant else ()


def told(findings: tuple[Finding, ...]) -> list[tuple[str, str, int]]:
    """Rule, severity and line of each finding."""
    return [(each.rule, str(each.severity), each.where.line) for each in findings]
