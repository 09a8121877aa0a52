"""Tokens: one tokenizer for what is indexed and what is asked, and a store that never cuts them again."""

import sqlite3
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.search.tokens import (
    FTS5_TOKENIZER,
    LONGEST,
    TOKEN,
    TOKENIZER_VERSION,
    index_tokens,
    is_prefix_query,
    normalised,
    placed_tokens,
    query_tokens,
)

SLASH, UNDERSCORE, HYPHEN, DOT, OPEN = (chr(0xE000 + ord(sign)) for sign in "/_-.{")

cjk = st.text(alphabet="顧客検索退会済々〆のをするガイドーラ검색𠮷", min_size=1, max_size=12)
words = st.text(alphabet="abcXYZ019", min_size=1, max_size=12)
mixed = st.text(alphabet=" aAbZ09sé/_-.{}:#'$@漢字かなカナー々ｶﾞＡ１😀\u0301\u200b\u00ad\ue02f한ß\n") | st.text()
plain = st.text(st.characters(codec="ascii"))


def wide(text: str) -> str:
    """ASCII in full width."""
    return "".join(chr(ord(character) + 0xFEE0) if "!" <= character <= "~" else character for character in text)


def is_found(query: str, text: str) -> bool:
    indexed = index_tokens(text)
    return any(
        token in indexed or (is_prefix_query(token) and any(other.startswith(token) for other in indexed))
        for token in query_tokens(query)
    )


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("getCustomerById", ["getcustomerbyid", "get", "customer", "by", "id"]),
        ("HTTPServer2", ["httpserver2", "http", "server", "2"]),
        ("customer_id", [f"customer{UNDERSCORE}id", "customer", "id"]),
        ("X-Request-Id", [f"x{HYPHEN}request{HYPHEN}id", "x", "request", "id"]),
        ("/v1/customers/{id}", [f"v1{SLASH}customers{SLASH}{OPEN}id", "v1", "customer", "id"]),
        (
            "LogManager.getLogger",
            [f"logmanager{DOT}getlogger", "logmanager", "log", "manager", "getlogger", "get", "logger"],
        ),
        ("3.2.1", [f"3{DOT}2{DOT}1", "3", "2", "1"]),
        ("sha256 v10", ["sha256", "sha", "256", "v10"]),
        ("getURLs", ["geturl", "get", "url"]),
        ("__init__", ["init"]),
        ("A sentence. (Note: this.)", ["a", "sentence", "note", "this"]),
        ("顧客検索", ["顧客", "客検", "検索", "索"]),
        ("客", ["客"]),
        ("第3条", ["第", "3", "条"]),
        ("顧客API", ["顧客", "客", "api"]),
        ("佐々木", ["佐々", "々木", "木"]),
        ("ｶﾞｲﾄﾞ", ["ガイ", "イド", "ド"]),
        ("데이터", ["데이", "이터", "터"]),
        ("ＡＰＩ２", ["api2", "api", "2"]),
        ("naïve Größe", ["naïve", "grösse"]),
        ("soft\u00adware zero\u200bwidth", ["software", "zerowidth"]),
        ("X‐Request", [f"x{HYPHEN}request", "x", "request"]),
        ("😀 ok 👍🏽", ["ok"]),
        ("---- ____ ... / :: {}", []),
        ("\ue02f a\ue02fb", ["a", "b"]),
        ("", []),
    ],
)
def test_a_text_becomes(text: str, tokens: list[str]) -> None:
    assert index_tokens(text) == tokens


@pytest.mark.parametrize(
    ("singular", "plural"),
    [
        ("customer", "customers"), ("query", "queries"), ("box", "boxes"), ("batch", "batches"), ("cache", "caches"),
        ("class", "classes"), ("address", "addresses"), ("response", "responses"), ("status", "statuses"),
        ("alias", "aliases"), ("index", "indices"), ("index", "indexes"), ("id", "IDs"), ("URL", "URLs"),
        ("key", "keys"), ("database", "databases"), ("size", "sizes"),
    ],
)  # fmt: skip
def test_a_plural_finds_its_singular(singular: str, plural: str) -> None:
    assert index_tokens(singular) == index_tokens(plural)


def test_words_that_end_in_s_by_nature_stay() -> None:
    assert index_tokens("access status this https") == ["access", "status", "this", "http"]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("退会済みの顧客を検索する", ("退会", "会済", "済み", "の顧", "顧客", "客を", "を検", "検索", "索す")),
        ("する など", ("する", "など")),
        ("の", ("の",)),
        ("APIの使い方", ("api", "の使", "使い", "い方")),
        ("v1 と v2 と v1", ("v1", "v2")),
        ("客", ("客",)),
        ("Customers customer CUSTOMER", ("customer",)),
        ("", ()),
        ("!? 😀", ()),
    ],
)
def test_a_query_becomes(text: str, tokens: tuple[str, ...]) -> None:
    assert query_tokens(text) == tokens


