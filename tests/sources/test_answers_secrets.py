"""The promise about secrets: of a record that holds one nothing is kept, said, shown or raised."""

import json
import logging
import pickle
import re
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.contracts.answers import AnswersSource
from tests.sources.file_sets import answers_from
from tests.sources.secret_development import SECRET
from tests.sources.secret_values import Values

BARE = {"id": "q-1", "question": "Why?", "answer": "Because.", "api": "customer", "versions": ["v1"]}
GOOD = {"id": "good", "question": "How?", "answer": "So.", "api": "customer", "versions": ["v1"]}
FORMS = sorted(SECRET)


def planted(form: str, seed: int = 7) -> str:
    return SECRET[form](Values(Random(seed)))


def pieces_of(text: str) -> set[str]:
    """Runs of a planted text that nobody writes by chance."""
    return {
        run
        for run in re.findall(r"[A-Za-z0-9+/_.-]{6,}", text)
        if re.search(r"\d", run) and re.search("[A-Za-z]", run)
    }


def everything_of(source: AnswersSource) -> str:
    """All that a source says, in every way it can be made to say it."""
    said = [repr(source), str(source), json.dumps([each.as_record() for each in source.findings])]
    return "\n".join([*said, *map(str, source.findings), pickle.dumps(source).decode("latin-1")])


def assert_nothing_leaks(secret: str, written: str, file: str = "a.jsonl") -> AnswersSource:
    source = answers_from({file: written})
    said = everything_of(source)
    leaked = [piece for piece in pieces_of(secret) if piece in said]
    assert leaked == [], f"{len(leaked)} pieces"
    return source


@pytest.mark.parametrize("form", FORMS)
def test_a_secret_of_any_form_in_an_answer_leaves_the_record_out(form: str) -> None:
    written = json.dumps(BARE | {"answer": planted(form)}, ensure_ascii=False) + "\n" + json.dumps(GOOD)
    source = assert_nothing_leaks(planted(form), written)
    assert [each.id for each in source.answers] == ["good"]
    [finding] = source.findings
    assert (finding.rule, str(finding.severity), finding.where.line) == ("answer-with-secret", "warning", 1)
    assert "`answer` looks as if it held" in finding.message


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize(
    ("place", "named"),
    [
        (lambda text: {"question": text}, "`question`"),
        (lambda text: {"answer": "Like this:\n\n" + text}, "`answer`"),
        (lambda text: {"id": text}, "`id`"),
        (lambda text: {"approved_by": text}, "`approved_by`"),
        (lambda text: {"date": text}, "`date`"),
        (lambda text: {"api": text}, "`api`"),
        (lambda text: {"versions": [text]}, "`versions`"),
        (lambda text: {"component": text, "api": 1}, "`component`"),
        (lambda text: {"superseded": text}, "`superseded`"),
        (lambda text: {"note": text}, "another key"),
        (lambda text: {"note": {"deep": ["a", {"er": text}]}}, "another key"),
        (lambda text: {text: "x"}, "another key"),
        (lambda text: {"note": {text: 1}}, "another key"),
    ],
)
def test_a_secret_in_any_field_leaves_the_record_out(place: Any, named: str, ascii_only: bool) -> None:
    secret = planted("github-token")
    written = json.dumps(BARE | place(secret), ensure_ascii=ascii_only)
    source = assert_nothing_leaks(secret, written)
    assert source.answers == ()
    assert [each.rule for each in source.findings] == ["answer-with-secret"]
    assert named in source.findings[0].message


def test_a_key_that_names_a_secret_counts_with_its_value() -> None:
    value = Values(Random(3)).password()
    for record in ({"db_password": value}, {"account": {"password": value}}, {"api_key": value * 3}, {"pin": ["x"]}):
        source = assert_nothing_leaks(value, json.dumps(BARE | record))
        assert ("answer-with-secret" in {each.rule for each in source.findings}) == ("pin" not in record)


