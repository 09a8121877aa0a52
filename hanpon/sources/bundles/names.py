"""Names and versions of a bundle's items: what each may be, and that no two are taken for one another."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from hanpon.contracts.editions import EVERY_API, EVERY_VERSION, LONGEST_NAME
from hanpon.contracts.findings import Finding
from hanpon.sources.bundles.entries import Entry
from hanpon.sources.texts.text_problems import problem, shown

RESERVED = frozenset({EVERY_API, EVERY_VERSION})
"""What stands for every API and every version, in capitals or not."""

_NO_LETTERS = str.maketrans("", "", "-_.")


def name_problems(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Every name or version that is reserved, too long, not in NFC, or too close to another."""
    for entry in entries:
        yield from _reserved(entry)
        yield from _too_long(entry)
        yield from _not_composed(entry)
        yield from _misapplied(entry)
    named = [entry for entry in entries if entry.text("name")]
    yield from _kinds(named)
    yield from _cases(named)
    yield from _editions(named)


def _reserved(entry: Entry) -> Iterator[Finding]:
    for key in ("name", "version"):
        value = entry.text(key)
        if _key(value).upper() in RESERVED:
            message = f"{shown(value)} is reserved: it stands for every API or version; use another {key}."
            yield problem("reserved-name", entry.place.child(key), message)


def _too_long(entry: Entry) -> Iterator[Finding]:
    for key in ("name", "api"):
        length = len(entry.text(key).encode())
        if length > LONGEST_NAME:
            message = f"Expected a name of {LONGEST_NAME} bytes at most, found {length} bytes of UTF-8; shorten it."
            yield problem("bad-name", entry.place.child(key), message)


def _not_composed(entry: Entry) -> Iterator[Finding]:
    """Names of letters alone that NFC writes otherwise; marks beside letters are no letters, and told as such."""
    for key in ("name", "api"):
        value = entry.text(key)
        composed = unicodedata.normalize("NFC", value)
        if value != composed and value.translate(_NO_LETTERS).isalnum():
            message = f"{shown(value)} is not in Unicode NFC (composed characters); write {shown(composed)}."
            yield problem("bad-name", entry.place.child(key), message)


def _misapplied(entry: Entry) -> Iterator[Finding]:
    """`api` and `api_version`: what the entry's documents hold for."""
    for key, every in (("api", EVERY_API), ("api_version", EVERY_VERSION)):
        value = entry.text(key)
        if value != every and _key(value).upper() in RESERVED:
            words = f"{shown(value)} is reserved; write {every} for all of them, or name one."
            yield problem("reserved-name", entry.place.child(key), words)
    api, version = entry.text("api"), entry.text("api_version")
    if version not in {"", EVERY_VERSION} and api == EVERY_API:
        words = f"Expected ALL beside `api: COMMON`, found {shown(version)}; name the API that this version is of."
        yield problem("common-with-version", entry.place.child("api_version"), words)


def _kinds(entries: Iterable[Entry]) -> Iterator[Finding]:
    first: dict[str, Entry] = {}
    for entry in entries:
        other = first.setdefault(entry.text("name"), entry)
        if entry.kind and other.kind and other.kind != entry.kind:
            name = shown(entry.text("name"))
            message = (
                f"{name} is the name of the {other.kind} in line {other.line}; name this {entry.kind} otherwise."
            )
            yield problem("name-of-two-kinds", entry.place.child("name"), message)


def _cases(entries: Iterable[Entry]) -> Iterator[Finding]:
    names: dict[str, str] = {}
    versions: dict[tuple[str, str], str] = {}
    for entry in entries:
        name, version = entry.text("name"), entry.text("version")
        other_name = names.setdefault(_key(name), name)
        other_version = versions.setdefault((_key(name), version.casefold()), version)
        for key, value, other in (("name", name, other_name), ("version", version, other_version)):
            if value != other:
                what = "in case" if value.casefold() == other.casefold() else "in the form of its characters"
                message = f"{shown(value)} differs only {what} from {shown(other)}; spell both the same way."
                yield problem("differs-in-case", entry.place.child(key), message)


def _editions(entries: Iterable[Entry]) -> Iterator[Finding]:
    first: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        if not entry.version:
            continue
        other = first.setdefault((entry.text("name"), entry.version), entry)
        if other is not entry:
            edition = shown(f"{entry.text('name')}@{entry.version}")
            message = f"The edition {edition} already stands in line {other.line}; give this one another version."
            yield problem("edition-twice", entry.place, message)


def _key(name: str) -> str:
    """The same for names that people and file systems take for one another: case, width, ligatures."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
