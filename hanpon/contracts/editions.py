"""Editions: one item name at one version, the unit that is planned, verified and published whole."""

import re
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

LONGEST_NAME = 100
"""Bytes of UTF-8: names become folders, and parts of longer names."""

_NAME = re.compile(r"\w[\w.-]*")
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,39}")


def is_version(text: str) -> bool:
    """Whether a text can be a version: ASCII letters, digits and `. _ + -`, 40 characters at most."""
    return _VERSION.fullmatch(text) is not None


@dataclass(frozen=True, slots=True, order=True)
class Edition:
    """The address of an edition; `str()` is how people write it: `customer@v1`.

    Raises ValueError for what can be no name or no version: both become folders of storage.
    """

    kind: Kind
    name: str
    version: str

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"{self.name!r} can be no item's name: letters, digits, `-`, `_` and `.` are wanted")
        if len(self.name.encode()) > LONGEST_NAME:
            raise ValueError(f"{self.name!r} can be no item's name: {LONGEST_NAME} bytes of UTF-8 are the most")
        if not is_version(self.version):
            raise ValueError(f"{self.version!r} can be no version: letters, digits, `.`, `_`, `+` and `-` are wanted")

    @property
    def folder(self) -> str:
        """Its folder in storage, without a slash at the end."""
        return f"{self.kind}/{self.name}/{self.version}"

    def as_address(self) -> dict[str, str]:
        """How every record names an edition."""
        return {"kind": str(self.kind), "name": self.name, "version": self.version}

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"
