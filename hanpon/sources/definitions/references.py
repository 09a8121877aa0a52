"""References as text: what a `$ref` names, before anything is read (RFC 3986, RFC 6901)."""

import difflib
import posixpath
import re
import unicodedata
from collections.abc import Collection, Iterable
from typing import Any
from urllib.parse import unquote

from hanpon.contracts.pointers import pointer_of, steps_of
from hanpon.sources.texts.text_problems import shortened

_LONGEST_NAME = 100
_MOST_COMPARED = 100_000
_INDEX = re.compile(r"0|[1-9][0-9]{0,11}")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class NotThere(Exception):
    """What a reference names cannot be had. `rule` and `reason` are those of the finding.

    Where a name is missing among others, `name` and `names` let one say which was meant.
    """

    def __init__(self, rule: str, reason: str, name: str = "", names: Collection[str] = ()) -> None:
        self.rule, self.reason, self.name, self.names = rule, reason, name, names
        super().__init__(reason)


def is_reference(value: Any) -> bool:
    """True for a mapping with a `$ref` that is text. A schema that describes a property `$ref` is none."""
    return isinstance(value, dict) and isinstance(value.get("$ref"), str)


def split(reference: str) -> tuple[str, str]:
    """The address before the first `#` and the fragment after it, both as written."""
    address, _, fragment = reference.partition("#")
    return address, fragment


def is_absolute(address: str) -> bool:
    """True where an address begins with a scheme."""
    return _SCHEME.match(address) is not None


def paths_in_bundle(address: str, file: str) -> list[str]:
    """The bundle-relative paths that an address in `file` may mean: percent-decoded, then as written.

    Nothing but a path below the bundle's root comes out. Raises NotThere for an address with a scheme or a host
    (`reference-remote`), and for one that begins with `/` or climbs above the root
    (`reference-outside-bundle`).
    """
    if is_absolute(address) or address.startswith("//"):
        if address.lower().startswith("file:"):
            raise NotThere(
                "reference-outside-bundle", "a `file:` address leads out of the bundle; write a relative path"
            )
        raise NotThere("reference-remote", "nothing is fetched from elsewhere; keep a copy of the file in the bundle")
    spellings = dict.fromkeys([unquote(address), address])
    return [_normal(spelling, file) for spelling in spellings]


def _normal(path: str, file: str) -> str:
    if path.startswith("/"):
        raise NotThere("reference-outside-bundle", "an absolute path leads out of the bundle; write a relative one")
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(file), path))
    if joined == ".." or joined.startswith("../"):
        raise NotThere("reference-outside-bundle", "it climbs above the bundle's root")
    return unicodedata.normalize("NFC", joined)


def walk_pointer(value: Any, fragment: str, *, encoded: bool = True) -> tuple[str, Any]:
    """The pointer in its one spelling and the value it leads to.

    The fragment is percent-decoded, then `~1` becomes `/`, then `~0` becomes `~` (RFC 6901, sections 4 and 6);
    where that leads nowhere, it is tried without percent-decoding, since names with a raw `%` occur. Raises NotThere.
    """
    decoded = unquote(fragment) if encoded else fragment
    try:
        return _walk(value, decoded)
    except NotThere:
        if decoded == fragment:
            raise
    try:
        return _walk(value, fragment)
    except NotThere:
        return _walk(value, decoded)


def _walk(value: Any, pointer: str) -> tuple[str, Any]:
    steps = steps_of(pointer)
    for depth, step in enumerate(steps):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and _INDEX.fullmatch(step) and int(step) < len(value):
            value = value[int(step)]
        else:
            where = f"at `{shortened(pointer_of(steps[:depth]))}`" if depth else "at the top of the file"
            names = value if isinstance(value, dict) else ()
            raise NotThere("reference-dangling", f"there is no `{shortened(step)}` {where}", step, names)
    return pointer_of(steps), value


def cannot_be_followed(what: str, reason: str) -> str:
    """The sentence on a reference that leads nowhere."""
    return f"{what} cannot be followed: {reason}" + ("" if reason.endswith("?") else ".")


class Suggestions:
    """What may have been meant by names that are not there.

    Comparing is slow beside everything else, and input may have faults by the thousand among names by the
    thousand: after so many comparisons (about a second) nothing is suggested any more.
    """

    def __init__(self, most_compared: int = _MOST_COMPARED) -> None:
        self._left = most_compared

    def nearest(self, name: str, names: Collection[str]) -> str:
        """`; did you mean …?` with the nearest of some names, "" where none is near."""
        self._left -= len(names)
        return nearest(name, names) if self._left >= 0 else ""


def nearest(name: str, names: Iterable[str]) -> str:
    """The same for a few names, whatever it costs."""
    if len(name) > _LONGEST_NAME:
        return ""
    lowered = {other.lower(): other for other in names}
    found = difflib.get_close_matches(name.lower(), lowered, n=1, cutoff=0.6)
    return f"; did you mean `{shortened(lowered[found[0]])}`?" if found else ""
