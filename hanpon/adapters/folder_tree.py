"""A bundle that is a folder on disk. Nothing outside the folder is read, and no symbolic link is followed."""

import errno
import os
import stat
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePosixPath

from hanpon.adapters.git_provenance import Provenance, provenance_of
from hanpon.adapters.opened_folder import opened_file, opened_folder, opened_root
from hanpon.contracts.errors import HanponError, InvalidInput, Missing, Unavailable, UsageError
from hanpon.contracts.findings import Finding, Place, Severity, in_order

MAX_FILES = 200_000
"""A folder with more files and folders is refused: it is hardly a bundle, more likely a home folder."""

MAX_FOLDER_DEPTH = 100
"""Folders nested deeper than this are refused."""

# What opening says of a file that was removed, or of one whose place a link, a folder or a socket took.
_GONE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EISDIR, errno.ENXIO)


@dataclass(frozen=True, slots=True)
class _Found:
    """A regular file: its names on disk (which need not be in NFC), from the bundle's folder down, and its size."""

    names: tuple[str, ...]
    size: int


@dataclass(slots=True)
class _Listing:
    files: dict[str, _Found] = field(default_factory=dict)
    links: set[str] = field(default_factory=set)
    unreadable: set[str] = field(default_factory=set)
    problems: list[Finding] = field(default_factory=list)
    entries: int = 0


class FolderTree:
    """A `BundleTree` over a folder. The folder is listed once, on the first question about its files.

    `.git` is left out, and so is whatever stands at one of the paths `without`: what hanpon itself writes into the
    folder is no part of the bundle. What vanishes while the folder is listed is left out too. A folder that may not
    be read is remembered, and only asking for what may stand in it raises Unavailable. Raises UsageError where the
    folder is missing, no folder, not readable or too large; InvalidInput where a file name is not UTF-8 or two names
    are the same text; Unavailable where the disk fails.
    """

    def __init__(self, folder: str | Path, *, without: Iterable[Path] = (), max_files: int = MAX_FILES) -> None:
        self._given = str(folder)
        self._without = frozenset(map(os.path.realpath, without))
        self._max_files = max_files
        # The bundle's own folder may be named by a link: that is the operator's choice, not the bundle's.
        try:
            self._root = Path(folder).resolve()
        except (OSError, RuntimeError, ValueError) as failure:
            raise UsageError(f"{self._given}: the path of the bundle cannot be resolved ({failure})") from None
        with opened_root(self._root, self._given):
            pass

    @property
    def origin(self) -> str:
        """The `origin` remote of the git checkout and the folder in it, or `folder:` and the absolute path."""
        return self._provenance.origin or f"folder:{self._root.as_posix()}"

    @property
    def ref(self) -> str:
        """The tag or commit the folder is an unmodified checkout of; "" where there is none."""
        return self._provenance.ref

    def paths(self) -> Sequence[str]:
        return self._sorted

    def links(self) -> frozenset[str]:
        return self._links

    def unreadable(self) -> frozenset[str]:
        return frozenset(self._listing.unreadable)

    def size(self, path: str) -> int:
        """As it was when the folder was listed.

        Raises Missing for what is not in `paths()`, Unavailable for what may stand in an unreadable folder.
        """
        return self._found(path).size

    def read(self, path: str) -> bytes:
        """Raises as `size` does, and Unavailable where the file changed since."""
        found = self._found(path)
        try:
            data = self._read(found)
        except OSError as failure:
            if failure.errno not in _GONE:
                raise Unavailable(f"{path} cannot be read: {failure.strerror}") from failure
            data = None
        if data is None or len(data) != found.size:
            raise Unavailable(f"{path} was changed while the bundle was being read; run the command again")
        return data

    @cached_property
    def _provenance(self) -> Provenance:
        return provenance_of(self._root)

    @cached_property
    def _links(self) -> frozenset[str]:
        return frozenset(self._listing.links)

    @cached_property
    def _sorted(self) -> tuple[str, ...]:
        return tuple(sorted(self._listing.files))

    @cached_property
    def _listing(self) -> _Listing:
        listing = _Listing()
        folders: list[tuple[str, ...]] = [()]
        with opened_root(self._root, self._given) as root:
            while folders:
                folder = folders.pop()
                folders += self._list_folder(root, folder, listing)
        if listing.problems:
            raise InvalidInput(in_order(listing.problems))
        return listing

    def _list_folder(self, root: int, folder: tuple[str, ...], listing: _Listing) -> list[tuple[str, ...]]:
        """Put a folder's files and links into the listing; the folders in it are returned."""
        try:
            with opened_folder(root, folder) as descriptor, os.scandir(descriptor) as entries:
                kinds = _kinds(islice(entries, self._max_files + 1))
        except OSError as failure:
            if not folder or not isinstance(failure, FileNotFoundError | PermissionError):
                raise _unlistable(folder, self._given, failure) from failure
            if isinstance(failure, PermissionError):
                listing.unreadable.add(_path_of(folder))
            return []
        seen: set[str] = set()
        below = []
        for name, status in sorted(kinds):
            names = (*folder, name)
            if name == ".git" or str(self._root.joinpath(*names)) in self._without:
                continue
            problem = _problem_of_name(names, seen)
            if problem:
                listing.problems.append(problem)
            elif stat.S_ISDIR(status.st_mode):
                below.append(names)
            elif stat.S_ISLNK(status.st_mode):
                listing.links.add(_path_of(names))
            elif stat.S_ISREG(status.st_mode):
                listing.files[_path_of(names)] = _Found(names, status.st_size)
        listing.entries += len(kinds)
        self._refuse_too_much(listing.entries, len(folder) + 1 if below else 0)
        return below

    def _refuse_too_much(self, entries: int, depth: int) -> None:
        if entries > self._max_files:
            raise UsageError(
                f"{self._given} holds more than {self._max_files:,} files and folders; name the folder that holds "
                "hanpon.yaml and what it lists, not one above it"
            )
        if depth > MAX_FOLDER_DEPTH:
            raise UsageError(f"{self._given} holds folders nested deeper than {MAX_FOLDER_DEPTH} levels")

    def _found(self, path: str) -> _Found:
        try:
            return self._listing.files[path]
        except KeyError:
            for folder in map(str, PurePosixPath(path).parents):
                if folder in self._listing.unreadable:
                    message = f"{path} may stand in {folder}, a folder that this user may not read"
                    raise Unavailable(message) from None
            raise Missing(f"{path} is no file of the bundle") from None

    def _read(self, found: _Found) -> bytes | None:
        """The bytes, one more than expected at most; None where it is no regular file any more."""
        *folders, name = found.names
        with (
            opened_root(self._root, self._given) as root,
            opened_folder(root, folders) as folder,
            opened_file(folder, name) as file,
        ):
            is_regular = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
            return file.read(found.size + 1) if is_regular else None


