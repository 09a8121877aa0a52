"""Earlier answers: what is read from a line, and what is said of a line that is wrong."""

import json
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.contracts.access import Access, Grant
from hanpon.contracts.answers import Answer
from hanpon.contracts.findings import Place
from hanpon.sources.answers import record_secrets
from hanpon.sources.answers.reader import read_answers
from hanpon.sources.answers.record_checks import misfits_of
from hanpon.sources.answers.records import MAX_RECORD
from hanpon.sources.texts.inputs import Inputs
from schemas import load
from tests.corpus import ROOT
from tests.sources.file_sets import READERS, answers_from, item_of, told
from tests.trees import MemoryTree

FULL: dict[str, Any] = {
    "id": "q-1",
    "question": "退会した顧客を **除く** には？",
    "answer": "`status=active` を付けます。",
    "api": "customer",
    "versions": ["v1", "v2", "v1"],
    "superseded": True,
    "date": "2026-11-30",
    "approved_by": "顧客チーム",
}
BARE = {"id": "q-1", "question": "Why?", "answer": "Because."}


def lines(*records: Any) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def rules(text: str, file: str = "answers/a.jsonl") -> list[tuple[str, str, int]]:
    return told(answers_from({file: text}).findings)


def test_a_record_becomes_an_answer_as_it_is_written() -> None:
    source = answers_from({"answers/a.jsonl": "\n" + lines(FULL)})
    [answer] = source.answers
    assert answer == Answer(
        id="q-1",
        question=FULL["question"],
        answer=FULL["answer"],
        api="customer",
        versions=("v1", "v2"),
        superseded=True,
        date="2026-11-30",
        approved_by="顧客チーム",
        grant=Grant(readers=READERS, api="COMMON", api_version="ALL"),
        place=Place("answers/a.jsonl"),
    )
    assert answer.place.line == 2
    assert source.findings == ()


def test_an_answer_may_be_about_a_component_at_one_version() -> None:
    [answer] = answers_from({"a.jsonl": lines(BARE | {"component": "log", "versions": "3.2"})}).answers
    assert (answer.api, answer.versions, answer.superseded, answer.date) == ("log", ("3.2",), False, "")


@pytest.mark.parametrize("said", [{}, {"api": "COMMON"}, {"versions": "ALL"}, {"api": "COMMON", "versions": ["ALL"]}])
def test_an_answer_about_nothing_in_particular_holds_for_everything(said: dict[str, Any]) -> None:
    source = answers_from({"a.jsonl": lines(BARE | said)})
    assert (source.answers[0].api, source.answers[0].versions) == ("COMMON", ("ALL",))
    expected = [] if said else [("answer-for-every-version", "warning", 1)]
    assert told(source.findings) == expected


def test_how_many_answers_hold_for_everything_is_told_once_for_a_file() -> None:
    source = answers_from({"a.jsonl": lines(FULL, BARE | {"id": "2"}, BARE | {"id": "3"})})
    assert told(source.findings) == [("answer-for-every-version", "warning", 2)]
    assert source.findings[0].message.startswith("2 answers")


def test_a_file_may_say_for_its_answers_what_they_are_about() -> None:
    item = item_of("a.jsonl", access="access.csv")
    access = Access(by_file={"a.jsonl": Grant(readers=("all",), api="order", api_version="v1")})
    tree = MemoryTree({"a.jsonl": lines(BARE, FULL | {"id": "2"}, BARE | {"id": "3", "api": "COMMON"})})
    answers = read_answers(item, access, Inputs(tree)).answers
    assert [(each.api, each.versions) for each in answers] == [
        ("order", ("v1",)),
        ("customer", ("v1", "v2")),
        ("COMMON", ("ALL",)),
    ]


