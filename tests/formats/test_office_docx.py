"""DOCX: what Word shows, in reading order, with the numbers that Word makes up itself."""

import io
import zipfile
from pathlib import Path

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from hanpon.formats.number_words import NUMBER_WORDS
from hanpon.formats.office_text import OfficeSection, OfficeText, office_text
from tests.formats.office_files import saved

W = nsdecls("w")
NUMBERING = f"""\
<w:numbering {W}>
  <w:abstractNum w:abstractNumId="90">
    <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="FORM"/><w:pStyle w:val="Heading1"/>
      <w:lvlText w:val="第%1条"/></w:lvl>
    <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="Heading2"/>LEGAL
      <w:lvlText w:val="%1.%2"/></w:lvl>
    <w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="decimal"/>RESTART<w:lvlText w:val="(%3)"/>
      <w:suff w:val="nothing"/></w:lvl>
  </w:abstractNum>
  <w:num w:numId="90"><w:abstractNumId w:val="90"/></w:num>
  <w:num w:numId="91"><w:abstractNumId w:val="90"/>
    <w:lvlOverride w:ilvl="2"><w:startOverride w:val="7"/></w:lvlOverride></w:num>
</w:numbering>"""


def text_of(document: "docx.document.Document") -> OfficeText:
    return office_text(saved(document), "docx")


def with_body(*blocks: str) -> "docx.document.Document":
    document = docx.Document()
    body = document.element.body
    for block in blocks:
        end = body.find(f"{{{body.nsmap['w']}}}sectPr")
        end.addprevious(parse_xml(block.replace(" >", f" {nsdecls('w', 'wp', 'a', 'r')}>", 1)))
    return document


def numbered(form: str, legal: str = "", restart: str = "") -> "docx.document.Document":
    document = docx.Document()
    part = document.part.numbering_part
    xml = NUMBERING.replace("FORM", form).replace("LEGAL", legal).replace("RESTART", restart)
    part._element = parse_xml(xml)
    for name in ("Heading 1", "Heading 2"):
        style = document.styles[name].element.get_or_add_pPr()
        style.append(parse_xml(f'<w:numPr {W}><w:numId w:val="90"/></w:numPr>'))
    return document


def item(document: "docx.document.Document", text: str, number: str, level: int) -> None:
    properties = document.add_paragraph(text)._p.get_or_add_pPr()
    properties.append(parse_xml(f'<w:numPr {W}><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'))


