"""What an edition was made from: every path that reading led to, whether a file was there or not."""

from pathlib import PurePosixPath

from hanpon.contracts.definitions import MAX_BYTES
from hanpon.contracts.digests import digest_of
from hanpon.contracts.errors import Missing
from hanpon.contracts.ports import BundleTree

ABSENT = ""
"""Remembered of a path at which no file stands."""

LINKED = "link"
"""Remembered of a path that is a symbolic link or lies behind one."""

PRESENT = "file"
"""Remembered of a file of which only that it is there counts, such as one that a link leads to."""

_UNREAD = "size:"
"""Begins what is remembered of a file that was not read: its size alone decided that."""


class Inputs:
    """The one way from a source to its bundle: whatever is asked for is remembered, found or not.

    So an edition notices when a path that led nowhere leads somewhere, and the other way round.
    """

    def __init__(self, tree: BundleTree, elsewhere: frozenset[str] = frozenset()) -> None:
        self._tree = tree
        self.elsewhere = elsewhere
        """Files that other items of the bundle are made of: their readers may be others."""
        self.remembered: dict[str, str] = {}
        """By path the sha256 of a file that was read; else `ABSENT`, `LINKED` or `size:` and a number of bytes."""
        self.contents: dict[str, bytes] = {}
        """The bytes of every file that was read."""

    def size(self, path: str) -> int | None:
        """Bytes of the file at a path; None where there is none. Raises Unavailable as the tree does."""
        if self.remembered.get(path, PRESENT) == PRESENT:
            self.remembered[path] = _unread(path, self._tree)
        return None if self.remembered[path] in {ABSENT, LINKED} else self._tree.size(path)

    def exists(self, path: str) -> bool:
        """Whether a file is there, whatever it holds. Raises Unavailable as the tree does."""
        if path not in self.remembered:
            found = _unread(path, self._tree)
            self.remembered[path] = PRESENT if found.startswith(_UNREAD) else found
        return self.remembered[path] not in {ABSENT, LINKED}

    def is_linked(self, path: str) -> bool:
        """True where a path that has no size is a symbolic link or lies behind one."""
        return self.remembered.get(path) == LINKED

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises Missing and Unavailable as the tree does."""
        data = self._tree.read(path)
        self.remembered[path] = digest_of(data)
        self.contents[path] = data
        return data


def was_read(remembered: str) -> bool:
    """True where what is remembered of a path is the sha256 of a file."""
    return remembered not in {ABSENT, LINKED, PRESENT} and not remembered.startswith(_UNREAD)


def is_as_remembered(path: str, remembered: str, tree: BundleTree) -> bool:
    """Whether reading would find the same at a path as when that was remembered.

    Raises Unavailable where the tree cannot tell.
    """
    now = _unread(path, tree)
    if remembered == PRESENT:
        return now.startswith(_UNREAD)
    if not was_read(remembered):
        return now == remembered
    # a file that has become too large is another one, and is not read to see it
    return now.startswith(_UNREAD) and tree.size(path) <= MAX_BYTES and digest_of(tree.read(path)) == remembered


def _unread(path: str, tree: BundleTree) -> str:
    try:
        return f"{_UNREAD}{tree.size(path)}"
    except Missing:
        links = tree.links()
        steps = (path, *map(str, PurePosixPath(path).parents))
        return LINKED if any(step in links for step in steps) else ABSENT