def test_a_file_that_nobody_may_see_is_not_even_read() -> None:
    item = item_of("a.jsonl", "b.jsonl", access="access.csv")
    tree = MemoryTree({"a.jsonl": lines(BARE), "b.jsonl": lines(BARE)})
    grant = Grant(readers=("all",), api="COMMON", api_version="ALL")
    source = read_answers(item, Access(by_file={"b.jsonl": grant}), Inputs(tree))
    assert [each.place.file for each in source.answers] == ["b.jsonl"]
    assert tree.reads == ["b.jsonl"]
    assert [(each.rule, each.where.file) for each in source.findings if each.where.file == "a.jsonl"] == [
        ("no-access-entry", "a.jsonl")
    ]


def test_marks_line_ends_blank_lines_and_separators_inside_text_are_no_matter() -> None:
    text = "\ufeff" + lines(FULL).replace("\n", "\r\n") + "\r\n \r\n"
    text += json.dumps(BARE | {"id": "2", "api": "COMMON", "answer": "a\u2028b\u0085c"}, ensure_ascii=False)
    source = answers_from({"a.jsonl": text})
    assert [(each.id, each.place.line) for each in source.answers] == [("q-1", 1), ("2", 4)]
    assert source.findings == ()


def test_a_json_array_is_read_like_lines() -> None:
    text = json.dumps([FULL, BARE | {"id": "2", "api": "COMMON"}, 7], indent=1)
    source = answers_from({"a.json": text})
    assert [each.id for each in source.answers] == ["q-1", "2"]
    assert source.answers[1].place.line == text[: text.index('"2"')].count("\n")
    assert told(source.findings) == [("answer-misfit", "error", text.count("\n"))]


@pytest.mark.parametrize("text", ["{}", "7", "[1", '[{"id": 1, "id": 2}]'])
def test_a_json_file_that_is_no_array_is_an_error(text: str) -> None:
    assert [severity for _, severity, _ in rules(text, "a.json")] == ["error"]


def test_answers_stand_in_order_of_file_and_line() -> None:
    files = {"b.jsonl": lines(BARE | {"id": "1"}), "a.jsonl": lines(BARE | {"id": "3"}, BARE | {"id": "2"})}
    assert [each.id for each in answers_from(files).answers] == ["3", "2", "1"]


def test_an_id_that_another_answer_has_is_an_error_that_names_both_lines() -> None:
    files = {"a.jsonl": lines(FULL, FULL), "b.jsonl": lines(FULL)}
    source = answers_from(files)
    assert len(source.answers) == 1
    assert [(each.rule, each.where.file, each.where.line) for each in source.findings] == [
        ("answer-twice", "a.jsonl", 2),
        ("answer-twice", "b.jsonl", 1),
    ]
    assert "line 1" in source.findings[0].message
    assert "line 1 of `a.jsonl`" in source.findings[1].message


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "7",
        "[]",
        '"x"',
        "null",
        '{"id": "1", "id": "2"}',
        "[" * 200 + "]" * 200,
        '{"a": NaN}',
        '{"a": "\\ud800"}',
    ],
)
def test_a_line_that_is_no_record_is_an_error_and_the_rest_goes_on(line: str) -> None:
    source = answers_from({"a.jsonl": f"{line}\n" + lines(FULL)})
    assert [each.place.line for each in source.answers] == [2]
    assert {(severity, number) for _, severity, number in told(source.findings)} == {("error", 1)}


