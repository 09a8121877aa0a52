"""Who asks, and what they may see: the identity provider's side of access."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """An identity behind a token. A service account is no member of the identity provider, so it sees no document."""

    user_id: str = ""
    groups: frozenset[str] = frozenset()
    external_entities: frozenset[str] = frozenset()
    member: bool = False

    def principals(self) -> frozenset[tuple[str, str]]:
        """As readers name them: kind of principal and its text."""
        named = {("userId", self.user_id)} if self.user_id else set()
        named |= {("groupId", group) for group in self.groups}
        return frozenset(named | {("externalEntityId", entity) for entity in self.external_entities})

    def reads(self, readers: Iterable["Reader"]) -> bool:
        """Whether every entry of the readers lets this caller in; without any entry nobody is let in."""
        entries = list(readers)
        return self.member and bool(entries) and all(entry.lets_in(self) for entry in entries)


SERVICE_ACCOUNT = Caller()
"""The identity of a pipeline: it may call every method."""


def member(user_id: str, *groups: str) -> Caller:
    """A person in the identity provider."""
    return Caller(user_id=user_id, groups=frozenset(groups), member=True)


@dataclass(frozen=True, slots=True)
class Reader:
    """One entry of a document's readers: any of these principals, or everyone in the identity provider."""

    principals: frozenset[tuple[str, str]]
    everyone: bool

    def lets_in(self, caller: Caller) -> bool:
        return self.everyone or not self.principals.isdisjoint(caller.principals())


def readers_of(access: dict[str, Any]) -> tuple[Reader, ...]:
    """The entries of an `aclInfo`."""
    return tuple(
        Reader(
            frozenset(item for principal in entry.get("principals", []) for item in principal.items()),
            bool(entry.get("idpWide")),
        )
        for entry in access.get("readers", [])
    )
