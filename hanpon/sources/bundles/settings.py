"""What an item may take from its bundle, and values that a schema cannot judge."""

import codecs
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from hanpon.contracts.findings import Finding, Place
from hanpon.sources.bundles.entries import Entry
from hanpon.sources.bundles.shape import BUNDLE_FILE
from hanpon.sources.texts.text_problems import problem, shown


def setting_problems(raw: Mapping[str, Any], entries: Sequence[Entry]) -> Iterator[Finding]:
    """Every missing owner, language or reader, unknown encoding and unusable `link_base`."""
    yield from _without("owner", "the team whose queue questions about an item go to", raw, entries)
    yield from _without("language", "ja or en", raw, entries)
    yield from _without_readers(raw, entries)
    for entry in entries:
        encoding = entry.text("encoding")
        if encoding and not _is_text_encoding(encoding):
            message = f"Expected a text encoding that Python knows, such as cp932 or euc_jp, found {shown(encoding)}."
            yield problem("unknown-encoding", entry.place.child("encoding"), message)
    link_base = raw.get("link_base")
    if isinstance(link_base, str):
        yield from _link_base(link_base)


def _without(key: str, meaning: str, raw: Mapping[str, Any], entries: Iterable[Entry]) -> Iterator[Finding]:
    """Told once for the bundle: that is where it is usually said."""
    lacking = [entry for entry in entries if key not in entry.raw]
    if key not in raw and lacking:
        message = f"There is no {shown(key)}, neither here nor for {_some(lacking)}; add `{key}`: {meaning}."
        yield problem("missing-key", Place(BUNDLE_FILE), message)


def _without_readers(raw: Mapping[str, Any], entries: Iterable[Entry]) -> Iterator[Finding]:
    given = raw.get("readers", [])
    unread = [entry for entry in entries if "access" not in entry.raw]
    for entry in unread:
        if entry.raw.get("readers") == []:
            yield problem("no-readers", entry.place.child("readers"), f"{_NOBODY}: say who may read this item.")
    lacking = [entry for entry in unread if "readers" not in entry.raw]
    if given == [] and lacking:
        place = Place(BUNDLE_FILE).child("readers") if "readers" in raw else Place(BUNDLE_FILE)
        message = f"{_NOBODY}: add `readers`, such as [group:engineers@example.co.jp], here or to {_some(lacking)}."
        yield problem("no-readers", place, message)


_NOBODY = "No readers are known, and without readers nothing is published"


def _some(entries: Sequence[Entry]) -> str:
    more = f" and {len(entries) - 1} more" if len(entries) > 1 else ""
    return f"{entries[0]}{more}"


def _is_text_encoding(name: str) -> bool:
    try:
        if codecs.lookup(name).name in _OF_HOST_NAMES:
            return False
        b"a".decode(name)
    except UnicodeError:
        return True  # known, and one letter is no whole text in it
    except (LookupError, ValueError):
        return False
    return True


_OF_HOST_NAMES = frozenset({"idna", "punycode"})
"""They take for ever on a long text, and no text is written in them."""


def _link_base(written: str) -> Iterator[Finding]:
    fault = _fault_of_address(written)
    if fault:
        message = f"Expected an address such as https://docs.example.co.jp/, found one that {fault}."
        yield problem("bad-link-base", Place(BUNDLE_FILE, "/link_base"), message)


def _fault_of_address(written: str) -> str:
    try:
        address = urlsplit(written)
        host, _ = address.hostname, address.port
    except ValueError:
        return "cannot be read"
    if address.scheme not in {"http", "https"} or not host:
        return "has no http or https host"
    # not quoted in the message: it may hold a password
    if address.username is not None:
        return "holds a user name or password"
    if address.query or address.fragment or any(character.isspace() for character in written):
        return "has a query, a fragment or a blank, below which no page can be"
    return ""