def test_an_answer_that_is_too_long_is_not_read_in_either_form_of_file() -> None:
    long = BARE | {"answer": "あ" * (MAX_RECORD // 3)}
    for text, file in ((lines(long, FULL), "a.jsonl"), (json.dumps([long, FULL]), "a.json")):
        source = answers_from({file: text})
        assert [each.id for each in source.answers] == [FULL["id"]]
        assert [(each.rule, each.severity) for each in source.findings] == [("too-large", "error")]


def test_of_a_broken_file_no_more_is_looked_through_for_secrets_than_an_answer_may_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lengths: list[int] = []

    def nothing_in(text: str) -> tuple[()]:
        lengths.append(len(text))
        return ()

    monkeypatch.setattr(record_secrets, "secrets_in", nothing_in)
    assert rules("[" + "1, " * MAX_RECORD, "a.json") == [("json-syntax", "error", 1)]
    assert 0 < sum(lengths) <= 3 * MAX_RECORD


def test_a_file_that_cannot_be_read_does_not_stop_the_others() -> None:
    files: dict[str, str | bytes] = {"a.jsonl": lines(BARE).encode() + b"\xff", "b.jsonl": lines(FULL)}
    source = answers_from(files)
    assert [each.place.file for each in source.answers] == ["b.jsonl"]
    assert [(each.rule, each.where.line) for each in source.findings] == [("not-utf-8", 2)]


def test_a_file_that_is_gone_or_too_large_is_an_error() -> None:
    item = item_of("a.jsonl", "b.jsonl")
    tree = MemoryTree({"b.jsonl": "{}"}, sizes={"b.jsonl": 2**40})
    source = read_answers(item, Access(common=Grant(readers=("all",), api="COMMON", api_version="ALL")), Inputs(tree))
    assert [each.rule for each in source.findings] == ["missing-file", "too-large"]


def test_an_item_may_name_its_encoding() -> None:
    source = answers_from({"a.jsonl": lines(FULL).encode("cp932")}, encoding="cp932")
    assert source.answers[0].approved_by == "顧客チーム"


@pytest.mark.parametrize(
    ("changed", "rule"),
    [
        ({"id": None}, "answer-misfit"),
        ({"id": ""}, "answer-misfit"),
        ({"id": "a\nb"}, "answer-misfit"),
        ({"id": "x" * 201}, "answer-misfit"),
        ({"id": 7}, "answer-misfit"),
        ({"question": " "}, "answer-misfit"),
        ({"answer": ["x"]}, "answer-misfit"),
        ({"answer": "a\u0000b"}, "answer-misfit"),
        ({"api": ""}, "answer-misfit"),
        ({"api": None}, "answer-misfit"),
        ({"api": "顧客/v1"}, "answer-misfit"),
        ({"api": "common"}, "reserved-name"),
        ({"api": "x" * 101}, "bad-name"),
        ({"component": "log"}, "answer-misfit"),
        ({"versions": []}, "answer-misfit"),
        ({"versions": ["v 1"]}, "answer-misfit"),
        ({"versions": 3.1}, "version-not-text"),
        ({"versions": [3.1]}, "version-not-text"),
        ({"versions": ["ALL", "v1"]}, "answer-misfit"),
        ({"versions": ["all"]}, "reserved-name"),
        ({"api": "COMMON"}, "common-with-version"),
        ({"superseded": "true"}, "answer-misfit"),
        ({"superseded": None}, "answer-misfit"),
        ({"date": "30.11.2026"}, "answer-misfit"),
        ({"date": "2026-02-30"}, "answer-misfit"),
        ({"date": "2026-11-30T25:00"}, "answer-misfit"),
        ({"date": "20261130"}, "answer-misfit"),
        ({"approved_by": "a\u2028b"}, "answer-misfit"),
        ({"superceded": True}, "unknown-key"),
        ({"Superseded": True}, "unknown-key"),
        ({"version": "v1"}, "unknown-key"),
        ({"api_version": "v1"}, "unknown-key"),
        ({"approvedBy": "x"}, "unknown-key"),
        ({"obsolete": True}, "unknown-key"),
        ({"対象バージョン": "v1"}, "unknown-key"),
    ],
)
def test_a_record_that_does_not_fit_is_left_out_with_an_error(changed: dict[str, Any], rule: str) -> None:
    source = answers_from({"a.jsonl": lines(FULL | changed)})
    assert source.answers == ()
    assert told(source.findings) == [(rule, "error", 1)]


@pytest.mark.parametrize("key", ["id", "question", "answer", "versions"])
def test_what_an_answer_needs_is_asked_for(key: str) -> None:
    source = answers_from({"a.jsonl": lines({name: value for name, value in FULL.items() if name != key})})
    assert told(source.findings) == [("answer-misfit", "error", 1)]
    assert f"`{key}`" in source.findings[0].message


@pytest.mark.parametrize(("key", "slip"), [("question", "qestion"), ("versions", "version"), ("answer", "anwser")])
def test_a_slip_in_a_key_is_named_and_told_once(key: str, slip: str) -> None:
    source = answers_from({"a.jsonl": lines({slip if name == key else name: FULL[name] for name in FULL})})
    assert told(source.findings) == [("unknown-key", "error", 1)]
    assert f"`{slip}` is spelt otherwise than `{key}`" in source.findings[0].message


@pytest.mark.parametrize(
    ("versions", "found"),
    [(3.1, "a number"), ([3.1], "a list with a number"), ({}, "an object"), (True, "true or false"), (None, "null")],
)
def test_what_is_said_of_a_wrong_kind_names_the_kind(versions: Any, found: str) -> None:
    findings = answers_from({"a.jsonl": lines(FULL | {"versions": versions})}).findings
    assert all(each.message.endswith(f"; found {found}.") for each in findings), findings


def test_a_version_without_what_it_is_a_version_of_is_an_error() -> None:
    assert rules(lines(BARE | {"versions": ["v1"]})) == [("common-with-version", "error", 1)]


@pytest.mark.parametrize(
    "date", ["2026-11-30", "2026-11-30T09:00", "2026-11-30T09:00:00Z", "2026-11-30T09:00:00.5+09:00"]
)
def test_a_date_is_a_day_or_a_moment(date: str) -> None:
    assert rules(lines(FULL | {"date": date})) == []


def test_keys_that_nobody_reads_are_told_once_for_a_file() -> None:
    extra = {"lang": "ja", "tags": ["x"], "source": "wiki", "a b1": 1}
    source = answers_from({"a.jsonl": lines(FULL | extra, FULL | extra | {"id": "2"})})
    assert len(source.answers) == 2
    assert {(each.rule, str(each.severity), each.where.line) for each in source.findings} == {
        ("unknown-key", "warning", 1)
    }
    told_of = [each.message.split(" is ")[0] for each in source.findings]
    assert sorted(told_of) == ["A key that", "The key `lang`", "The key `source`", "The key `tags`"]


@given(
    st.dictionaries(
        st.sampled_from([*FULL, "component", "lang"]),
        st.sampled_from(["v1", "ALL", "COMMON", "", "2026-11-30", "a b", True, None, 1, ["v1"], ["v1", 2], [], {}]),
    )
)
def test_the_schema_and_the_reader_agree_on_the_form_of_a_record(changed: dict[str, Any]) -> None:
    record = FULL | changed
    fits = jsonschema_rs.validator_for(load("answer")).is_valid(record)
    if not fits:
        assert misfits_of(record)
    else:
        # what no schema can say: the reserved words, and ALL beside a version
        assert {rule for rule, _ in misfits_of(record)} <= {"reserved-name", "common-with-version", "answer-misfit"}


@given(st.text(max_size=100) | st.recursive(st.none() | st.text(max_size=5), st.lists, max_leaves=5).map(json.dumps))
def test_whatever_stands_in_a_file_is_told_as_findings(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    for file in ("a.jsonl", "a.json"):
        answers_from({file: data})


@pytest.mark.corpus
@pytest.mark.parametrize("path", sorted((ROOT / "qa").glob("*.jsonl")), ids=lambda path: path.stem)
def test_real_answers_come_out_as_they_are(path: Any) -> None:
    text = path.read_text("utf-8")
    written = [json.loads(line) for line in text.splitlines()]
    source = answers_from({path.name: text})
    assert [(each.id, each.question, each.answer) for each in source.answers] == [
        (each["id"], each["question"], each["answer"]) for each in written
    ]
    assert {each.rule for each in source.findings} == {"answer-for-every-version", "unknown-key"}
