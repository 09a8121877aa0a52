"""A project of Vertex AI Search, a bucket and a clock, for tests of the datastore: all in memory, but for HTTP."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import pytest
from google.cloud import discoveryengine_v1 as v1
from google.cloud import discoveryengine_v1beta as v1beta

from hanpon.adapters.vertex_datastore import Clients, VertexDatastore
from hanpon.adapters.vertex_names import StoreNames
from hanpon.adapters.vertex_operations import Pace
from hanpon.contracts.datastore_form import wanted_schema
from hanpon.contracts.digests import digest_of
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import Conflict, Held, Missing
from hanpon.contracts.ports import DatastoreChange, Stored
from tests.cloud.discovery_engine.objects import Objects, ObjectsInMemory
from tests.cloud.discovery_engine.project import Clock, Project, running
from tests.cloud.discovery_engine.state import State
from tests.cloud.faults import FaultProxy, in_front_of

NAMES = StoreNames("p", "global", "docs")
ROOT = "gs://bucket/hanpon/"
LAG = 300.0


class Killed(BaseException):
    """The process is killed: nothing after this is carried out."""


class Fuse:
    """Counts steps of a run, and kills it at one of them: before the step is taken, or after."""

    def __init__(self, at: float = float("inf"), *, after: bool = False) -> None:
        self.steps = 0
        self._at, self._after = at, after

    def guard(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(*args: Any, **kwargs: Any) -> Any:
            self.steps += 1
            dies = self.steps == self._at
            if dies and not self._after:
                raise Killed
            given = method(*args, **kwargs)
            if dies:
                raise Killed
            return given

        return guarded


class Guarded:
    """A client or a bucket, each of whose calls is a step."""

    def __init__(self, inner: Any, fuse: Fuse, names: Sequence[str] = ()) -> None:
        self._inner, self._fuse, self._names = inner, fuse, names

    def __getattr__(self, name: str) -> Any:
        held = getattr(self._inner, name)
        return self._fuse.guard(held) if callable(held) and (not self._names or name in self._names) else held


class MemoryBucket:
    """A bucket as one process sees it; objects, notes and leases are those of its world."""

    address = ROOT.rstrip("/")

    def __init__(self, world: "World") -> None:
        self._world = world
        self._held: Edition | None = None

    def uri(self, key: str) -> str:
        return ROOT + key

    def link(self, key: str) -> str:
        return f"https://storage.cloud.google.com/bucket/hanpon/{quote(key)}"

    def list(self, prefix: str) -> Mapping[str, int]:
        assert prefix.endswith("/")
        found = {uri.removeprefix(ROOT): len(data) for uri, data in self._world.objects.held.items()}
        return {key: size for key, size in sorted(found.items()) if key.startswith(prefix)}

    def read(self, key: str) -> bytes:
        if (data := self._world.objects.read(self.uri(key))) is None:
            raise Missing(key)
        return data

    def fetch(self, key: str) -> Stored | None:
        data = self._world.objects.read(self.uri(key))
        return Stored(data, digest_of(data)) if data is not None else None

    def create(self, key: str, data: bytes, media_type: str) -> None:
        self.put(key, data, media_type)

    def replace(self, key: str, data: bytes, expected: str | None) -> None:
        found = self.fetch(key)
        if (found.token if found else None) != expected:
            raise Conflict(key)
        self.put(key, data, "")

    def settle(self) -> None:
        """All is there at once."""

    def differing(self, digests: Mapping[str, str], seen: Callable[[int], None]) -> Sequence[str]:
        return [key for key, digest in digests.items() if digest_of(self.read(key)) != digest]

    def put(self, key: str, data: bytes, media_type: str) -> None:
        assert self._held is not None, "nothing is written but while an edition is held"
        self._world.objects.held[self.uri(key)] = data

    def delete(self, keys: Iterable[str]) -> None:
        for key in keys:
            self._world.objects.held.pop(self.uri(key), None)

    @contextmanager
    def hold(self, edition: Edition, holder: str, wait: float) -> Iterator[None]:
        if edition in self._world.leases:
            raise Held(f"{edition} is held")
        self._world.leases.add(edition)
        self._held = edition
        try:
            yield
        finally:
            self._world.leases.discard(edition)  # of one who is killed it runs out
            self._held = None

    def tidy(self) -> None:
        """Nothing is left behind."""

    def note(self, notes: Mapping[str, Any]) -> None:
        assert self._held is not None, "notes are kept by a lease"
        self._world.notes[self._held] = dict(notes)

    def still_held(self) -> None:
        if self._held not in self._world.leases:
            raise Conflict("the lease is lost")

    def noted(self, edition: Edition) -> Mapping[str, Any]:
        return self._world.notes.get(edition, {})


class HeldVertex(VertexDatastore):
    """A datastore whose changes hold the edition and lay its pages into the bucket, as a run does."""

    @contextmanager
    def change(self, edition: Edition) -> Iterator[DatastoreChange]:
        with self._bucket.hold(edition, "run", 0), super().change(edition) as change:
            upsert = change.upsert

            def with_pages(entries: Any, page_of: Any) -> None:
                for entry in entries:
                    self._bucket.put(entry.key, page_of(entry), entry.media_type)
                upsert(entries, page_of)

            change.upsert = with_pages  # type: ignore[method-assign]
            yield change


class World:
    """One store, made anew, with or without access control; opened as often as there are processes."""

    def __init__(self, project: Project, proxy: FaultProxy, *, access: bool, chunked: bool) -> None:
        self.project, self.proxy, self.access = project, proxy, access
        objects = project.state.objects
        self.objects = objects if isinstance(objects, ObjectsInMemory) else ObjectsInMemory()
        self.notes: dict[Edition, dict[str, Any]] = {}
        self.leases: set[Edition] = set()
        self.clock = project.clock
        self._opened = 0
        if access:
            identity = {"name": f"{project.location}/aclConfig", "idp_config": {"idp_type": "GSUITE"}}
            project.acl_config.update_acl_config(request={"acl_config": v1beta.AclConfig(identity)})
        self._make(chunked=chunked)
        self.calls.clear()

    @property
    def calls(self) -> list[str]:
        """Methods of the service that were called, in order."""
        return self.project.state.calls

    @property
    def conduct(self) -> Any:
        return self.project.conduct

    @property
    def ids(self) -> set[str]:
        """Ids of the documents that are there."""
        store = self.project.state.stores["docs"]
        return {held.id for held in store.shown(self.clock())}

    def open(
        self, *, auditor: str = "", caller: str = "", fuse: Fuse | None = None, holds: bool = True, bucket: Any = None
    ) -> HeldVertex:
        """The datastore as another process opens it; where it `holds`, a change of it holds the edition itself."""
        fuse = fuse or Fuse()
        self._opened += 1
        through = Project(self.project.state, self.proxy.endpoint, caller)
        clients = Clients(
            documents=Guarded(through.documents, fuse),  # type: ignore[arg-type]
            stores=through.stores,
            searches=Guarded(through.search, fuse),  # type: ignore[arg-type]
            auditor=through.seen_by(auditor).search if auditor else None,
        )
        bucket = bucket or Guarded(MemoryBucket(self), fuse, ("create", "replace", "put", "delete", "note"))
        pace = Pace(clock=self.clock, sleep=self.clock.pass_by, lag=LAG)
        kind = HeldVertex if holds else VertexDatastore
        opened: Any = kind(NAMES, bucket, clients, access=self.access, run=f"run{self._opened}", pace=pace)
        made: HeldVertex = opened
        return made

    def _make(self, *, chunked: bool) -> None:
        chunking = {"chunking_config": {"layout_based_chunking_config": {"include_ancestor_headings": True}}}
        store = v1.DataStore(
            display_name="docs",
            industry_vertical="GENERIC",
            content_config="CONTENT_REQUIRED",
            acl_enabled=self.access,
            starting_schema={"struct_schema": wanted_schema()},
            document_processing_config={
                "parsing_config_overrides": {"html": {"layout_parsing_config": {}}},
                **(chunking if chunked else {}),
            },
        )
        parent = f"{self.project.location}/collections/default_collection"
        self.project.stores.create_data_store(parent=parent, data_store=store, data_store_id="docs")


@contextlib.contextmanager
def world(*, access: bool = False, chunked: bool = True, objects: Objects | None = None) -> Iterator[World]:
    """A world that is served until the context is left; no second of it passes for real."""
    state = State(objects, clock=Clock())
    with pytest.MonkeyPatch.context() as patch, running(state) as project, in_front_of(project.endpoint) as proxy:
        for part in ("retry_unary", "retry_base"):
            patch.setattr(f"google.api_core.retry.{part}.time", PassingTime(project.clock))
        yield World(project, proxy, access=access, chunked=chunked)


class PassingTime:
    """What the retries of Google's libraries take for the time."""

    def __init__(self, clock: Clock) -> None:
        self.monotonic, self.sleep = clock, clock.pass_by
