"""Answers: one page for each version, question above, answer below, and what a reader must know in between."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.contracts.access import Grant
from hanpon.contracts.answers import Answer, AnswersSource
from hanpon.contracts.documents import Document
from hanpon.contracts.editions import Kind
from hanpon.contracts.findings import Place
from renderers import answer
from tests.writings import READERS, ProsePage, files_item


def answer_of(**settings: Any) -> Answer:
    given = {
        "id": "q1",
        "question": "How are customers listed?",
        "answer": "Call `GET /customers`.",
        "api": "customer",
        "versions": ("v1",),
        "grant": Grant(readers=READERS, api="customer", api_version="ALL"),
        "place": Place("answers/a.jsonl", "", 3),
        **settings,
    }
    return Answer(**given)


def documents_of(*answers: Answer, language: Any = "en") -> tuple[Document, ...]:
    item = files_item(Kind.ANSWERS, language, name="past", title="Past answers")
    rendered = answer.render(AnswersSource(item=item, answers=answers))
    assert rendered.findings == ()
    return rendered.documents


def page_of(language: Any = "en", **settings: Any) -> ProsePage:
    (document,) = documents_of(answer_of(**settings), language=language)
    return ProsePage(document)


def test_an_answer_is_one_document_for_each_version() -> None:
    one, other = documents_of(answer_of(versions=("v1", "v2")))
    assert [one.metadata.api_version, other.metadata.api_version] == ["v1", "v2"]
    assert one.metadata.version_rank < other.metadata.version_rank
    assert one.id != other.id
    assert [one.position, other.position] == [0, 1]
    assert "v2" not in one.content.decode()
    assert "v1" not in ProsePage(other).text


def test_metadata_is_that_of_the_answer() -> None:
    found = page_of(api="COMMON", versions=("ALL",), superseded=True).metadata
    assert (found.doc_type, found.api, found.api_version, found.version_rank) == ("qa", "COMMON", "ALL", 0)
    assert (found.title, found.section) == ("How are customers listed?",) * 2
    assert (found.superseded, found.source, found.groups) == ("true", "answers/a.jsonl#q1", READERS)


def test_a_short_question_stands_in_the_h1_alone() -> None:
    page = page_of()
    assert page.outline == ["1 How are customers listed?", "2 Answer"]
    assert page.text.count("How are") == 1
    assert page.facts == ["Holds for: customer, version v1"]


def test_a_question_of_many_lines_stands_below_in_full() -> None:
    page = page_of(question="`PUT /x` gives **409**.\nWhy?\n\n```\ncode\n```")
    assert page.outline == ["1 PUT /x gives 409.", "2 Question", "2 Answer"]
    assert "Why?" in page.text
    assert page.soup.select("pre code")


def test_a_very_long_question_is_cut_in_titles_alone() -> None:
    page = page_of(question="word " * 400 + "end")
    assert len(page.metadata.title) <= 300
    assert page.text.count("word") > 400
    assert "end" in page.text


@pytest.mark.parametrize(("language", "words"), [("en", "no longer holds"), ("ja", "現在は有効ではありません")])
def test_a_superseded_answer_says_so_before_anything_else(language: Any, words: str) -> None:
    page = page_of(language, superseded=True)
    assert page.soup.h1 is not None
    following = page.soup.h1.find_next_sibling()
    assert following is not None
    assert words in following.get_text()
    assert words not in page_of(language).text


def test_date_and_approver_stand_below_the_answer() -> None:
    page = page_of("ja", date="2026-04-01", approved_by="鈴木")
    assert page.text.endswith("この回答について 対象: customer バージョン v1 回答日: 2026-04-01 承認者: 鈴木")


@pytest.mark.parametrize(
    ("api", "version", "words"),
    [
        ("customer", "v1", "customer バージョン v1"),
        ("customer", "ALL", "customer 全バージョン"),
        ("COMMON", "ALL", "すべての API とライブラリ"),
    ],
)
def test_what_an_answer_holds_for_is_said_in_words(api: str, version: str, words: str) -> None:
    assert page_of("ja", api=api, versions=(version,)).facts == [f"対象: {words}"]


def test_headings_in_an_answer_do_not_break_the_outline() -> None:
    page = page_of(answer="# Big\n\ntext\n\n##### Small\n\n<h1>raw</h1>")
    assert page.outline == ["1 How are customers listed?", "2 Answer"]
    assert "Big text Small raw" in page.text


def test_an_answer_without_readers_is_not_published() -> None:
    assert documents_of(answer_of(grant=Grant(readers=(), api="customer", api_version="v1"))) == ()


def test_an_id_depends_on_the_answers_id_and_version_alone() -> None:
    assert page_of().document.id == page_of(question="Other?", answer="x", api="order").document.id


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_question_and_answer_give_a_harmless_page(question: str, said: str) -> None:
    page = page_of(question=question, answer=said, approved_by=said)
    assert page.heading
    assert not page.soup.find_all(["script", "iframe", "img", "form"])
    assert not [name for tag in page.soup.find_all(True) for name in tag.attrs if name.startswith("on")]
