"""What an access file says of one path, and how all of it becomes grants. Whatever is in doubt grants nothing."""

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from hanpon.contracts.access import Access, Grant
from hanpon.contracts.bundle import FilesItem
from hanpon.contracts.editions import EVERY_API, EVERY_VERSION
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.sources.access.holding import holding_problem
from hanpon.sources.texts.text_problems import problem, shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One path with those who may see it.

    `api` and `api_version` are "" where the entry leaves them to the item. An entry that is not `sound` has been
    told about; it grants nothing, and still takes its path.
    """

    path: str
    principals: tuple[str, ...]
    api: str = ""
    api_version: str = ""
    place: Place
    sound: bool = True


def not_granted(file: str, item: FilesItem) -> Finding:
    """That a file is left out because nobody may see it."""
    message = f"Nobody may see this file: it has no sound entry in {shown(item.access)}, so it is not published."
    return Finding("no-access-entry", Severity.WARNING, Place(file), message)


def access_of(entries: Sequence[Entry], item: FilesItem) -> tuple[Access, list[Finding]]:
    """The grants of the entries, by file of the item, and what is wrong with them or in vain."""
    findings: list[Finding] = []
    grants: dict[str, Grant] = {}
    files = frozenset(item.files)
    for path, same in _by_path(entries).items():
        first, *others = same
        findings.extend(_said_twice(first, other) for other in others)
        said = list(_problems_of(first, item))
        findings.extend(said)
        grant = None if others or said or not first.sound else _grant(first, item)
        if grant and path in files:
            grants[path] = grant
    findings.extend(_unused([entry for entry in entries if entry.path not in files], item))
    return Access(by_file={path: grants[path] for path in sorted(grants)}), findings


def _by_path(entries: Iterable[Entry]) -> Mapping[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(entry.path, []).append(entry)
    return found


def _said_twice(first: Entry, other: Entry) -> Finding:
    message = (
        f"{shown(first.path)} has an entry in line {first.place.line} already, and which of the two holds cannot be "
        "known, so nobody may see it; keep one."
    )
    return problem("access-entry-twice", other.place, message)


def _grant(entry: Entry, item: FilesItem) -> Grant | None:
    readers = tuple(sorted(set(entry.principals)))
    api, version = _held(entry, item)
    return Grant(readers=readers, api=api, api_version=version) if readers else None


def _held(entry: Entry, item: FilesItem) -> tuple[str, str]:
    if entry.api == EVERY_API:
        return EVERY_API, entry.api_version or EVERY_VERSION
    return entry.api or item.api, entry.api_version or item.api_version


def _problems_of(entry: Entry, item: FilesItem) -> Iterator[Finding]:
    """What is wrong with what an entry holds for, and an entry that names nobody."""
    if not entry.sound:
        return
    if entry.api not in {"", EVERY_API, item.api} and not entry.api_version:
        message = "An entry with an `api` of its own needs an `api_version`; write ALL if it holds for every version."
        yield problem("access-entry", entry.place, message)
    elif said := holding_problem(*_held(entry, item)):
        yield problem(said.rule, entry.place, said.message)
    elif not entry.principals:
        message = (
            f"Nobody may see {shown(entry.path)}, so it is not published; name its readers if that is not meant."
        )
        yield Finding("no-readers", Severity.WARNING, entry.place, message)


_MOST_HINTS = 20
"""Nearest names are looked for as often; that takes time with every file of an item."""


def _unused(entries: Sequence[Entry], item: FilesItem) -> Iterator[Finding]:
    for index, entry in enumerate(entries):
        if any(sign in entry.path for sign in "*?"):
            message = f"Patterns such as {shown(entry.path)} are not read here; give every file an entry of its own."
            yield problem("access-pattern", entry.place, message)
        else:
            hint = _hint(entry.path, item, look_around=index < _MOST_HINTS)
            message = f"{shown(entry.path)} is no file of this item, so its entry does nothing{hint}."
            yield Finding("access-entry-unused", Severity.WARNING, entry.place, message)


def _hint(path: str, item: FilesItem, *, look_around: bool) -> str:
    files = item.files
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(item.access), path.replace("\\", "/")))
    if beside in files:
        return f"; paths are relative to the bundle's folder: write {shown(beside)}"
    alike = [file for file in files if file.casefold() == path.casefold()] if look_around else []
    if alike:
        return f"; write it as the file is called, {shown(alike[0])}"
    near = get_close_matches(path, files[:2000], n=1, cutoff=0.8) if look_around else []
    return f"; did you mean {shown(near[0])}" if near else ""
