"""Walks a release through every one of its write boundaries, killing it there.

A boundary is the moment before a file or folder is opened for writing, renamed, made or removed, or before SQLite
is given a statement that is no question; of the changes of a transaction, which go or come together, the first. The
interpreter's audit events tell of files, so none can be forgotten. At each, a forked process is killed by SIGKILL;
the state is looked at as a reader would, the release is run again, and what is there then is compared with an
undisturbed run. In some of the trials a reader polls while a release runs; the state after each kill is looked at
anyway. The power stays on, so nothing waits for the disk.

Run as `python -m tests.runs.crash_walk BUNDLE_BEFORE BUNDLE_AFTER WORK [EVERY]`: prints one JSON record.
BUNDLE_BEFORE may be `-`: then a first release is walked. BUNDLE_AFTER may be `purge:NAME@VERSION`: then a withdrawal
is walked. With EVERY, only each so many boundaries are tried, for bundles that have thousands.
"""

import gc
import json
import os
import shutil
import signal
import sqlite3
import sys
import time
import traceback
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.errors import UsageError
from hanpon.runs.silence import Silence
from hanpon.runs.withdrawal import withdraw
from hanpon.wiring import ReleaseFlags, open_datastore, open_storage, release_of, settings_from
from tests.databases import logical_dump

WRITING_EVENTS = {
    "os.rename",
    "os.remove",
    "os.mkdir",
    "os.rmdir",
    "os.link",
    "os.symlink",
    "os.truncate",
    "shutil.rmtree",
}
POLL_SECONDS = 0.002
POLLED_TRIALS = 8
"""A reader polls in one of so many trials."""

WRITING_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

CHANGES = ("INSERT", "UPDATE", "DELETE")

POINTER = ("manifest", "previous", "origin", "ref", "link_base", "narrowed")
"""What a pointer says, but for the clock and the run."""


class Boundaries:
    """Counts write boundaries below a folder and kills this process at one of them."""

    def __init__(self, below: Path, kill_at: int) -> None:
        self._below, self._kill_at, self.count = str(below), kill_at, 0
        self._changes = False

    def watch(self) -> None:
        sys.addaudithook(self._hear)
        connect = sqlite3.connect

        def traced(*args: Any, **kwargs: Any) -> sqlite3.Connection:
            connection: sqlite3.Connection = connect(*args, **kwargs)
            connection.set_trace_callback(self._statement)
            return connection

        sqlite3.connect = traced  # type: ignore[assignment]

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if (event in WRITING_EVENTS or (event == "open" and _writes(args))) and self._is_ours(args[0]):
            self._reach()

    def _is_ours(self, path: Any) -> bool:
        return str(path).startswith((self._below, ".")) or not str(path).startswith("/")

    def _statement(self, statement: str) -> None:
        # SQLite shows as a comment what its index does within a statement of ours
        word = statement.split(maxsplit=1)[0].upper()
        if word == "SELECT" or word.startswith("--"):
            return
        goes_on, self._changes = self._changes and word in CHANGES, word in CHANGES
        if not goes_on:
            self._reach()

    def _reach(self) -> None:
        self.count += 1
        if self.count == self._kill_at:
            os.kill(os.getpid(), signal.SIGKILL)


def _writes(args: tuple[Any, ...]) -> bool:
    _, mode, flags = args
    return bool(set(mode or "") & set("wxa+")) or bool((flags or 0) & WRITING_FLAGS)


