"""Secrets and connection targets in texts: which are found, which only look like it, and that nothing is kept."""

import logging
import re
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.sources.texts.secret_formats import formats_in
from hanpon.sources.texts.secret_placeholders import is_placeholder
from hanpon.sources.texts.secret_second_opinion import _plugins, second_opinion_on
from hanpon.sources.texts.secrets import KINDS, Secret, announcing_words_in, secrets_in
from tests.corpus import ROOT as CORPUS
from tests.sources import secret_development, secret_held_out, secret_second_look
from tests.sources.secret_values import LOWER, UPPER, Values

ROOT = Path(__file__).parents[2]
SETS = (secret_development, secret_held_out, secret_second_look)
SEEDS = range(5)


def kinds_in(text: str) -> set[str]:
    return {secret.kind for secret in secrets_in(text)}


@pytest.mark.parametrize(
    ("texts", "name"), [(texts, name) for texts in SETS for name in texts.SECRET], ids=lambda value: str(value)[:40]
)
def test_a_secret_is_found(texts: ModuleType, name: str) -> None:
    for seed in SEEDS:
        assert secrets_in(texts.SECRET[name](Values(Random(seed)))), seed


@pytest.mark.parametrize("text", [text for texts in SETS for text in texts.INNOCENT])
def test_what_documentation_writes_in_place_of_a_secret_is_none(text: str) -> None:
    assert secrets_in(text) == ()


@pytest.mark.parametrize(
    "value",
    [
        "",
        "<token>",
        "<your password>",
        "***",
        "xxxx",
        "XXXXXXXX",
        "${TOKEN}",
        "$TOKEN",
        "{{ token }}",
        "%TOKEN%",
        "{token}",
        "[token]",
        "your_api_key",
        "my_password",
        "my-access-token",
        "example-key-1",
        "changeme",
        "dummy",
        *("sample123", "secret", "null", "true", "undefined", "aaaaaaaa", "00000000", "12345678", "abc123", "string"),
        *("abcdef0123456789", "YOUR_SECRET_HERE", "●●●●", "password123", "SHA-256", "base64", "OAuth2.0", "…"),
    ],
)
def test_a_placeholder_is_known_as_one(value: str) -> None:
    assert is_placeholder(value)


def test_a_value_of_a_generator_is_no_placeholder() -> None:
    values = Values(Random(1))
    for _ in range(200):
        for value in (values.password(), values.strong(), values.weak(), values.signs(20), values.hexadecimal(32)):
            assert not is_placeholder(value)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_line_is_counted_as_the_text_has_it(end: str) -> None:
    values = Values(Random(2))
    text = end.join(
        ["&#10; &amp;", "", f"password: {values.password()}", "curl \\", f"  -u a1:{values.password()}", "x"]
    )
    assert {secret.line for secret in secrets_in(text)} in ({2, 3}, {2, 4})
    assert Secret(2, "password-value") in secrets_in(text)


def test_a_kind_has_words_and_is_found_somewhere() -> None:
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "hanpon/sources/texts").glob("secret_*.py"))
    made = {
        *re.findall(r'"([a-z]+(?:-[a-z]+)+)"', sources),
        *(f"{group}-value" for group in ("password", "key", "token")),
    }
    assert set(KINDS) <= made
    assert list(KINDS) == sorted(KINDS)
    every = {kind for texts in SETS for make in texts.SECRET.values() for kind in kinds_in(make(Values(Random(1))))}
    assert every <= set(KINDS)


def test_words_that_ask_for_a_secret_are_listed() -> None:
    assert announcing_words_in("検証環境のパスワードと API key は？ password?") == (
        "パスワード",
        "API key",
        "password",
    )
    assert announcing_words_in("How do I list orders? See nextPageToken.") == ()


@pytest.mark.parametrize("wrap", ["\n", "\n    ", "\n> "])
@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda v: f"AKIA{v.of(UPPER + '234567', 16)}", "aws-access-key"),
        (lambda v: f"ghp_{v.signs(36)}", "github-token"),
        (lambda v: f"sk_live_{v.signs(24)}", "stripe-key"),
        (lambda v: f"SG.{v.signs(22)}.{v.signs(43)}", "sendgrid-token"),
    ],
)
def test_a_key_that_a_line_break_cuts_is_found_where_it_begins(
    make: Callable[[Values], str], kind: str, wrap: str
) -> None:
    key = make(Values(Random(7)))
    for cut in range(9, len(key) - 1):
        text = f"Use this one:\n{key[:cut]}{wrap}{key[cut:]}\nand no other."
        assert Secret(1, kind) in secrets_in(text), cut


@pytest.mark.parametrize("text", ["sold in ASIA\nPACIFIC and more", "names begin with sk_\nlive or ghp_\ntoken"])
def test_words_that_only_begin_like_a_key_at_the_end_of_a_line_are_none(text: str) -> None:
    assert secrets_in(text) == ()