def test_text_stands_below_its_heading_in_reading_order() -> None:
    document = docx.Document()
    document.core_properties.title = "受注設計書"
    document.add_paragraph("はじめに")
    document.add_heading("範囲", 1)
    document.add_paragraph("受注を\tうける。")
    table = document.add_table(2, 2)
    for index, text in enumerate(["項目", "桁", "顧客番号", ""]):
        table.cell(index // 2, index % 2).text = text
    document.add_paragraph("あとがき")
    document.add_heading("詳細", 2)
    assert text_of(document) == OfficeText(
        title="受注設計書",
        sections=(
            OfficeSection(level=0, title="", text="はじめに"),
            OfficeSection(level=1, title="範囲", text="受注を うける。\n項目 | 桁\n顧客番号 |\nあとがき"),
            OfficeSection(level=2, title="詳細", text=""),
        ),
    )


def test_headings_bear_the_numbers_that_word_shows() -> None:
    document = numbered("japaneseCounting", legal='<w:isLgl w:val="1"/>')
    for text, level in [("総則", 1), ("目的", 2), ("範囲", 2), ("運用", 1), ("監視", 2)]:
        document.add_heading(text, level)
    titles = [section.title for section in text_of(document).sections]
    assert titles == ["第一条 総則", "1.1 目的", "1.2 範囲", "第二条 運用", "2.1 監視"]


def test_an_empty_numbered_heading_counts_though_nothing_of_it_is_shown() -> None:
    document = numbered("decimal")
    for text in ("総則", "", "運用"):
        document.add_heading(text, 1)
    assert [section.title for section in text_of(document).sections] == ["第1条 総則", "第3条 運用"]


def test_a_list_can_be_started_anew_and_goes_on_where_another_paragraph_stands_between() -> None:
    document = numbered("decimal")
    document.add_heading("総則", 1)
    item(document, "a", "90", 2)
    document.add_paragraph("間")
    item(document, "b", "90", 2)
    item(document, "c", "91", 2)
    item(document, "d", "90", 2)
    document.add_heading("運用", 1)
    item(document, "e", "90", 2)
    texts = [section.text for section in text_of(document).sections]
    assert texts == ["(1)a\n間\n(2)b\n(7)c\n(8)d", "(1)e"]


def test_a_level_that_never_restarts_counts_through() -> None:
    document = numbered("decimal", restart='<w:lvlRestart w:val="0"/>')
    for heading in ("総則", "運用"):
        document.add_heading(heading, 1)
        item(document, "x", "90", 2)
    assert [section.text for section in text_of(document).sections] == ["(1)x", "(2)x"]


def test_number_zero_takes_a_heading_out_of_its_list() -> None:
    document = numbered("decimal")
    heading = document.add_heading("付録", 1)
    heading._p.get_or_add_pPr().append(parse_xml(f'<w:numPr {W}><w:numId w:val="0"/></w:numPr>'))
    document.add_heading("総則", 1)
    assert [section.title for section in text_of(document).sections] == ["付録", "第1条 総則"]


@pytest.mark.parametrize(
    ("form", "value", "written"),
    [
        ("japaneseCounting", 10, "十"), ("japaneseCounting", 21, "二十一"), ("japaneseCounting", 1105, "千百五"),
        ("japaneseLegal", 11, "壱拾壱"), ("japaneseDigitalTenThousand", 10, "一〇"), ("decimalFullWidth", 12, "１２"),
        ("aiueo", 2, "ｲ"), ("aiueoFullWidth", 2, "イ"), ("irohaFullWidth", 3, "ハ"), ("upperRoman", 49, "XLIX"),
        ("lowerRoman", 4, "iv"), ("upperLetter", 27, "AA"), ("lowerLetter", 26, "z"), ("decimalZero", 3, "03"),
        ("decimalEnclosedCircle", 20, "⑳"), ("decimalEnclosedCircle", 21, "21"), ("ideographTraditional", 1, "甲"),
        ("upperRoman", 0, "0"), ("aiueoFullWidth", 47, "47"), ("japaneseCounting", 123456789, "123456789"),
    ],
)  # fmt: skip
def test_numbers_are_written_as_word_writes_them(form: str, value: int, written: str) -> None:
    assert NUMBER_WORDS[form](value) == written


@pytest.mark.parametrize("form", sorted(NUMBER_WORDS))
def test_every_number_can_be_written(form: str) -> None:
    assert all(NUMBER_WORDS[form](value) for value in [*range(-3, 1100), 10**9 - 1])


def test_a_localised_heading_style_is_known_by_its_outline_level() -> None:
    document = docx.Document()
    style = document.styles.add_style("章見出し", 1)
    style.element.get_or_add_pPr().append(parse_xml(f'<w:outlineLvl {W} w:val="1"/>'))
    child = document.styles.add_style("章見出し赤", 1)
    child.base_style = style
    document.add_paragraph("概要", "章見出し赤")
    assert text_of(document).sections == (OfficeSection(level=2, title="概要", text=""),)


def test_tracked_deletions_and_hidden_text_are_left_out_and_insertions_are_in() -> None:
    document = with_body(
        '<w:p ><w:r><w:t xml:space="preserve">残る </w:t></w:r><w:del w:id="1"><w:r><w:delText>消えた</w:delText>'
        '<w:t>消えた</w:t></w:r></w:del><w:ins w:id="2"><w:r><w:t>入った</w:t></w:r></w:ins>'
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>隠れた</w:t></w:r>"
        '<w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>。</w:t></w:r></w:p>'
    )
    assert text_of(document).sections[0].text == "残る 入った。"


def test_a_text_box_stands_once_after_the_paragraph_it_hangs_on() -> None:
    box = "<w:txbxContent><w:p><w:r><w:t>箱の中</w:t></w:r></w:p></w:txbxContent>"
    document = with_body(
        '<w:p xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
        'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" >'
        f"<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wps:txbx>{box}</wps:txbx></w:drawing>"
        f"</mc:Choice><mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent><w:t>本文</w:t></w:r></w:p>"
    )
    assert text_of(document).sections[0].text == "本文\n箱の中"


def test_content_controls_and_ruby_are_read_and_readings_above_words_are_not() -> None:
    document = with_body(
        "<w:sdt ><w:sdtContent><w:p><w:r><w:ruby><w:rt><w:r><w:t>はんぽん</w:t></w:r></w:rt>"
        "<w:rubyBase><w:r><w:t>版本</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p></w:sdtContent></w:sdt>"
    )
    assert text_of(document).sections[0].text == "版本"


def test_a_row_that_holds_a_heading_is_a_frame_around_text() -> None:
    document = docx.Document()
    cell = document.add_table(1, 1).cell(0, 0)
    cell.paragraphs[0].style = document.styles["Heading 1"]
    cell.paragraphs[0].text = "概要"
    cell.add_paragraph("本文")
    assert text_of(document).sections == (OfficeSection(level=1, title="概要", text="本文"),)


def test_a_footnote_stands_below_the_paragraph_that_refers_to_it() -> None:
    document = with_body('<w:p ><w:r><w:t>税</w:t><w:footnoteReference w:id="5"/></w:r></w:p>')
    data = io.BytesIO(saved(document))
    note = f'<w:footnotes {W}><w:footnote w:id="5"><w:p><w:r><w:t>10%</w:t></w:r></w:p></w:footnote></w:footnotes>'
    relation = (
        '<Relationship Id="rId99" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
        'footnotes" Target="footnotes.xml"/></Relationships>'
    )
    out = io.BytesIO()
    with zipfile.ZipFile(data) as before, zipfile.ZipFile(out, "w") as after:
        for name in before.namelist():
            part = before.read(name).decode("utf-8", "surrogateescape")
            if name == "word/_rels/document.xml.rels":
                part = part.replace("</Relationships>", relation)
            after.writestr(name, part.encode("utf-8", "surrogateescape"))
        after.writestr("word/footnotes.xml", note)
    assert office_text(out.getvalue(), "docx").sections[0].text == "税[1]\n[1] 10%"


def test_the_table_of_contents_is_left_out_and_a_title_paragraph_is_the_title() -> None:
    document = docx.Document()
    document.core_properties.title = ""
    document.add_paragraph("受注設計書", "Title")
    document.styles.add_style("toc 1", 1)
    document.add_paragraph("概要 1", "toc 1")
    document.add_heading("概要", 1)
    found = text_of(document)
    assert found.title == "受注設計書"
    assert [section.title for section in found.sections] == ["", "概要"]
    assert found.sections[0].text == "受注設計書"


@pytest.mark.corpus
def test_a_real_document_whose_headings_stand_in_table_cells_is_read(corpus: Path) -> None:
    data = (corpus / "guidelines/owasp-asvs-2.0/OWASP_ASVS_Version_2.docx").read_bytes()
    found = office_text(data, "docx")
    titles = [section.title for section in found.sections]
    assert len(titles) == 33
    assert "V2: Authentication Verification Requirements" in titles
    assert (found.lost, found.hidden) == (("comments are left out",), ())
    assert 60_000 < sum(len(section.text) for section in found.sections) < 70_000
