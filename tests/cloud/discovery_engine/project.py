"""A project with the double behind it: the real clients, a clock that is moved by hand, and names."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from google.cloud import discoveryengine_v1 as v1
from google.cloud import discoveryengine_v1beta as v1beta

from tests.cloud.discovery_engine.conduct import Conduct
from tests.cloud.discovery_engine.server import client, serving
from tests.cloud.discovery_engine.state import State


@dataclass
class Clock:
    """Seconds since the epoch, which pass only where a test says so."""

    now: float = 1_750_000_000.0

    def __call__(self) -> float:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += seconds


class Project:
    """A running double; `conduct` is what it does where tests decide."""

    def __init__(self, state: State, endpoint: str, token: str = "") -> None:
        self.state = state
        self.endpoint = endpoint
        self._token = token

    @property
    def conduct(self) -> Conduct:
        return self.state.conduct

    @property
    def clock(self) -> Clock:
        clock = self.state.clock
        assert isinstance(clock, Clock)
        return clock

    @property
    def location(self) -> str:
        """The name of the location, as callers write it."""
        return f"projects/{self.state.names.project}/locations/{self.state.names.location}"

    def store(self, store_id: str) -> str:
        """The name of a data store, as callers write it."""
        return f"{self.location}/collections/default_collection/dataStores/{store_id}"

    def branch(self, store_id: str) -> str:
        return f"{self.store(store_id)}/branches/default_branch"

    def serving_config(self, store_id: str) -> str:
        return f"{self.store(store_id)}/servingConfigs/default_serving_config"

    def seen_by(self, token: str) -> "Project":
        """The same project, its clients carrying a bearer token of `state.tokens`."""
        return Project(self.state, self.endpoint, token)

    @cached_property
    def documents(self) -> v1.DocumentServiceClient:
        return client(v1.DocumentServiceClient, self.endpoint, self._token)

    @cached_property
    def stores(self) -> v1.DataStoreServiceClient:
        return client(v1.DataStoreServiceClient, self.endpoint, self._token)

    @cached_property
    def schemas(self) -> v1.SchemaServiceClient:
        return client(v1.SchemaServiceClient, self.endpoint, self._token)

    @cached_property
    def search(self) -> v1.SearchServiceClient:
        return client(v1.SearchServiceClient, self.endpoint, self._token)

    @cached_property
    def acl_config(self) -> v1beta.AclConfigServiceClient:
        return client(v1beta.AclConfigServiceClient, self.endpoint, self._token)


@contextlib.contextmanager
def running(state: State) -> Iterator[Project]:
    """A project served until the context is left."""
    with serving(state) as endpoint:
        yield Project(state, endpoint)