def test_detect_secrets_is_asked_where_our_own_rules_find_nothing() -> None:
    values = Values(Random(5))
    text = f"artifactory\nAKC{values.signs(20)}\n"
    assert kinds_in(text) == {"other-secret"}
    assert [secret.line for secret in secrets_in(text)] == [1]


def test_the_samples_that_detect_secrets_takes_for_secrets_do_not_count() -> None:
    documented = "AKIAIOSFODNN7" + "EXAMPLE"
    for text in (documented, "https://user:password@example.com/x", f"aws_access_key_id = '{documented}'"):
        assert list(second_opinion_on(text)) == []
        assert secrets_in(text) == ()


def test_the_second_opinion_changes_nothing_of_the_process() -> None:
    _plugins.cache_clear()
    shows, level = warnings.showwarning, logging.getLogger().level
    assert list(second_opinion_on("nothing here")) == []
    assert (warnings.showwarning, logging.getLogger().level) == (shows, level)
    assert vars(_plugins()[0]) == {}


def test_a_long_line_is_looked_through_in_pieces_and_no_secret_falls_between() -> None:
    values = Values(Random(6))
    secret = f" AKC{values.signs(20)} "
    for before in range(700, 1100, 7):
        assert list(second_opinion_on("x " * (before // 2) + secret + "x " * 700)), before


def test_several_threads_find_the_same() -> None:
    texts = [make(Values(Random(3))) for each in SETS for make in each.SECRET.values()]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(secrets_in, texts)) == [secrets_in(text) for text in texts]


def test_nothing_of_a_text_is_kept() -> None:
    values = Values(Random(8))
    secret = values.of(LOWER, 4) + values.signs(30)
    for text in (f"password: {secret}", f"AKC{secret}", f"token {secret}", f"cl_password={secret}"):
        secrets_in(text)
    ours = [
        module for name, module in sys.modules.items() if name.startswith(("hanpon.sources.texts", "detect_secrets"))
    ]
    assert len(ours) > 20
    assert not any(secret in repr(vars(module)) for module in ours)
    assert all(vars(plugin).get("keyword_exclude") is None and len(vars(plugin)) <= 1 for plugin in _plugins())


@given(st.text(max_size=300))
def test_any_text_is_looked_through_and_always_with_the_same_result(text: str) -> None:
    found = secrets_in(text)
    assert found == secrets_in(text) == tuple(sorted(set(found)))
    lines = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    assert all(0 <= secret.line < lines and secret.kind in KINDS for secret in found)


@given(st.sampled_from(sorted(secret_development.SECRET)), st.integers(0, 500), st.text("あ x。\n", max_size=20))
def test_a_secret_is_found_whatever_stands_around_it(name: str, seed: int, around: str) -> None:
    assert secrets_in(f"{around}\n{secret_development.SECRET[name](Values(Random(seed)))}\n{around}")


@pytest.mark.parametrize(
    "seed",
    [
        "a",
        "a:",
        "://",
        "a@",
        "//",
        "eyJ",
        "1.",
        "10.",
        "|",
        "\\",
        "(",
        "&",
        "<",
        "password ",
        "password: ",
        "-u a:",
        'secret("',
        'password=="',
        "パスワードは",
        "接続先 a",
        "server=a;",
        "jdbc:",
        "-----BEGIN " + "PRIVATE KEY-----",
    ],
)
def test_a_hostile_text_comes_to_an_end(seed: str) -> None:
    secrets_in((seed * 30_000)[:30_000])


def test_no_file_of_ours_holds_what_looks_like_a_secret() -> None:
    found = [
        str(path.relative_to(ROOT))
        for folder in ("hanpon", "renderers", "schemas", "templates", "tests", "docs")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".py", ".md", ".json", ".yaml", ".html"} and list(formats_in(path.read_text("utf-8")))
    ]
    assert found == []


PROXY = "10.0.1.2:8080"
"""The one thing in the whole corpus that is taken for a target (measured over all of it; here every third file)."""


@pytest.mark.corpus
def test_of_real_readmes_and_guidelines_only_a_proxy_in_a_private_network_is_taken_for_a_target() -> None:
    files = sorted(
        path
        for folder in ("readmes", "guidelines", "qa")
        for path in (CORPUS / folder).rglob("*")
        if path.suffix in {".md", ".adoc", ".rst", ".jsonl", ".html", ".txt"}
    )
    texts = [path.read_text("utf-8") for path in files]
    proxies = [text for text in texts if PROXY in text]
    assert proxies
    assert {secret.kind for text in proxies for secret in secrets_in(text)} == {"connection-target"}
    assert [text[:60] for text in texts[::3] if PROXY not in text and secrets_in(text)] == []