class Places:
    """Storage, database and cache of one trial."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.storage, self.database = folder, folder / "storage", folder / "hanpon.db"

    def copy_to(self, folder: Path) -> "Places":
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.folder, folder) if self.folder.exists() else folder.mkdir()
        return Places(folder)

    def objects(self) -> dict[str, str]:
        """Every file of storage but the run reports, as a digest; of pointers what has no clock in it."""
        found = {}
        for path in sorted(self.storage.rglob("*")):
            key = path.relative_to(self.storage).as_posix()
            if path.is_file() and not key.startswith("runs/"):
                data = path.read_bytes()
                if key.endswith("current.json"):
                    pointer = json.loads(data)
                    data = json.dumps([pointer.get(name) for name in POINTER]).encode()
                found[key] = sha256(data).hexdigest()
        return found

    def rows(self) -> list[Any]:
        """The ordered logical dump of the database."""
        if not self.database.exists():
            return []
        connection = sqlite3.connect(f"file:{self.database}?mode=rw", uri=True, timeout=30)
        try:
            connection.execute("BEGIN")  # one snapshot for all tables
            return logical_dump(connection)
        finally:
            connection.close()

    def findings_on_record(self) -> int:
        """The most findings that the report of a run quotes of an edition."""
        records = [json.loads(path.read_bytes()) for path in self.storage.glob("runs/*.json")]
        found = [len(edition["findings"]) for record in records for edition in record["editions"]]
        return max(found, default=0)

    def served(self) -> dict[str, Any]:
        """What a reader of storage is served, edition by edition; raises where it is not whole."""
        served = {}
        for pointer in self.storage.glob("*/*/*/current.json"):
            current = json.loads(pointer.read_bytes())["manifest"]
            data = (pointer.parent / "manifests" / f"{current[:16]}.json").read_bytes()
            assert sha256(data).hexdigest() == current, f"manifest {current} is not whole"
            manifest = json.loads(data)
            for entry in (*manifest["documents"], manifest["inventory"]):
                page = (self.storage / entry["key"]).read_bytes()
                assert sha256(page).hexdigest() == entry["sha256"], f"{entry['key']} is not whole"
            served[manifest["name"] + "@" + manifest["version"]] = current
        return served


def release(bundle: Path, places: Places, cache: Path) -> int:
    flags = {
        "--storage": f"file:{places.storage}",
        "--datastore": f"sqlite:{places.database}",
        "--cache": str(cache),
    }
    settings = settings_from(flags, {})
    report = release_of(bundle, ReleaseFlags(take_over=True), settings, Silence())()
    if report.exit_code:
        sys.stderr.write(json.dumps(report.as_record(), ensure_ascii=False))
    return report.exit_code


def purge(edition: str, places: Places) -> int:
    """Withdraw an edition with all its objects; one that is gone already counts as done."""
    name, version = edition.split("@")
    settings = settings_from({"--storage": f"file:{places.storage}", "--datastore": f"sqlite:{places.database}"}, {})
    try:
        withdraw(name, version, open_storage(settings), open_datastore(settings), run="purge", purge=True, wait=0)
    except UsageError:
        return 0
    return 0


def forked(work: Callable[[], int], poll: Callable[[], None] | None = None) -> int:
    """Run `work` in a forked process, and poll until it ends; the wait status."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(work())
        except BaseException:  # noqa: BLE001  a forked process must not go on as a second parent
            traceback.print_exc()
            os._exit(99)
    if poll is None:
        return os.waitpid(child, 0)[1]
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        poll()
        time.sleep(POLL_SECONDS)


