"""The ids of headings are those that GitHub and MkDocs give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown.extensions.toc import slugify

from hanpon.formats.heading_ids import Taken, github_id, mkdocs_id

GITHUB = {
    "Getting Started": "getting-started",
    "API & CLI (v2.0)": "api--cli-v20",
    "under_score - and dash": "under_score---and-dash",
    "はじめに": "はじめに",
    "日本語 （テスト）「引用」": "日本語-テスト引用",
    "① 概要": "-概要",
    "Ⅳ 章": "ⅳ-章",
    "Ⓐ": "ⓐ",
    "Café": "café",
    "か\u3099": "か\u3099",
    "全角\u3000空白": "全角空白",
    ":tada: Party": "tada-party",
    "😄 emoji": "-emoji",
    "em — dash": "em--dash",
    "１２３": "１２３",
    "²": "",
}


@pytest.mark.parametrize("text", GITHUB)
def test_a_heading_is_called_as_on_github(text: str) -> None:
    assert github_id(text) == GITHUB[text]


def test_a_heading_that_comes_again_gets_the_first_free_number() -> None:
    taken = Taken()
    wanted = ["echo", "echo", "echo 1", "echo-1", "echo"]
    assert [taken.numbered(github_id(text)) for text in wanted] == [
        "echo",
        "echo-1",
        "echo-1-1",
        "echo-1-2",
        "echo-2",
    ]


@given(st.text())
def test_mkdocs_names_headings_as_python_markdown_does(text: str) -> None:
    assert mkdocs_id(text) == slugify(text, "-")


@given(st.lists(st.sampled_from(["a", "a-1", "a-1-1", "a-2", "b", ""])))
def test_no_id_is_given_twice(wanted: list[str]) -> None:
    taken = Taken()
    given_ids = [taken.numbered(one) for one in wanted]
    assert len(set(given_ids)) == len(given_ids)
