"""Snippets: one line around the rarest words."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.search.snippets import MOST_READ, snippet
from hanpon.search.tokens import query_tokens

FILLER = "この節では設定の手順を順に説明します。"
LONG = FILLER * 20

texts = st.text(alphabet="ab /.\n。、漢字かなカｶﾞ゙A1é\u0301\u200d👍🏽\t-", max_size=120) | st.text(max_size=120)
tokens = st.lists(st.sampled_from(["a", "ab", "漢字", "漢", "かな", "ガ", "1", "é"]), max_size=4)


def test_a_short_text_is_shown_whole_on_one_line() -> None:
    assert snippet("  # 顧客\n\n\t顧客を  検索する。\r\n", ["検索"]) == "# 顧客 顧客を 検索する。"


def test_the_beginning_is_shown_where_nothing_is_found() -> None:
    assert snippet(LONG, ["zzz"], 60) == FILLER * 3 + "…"
    assert snippet(LONG, [], 60) == FILLER * 3 + "…"
    assert snippet("", ["a"]) == ""


def test_the_window_is_where_the_words_are() -> None:
    text = LONG + "退会済みの顧客は検索結果に含まれません。" + LONG
    shown = snippet(text, query_tokens("退会済みの顧客"), 60)
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert "退会済みの顧客は検索結果に含まれません。" in shown


def test_a_rare_word_outweighs_a_common_one() -> None:
    text = "顧客の一覧です。" + LONG + "上限は429で返します。" + LONG
    assert "429" in snippet(text, ["429", "顧客"], 60)
    assert snippet(text, ["顧客", "429"], 60).startswith("顧客の一覧です。")


def test_two_words_together_outweigh_each_alone() -> None:
    text = "retry. " + "filler words here. " * 20 + "limit. " + "filler words here. " * 20 + "the retry limit is 3. "
    assert "retry limit" in snippet(text, ["retry", "limit"], 60)


def test_the_first_of_equal_places_is_shown() -> None:
    text = "".join(f"{FILLER}検索の{number}番。" for number in range(20))
    assert "検索の0番" in snippet(text, ["検索"], 60)


def test_a_snippet_begins_with_a_sentence_or_a_former_line_where_one_is_near() -> None:
    text = LONG + "\n見出し\n検索は次の通りです。" + LONG
    assert snippet(text, ["検索"], 60).startswith("…検索は次の通りです。")
    assert snippet("Filler. " * 50 + "Use the limit here. " + "Filler. " * 50, ["limit"], 60).startswith("…Use the")


def test_words_are_not_cut_where_an_end_is_near() -> None:
    text = "configuration " * 40 + "limit " + "configuration " * 40
    shown = snippet(text, ["limit"], 80)
    assert set(shown.strip("…").split()) == {"configuration", "limit"}


def test_a_word_is_found_as_the_tokenizer_finds_it() -> None:
    text = LONG + "ＣｕｓｔｏｍｅｒＡＰＩのｶﾞｲﾄﾞﾗｲﾝ。" + LONG + "GET /v1/customers/{id}/orders は廃止。" + LONG
    assert "ｶﾞｲﾄﾞﾗｲﾝ" in snippet(text, query_tokens("ガイドライン"), 60)
    assert "ＣｕｓｔｏｍｅｒＡＰＩ" in snippet(text, query_tokens("customerApi"), 60)
    assert "/v1/customers/{id}/orders" in snippet(text, query_tokens("orders"), 60)


def test_one_character_is_found_where_a_pair_begins_with_it() -> None:
    assert "顧客" in snippet(LONG + "顧客" + LONG, ["顧"], 60)


def test_what_a_terminal_would_obey_is_not_shown() -> None:
    assert "\x1b" not in snippet("\x1b[31mred\x07", ["red"])


def test_a_character_keeps_its_marks() -> None:
    text = "が\u0302" * 200
    for length in range(20, 40):
        shown = snippet(text, ["がが"], length)
        assert not shown.strip("…").startswith("\u0302")
        assert shown.strip("…").endswith("\u0302")


@given(texts, tokens, st.integers(20, 60))
def test_a_snippet_is_one_line_of_the_text_and_not_too_long(text: str, rare_first: list[str], length: int) -> None:
    shown = snippet(text, rare_first, length)
    assert len(shown) <= length
    assert shown == " ".join(shown.split())
    folded = " ".join(text.split())
    if folded.isprintable():
        assert shown.strip("…") in folded or "…" in folded


@given(texts, tokens, st.integers(20, 60))
def test_a_snippet_shows_one_of_the_tokens_if_the_text_has_any(text: str, rare_first: list[str], length: int) -> None:
    text = LONG + text + LONG
    occurring = [token for token in rare_first if len(token) > 1 and token in query_tokens(text)]
    if occurring:
        shown = unicodedata.normalize("NFKC", snippet(text, occurring, length)).casefold()
        assert any(token in shown for token in occurring)


@pytest.mark.parametrize("unit", ["A", ".", "。", "_", " a", "漢", "\u0323\u0301", "ｶﾞ", "a\n", "/"])
def test_a_hostile_text_has_a_snippet_too(unit: str) -> None:
    text = "a " + unit * (MOST_READ // len(unit) + 10)
    assert 0 < len(snippet(text, ["a", "漢漢", "ガガ"])) <= 160


@pytest.mark.parametrize("separator", ["\r", "\x1c", "\x1f", "\x85", "\u2028"])
def test_whatever_parts_lines_is_a_blank(separator: str) -> None:
    assert snippet(f"one{separator}two", ["two"]) == "one two"
