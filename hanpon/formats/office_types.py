"""Types of document files, told from their bytes: names can be wrong."""

import io
import re
import zipfile

MEDIA_TYPES = {
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""Of the files that are read, by extension."""

_OOXML = "application/vnd.openxmlformats-officedocument."
_MAIN_PARTS = {
    f"{_OOXML}wordprocessingml.document.main+xml": "docx",
    f"{_OOXML}wordprocessingml.template.main+xml": "dotx",
    "application/vnd.ms-word.document.macroEnabled.main+xml": "docm",
    f"{_OOXML}presentationml.presentation.main+xml": "pptx",
    f"{_OOXML}presentationml.slideshow.main+xml": "ppsx",
    "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml": "pptm",
    f"{_OOXML}spreadsheetml.sheet.main+xml": "xlsx",
    f"{_OOXML}spreadsheetml.template.main+xml": "xltx",
    "application/vnd.ms-excel.sheet.macroEnabled.main+xml": "xlsm",
    "application/vnd.ms-excel.sheet.binary.macroEnabled.main": "xlsb",
}
_MAX_TYPES = 4 * 1024 * 1024
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_TYPE = re.compile(r"""ContentType\s*=\s*["']([^"'<>]{1,200})["']""")
_OLE_STREAMS = {"WordDocument": "doc", "Workbook": "xls", "PowerPoint Document": "ppt", "VisioDocument": "vsd"}


def sniffed(data: bytes) -> str:
    """The extension that belongs to the bytes of a document file (`pdf`, `docx`, `xlsm`, `doc`, …), "" for none."""
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data.startswith(_OLE):
        return next((type_ for name, type_ in _OLE_STREAMS.items() if name.encode("utf-16-le") in data), "")
    return _of_package(data) if data.startswith(b"PK\x03\x04") else ""


def encrypted_office(data: bytes) -> bool:
    """Whether this is a DOCX, PPTX or XLSX behind a password (MS-OFFCRYPTO 2.3.4.4): such a file is no zip."""
    return data.startswith(_OLE) and "EncryptedPackage".encode("utf-16-le") in data


def _of_package(data: bytes) -> str:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        member = archive.getinfo("[Content_Types].xml")
        if member.file_size > _MAX_TYPES:
            return ""
        types = archive.read(member).decode("utf-8", "replace")
    except Exception:  # noqa: BLE001  zipfile raises whatever a damaged container leads to
        return ""
    return next((_MAIN_PARTS[found] for found in _TYPE.findall(types) if found in _MAIN_PARTS), "")
