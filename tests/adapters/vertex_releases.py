"""Releases, as a command makes them, into a world of Vertex AI Search."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hanpon.adapters.folder_tree import FolderTree
from hanpon.adapters.vertex_datastore import VertexDatastore
from hanpon.contracts.checks import CheckReport
from hanpon.contracts.ports import Verdict
from hanpon.contracts.rebuilds import Rebuilt
from hanpon.contracts.reports import EditionReport
from hanpon.runs.checking import CheckRun, check
from hanpon.runs.printing import Validation, Workshop
from hanpon.runs.publishing import Press
from hanpon.runs.rebuilding import RebuildJob, rebuild
from hanpon.runs.release import release
from hanpon.runs.release_job import ReleaseOptions, ReleaseRun
from hanpon.runs.silence import Silence
from hanpon.runs.steps import AtOnce
from hanpon.runs.withdrawal import withdraw
from hanpon.wiring import utc_now
from tests.adapters.vertex_world import Fuse, World
from tests.runs.bundles import MANIFEST, READERS, definition


class Content:
    """A validator that finds nothing."""

    def start(self, root: str, files: Mapping[str, bytes], encoding: str = "utf-8") -> Callable[[], Verdict]:
        return lambda: Verdict(())

    def known(self, root: str, digests: Mapping[str, str], encoding: str = "utf-8") -> Verdict | None:
        return Verdict(())


class Releases:
    """A bundle with one API, released to a world; every call is a process of its own."""

    def __init__(self, folder: Path, world: World) -> None:
        self._folder, self._world = folder, world
        folder.mkdir(exist_ok=True)

    def write(self, *paths: str, readers: str = READERS, summary: str = "Does it") -> None:
        (self._folder / "hanpon.yaml").write_text(MANIFEST.format(readers=readers))
        (self._folder / "shop.yaml").write_text(definition(*paths, summary=summary))

    def spoil(self) -> None:
        """What is refused, whoever may read it."""
        (self._folder / "shop.yaml").write_text("openapi: [")

    def release(self, *, fuse: Fuse | None = None, auditor: str = "") -> EditionReport:
        storage, datastore = self.open(fuse=fuse, auditor=auditor)
        job = ReleaseRun(
            run="run",
            workshop=Workshop(tree=FolderTree(self._folder), validator=Content(), validation=Validation("strict")),
            press=Press(storage=storage, datastore=datastore, progress=Silence()),
            steps=AtOnce(),
            options=ReleaseOptions(only=(), dry_run=False, allow_removals=True, take_over=False, wait=0),
            by="somebody",
            now=utc_now,
            keep=5,
        )
        [edition] = release(job).editions
        return edition

    def check(self, *, auditor: str = "") -> CheckReport:
        storage, datastore = self.open(auditor=auditor)
        job = CheckRun(
            run="run",
            storage=storage,
            datastore=datastore,
            progress=Silence(),
            steps=AtOnce(),
            by="somebody",
            now=utc_now,
            dry_run=True,
        )
        return check(job)

    def rebuild(self) -> Rebuilt:
        storage, datastore = self.open()
        return rebuild(RebuildJob(run="run", storage=storage, datastore=datastore, progress=Silence()))

    def withdraw(self, *, fuse: Fuse | None = None, purge: bool = True) -> None:
        storage, datastore = self.open(fuse=fuse)
        withdraw("shop", "v1", storage, datastore, run="run", purge=purge, wait=0)

    def open(self, *, fuse: Fuse | None = None, auditor: str = "") -> tuple[Any, VertexDatastore]:
        """Storage and datastore of one process, which hold an edition together."""
        datastore = self._world.open(fuse=fuse, auditor=auditor, holds=False)
        return datastore._bucket, datastore
