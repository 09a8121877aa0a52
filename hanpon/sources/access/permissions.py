"""An access file in the shape of Google Drive's permissions (Drive API v3, resource `permissions`), as JSON.

Either a list of `{"path": …, "permissions": […]}` or a mapping from paths to a list of permissions or to
`{"permissions": […]}`; `api` and `api_version` may stand beside `permissions`.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.sources.access.drive import Refusal, principal_of
from hanpon.sources.access.entries import Entry
from hanpon.sources.texts.text_problems import problem, shown

_KEYS = ("path", "permissions", "api", "api_version")


def entries_of_permissions(value: Any, file: str) -> tuple[list[Entry], list[Finding]]:
    """The entries of a parsed file and what is wrong with single ones; places have no lines yet.

    A permission that is not granted leaves the others of its file as they are. Raises InvalidInput where the value
    is neither a list nor a mapping.
    """
    reading = _Reading(file)
    if isinstance(value, list):
        for index, member in enumerate(value):
            reading.listed(member, Place(file).child(index))
    elif isinstance(value, dict):
        for path, member in value.items():
            reading.mapped(path, member, Place(file).child(path))
    else:
        message = "Expected a list of entries with `path` and `permissions`, or a mapping from paths to permissions."
        raise InvalidInput([problem("access-entry", Place(file), message)])
    return reading.entries, [*reading.findings, *reading.refusals()]


@dataclass(slots=True)
class _Reading:
    file: str
    entries: list[Entry] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    refused: dict[Refusal, list[Place]] = field(default_factory=dict)

    def listed(self, member: Any, place: Place) -> None:
        path = member.get("path") if isinstance(member, dict) else None
        if not isinstance(path, str) or not path:
            message = "Expected an entry with a `path` and its `permissions`; nobody gets access by this one."
            self.findings.append(problem("access-entry", place, message))
        else:
            self.mapped(path, member, place)

    def mapped(self, path: str, member: Any, place: Place) -> None:
        said: Any = {"permissions": member} if isinstance(member, list) else member
        problems = list(_entry_problems(said, place))
        self.findings.extend(problems)
        sound = not problems
        self.entries.append(
            Entry(
                path=unicodedata.normalize("NFC", path),
                principals=tuple(self._principals(said, member, place)) if sound else (),
                api=said.get("api", "") if sound else "",
                api_version=said.get("api_version", "") if sound else "",
                place=place,
                sound=sound,
            )
        )

    def _principals(self, said: dict[str, Any], member: Any, place: Place) -> Iterator[str]:
        below = place if isinstance(member, list) else place.child("permissions")
        for index, permission in enumerate(said["permissions"]):
            found = principal_of(permission)
            if isinstance(found, str):
                yield found
            elif found.severity is Severity.ERROR:
                self.findings.append(problem("bad-permission", below.child(index), found.reason))
            else:
                self.refused.setdefault(found, []).append(below.child(index))

    def refusals(self) -> Iterator[Finding]:
        """Each reason once, at its first place: an export has the same permission at every file."""
        for refusal, places in self.refused.items():
            more = f" This holds for {len(places)} permissions." if len(places) > 1 else ""
            yield Finding("permission-not-granted", refusal.severity, places[0], refusal.reason + more)


def _entry_problems(said: Any, place: Place) -> Iterator[Finding]:
    if not isinstance(said, dict) or not isinstance(said.get("permissions"), list):
        message = "Expected a list of `permissions`, found something else; nobody gets access by this entry."
        yield problem("access-entry", place, message)
        return
    for key, value in said.items():
        if key not in _KEYS:
            message = (
                f"An entry has no key {shown(key)}, so nobody gets access by it; it may have {', '.join(_KEYS)}."
            )
            yield problem("unknown-key", place.child(key), message)
        elif key in {"api", "api_version"} and not isinstance(value, str):
            yield problem("wrong-type", place.child(key), f"Expected {shown(key)} to be text in quotes.")
