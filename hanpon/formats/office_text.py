"""Text of PDF, DOCX, PPTX and XLSX for search: headings with what stands below. The files stay as they are.

Files are hostile: whatever their bytes are, only `NotReadable` comes out, and no warning and no log line.
"""

import io
import logging
import re
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from importlib import import_module

from hanpon.formats.office_outline import NotReadable, OfficeSection, OfficeText, Outline
from hanpon.formats.office_types import MEDIA_TYPES, encrypted_office, sniffed
from hanpon.formats.zip_limits import Package, opened

__all__ = [
    "MAX_BYTES",
    "MEDIA_TYPES",
    "NotReadable",
    "OfficeSection",
    "OfficeText",
    "office_text",
    "outline_of",
    "sniffed",
]

MAX_BYTES = 50 * 1024 * 1024
"""Of one file; Vertex AI Search reads them below 200 MB."""

MAX_PDF_BYTES = 40_000_000 - 1
"""Vertex AI Search with its layout parser reads PDF below 40 MB."""

_EXTENSIONS = {media_type: extension for extension, media_type in MEDIA_TYPES.items()}


def limit_of(extension: str) -> int:
    """The most bytes that a file of an extension may have."""
    return MAX_PDF_BYTES if extension == "pdf" else MAX_BYTES


def outline_of(data: bytes, media_type: str) -> tuple[OfficeSection, ...]:
    """The sections of a file, in reading order. Raises NotReadable; KeyError for a media type that is not read."""
    return office_text(data, _EXTENSIONS[media_type]).sections


def office_text(data: bytes, extension: str) -> OfficeText:
    """What a file of a type (a key of `MEDIA_TYPES`) says, and what of it could not be read. Raises NotReadable."""
    _refuse(data, extension)
    outline = Outline()
    try:
        with _silence():
            _read(data, extension, outline)
    except NotReadable:
        raise
    except Exception as error:  # hostile files make the four libraries raise anything at all
        raise NotReadable("unreadable", "it is not built as files of its type are") from error
    return outline.finished()


def _refuse(data: bytes, extension: str) -> None:
    found = sniffed(data)
    if found != extension and found:
        raise NotReadable("other-type", f"its bytes are those of a .{found} file")
    if len(data) > limit_of(extension):
        raise NotReadable("too-large", f"it has {len(data):,} bytes; at most {limit_of(extension):,} are read")
    if extension != "pdf" and encrypted_office(data):
        raise NotReadable("encrypted", "it wants a password")
    is_container = data.startswith(b"PK") and extension != "pdf"
    if not found and not is_container:
        raise NotReadable("other-type", f"its bytes are not those of a .{extension} file")


def _read(data: bytes, extension: str, outline: Outline) -> None:
    """Each type's library is loaded where its first file is met: the four take a quarter of a second."""
    if extension == "pdf":
        import_module("hanpon.formats.pdf_text").read_pdf(data, outline)
        return
    package = opened(data)
    if not sniffed(data):
        raise NotReadable("other-type", f"it is a zip container, but not that of a .{extension} file")
    outline.lost += _left_out(package)
    if extension == "docx":
        import_module("hanpon.formats.docx_text").read_docx(data, outline)
    elif extension == "pptx":
        import_module("hanpon.formats.pptx_text").read_pptx(data, outline)
    else:
        import_module("hanpon.formats.xlsx_text").read_xlsx(data, package, outline)


_LEFT_OUT = (
    (re.compile(r"(?:word|ppt|xl)/charts/chart[^/]*\.xml"), "the words of charts are left out"),
    (re.compile(r"(?:word|ppt|xl)/(?:comments|threadedComments)[^/]*(?:/[^/]*)?\.xml"), "comments are left out"),
)
"""Parts that are not read, and how that is said where there are words in them."""

_WORDS = re.compile(rb">\s*+[^\s<]")


def _left_out(package: Package) -> Iterator[str]:
    for parts, reason in _LEFT_OUT:
        if any(_WORDS.search(package.read(name) or b"") for name in package.names if parts.fullmatch(name)):
            yield reason


_ONE_AT_A_TIME = threading.RLock()


@contextmanager
def _silence() -> Iterator[None]:
    """Keep back pypdf's log lines, openpyxl's warnings and what it prints. The switches are the process's: a lock."""
    logger = logging.getLogger("pypdf")
    with _ONE_AT_A_TIME, warnings.catch_warnings(), redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        before = logger.disabled, logger.level, logger.propagate
        logger.propagate = False
        logger.setLevel(logging.CRITICAL + 1)
        try:
            yield
        finally:
            logger.disabled, logger.level, logger.propagate = before
