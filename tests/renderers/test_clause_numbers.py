"""Numbers of clauses: which headings bear one, and which only look so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderers.clause_numbers import number_in_front_matter, numbers_of


def numbers(*titles: str, level: int = 2) -> list[str]:
    return [number.text if number else "" for number in numbers_of([(level, title) for title in titles])]


@pytest.mark.parametrize(
    ("title", "number"),
    [
        ("第3条 命名", "第3条"),
        ("第三条（目的）", "第三条"),
        ("第３条の２　例外", "第3条の2"),
        ("第三十二条の二 特例", "第三十二条の二"),
        ("第1章 総則", "第1章"),
        ("第２節　範囲", "第2節"),
        ("第4項", "第4項"),
        ("第1編 共通", "第1編"),
        ("第2部: 設計", "第2部"),
        ("第3款 細則", "第3款"),
        ("第3条第2項 例外", "第3条第2項"),
        ("第1条（目的）", "第1条"),
        ("第１　趣旨", "第1"),
        ("附則", "附則"),
        ("附　則（令和８年４月１日）", "附則"),
        ("附則第１条", "附則第1条"),
        ("別表第一（第三条関係）", "別表第一"),
        ("別表第1の2", "別表第1の2"),
        ("別記様式第１号", "別記様式第1号"),
        ("別添２　手順", "別添2"),
        ("3.2.1 Names", "3.2.1"),
        ("3.2.1. Names", "3.2.1"),
        ("３．２　命名規則", "3.2"),
        ("3.2命名規則", "3.2"),
        ("3.2", "3.2"),
        ("§ 3.2 Names", "3.2"),
        ("A.1 Terms", "A.1"),
        ("付録A 用語", "付録A"),
        ("付録Ａ　用語", "付録A"),
        ("附属書 1 表", "附属書 1"),
        ("Appendix A: Terms", "Appendix A"),
        ("[R-101] Use nouns", "R-101"),
        ("【R-101】名詞を使う", "R-101"),
        ("［Ｒ－１０１］名詞を使う", "R-101"),
        ("R-101: Use nouns", "R-101"),
        ("(R-101) Use nouns", "R-101"),
        ("[#101] Use nouns", "#101"),
        ("API-SEC-01: Tokens", "API-SEC-01"),
        ("Use nouns [R-101]", "R-101"),
    ],
)
def test_a_heading_with_a_number(title: str, number: str) -> None:
    assert numbers(title) == [number]


@pytest.mark.parametrize(
    "title",
    [
        "2024年の変更",
        "2024.04.01 リリース",
        "3 ways to name things",
        "404 Not Found",
        "HTTP/1.1 を使う",
        "v1.2 changes",
        "1.2.3.4 (an IP)",
        "192.168.0.1 を許可する",
        "1.10.0 (2026-05-01)",
        "1.5秒で応答する",
        "3.2以降の動作",
        "3.5x faster",
        "1. Alone",
        "1) Alone",
        "第一条件を確かめる",
        "第1項目の扱い",
        "第三の方法",
        "第三条の一般原則",
        "附則事項の扱い",
        "様式一覧",
        "1-1 Alone",
        "1-2 weeks",
        "2026-04-01",
        "A-1 Alone",
        "GPT-4 を使う",
        "１　目的",
        "(1) Item",
        "① 項目",
        "UTF-8: the encoding",
        "SHA-256: digests",
        "ISO-8601: dates",
        "ES6: modules",
        "[MUST] Use nouns",
        "(2026) Review",
        "A. Terms",
        "付録",
        "Appendix",
        "",
    ],
)
def test_a_heading_without_a_number(title: str) -> None:
    assert numbers(title) == [""]


def test_single_numbers_count_where_they_count_up() -> None:
    assert numbers("1. One", "2. Two", "Notes") == ["1", "2", ""]
    assert numbers("1) One", "2) Two") == ["1", "2"]
    assert numbers("１．目的", "２．範囲") == ["1", "2"]
    assert numbers("2. Two", "1. One") == ["2", "1"]  # another row begins
    assert numbers("3. Three", "2. Two") == ["", ""]
    assert numbers("1. One", "1.1 Below") == ["1", "1.1"]


def test_single_numbers_begin_again_below_another_heading() -> None:
    headings = [(2, "Names"), (3, "1. One"), (3, "2. Two"), (2, "Errors"), (3, "1. One")]
    assert [number.text if number else "" for number in numbers_of(headings)] == ["", "1", "2", "", "1"]


def test_bare_figures_count_where_nothing_but_one_two_three_stands() -> None:
    assert numbers("１　目的", "２　範囲", "Notes") == ["1", "2", ""]
    headings = [(2, "1 Scope"), (3, "1 Whole"), (3, "2 Part"), (2, "2 Terms"), (3, "1 One")]
    assert [number.text if number else "" for number in numbers_of(headings)] == ["1", "1", "2", "2", "1"]
    assert numbers("1 Scope", "2 Terms", "3 ways", "3 more ways") == ["", "", "", ""]
    assert numbers("2 ways", "3 ways") == ["", ""]


def test_figures_with_hyphens_count_where_the_one_before_is_there() -> None:
    assert numbers("１－１　目的", "1-2 範囲", "2-1. 用語") == ["1-1", "1-2", "2-1"]
    assert numbers("1-1-1 a", "1-1-2 b", "3-5 days") == ["1-1-1", "1-1-2", ""]
    assert numbers("1-2 weeks", "3-5 days") == ["", ""]


def test_bare_labels_count_where_two_begin_alike() -> None:
    assert numbers("A-1 命名", "A-2 型", "B-1 例外") == ["A-1", "A-2", "B-1"]
    assert numbers("JV-001 命名", "JV-014 型", "GPT-4 を使う") == ["JV-001", "JV-014", ""]
    assert numbers("UTF-8 を使う", "UTF-16 を使わない") == ["", ""]


def test_articles_behind_supplementary_provisions_are_theirs() -> None:
    below = [(2, "第1条 目的"), (2, "附則"), (3, "第1条 施行期日"), (2, "別表第一"), (2, "第2条 例外")]
    assert with_lacking(below) == ["第1条", "附則", "附則第1条 (附則)", "別表第一", "第2条"]
    beside = [(2, "第1条 目的"), (2, "附則"), (2, "第1条 施行期日"), (2, "附則"), (2, "第1条 施行期日"), (1, "細則")]
    assert with_lacking(beside) == ["第1条", "附則", "附則第1条 (附則)", "附則", "附則第1条 (附則)"]


def with_lacking(headings: list[tuple[int, str]]) -> list[str]:
    return [
        f"{number.text} ({number.lacking})" if number.lacking else number.text
        for number in numbers_of(headings)
        if number
    ]


def test_four_figures_are_a_number_below_one_of_three() -> None:
    assert numbers("1.2.3 Names", "1.2.3.4 Of classes") == ["1.2.3", "1.2.3.4"]


@pytest.mark.parametrize(
    ("front", "number"),
    [
        ({"id": "122"}, "122"),
        ({"number": "３条"}, "3条"),
        ({"code": "R-101", "title": "T"}, "R-101"),
        ({"id": "getting-started", "number": "7"}, "7"),
        ({"id": "getting-started"}, ""),
        ({"id": "1" * 50}, ""),
        ({}, ""),
    ],
)
def test_front_matter_may_give_the_number(front: dict[str, str], number: str) -> None:
    assert number_in_front_matter(front) == number


@given(st.lists(st.tuples(st.integers(1, 6), st.text(max_size=40)), max_size=20))
def test_any_headings_are_looked_at_without_complaint(headings: list[tuple[int, str]]) -> None:
    assert len(numbers_of(headings)) == len(headings)


@pytest.mark.parametrize("piece", ["1.", "第1条", "附則", "別表", "A-", "[R-", "(", "の二", "A.1", "R-1-", "1-"])
def test_a_hostile_heading_takes_no_time(piece: str) -> None:
    numbers(piece * 200_000)