class Walk:
    """One walk: from the state before, through every boundary, to the state after."""

    def __init__(self, before: str, after: str, work: Path) -> None:
        self._after, self._work, self._cache = after, work, work / "cache"
        self._start = Places(work / "start")
        self._start.folder.mkdir(parents=True)
        # Once in this process: what is imported and compiled here, no forked process has to do again.
        self._job(Places(work / "warm"), before if after.startswith("purge:") else after)
        gc.freeze()  # what a forked process does not touch is not copied
        if before != "-":
            assert forked(lambda: self._job(self._start, before)) == 0
        undisturbed = self._start.copy_to(work / "undisturbed")
        assert forked(lambda: self._job(undisturbed, after)) == 0
        self._old = (self._start.served(), self._start.rows())
        self._new = (undisturbed.served(), undisturbed.rows())
        self._wanted = (undisturbed.objects(), undisturbed.rows(), undisturbed.findings_on_record())
        self.polls = 0

    def _job(self, places: Places, what: str) -> int:
        if what.startswith("purge:"):
            return purge(what.removeprefix("purge:"), places)
        return release(Path(what), places, self._cache)

    def trial(self, kill_at: int) -> bool:
        """One trial; False where the job ended before the boundary came."""
        places = self._start.copy_to(self._work / "trial")

        def work_to_its_death() -> int:
            Boundaries(places.folder, kill_at).watch()
            return self._job(places, self._after)

        poll = (lambda: self._look(places)) if kill_at % POLLED_TRIALS == 0 else None
        status = forked(work_to_its_death, poll)
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        assert killed or status == 0, f"boundary {kill_at}: wait status {status}"
        self._look(places)
        again = forked(lambda: self._job(places, self._after), poll)
        assert again == 0, f"boundary {kill_at}: the run after the kill ended with {again}"
        now = (places.objects(), places.rows(), places.findings_on_record())
        assert now == self._wanted, f"boundary {kill_at}: {self._difference(places)}"
        return killed

    def _look(self, places: Places) -> None:
        """A reader's look: each edition is the old one or the new one, whole, never absent between the two."""
        self.polls += 1
        try:
            served = places.served()
        except FileNotFoundError:  # retired between the two reads; a reader who looks again finds the new one
            served = places.served()
        (old, old_rows), (new, new_rows) = self._old, self._new
        for name in old.keys() | new.keys():
            assert served.get(name) in (old.get(name), new.get(name)), f"{name} is served as {served.get(name)}"
        rows = places.rows()
        for edition in _editions(old_rows) | _editions(new_rows):
            before, after = _contents(old_rows, edition), _contents(new_rows, edition)
            seen = _contents(rows, edition)
            assert seen in (before, after), f"{edition} is a mixture: {len(seen)} rows"
            homeless = [key for key in _keys(rows, edition) if not (places.storage / key).is_file()]
            if homeless and places.rows() != rows:  # withdrawn between the two looks; who looks again finds no row
                self._look(places)
                return
            assert not homeless or not served.get(str(edition)), f"{edition}: rows without a page: {homeless}"
            if served.get(str(edition)) != old.get(str(edition)):
                assert seen == after, f"{edition} is announced before its rows are there"

    def _difference(self, places: Places) -> str:
        objects, rows, _ = self._wanted
        now = places.objects()
        keys = [key for key in now.keys() | objects.keys() if now.get(key) != objects.get(key)]
        return f"objects {sorted(keys)[:5]}, rows equal: {places.rows() == rows}"


def _editions(rows: list[Any]) -> set[Edition]:
    return {Edition(Kind(row[1]), row[2], row[3]) for name, table in rows if name == "document" for row in table}


def _contents(rows: list[Any], edition: Edition) -> list[tuple[str, str]]:
    """Ids and content digests of an edition's rows (readers may be narrowed ahead of the rest)."""
    key = [str(edition.kind), edition.name, edition.version]
    return [(row[0], row[6]) for name, table in rows if name == "document" for row in table if row[1:4] == key]


def _keys(rows: list[Any], edition: Edition) -> list[str]:
    """The pages that an edition's rows name."""
    key = [str(edition.kind), edition.name, edition.version]
    return [row[4] for name, table in rows if name == "document" for row in table if row[1:4] == key]


def main() -> None:
    before, after, work, *stride = sys.argv[1:]
    every = int(stride[0]) if stride else 1
    os.sync = lambda: None
    walk = Walk(before, after, Path(work).absolute())
    boundary = every
    while walk.trial(boundary):
        boundary += every
    tried = boundary // every - 1
    print(json.dumps({"boundaries": tried, "polls": walk.polls}))  # noqa: T201  this is its answer


if __name__ == "__main__":
    main()
