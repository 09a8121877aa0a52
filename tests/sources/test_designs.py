"""Designs: exactly the readers of the access file, and nothing lost without a word."""

import pytest

from hanpon.contracts.access import Access, Grant
from hanpon.contracts.designs import DesignSource, OfficeFile
from hanpon.contracts.editions import EVERY_VERSION, Kind
from hanpon.contracts.findings import Severity
from hanpon.contracts.writings import Writing
from hanpon.formats.office_text import MAX_BYTES, MEDIA_TYPES
from hanpon.sources.designs.reader import read_designs
from hanpon.sources.texts.inputs import Inputs
from tests.formats.office_files import SMALL, a_docx, a_pdf, an_xlsx, pdf_bytes
from tests.sources.file_sets import item_of
from tests.trees import MemoryTree

LEADS = Grant(readers=("group:leads@example.co.jp",), api="order", api_version="v2")
ALL = Grant(readers=("all",), api="order", api_version="v2")


def read(
    files: dict[str, bytes | str], access: Access | None = None, version: str = EVERY_VERSION, **sizes: int
) -> tuple[DesignSource, MemoryTree]:
    tree = MemoryTree(files, sizes={name.replace("_", "."): size for name, size in sizes.items()})
    said = {"version": version, "api": "order", "api_version": "v2", "access": "designs/access.csv"}
    item = item_of(*files, kind=Kind.DESIGN, **said)
    return read_designs(item, access or Access(common=ALL), Inputs(tree)), tree


def told(source: DesignSource) -> list[tuple[str, str, str]]:
    return [(finding.where.file, finding.rule, str(finding.severity)) for finding in source.findings]


def test_a_file_without_an_entry_is_not_published_and_not_even_read() -> None:
    access = Access(by_file={"a.docx": LEADS})
    source, tree = read({"a.docx": a_docx(), "secret.docx": a_docx(), "plan.md": "# x"}, access)
    assert [(design.file, design.grant) for design in source.designs] == [("a.docx", LEADS)]
    assert told(source) == [("plan.md", "no-access-entry", "warning"), ("secret.docx", "no-access-entry", "warning")]
    assert "designs/access.csv" in source.findings[0].message
    assert set(tree.reads) == {"a.docx"}


@pytest.mark.parametrize("extension", sorted(SMALL))
def test_an_office_file_is_published_byte_for_byte(extension: str) -> None:
    data = SMALL[extension]()
    source, _ = read({f"a.{extension.upper()}": data})
    assert source.findings == ()
    assert source.designs[0].content == OfficeFile(
        data=data, media_type=MEDIA_TYPES[extension], extension=extension, title=""
    )


def test_its_title_is_the_one_that_the_file_bears() -> None:
    source, _ = read({"a.docx": a_docx("受注の流れ")})
    assert isinstance(source.designs[0].content, OfficeFile)
    assert source.designs[0].content.title == "受注の流れ"


def test_a_page_is_read_as_a_writing_and_images_are_no_documents() -> None:
    source, _ = read({"a.md": "# 受注\n\n本文\n", "flow.png": b"\x89PNG", "icon.SVG": "<svg/>"})
    assert [design.file for design in source.designs] == ["a.md"]
    assert isinstance(source.designs[0].content, Writing)
    assert source.designs[0].content.title == "受注"
    assert source.findings == ()


def test_a_page_that_is_no_text_takes_no_other_along() -> None:
    source, _ = read({"a.md": b"\x83e\x83X\x83g", "b.docx": a_docx()})
    assert [design.file for design in source.designs] == ["b.docx"]
    assert ("a.md", "not-utf-8", "error") in told(source)


def test_what_nobody_could_use_is_refused() -> None:
    files: dict[str, bytes | str] = {
        "cut.docx": a_docx()[:-3000],
        "named.xlsx": a_docx(),
        "words.pdf": "this is no PDF",
        "old.doc": b"\xd0\xcf\x11\xe0",
        "plan.vsdx": b"PK",
        "README": "x",
        "large.pptx": b"PK",
    }
    source, tree = read(files, large_pptx=MAX_BYTES + 1)
    assert source.designs == ()
    assert told(source) == [
        ("README", "format-not-read", "error"),
        ("cut.docx", "file-damaged", "error"),
        ("large.pptx", "too-large", "error"),
        ("named.xlsx", "file-not-what-it-says", "error"),
        ("old.doc", "format-not-read", "error"),
        ("plan.vsdx", "format-not-read", "error"),
        ("words.pdf", "file-not-what-it-says", "error"),
    ]
    assert "large.pptx" not in tree.reads


def test_what_a_person_can_open_is_published_though_search_cannot_read_it() -> None:
    files: dict[str, bytes | str] = {
        "locked.pdf": pdf_bytes(a_pdf([["x"]], password="open")),
        "scanned.pdf": pdf_bytes(a_pdf([[]])),
        "locked.xlsx": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
    }
    source, _ = read(files)
    assert [design.file for design in source.designs] == sorted(files)
    assert told(source) == [(file, "text-not-extracted", "warning") for file in sorted(files)]


def test_findings_tell_of_another_version_without_words_of_the_design() -> None:
    pages: dict[str, bytes | str] = {
        "a.pdf": pdf_bytes(a_pdf([["Changed since v1"], ["order v3 will differ"]])),
        "b.xlsx": an_xlsx(),
        "c.md": "# 受注\n\nv1 から変わりました。\n",
    }
    source, _ = read(pages)
    assert told(source) == [
        ("a.pdf", "speaks-of-another-version", "warning"),
        ("c.md", "speaks-of-another-version", "warning"),
    ]
    assert all("v1" not in finding.message and "v3" not in finding.message for finding in source.findings)
    same, _ = read(pages, version="3.0")
    assert [file for file, _, _ in told(same)] == ["a.pdf", "c.md"]


def test_designs_and_findings_do_not_depend_on_the_order_of_files() -> None:
    files: dict[str, bytes | str] = {"b.docx": a_docx(), "a.pdf": b"%PDF-1.7 cut", "c.doc": b"x"}
    one, _ = read(files)
    two, _ = read(dict(reversed(files.items())))
    assert one == two
    assert one.findings[0].severity is Severity.ERROR


def test_a_link_to_a_design_that_nobody_may_see_leads_nowhere() -> None:
    files: dict[str, bytes | str] = {
        "a.md": "# a\n\n[plan](secret.md) [b](b.docx)\n",
        "secret.md": "# s",
        "b.docx": a_docx(),
    }
    source, _ = read(files, Access(by_file={"a.md": ALL, "b.docx": LEADS}))
    page = source.designs[0].content
    assert isinstance(page, Writing)
    assert "writing:b.docx" in page.sections[0].html
    assert "secret.md" not in page.sections[0].html
