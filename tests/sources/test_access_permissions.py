"""An access file in the shape of Google Drive's permissions."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.contracts.access import Access
from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Finding
from tests.sources.file_sets import access_from, readers_of, told

A, B = "designs/a.md", "designs/b.md"
USER = {"type": "user", "role": "reader", "emailAddress": "taro@example.co.jp"}
GROUP = {"type": "group", "role": "writer", "emailAddress": "crm@example.co.jp"}
ANYONE = {"type": "anyone", "role": "reader"}


def read(value: Any, *, indent: int | None = 1) -> tuple[Access, tuple[Finding, ...]]:
    return access_from(json.dumps(value, indent=indent), A, B, name="designs/access.json")


def readers(*permissions: Any) -> tuple[str, ...]:
    return readers_of(read({A: list(permissions)})[0], A)


@pytest.mark.parametrize(
    "value",
    [
        [{"path": A, "permissions": [USER, GROUP]}],
        {A: [GROUP, USER]},
        {A: {"permissions": [GROUP, USER, USER]}},
    ],
)
def test_both_shapes_are_read(value: Any) -> None:
    access, findings = read(value)
    assert readers_of(access, A) == ("group:crm@example.co.jp", "user:taro@example.co.jp")
    assert (access.of(B), findings) == (None, ())


def test_an_entry_may_say_what_its_file_holds_for() -> None:
    access, _ = read({A: {"permissions": [USER], "api": "order", "api_version": "v1"}})
    held = access.by_file[A]
    assert (held.api, held.api_version) == ("order", "v1")


def test_anyone_is_everyone_in_the_identity_provider() -> None:
    assert readers(ANYONE | {"allowFileDiscovery": True}) == ("all",)
    assert readers(ANYONE) == ("all",)


@pytest.mark.parametrize("role", ["owner", "organizer", "fileOrganizer", "writer", "commenter", "reader"])
def test_every_role_may_read(role: str) -> None:
    assert readers(USER | {"role": role}) == ("user:taro@example.co.jp",)


@pytest.mark.parametrize(
    ("permission", "severity", "word"),
    [
        (USER | {"deleted": True}, "info", "deleted"),
        (USER | {"pendingOwner": True}, "warning", "pending owner"),
        (USER | {"view": "published"}, "warning", "view"),
        (USER | {"view": "metadata"}, "warning", "view"),
        (USER | {"expirationTime": "2030-01-01T00:00:00Z"}, "warning", "expirationTime"),
        (USER | {"inheritedPermissionsDisabled": True}, "warning", "inherit"),
        (USER | {"condition": "weekdays"}, "warning", "key"),
        ({"type": "domain", "role": "reader", "domain": "example.co.jp"}, "warning", "domain"),
        (ANYONE | {"allowFileDiscovery": False}, "warning", "link"),
    ],
)
def test_a_permission_with_a_limit_is_not_granted_and_it_is_said_why(
    permission: dict[str, Any], severity: str, word: str
) -> None:
    access, findings = read({A: [permission, GROUP]})
    assert readers_of(access, A) == ("group:crm@example.co.jp",)
    assert told(findings) == [("permission-not-granted", severity, 3)]
    assert word in findings[0].message


def test_flags_that_are_false_limit_nothing() -> None:
    plain = dict.fromkeys(("deleted", "pendingOwner", "inheritedPermissionsDisabled"), False)
    assert readers(USER | plain | {"view": None, "id": "1", "kind": "drive#permission"}) == (
        "user:taro@example.co.jp",
    )


def test_who_was_added_to_a_file_itself_keeps_access_where_it_inherits_none() -> None:
    details = [{"inherited": True}, {"inherited": False}]
    cut_off = {"inheritedPermissionsDisabled": True}
    assert readers(USER | cut_off | {"permissionDetails": details})
    assert readers(USER | cut_off | {"role": "owner"})
    assert not readers(USER | cut_off | {"permissionDetails": details[:1]})


@pytest.mark.parametrize(
    "permission",
    [
        "all",
        None,
        {},
        USER | {"type": "team"},
        USER | {"type": ["user"]},
        USER | {"role": "none"},
        USER | {"role": None},
        USER | {"emailAddress": ""},
        USER | {"emailAddress": "no mail"},
        USER | {"emailAddress": "a@b;user:c@d"},
        {"type": "user", "role": "reader"},
        {"type": "group", "role": "reader", "domain": "example.co.jp"},
        USER | {"deleted": "false"},
        ANYONE | {"allowFileDiscovery": "no"},
    ],
)
def test_a_permission_that_is_not_understood_lets_nobody_in(permission: Any) -> None:
    access, findings = read({A: [permission, GROUP]})
    assert readers_of(access, A) == ("group:crm@example.co.jp",)
    assert [(each.rule, str(each.severity)) for each in findings] == [("bad-permission", "error")]
    assert findings[0].where.pointer == "/designs~1a.md/0"


def test_the_same_limit_at_many_files_is_told_once() -> None:
    domain = {"type": "domain", "role": "reader"}
    access, findings = read({A: [domain, GROUP], B: [domain, GROUP]})
    assert set(access.by_file) == {A, B}
    assert len(findings) == 1
    assert "2 permissions" in findings[0].message


def test_a_file_that_nobody_is_left_to_see_is_not_published() -> None:
    access, findings = read({A: [], B: [USER | {"deleted": True}]})
    assert access.by_file == {}
    assert sorted(each.rule for each in findings) == ["no-readers", "no-readers", "permission-not-granted"]


@pytest.mark.parametrize(
    ("entry", "rule"),
    [
        ({"path": A}, "access-entry"),
        ({"path": A, "permissions": {}}, "access-entry"),
        ({"path": 7, "permissions": [USER]}, "access-entry"),
        ({"permissions": [USER]}, "access-entry"),
        ("designs/a.md", "access-entry"),
        ({"path": A, "permissions": [USER], "except": [GROUP]}, "unknown-key"),
        ({"path": A, "permissions": [USER], "api": "order", "api_version": 1}, "wrong-type"),
        ({"path": A, "permissions": [USER], "api": "order"}, "access-entry"),
        ({"path": "designs/z.md", "permissions": [USER]}, "access-entry-unused"),
    ],
)
def test_an_entry_that_is_wrong_grants_nothing(entry: Any, rule: str) -> None:
    access, findings = read([entry, {"path": B, "permissions": [GROUP]}])
    assert set(access.by_file) == {B}
    assert [each.rule for each in findings] == [rule]
    assert findings[0].where.line


def test_a_path_that_is_listed_twice_has_no_grant() -> None:
    access, findings = read([{"path": A, "permissions": [USER]}, {"path": A, "permissions": [GROUP]}])
    assert access.by_file == {}
    assert [each.rule for each in findings] == ["access-entry-twice"]


@pytest.mark.parametrize(
    "text", ["", "null", "7", '"x"', "{", '{"a": [], "a": []}', "[" * 200 + "]" * 200, '{"a": NaN}']
)
def test_a_file_that_is_no_list_and_no_mapping_is_refused_whole(text: str) -> None:
    with pytest.raises(InvalidInput):
        access_from(text, A, name="designs/access.json")


FLAGS = st.sampled_from([True, False, None, "x"])
PERMISSIONS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["user", "group", "domain", "anyone", "x", 1]),
        "role": st.sampled_from(["reader", "owner", "x", None]),
        "emailAddress": st.sampled_from(["a@x", "b@x", "", "c", 1, "d @x"]),
        "deleted": FLAGS,
        "pendingOwner": FLAGS,
        "allowFileDiscovery": FLAGS,
        "view": st.sampled_from([None, "published"]),
        "expirationTime": st.sampled_from([None, "2030-01-01T00:00:00Z"]),
        "other": FLAGS,
    },
)


@given(st.dictionaries(st.sampled_from([A, B, "x"]), st.lists(PERMISSIONS | st.integers(), max_size=4)))
def test_nobody_gets_in_whom_a_permission_of_that_file_does_not_name(said: dict[str, list[Any]]) -> None:
    access, _ = read(said)
    for file in (A, B):
        written = {_principal(each) for each in said.get(file, []) if isinstance(each, dict)}
        assert set(readers_of(access, file)) <= written


def _principal(permission: dict[str, Any]) -> str:
    if permission.get("type") == "anyone":
        return "all"
    return f"{permission.get('type')}:{permission.get('emailAddress')}"
