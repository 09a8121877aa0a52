"""Principals: groups and users of the identity provider, or everyone in it."""

import unicodedata

from hanpon.contracts.access import EVERYONE

_LONGEST = 206
_NOT_IN_NAMES = frozenset(';"\\')


def is_principal(text: str) -> bool:
    """Whether a text is `group:NAME`, `user:NAME` or `all`, as `principal` in `schemas/bundle.schema.json` has it."""
    if text == EVERYONE:
        return True
    kind, colon, name = text.partition(":")
    return bool(colon and kind in {"group", "user"} and name and len(text) <= _LONGEST and all(map(_may_stand, name)))


def _may_stand(sign: str) -> bool:
    return not sign.isspace() and sign not in _NOT_IN_NAMES and not unicodedata.category(sign).startswith("C")
