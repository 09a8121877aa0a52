"""One permission of Google Drive: the principal that it lets read a file, or why it lets nobody."""

from dataclasses import dataclass
from typing import Any

from hanpon.contracts.access import EVERYONE
from hanpon.contracts.findings import Severity
from hanpon.sources.access.principals import is_principal

_ROLES = ("owner", "organizer", "fileOrganizer", "writer", "commenter", "reader")
"""All of them may read the content of a file (Drive API, roles and permissions)."""

_FLAGS = ("deleted", "pendingOwner", "allowFileDiscovery", "inheritedPermissionsDisabled")
_KEYS = frozenset(
    {
        *_FLAGS,
        *("id", "displayName", "type", "kind", "permissionDetails", "photoLink", "emailAddress", "role", "domain"),
        *("expirationTime", "teamDrivePermissionDetails", "view"),
    }
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a permission is not granted, in one sentence; an error where it could not be understood."""

    severity: Severity
    reason: str


_NOT_A_MAPPING = Refusal(Severity.ERROR, "Expected a permission with `type`, `role` and what they ask for.")
_ODD_FLAG = Refusal(Severity.ERROR, f"Expected true or false for each of {', '.join(_FLAGS)}; it is not granted.")
_UNKNOWN_TYPE = Refusal(Severity.ERROR, "Expected `type` to be user, group, domain or anyone; it is not granted.")
_UNKNOWN_ROLE = Refusal(Severity.ERROR, f"Expected `role` to be one of {', '.join(_ROLES)}; it is not granted.")
_NO_MAIL = Refusal(
    Severity.ERROR, "Expected the `emailAddress` of a user or group, without blanks and `;`; it is not granted."
)
_UNKNOWN_KEY = Refusal(
    Severity.WARNING, "A permission with a key that Drive API v3 does not have is not granted: the key may limit it."
)
_DOMAIN = Refusal(
    Severity.WARNING,
    "A permission for a whole domain is not granted: who belongs to it the identity provider does not know; "
    "name a group, or `anyone` for everyone in the identity provider.",
)
_LINK = Refusal(
    Severity.WARNING,
    "A permission for anyone who has the link is not granted: search would hand the file to people without the link.",
)
_DELETED = Refusal(Severity.INFO, "A permission of a deleted account is not granted.")
_PENDING = Refusal(Severity.WARNING, "A permission of a pending owner is not granted until the owner has accepted.")
_VIEW = Refusal(Severity.WARNING, "A permission for a view alone (`view`) is not granted: it does not open the file.")
_EXPIRES = Refusal(
    Severity.WARNING,
    "A permission with an `expirationTime` is not granted: what is published stays as it is until the next release.",
)
_CUT_OFF = Refusal(
    Severity.WARNING,
    "An inherited permission is not granted where `inheritedPermissionsDisabled` says that the file inherits none.",
)


def principal_of(permission: Any) -> str | Refusal:
    """`user:…`, `group:…` or `all`; where there is any doubt, the reason why not."""
    if not isinstance(permission, dict):
        return _NOT_A_MAPPING
    return _misfit(permission) or _limit(permission) or _principal(permission)


def _misfit(permission: dict[str, Any]) -> Refusal | None:
    if not all(isinstance(permission.get(flag, False), bool) for flag in _FLAGS):
        return _ODD_FLAG
    if permission.get("type") not in ("user", "group", "domain", "anyone"):
        return _UNKNOWN_TYPE
    if permission.get("role") not in _ROLES:
        return _UNKNOWN_ROLE
    return None


def _limit(permission: dict[str, Any]) -> Refusal | None:
    """What keeps a sound permission from letting somebody read the file for good."""
    limits = (
        (permission.get("deleted"), _DELETED),
        (permission.get("pendingOwner"), _PENDING),
        (permission.get("view") is not None, _VIEW),
        (permission.get("expirationTime") is not None, _EXPIRES),
        (_is_cut_off(permission), _CUT_OFF),
        (permission["type"] == "domain", _DOMAIN),
        (permission["type"] == "anyone" and permission.get("allowFileDiscovery") is False, _LINK),
        (bool(permission.keys() - _KEYS), _UNKNOWN_KEY),
    )
    return next((refusal for holds, refusal in limits if holds), None)


def _is_cut_off(permission: dict[str, Any]) -> bool:
    if not permission.get("inheritedPermissionsDisabled") or permission["role"] in ("owner", "organizer"):
        return False
    details = permission.get("permissionDetails")
    listed = details if isinstance(details, list) else []
    return not any(isinstance(detail, dict) and detail.get("inherited") is False for detail in listed)


def _principal(permission: dict[str, Any]) -> str | Refusal:
    if permission["type"] == "anyone":
        return EVERYONE
    address = permission.get("emailAddress")
    if not isinstance(address, str) or "@" not in address or not is_principal(f"user:{address}"):
        return _NO_MAIL
    return f"{permission['type']}:{address}"