def test_a_question_for_a_password_and_an_answer_that_is_one_count_together() -> None:
    value = Values(Random(4)).password()
    for question, answer in [
        ("検証環境のパスワードは何ですか？", f"{value} です。"),
        ("What is the staging password?", f"`{value}`"),
        ("APIキーを教えてください", value + value),
    ]:
        source = assert_nothing_leaks(value, json.dumps(BARE | {"question": question, "answer": answer}))
        assert [each.rule for each in source.findings] == ["answer-with-secret"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "spoil",
    [
        lambda line: line[:-1],
        lambda line: line + ",",
        lambda line: line.replace('"id"', '"answer": "harmless", "id"'),
        lambda line: line.replace('"id": "q-1"', '"id": NaN'),
        lambda line: line.replace('"q-1"', '"\\ud800"'),
        lambda line: line.replace('"Why?"', "[" * 150 + "]" * 150),
        lambda line: line.replace('"question"', '"superceded"'),
        lambda line: line.replace('"q-1"', "7"),
    ],
)
def test_a_record_that_is_wrong_as_well_tells_of_nothing_but_the_secret(form: str, spoil: Any) -> None:
    line = spoil(json.dumps(BARE | {"answer": planted(form)}, ensure_ascii=False))
    source = assert_nothing_leaks(planted(form), line)
    assert source.answers == ()
    assert [each.rule for each in source.findings] == ["answer-with-secret"]


@pytest.mark.parametrize("form", ["github-token", "japanese-wa", "pem"])
def test_a_secret_in_an_array_leaves_its_member_out(form: str) -> None:
    text = json.dumps([GOOD, BARE | {"answer": planted(form)}], ensure_ascii=False, indent=2)
    source = assert_nothing_leaks(planted(form), text, "a.json")
    assert [each.id for each in source.answers] == ["good"]
    source = assert_nothing_leaks(planted(form), text[:-1], "a.json")
    assert [each.rule for each in source.findings] == ["answer-with-secret"]


def test_what_no_rule_knows_is_still_not_quoted_where_the_record_is_wrong() -> None:
    unknown = "zorgonquilverstrand"
    for line in (
        {unknown: 1, "id": 2},
        BARE | {"date": unknown},
        BARE | {"versions": [unknown * 5]},
        BARE | {"api": unknown + " x"},
        BARE | {"superseded": unknown},
        BARE | {"id": unknown + "\n"},
        unknown,
    ):
        source = answers_from({"a.jsonl": json.dumps(line)})
        assert source.findings
        assert unknown not in everything_of(source)
    twice = json.dumps(BARE | {"id": unknown})
    findings = answers_from({"a.jsonl": f'{twice}\n{twice}\n{{"{unknown}": 1, "{unknown}": 2}}'}).findings
    assert [each.rule for each in findings] == ["answer-twice", "duplicate-key"]
    assert all(unknown not in str(each.as_record()) for each in findings)


def test_nothing_is_logged(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    secret = planted("stripe")
    logging.getLogger("detect-secrets").setLevel(logging.DEBUG)
    with caplog.at_level(logging.DEBUG):
        answers_from({"a.jsonl": json.dumps(BARE | {"answer": secret}) + "\n" + json.dumps(BARE)})
    out = capfd.readouterr()
    assert (caplog.text, out.out, out.err) == ("", "", "")


@given(
    st.sampled_from(FORMS),
    st.sampled_from(["id", "question", "answer", "approved_by", "note"]),
    st.integers(0, 1000),
    st.sampled_from(["", "前置き。\n", "See:\n\n", "x " * 50]),
)
def test_no_secret_of_the_known_forms_comes_through(form: str, field: str, seed: int, before: str) -> None:
    secret = planted(form, seed)
    written = json.dumps(BARE | {field: before + secret}, ensure_ascii=bool(seed % 2))
    assert assert_nothing_leaks(secret, written).answers == ()