def _kinds(entries: "Iterable[os.DirEntry[str]]") -> list[tuple[str, os.stat_result]]:
    """Names and what they are, without those that are gone by now."""
    kinds = []
    for entry in entries:
        with suppress(FileNotFoundError):
            kinds.append((entry.name, entry.stat(follow_symlinks=False)))
    return kinds


def _unlistable(folder: Sequence[str], given: str, failure: OSError) -> HanponError:
    if isinstance(failure, PermissionError):
        return UsageError(f"{given} may not be read by this user")
    where = _printable("/".join(folder)) or given
    return Unavailable(f"the folder {where} cannot be listed: {failure.strerror}")


def _path_of(names: Sequence[str]) -> str:
    return unicodedata.normalize("NFC", _printable("/".join(names)))


def _problem_of_name(names: tuple[str, ...], seen: set[str]) -> Finding | None:
    """What is wrong with the last name, beside those `seen` in its folder so far."""
    path = _path_of(names)
    if os.fsencode(names[-1]) != _printable(names[-1]).encode():
        words = "is a file name that is not UTF-8; rename the file"
        return Finding("file-name-not-utf-8", Severity.ERROR, Place(path), words)
    if path in seen:
        words = (
            "stands twice in its folder, in different code points that are the same text (Unicode NFC); "
            "rename one of the two"
        )
        return Finding("file-names-alike", Severity.ERROR, Place(path), words)
    seen.add(path)
    return None


def _printable(name: str) -> str:
    """The name as UTF-8 whatever the locale; bytes that are none become the replacement character."""
    return os.fsencode(name).decode("utf-8", "replace")
