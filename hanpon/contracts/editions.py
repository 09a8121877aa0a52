"""Editions: one item name at one version, the unit that is planned, verified and published whole."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What an item of a bundle is."""

    API = "api"
    COMPONENT = "component"
    GUIDELINE = "guideline"
    DESIGN = "design"
    ANSWERS = "answers"


EVERY_VERSION = "ALL"
"""The version of what holds for every version."""

EVERY_API = "COMMON"
"""The api of what holds for every API."""


@dataclass(frozen=True, slots=True, order=True)
class Edition:
    """The address of an edition; `str()` is how people write it: `customer@v1`."""

    kind: Kind
    name: str
    version: str

    @property
    def folder(self) -> str:
        """Its folder in storage, without a slash at the end."""
        return f"{self.kind}/{self.name}/{self.version}"

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"
