"""Zip containers of office files: bounded before anything is unpacked, and their XML without entities."""

import io
import re
import zipfile
from dataclasses import dataclass

from hanpon.formats.office_outline import NotReadable

MAX_MEMBERS = 20_000
MAX_UNPACKED = 512 * 1024 * 1024
"""Of all members together, images among them."""

MAX_XML = 64 * 1024 * 1024
"""Of one member of XML."""

MAX_ALL_XML = 192 * 1024 * 1024

MAX_RATIO = 200
"""Unpacked to packed, of a member of more than a megabyte: deflate reaches 1032, real sheets about 40."""

_SMALL = 1024 * 1024
_XML_NAMES = (".xml", ".rels", ".vml")
_DECLARED = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")


@dataclass(frozen=True, slots=True)
class Package:
    """An office file's container, checked: no member is larger than it may be, no XML has a DTD or entities."""

    archive: zipfile.ZipFile

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all members."""
        return tuple(self.archive.NameToInfo)

    def read(self, name: str) -> bytes | None:
        """The bytes of a member, None where there is none. Raises NotReadable where they are damaged."""
        if name not in self.archive.NameToInfo:
            return None
        try:
            return self.archive.read(name)
        except Exception as error:  # damaged streams raise zlib's, struct's and zipfile's own
            raise NotReadable("damaged", "a part of its zip container cannot be unpacked") from error


def opened(data: bytes) -> Package:
    """The container of an office file. Raises NotReadable for what is damaged, locked or out of bounds."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except Exception as error:  # zipfile raises whatever its fields lead to
        raise NotReadable("damaged", "its zip container is damaged or cut short") from error
    members = archive.infolist()
    if any(member.flag_bits & 0x1 for member in members):
        raise NotReadable("encrypted", "its zip container wants a password")
    _refuse_bombs(members)
    package = Package(archive)
    for member in members:
        if member.filename.lower().endswith(_XML_NAMES):
            _refuse_entities(package.read(member.filename) or b"")
    return package


def _refuse_bombs(members: list[zipfile.ZipInfo]) -> None:
    if len(members) > MAX_MEMBERS:
        raise NotReadable("too-large", f"its zip container has more than {MAX_MEMBERS:,} members")
    xml = [member.file_size for member in members if member.filename.lower().endswith(_XML_NAMES)]
    if (
        sum(member.file_size for member in members) > MAX_UNPACKED
        or sum(xml) > MAX_ALL_XML
        or max(xml, default=0) > MAX_XML
        or any(member.file_size > max(_SMALL, MAX_RATIO * member.compress_size) for member in members)
    ):
        raise NotReadable("too-large", "it unpacks to more than what is read")


def _refuse_entities(xml: bytes) -> None:
    """Office files have no DTD (ECMA-376 part 2, 9.1.2), and so no entities that could grow."""
    head = xml[:4]
    encoding = "utf-16" if head[:2] in {b"\xff\xfe", b"\xfe\xff"} or b"\0" in head else "utf-8"
    if encoding == "utf-16":
        plain = xml.replace(b"\0", b"")
    else:
        declared = _DECLARED.match(xml.removeprefix(b"\xef\xbb\xbf"))
        if declared and declared[1].lower() not in {b"utf-8", b"us-ascii", b"ascii", b"utf8"}:
            raise NotReadable("unreadable", "a part of it is XML in another encoding than UTF-8 or UTF-16")
        plain = xml
    if b"<!DOCTYPE" in plain or b"<!ENTITY" in plain:
        raise NotReadable("unreadable", "a part of it is XML with a DTD, which office files must not have")
