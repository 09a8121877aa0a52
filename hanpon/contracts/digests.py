"""Digests: sha256 over bytes, or over canonical JSON (sorted keys, UTF-8, no spaces). No clock enters one."""

import json
from hashlib import sha256
from typing import Any


def digest_of(data: bytes) -> str:
    """The sha256 of bytes as 64 hex digits."""
    return sha256(data).hexdigest()


def canonical_json(value: Any) -> bytes:
    """The one spelling of a JSON value that digests are taken over. Raises ValueError on NaN or infinity."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8")


def digest_of_json(value: Any) -> str:
    """The sha256 of a value's canonical JSON as 64 hex digits."""
    return digest_of(canonical_json(value))


def short(digest: str) -> str:
    """The 16 hex digits that stand in file names."""
    return digest[:16]
