"""Text that is not UTF-8, and the guess at what it is."""

import pytest

from hanpon.contracts.errors import InvalidInput
from hanpon.sources.texts.text_encoding import decode, likely_encoding

JAPANESE = "顧客の情報を取得します。\nカードの番号は含まれません。\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (JAPANESE, "cp932"),
        (JAPANESE, "euc_jp"),
        (JAPANESE, "iso-2022-jp"),
        ("title: 顧客\n", "cp932"),
        ("title: 顧客管理\n", "euc_jp"),
        ("title: ①～㈱\n" + JAPANESE, "cp932"),
        (JAPANESE, "utf-16"),
        ("title: x\n", "utf-16-le"),
        ("title: x\n", "utf-16-be"),
        ("title: Café\nowner: Müller\n", "cp1252"),
        ("title: “quoted”\n", "cp1252"),
    ],
)
def test_the_likely_encoding_is_named(text: str, encoding: str) -> None:
    assert likely_encoding(text.encode(encoding)) == encoding


def test_text_in_another_encoding_is_refused_with_line_and_advice() -> None:
    with pytest.raises(InvalidInput) as caught:
        decode(("openapi: 3.0.3\n" + JAPANESE).encode("cp932"), "a.yaml")
    [problem] = caught.value.problems
    assert (problem.rule, problem.where.line) == ("not-utf-8", 2)
    assert "it looks like cp932" in problem.message
    assert "encoding: cp932" in problem.message


@pytest.mark.parametrize("encoding", ["cp932", "euc_jp", "utf-16", "UTF-8", "utf_8", "iso-2022-jp"])
def test_an_item_may_name_its_encoding(encoding: str) -> None:
    assert decode(JAPANESE.encode(encoding), "a.yaml", encoding) == JAPANESE


@pytest.mark.parametrize("encoding", ["no-such", "rot13", "base64", "\0", "hex", "unicode_escape"])
def test_an_encoding_that_is_none_is_refused(encoding: str) -> None:
    with pytest.raises(InvalidInput, match="unknown-encoding"):
        decode(b"\\ud800", "a.yaml", encoding)


def test_a_byte_order_mark_goes() -> None:
    assert decode("\ufeffa".encode(), "a.yaml") == "a"
    assert decode("\ufeffa".encode("utf-16-le"), "a.yaml", "utf-16-le") == "a"
