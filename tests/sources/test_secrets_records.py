"""Records that speak of secrets: a value of the shape of one leaves an answer out, a name does not."""

import json
from random import Random

import pytest

from hanpon.sources.texts import secret_assignments, secret_second_opinion
from hanpon.sources.texts.secret_assignments import MOST_WORDS, assignments_in
from hanpon.sources.texts.secret_second_opinion import _PLUGINS, second_opinion_on
from hanpon.sources.texts.secret_shapes import is_name, shapes_in
from hanpon.sources.texts.secrets import shapes_beside_words_in
from tests.sources.file_sets import answers_from
from tests.sources.secret_records import INNOCENT, REPORTED, SECRET, Pair
from tests.sources.secret_values import Values

BARE = {"id": "q-1", "api": "customer", "versions": ["v1"]}
SEEDS = range(20)


def is_left_out(pair: Pair, **more: object) -> bool:
    record = BARE | {"question": pair[0], "answer": pair[1]} | more
    source = answers_from({"a.jsonl": json.dumps(record)})
    assert bool(source.answers) != ("answer-with-secret" in {each.rule for each in source.findings})
    return not source.answers


@pytest.mark.parametrize("name", REPORTED)
def test_an_answer_that_a_tester_brought_through_is_left_out(name: str) -> None:
    assert all(is_left_out(REPORTED[name](Values(Random(seed)))) for seed in SEEDS)


@pytest.mark.parametrize("name", SECRET)
def test_a_secret_is_found_wherever_it_stands_in_an_answer_that_speaks_of_one(name: str) -> None:
    # one in fifty generated passwords reads like a name
    assert sum(is_left_out(SECRET[name](Values(Random(seed)))) for seed in SEEDS) >= len(SEEDS) - 2


def test_few_answers_that_only_speak_of_secrets_are_left_out() -> None:
    assert len([pair for pair in INNOCENT if is_left_out(pair)]) <= 2


def test_a_value_alone_in_a_text_that_speaks_of_no_secret_proves_nothing() -> None:
    value = Values(Random(1)).signs(16)
    assert shapes_beside_words_in(f"The trace is {value}.") == ()
    assert [each.kind for each in shapes_beside_words_in(f"The trace is {value}. No password.")] == ["secret-shape"]


def test_a_digest_in_a_key_that_is_not_published_leaves_nothing_out() -> None:
    assert not is_left_out(("パスワードは変更できますか", "はい。"), source="docs@0f991d0f799d:a.md")


@pytest.mark.parametrize(
    "name",
    [
        *("OAuth2ClientCredentials", "getV2ApiUrl3", "PBKDF2WithHmacSHA256", "customer_id2", "X-Request-Id"),
        *("CUSTOMER_MERGED", "ShopClientV2", "EC2InstanceId", "utf8mb4_general_ci", "2026-11-30T09", "us-east-1"),
        *("ORD-2024-000123", "shop-log-3", "refreshAccessTokenV2", "7f9c24e8-3b12-4fef-91d0-3d2a9c1c9f12"),
        *("sha256:9f86d081884c7d659a2feaa0c55ad015", "JUnit5Test", "Log4j2Config"),
    ],
)
def test_a_name_of_ordinary_form_has_no_shape_of_a_secret(name: str) -> None:
    assert list(shapes_in(f"`{name}`")) == []


def test_a_generated_value_is_no_name() -> None:
    values = Values(Random(3))
    assert sum(is_name(values.signs(16)) for _ in range(500)) <= 15
    assert is_name("ShopClient2")


def test_what_is_judged_of_a_hostile_text_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = []
    monkeypatch.setattr(secret_assignments, "_announces", lambda _, word: judged.append(word.start()))
    found = list(assignments_in("password" * 100_000))
    assert len(judged) == MOST_WORDS
    assert [kind for kind, _ in found] == ["unjudged-words"]


def test_detect_secrets_is_handed_little_more_than_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    handed = []
    monkeypatch.setattr(secret_second_opinion, "_is_suspect", lambda _, window: handed.append(len(window)))
    for line in ("password" * 20_000, "a\n" * 50_000):
        handed.clear()
        list(second_opinion_on(line))
        assert sum(handed) <= 1.5 * len(line) * len(_PLUGINS)


def test_lines_too_short_for_a_secret_are_not_handed_to_detect_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secret_second_opinion, "_is_suspect", lambda *_: pytest.fail("asked"))
    assert list(second_opinion_on("id: 1\n\n日本語の文がここにあります。\nshort words, all of them\n")) == []


def test_the_detector_of_keywords_is_not_asked_since_its_time_has_no_bound() -> None:
    assert "keyword" not in {file for file, _ in _PLUGINS}