def test_one_character_is_asked_as_a_prefix() -> None:
    assert [token for token in ("客", "の", "검", "顧客", "a", "1", "é") if is_prefix_query(token)] == [
        "客",
        "の",
        "검",
    ]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("/v1/customers/{id}", "GET /v1/customers/{id}: 顧客"),
        ("v1/customers/{id}/", "`/v1/customers/{id}`"),
        ("customerById", "getCustomerById"),
        ("GETCUSTOMERBYID", "getCustomerById"),
        ("logger", "LogManager.getLogger(name)"),
        ("x-request-id", "X-Request-Id:"),
        ("検索", "顧客検索API"),
        ("ガイドライン", "ｶﾞｲﾄﾞﾗｲﾝ"),
        ("ＡＰＩ", "api"),
    ],
)
def test_a_query_finds(query: str, text: str) -> None:
    assert is_found(query, text)


@given(mixed)
def test_every_token_is_safe_and_short(text: str) -> None:
    for token in (*index_tokens(text), *query_tokens(text)):
        assert TOKEN.fullmatch(token)
        assert len(token) <= LONGEST


@given(mixed)
def test_a_query_has_no_token_that_the_index_has_not(text: str) -> None:
    assert set(query_tokens(text)) <= set(index_tokens(text))
    assert bool(query_tokens(text)) == bool(index_tokens(text))
    assert len(set(query_tokens(text))) == len(query_tokens(text))


@given(mixed)
def test_the_same_text_has_the_same_tokens_however_often(text: str) -> None:
    assert index_tokens(text) == index_tokens(text) == index_tokens(normalised(text))


@given(mixed | plain)
def test_placed_tokens_are_those_of_the_index(text: str) -> None:
    plain = normalised(text)
    placed = list(placed_tokens(plain))
    assert [token for token, _, _ in placed] == index_tokens(text)
    assert all(0 <= start < end <= len(plain) for _, start, end in placed)


@given(cjk, st.data())
def test_every_part_of_a_run_of_two_or_more_characters_is_in_the_index(run: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(run) - 1))
    part = run[start : data.draw(st.integers(start + 1, len(run)))]
    if len(part) > 1:
        assert set(query_tokens(part)) <= set(index_tokens(f"x {run}。"))


@given(cjk, st.data())
def test_every_single_character_of_a_run_begins_a_token(run: str, data: st.DataObject) -> None:
    assert is_found(data.draw(st.sampled_from(run)), f"（{run}）")


@given(words, st.sampled_from([str.lower, str.upper, str.swapcase, wide, lambda text: wide(text.upper())]))
def test_a_word_is_found_in_any_width_and_case(word: str, written: object) -> None:
    assert callable(written)
    assert is_found(written(word), f"a: {word}, b")
    assert is_found(word, f"a: {written(word)}, b")


@given(st.lists(mixed, max_size=5))
def test_the_store_neither_cuts_nor_folds_a_token(texts: list[str]) -> None:
    database = sqlite3.connect(":memory:")
    try:
        database.execute(f"CREATE VIRTUAL TABLE piece USING fts5(body, tokenize='{FTS5_TOKENIZER}')")
        database.execute("CREATE VIRTUAL TABLE term USING fts5vocab(piece, 'row')")
        tokens = [index_tokens(text) for text in texts]
        database.executemany("INSERT INTO piece VALUES (?)", [(" ".join(each),) for each in tokens])
        terms = {term for (term,) in database.execute("SELECT term FROM term")}
        assert terms == {token for each in tokens for token in each}
    finally:
        database.close()


def test_the_store_answers_one_character_by_its_prefix() -> None:
    database = sqlite3.connect(":memory:")
    try:
        database.execute(f"CREATE VIRTUAL TABLE piece USING fts5(body, tokenize='{FTS5_TOKENIZER}')")
        database.execute("INSERT INTO piece VALUES (?)", (" ".join(index_tokens("顧客検索")),))
        for character in "顧客検索":
            (token,) = query_tokens(character)
            found = database.execute("SELECT count(*) FROM piece WHERE piece MATCH ?", (f'"{token}" *',)).fetchone()
            assert found == (1,)
    finally:
        database.close()


@pytest.mark.parametrize(
    "unit",
    [
        "_",
        "A",
        "a",
        "é",
        "漢",
        "aA",
        "a/",
        "AAs",
        "…",
        "\u0323\u0301",
        "ﾞﾟ",
        "\ufdfa",
        "\udcff",
        "\ue02f",
        "a\u0301",
        "1",
        "{}",
    ],
)
def test_hostile_texts_are_read_to_their_end(unit: str) -> None:
    tokens = index_tokens("a" + unit * (200_000 // len(unit)) + " end")
    assert tokens[-1] == "end"


@pytest.mark.corpus
def test_words_of_the_corpus_find_the_texts_that_they_stand_in(corpus: Path) -> None:
    for file in sorted(corpus.glob("guidelines/future-*/**/*.md")):
        text = file.read_text(encoding="utf-8")
        indexed = set(index_tokens(text))
        for line in text.splitlines():
            assert set(query_tokens(line)) <= indexed


def test_other_tokens_have_another_version() -> None:
    sample = (
        "getCustomerById HTTPServer2 /v1/customers/{id} 退会済みの顧客をｶﾞｲﾄﾞで検索する。 "
        "Naïve 한국어 3.2.1 boxes' _x_ ①"
    )
    tokens = " ".join((*index_tokens(sample), "|", *query_tokens(sample)))
    digest = sha256(tokens.encode()).hexdigest()[:16]
    assert (TOKENIZER_VERSION, digest) == (1, "bae268c2c388d88b"), "raise the version and put the new digest here"
