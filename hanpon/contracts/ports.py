"""The ports: what runs ask of the world. Each is as small as its users need; one adapter file per technology."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol, TypeVar

from hanpon.contracts.editions import Edition
from hanpon.contracts.findings import Finding
from hanpon.contracts.manifests import Entry, Row
from hanpon.contracts.search import Hit, Query

T = TypeVar("T")


class BundleTree(Protocol):
    """The files of a bundle. Paths are bundle-relative, `/`-separated, in NFC; symbolic links are not followed."""

    @property
    def origin(self) -> str:
        """The bundle's address, without credentials: what an edition remembers."""

    @property
    def ref(self) -> str:
        """The tag or commit the files are of; "" where there is none."""

    def paths(self) -> Sequence[str]:
        """Every regular file, sorted. Links, sockets and what lies behind a link are left out."""

    def links(self) -> frozenset[str]:
        """Symbolic links met on the way, to tell a user why a path is not there."""

    def unreadable(self) -> frozenset[str]:
        """Folders that this user may not list: what stands in them is not known."""

    def size(self, path: str) -> int:
        """Bytes of a file of `paths()`.

        Raises Missing for any other path (a link, a folder, what lies behind a link), Unavailable for one that may
        stand in an unreadable folder.
        """

    def read(self, path: str) -> bytes:
        """A file of `paths()`, whatever its size. Raises as `size` does, and Unavailable where the disk fails."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What a conditional write needs to know of an object: its bytes and a token of its state."""

    data: bytes
    token: str


class StorageView(Protocol):
    """Objects under keys, to be read: what look-ups need. Every method raises Unavailable where the medium fails."""

    @property
    def address(self) -> str: ...

    def list(self, prefix: str) -> Mapping[str, int]:
        """Keys below a prefix that ends in `/`, with sizes in bytes."""

    def read(self, key: str) -> bytes:
        """Raises Missing."""

    def fetch(self, key: str) -> Stored | None:
        """An object with the token of its state, or None."""

    def link(self, key: str) -> str:
        """Where a person can open an object."""


class Storage(StorageView, Protocol):
    """Objects under keys, to be read and written. Every method raises Unavailable where the medium fails.

    Objects are created, replaced and put only while an edition is held; one storage holds one edition at a time.
    """

    def create(self, key: str, data: bytes, media_type: str) -> None:
        """Write an immutable object, whole or not at all. Equal bytes already there count as done.

        It may still be on its way when this returns: `settle` waits for it, and tells where it failed.
        """

    def replace(self, key: str, data: bytes, expected: str | None) -> None:
        """Write where the state is still `expected` (None: absent), whole or not at all. Raises Conflict.

        It is safe from a power cut once this returns.
        """

    def settle(self) -> None:
        """All that was created before is there, and safe from a power cut, once this returns."""

    def differing(self, digests: Mapping[str, str], seen: Callable[[int], None]) -> Sequence[str]:
        """The keys, of those given with a sha256, under which there are other bytes or none; after `settle`.

        `seen` is told how many have been looked at.
        """

    def put(self, key: str, data: bytes, media_type: str) -> None:
        """Write or overwrite a derived object, whole or not at all."""

    def delete(self, keys: Iterable[str]) -> None:
        """Remove objects; those already gone count as done."""

    def hold(self, edition: Edition, holder: str, wait: float) -> AbstractContextManager[None]:
        """Hold an edition against other runs. Raises Held, naming the holder, after about `wait` seconds."""

    def tidy(self) -> None:
        """Remove what killed runs left behind besides objects; writes nothing where there is nothing."""


class DatastoreChange(Protocol):
    """One change of one edition's rows, invisible until `commit` as far as the technology allows."""

    def upsert(self, entries: Sequence[Entry], page_of: Callable[[Entry], bytes]) -> None:
        """Write rows, new or in place of those with their ids; `page_of` gives the page of one of `entries`."""

    def remove(self, ids: Iterable[str]) -> None:
        """Take rows out of what is found; ids without a row count as removed."""

    def erase(self, ids: Iterable[str]) -> None:
        """Remove rows so that nothing of them is left in the store's files once this is committed."""

    def restrict(self, readers: Mapping[str, tuple[str, ...]]) -> None:
        """Give rows, by id, these readers alone, in their access and in their metadata's `groups`."""

    def rows(self) -> Mapping[str, Row]:
        """The edition's rows as they would be after `commit`, read back and digested anew."""

    def commit(self) -> None:
        """Make the change visible, whole or not at all, and safe from a power cut. The last call of a change."""


class Datastore(Protocol):
    """Rows of documents, and search in them.

    Every method raises Unavailable or UsageError where the store cannot be used, Held where another run keeps it.
    """

    @property
    def address(self) -> str: ...

    def editions(self) -> Sequence[Edition]:
        """Every edition that has rows, sorted."""

    def rows(self, edition: Edition) -> Mapping[str, Row]:
        """An edition's rows by document id. Digests are taken from what the row holds, never from a note of it.

        Where a service shows no bytes of a page, its digest is the one that was imported with its address; of rows
        that are `unseen`, all is what was written last.
        """

    def unseen(self, edition: Edition) -> Sequence[str]:
        """Ids of `rows` that the store does not show to this caller: of them, `rows` says what was written last."""

    def refused(self, entries: Sequence[Entry]) -> Sequence[Finding]:
        """What this store would never take of these, and why; asked before anything is sent anywhere."""

    def change(self, edition: Edition) -> AbstractContextManager[DatastoreChange]:
        """Begin a change; leaving without `commit` undoes it, where the technology has transactions.

        Where it has none, what is there by then stays, and the next change brings it to what is wanted.
        """

    def renew(self) -> bool:
        """Make the store empty and of the present form where it is of another one, or its index of words is damaged.

        True where that was done.
        """

    def finds_its_rows(self) -> bool:
        """Whether what search looks words up in says what the rows say; looks at all of it, and changes nothing."""

    def search(self, query: Query) -> Sequence[Hit]:
        """The best documents for a query, best first, one hit each, `query.limit` at most.

        Nothing of a document is shown, counted or quoted that none of the query's principals, nor `all`, may read.
        """


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the full validator says of a definition. `finished` is False where it timed out or crashed."""

    findings: tuple[Finding, ...]
    finished: bool = True


class DefinitionValidator(Protocol):
    """The full pass over a definition, outside this process; verdicts are kept by content."""

    def start(self, root: str, files: Mapping[str, bytes], encoding: str = "utf-8") -> Callable[[], Verdict]:
        """Begin judging a closure of files; the returned function waits for the verdict."""

    def known(self, root: str, digests: Mapping[str, str], encoding: str = "utf-8") -> Verdict | None:
        """The verdict on files of these sha256 digests, if it was kept."""


class Progress(Protocol):
    """What a person is shown while a run works. Never decides anything."""

    def step(self, edition: Edition, stage: str, done: int = 0, total: int = 0) -> None: ...


class Steps(Protocol):
    """How the steps of a run are carried out: at once, or each as a task on record."""

    def take(self, step: str, edition: Edition, work: Callable[[], T]) -> T:
        """Do `work`, which is the step of this name; gives what it returns, raises what it raises.

        Where it raised Unavailable it may be called again: a step begins from what it finds, not from what it left.
        """
