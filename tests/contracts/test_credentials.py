"""What is shown of an address never holds what lets one in."""

import pytest

from hanpon.contracts.credentials import without_credentials
from tests.hangs import must_end


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("https://u:p@h/x", "https://***@h/x"),
        ("//u:p@h/x", "//***@h/x"),
        ("https://token@h/x", "https://***@h/x"),
        ("https:///u:p@h/x", "https:///***@h/x"),
        ("https:\\\\u:p@h/x", "***@h/x"),
        ("u:p@h/x.yaml", "***@h/x.yaml"),
        ("me@corp.example:secret@h/x", "***@h/x"),
        ("https://u:@h/x", "https://***@h/x"),
        ("git+ssh://u:p@h:22/x", "git+ssh://***@h:22/x"),
        ("`https://u:p@h/x` leads to an address", "`https://***@h/x` leads to an address"),
        ('{"$ref":"u:p@h"}', '{"$ref":"***@h"}'),
        ("https://h/x,https://u:p@h/y", "https://h/x,https://***@h/y"),
        ("参照https://u:p@h/xは不可", "参照https://***@h/xは不可"),
    ],
)
def test_what_stands_before_the_host_is_masked(written: str, shown: str) -> None:
    assert without_credentials(written) == shown


@pytest.mark.parametrize(
    "password", ["a/b", "a//b", "a@b", "@", "/", "a:b", "a#b", "a?b", "1/2", "a@b/c@d", "a`b", 'a"b']
)
def test_no_part_of_a_password_stays_whatever_it_holds(password: str) -> None:
    assert without_credentials(f"https://user:{password}@host/x") == "https://***@host/x"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "#/components/schemas/Customer",
        "https://h.example/x.yaml#/a",
        "https://h.example:8080/x",
        "https://h.example:8080/@scope/x",
        "http://localhost:8080/users/@me",
        "http://[::1]:80/@x",
        "https://h.example/@scope/x",
        "https://h.example/x?mail=a@b.example",
        "Write to a.b@c.example, or to d@e.example: both are read.",
        "mailto:a@b.example",
        "git@h.example:team/repository",
        "git@h.example:team/repository@v1",
        "@me: hello",
        "x.yaml#/paths/~1a:b@c",
        "12:30 @ home",
    ],
)
def test_a_text_without_credentials_is_unchanged(text: str) -> None:
    assert without_credentials(text) == text


def test_a_masked_text_is_masked_once() -> None:
    once = without_credentials("https://u:p@h/x u:p@h")
    assert without_credentials(once) == once == "https://***@h/x ***@h"


@pytest.mark.parametrize("piece", ["//", "a:", "@", "//a:", "a@", "[", "//[.", "git@", "a", ".", ".:"])
def test_a_hostile_text_is_no_slower_than_a_long_one(piece: str) -> None:
    with must_end():
        without_credentials(piece * 200_000 + "@")
        without_credentials("//" + piece * 200_000 + ":x/@")
