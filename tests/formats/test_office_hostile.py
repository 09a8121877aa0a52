"""Hostile document files: only `NotReadable` comes out."""

import io
import random
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from hanpon.formats.office_text import MAX_BYTES, NotReadable, office_text
from tests.formats.office_files import SMALL, a_pdf, pdf_bytes

FILES = {extension: make() for extension, make in SMALL.items()}
WORDS = (b"", b"x", b"-1", b"9" * 20, b"../../etc/passwd", b"&amp;", b"<w:p/>", b"rId1", b"\xff")


def read_or_refuse(data: bytes, extension: str) -> str:
    try:
        office_text(data, extension)
    except NotReadable as refused:
        return refused.trouble
    return ""


def repacked(extension: str, change: Callable[[str, bytes], bytes]) -> bytes:
    """A file of a type whose parts are changed, in a sound container."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(FILES[extension])) as before, zipfile.ZipFile(out, "w", 8) as after:
        for name in before.namelist():
            after.writestr(name, change(name, before.read(name)))
    return out.getvalue()


@pytest.mark.parametrize("extension", sorted(FILES))
@settings(max_examples=60)
@given(cut=st.floats(0, 1))
def test_a_file_that_is_cut_short_is_refused_or_read(extension: str, cut: float) -> None:
    data = FILES[extension]
    trouble = read_or_refuse(data[: int(len(data) * cut)], extension)
    if extension != "pdf" and cut < 0.9:
        assert trouble in {"damaged", "other-type"}


@pytest.mark.parametrize("extension", sorted(FILES))
@settings(max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_a_file_with_wrong_bytes_is_refused_or_read(extension: str, seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(FILES[extension])
    for _ in range(chance.randint(1, 40)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    read_or_refuse(bytes(data), extension)


@pytest.mark.parametrize("extension", ["docx", "pptx", "xlsx"])
@settings(max_examples=80)
@given(seed=st.integers(0, 2**32))
def test_parts_with_wrong_words_are_refused_or_read(extension: str, seed: int) -> None:
    chance = random.Random(seed)

    def change(name: str, data: bytes) -> bytes:
        if not name.endswith((".xml", ".rels")) or chance.random() < 0.6:
            return data
        words = data.split(b'"')
        for _ in range(chance.randint(1, 5)):
            words[chance.randrange(len(words))] = chance.choice(WORDS)
        return b'"'.join(words)

    read_or_refuse(repacked(extension, change), extension)


BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    b'<!ENTITY c SYSTEM "file:///etc/hostname">]>'
)


@pytest.mark.parametrize("extension", ["docx", "pptx", "xlsx"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_xml_with_entities_is_refused(extension: str, encoding: str) -> None:
    def change(name: str, data: bytes) -> bytes:
        if not name.endswith(".xml") or "Content_Types" in name:
            return data
        body = data[data.index(b"?>") + 2 :] if data.startswith(b"<?xml") else data
        return (BOMB + body).decode().encode(encoding)

    assert read_or_refuse(repacked(extension, change), extension) == "unreadable"


def test_xml_in_an_encoding_that_hides_its_markup_is_refused() -> None:
    def change(name: str, data: bytes) -> bytes:
        if not name.endswith("core.xml"):
            return data
        return b"<?xml version='1.0' encoding='utf-7'?>+ADwAIQ-DOCTYPE x>"

    assert read_or_refuse(repacked("docx", change), "docx") == "unreadable"


def test_a_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    def change(name: str, data: bytes) -> bytes:
        return data + b" " * 70_000_000 if name.endswith("document.xml") else data

    assert read_or_refuse(repacked("docx", change), "docx") == "too-large"


def test_a_large_file_is_refused_unread() -> None:
    assert read_or_refuse(FILES["docx"] + bytes(MAX_BYTES), "docx") == "too-large"


def test_nesting_without_end_is_refused_or_read() -> None:
    def change(name: str, data: bytes) -> bytes:
        deep = b"<w:sdt><w:sdtContent>" * 120 + b"<w:p/>" + b"</w:sdtContent></w:sdt>" * 120
        return data.replace(b"<w:body>", b"<w:body>" + deep) if name.endswith("document.xml") else data

    read_or_refuse(repacked("docx", change), "docx")


def test_styles_and_lists_that_build_on_themselves_end() -> None:
    def change(name: str, data: bytes) -> bytes:
        return data.replace(b'<w:basedOn w:val="Normal"/>', b'<w:basedOn w:val="Heading1"/>')

    assert read_or_refuse(repacked("docx", change), "docx") == ""


def test_forms_in_forms_of_a_pdf_end() -> None:
    """Ten forms, each drawing the next one twenty times: 20^10 drawings."""
    writer = a_pdf([["x"]])
    page = writer.pages[0]
    inner = None
    for _ in range(10):
        form = DecodedStreamObject()
        form.set_data(b"/X Do " * 20 if inner is not None else b"BT ET")
        form.update({NameObject("/Type"): NameObject("/XObject"), NameObject("/Subtype"): NameObject("/Form")})
        if inner is not None:
            form[NameObject("/Resources")] = DictionaryObject(
                {NameObject("/XObject"): DictionaryObject({NameObject("/X"): inner})}
            )
        inner = writer._add_object(form)
    assert inner is not None
    page["/Resources"][NameObject("/XObject")] = DictionaryObject({NameObject("/X"): inner})  # type: ignore[index]
    stream = DecodedStreamObject()
    stream.set_data(b"/X Do " * 20)
    page[NameObject("/Contents")] = writer._add_object(stream)
    assert read_or_refuse(pdf_bytes(writer), "pdf") == ""
