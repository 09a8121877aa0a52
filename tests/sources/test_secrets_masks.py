"""Texts of files in messages: secrets in them are masked, names are shown."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.sources.texts.text_problems import shown
from tests.sources.secret_values import UPPER, Values


@pytest.mark.parametrize(
    "form",
    [
        *("password={}.md", "token={}.png", "x.md?token={}", "#password={}", "password={}", "a/password={}/x.md"),
        *("password%3D{}.md", "secrets/{}.md", "パスワードは{}", "ｐassword={}", "x.md?a=1&amp;password={}"),
        *("~1x?password={}/get", "api_key\\={}", "Authorization: Bearer {}"),
    ],
)
def test_a_secret_in_a_quoted_text_is_masked(form: str) -> None:
    for seed in range(10):
        value = Values(Random(seed)).signs(16)
        said = shown(form.format(value))
        assert value not in said
        assert said.endswith("***`")


def test_a_token_of_a_known_format_is_masked_even_where_the_text_is_cut_inside_it() -> None:
    token = f"ghp_{Values(Random(1)).signs(36)}"
    for before in range(0, 60, 7):
        assert token[:12] not in shown("x" * before + " " + token + "/x.md")


def test_a_key_of_letters_alone_and_one_cut_by_a_line_break_are_masked() -> None:
    key = f"AKIA{Values(Random(2)).of(UPPER, 16)}"
    for text in (f"designs/{key}.docx", f"{key[:11]}\n  {key[11:]}"):
        assert shown(text).endswith("***`")
        assert key[4:11] not in shown(text)


@pytest.mark.parametrize(
    "name",
    [
        *("/components/securitySchemes/ApiKeyAuth2", "#password-policy-v2", "/paths/~1login~1token/post", "token.md"),
        *("x.md?a=1#token-2b", "tokenUrl: https://a.example/x2", "パスワード.md", "docs/auth/OAuth2Guide.md"),
        *("/v1/customers/{customerId}/tokens/{tokenId}", "passwordHash2", "%E3%83%91%E3%82%B9.md"),
    ],
)
def test_a_name_that_speaks_of_secrets_is_shown(name: str) -> None:
    assert shown(name) == f"`{name}`"


@given(st.text(max_size=300))
def test_any_text_can_be_shown_on_one_line(text: str) -> None:
    said = shown(text)
    assert said.isprintable()
    assert len(said) <= 62
