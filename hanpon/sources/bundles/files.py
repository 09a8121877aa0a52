"""Which files each item of a bundle is made from; that each has one item, and no secret for a name."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from hanpon.contracts.findings import Finding, Place
from hanpon.contracts.ports import BundleTree
from hanpon.sources.bundles.entries import Entry
from hanpon.sources.bundles.paths import BundlePaths
from hanpon.sources.bundles.shape import BUNDLE_FILE
from hanpon.sources.texts.secret_formats import formats_in
from hanpon.sources.texts.secrets import KINDS
from hanpon.sources.texts.text_problems import problem, shown

SOURCE_SUFFIXES = {
    "csharp": (".cs",),
    "go": (".go",),
    "java": (".java",),
    "kotlin": (".kt", ".kts"),
    "python": (".py", ".pyi"),
    "typescript": (".ts", ".tsx", ".mts", ".cts"),
}
"""What a component's code is read from, by the language that its entry names."""


@dataclass(slots=True)
class BundleFiles:
    """Files by an item's index and the key that led to them: `definition`, `readme`, `files`, `access`, `code`."""

    ledger: str = ""
    found: dict[tuple[int, str], tuple[str, ...]] = field(default_factory=dict)
    problems: list[Finding] = field(default_factory=list)

    def of(self, index: int, key: str) -> tuple[str, ...]:
        return self.found.get((index, key), ())


def files_of(entries: Sequence[Entry], ledger: str, tree: BundleTree) -> BundleFiles:
    """Look up every path and pattern. hanpon.yaml, the ledger and access files are no item's files."""
    paths = BundlePaths(tree)
    files = BundleFiles()
    files.ledger = paths.file(ledger, Place(BUNDLE_FILE, "/ledger"))
    for entry in entries:
        for key in ("definition", "access"):
            path = paths.file(entry.text(key), entry.place.child(key))
            files.found[entry.index, key] = (path,) if path else ()
    listed = frozenset(
        {BUNDLE_FILE, files.ledger, *(path for entry in entries for path in files.of(entry.index, "access"))}
    )
    for entry in entries:
        for key in ("readme", "files"):
            chosen = {path for place, text in entry.texts(key) for path in paths.files(text, place, listed)}
            files.found[entry.index, key] = tuple(sorted(chosen))
        suffixes = SOURCE_SUFFIXES.get(entry.text("code", "language"))
        if suffixes:
            code = paths.below(entry.text("code", "path"), entry.place.child("code", "path"), suffixes)
            files.found[entry.index, "code"] = tuple(code)
    files.problems = [*paths.problems, *_claimed_twice(entries, files), *_named_by_secrets(files)]
    return files


def _named_by_secrets(files: BundleFiles) -> Iterator[Finding]:
    """Names that hold a secret: they would stand in pages, manifests and findings, where a name is never masked."""
    places = {files.ledger: Place(BUNDLE_FILE, "/ledger")}
    for (index, key), paths in files.found.items():
        place = Place(BUNDLE_FILE, f"/items/{index}").child(key)
        places.update((path, place) for path in paths)
    named = list(places)
    text = "\0".join(named)
    ends = [end.start() for end in re.finditer("\0", text)]
    for kind, offset in formats_in(text):
        path = named[bisect_left(ends, offset)]
        message = (
            f"The name of the file {shown(path)} looks as if it held {KINDS[kind]}; rename it, and replace that."
        )
        yield problem("secret-in-file-name", places[path], message)


def _claimed_twice(entries: Iterable[Entry], files: BundleFiles) -> Iterator[Finding]:
    """One problem for each pair of claims, however many files they share."""
    owners: dict[str, tuple[Entry, str]] = {}
    shared: dict[tuple[int, str, int, str], list[str]] = {}
    known = list(entries)
    for entry in known:
        for key in ("definition", "readme", "files", "code"):
            for path in files.of(entry.index, key):
                owner, owned = owners.setdefault(path, (entry, key))
                if (owner, owned) != (entry, key):
                    shared.setdefault((entry.index, key, owner.index, owned), []).append(path)
    by_index = {entry.index: entry for entry in known}
    for (index, key, other, owned), paths in shared.items():
        place = by_index[index].place.child(key)
        yield problem("file-claimed-twice", place, _shared(paths, by_index[other], owned, same=index == other))


def _shared(paths: Sequence[str], owner: Entry, key: str, *, same: bool) -> str:
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    whose = f"the `{key}` of this item" if same else f"{owner}"
    return f"{shown(paths[0])}{more} already belongs to {whose}; a file has one item: take it out of one of the two."
