"""The double itself: the state of one project in one location, and what tests set of it."""

import time
from collections.abc import Callable
from threading import RLock

from tests.cloud.discovery_engine.callers import SERVICE_ACCOUNT, Caller
from tests.cloud.discovery_engine.conduct import Conduct
from tests.cloud.discovery_engine.messages import Json
from tests.cloud.discovery_engine.objects import Objects, ObjectsInMemory
from tests.cloud.discovery_engine.operations import Operations
from tests.cloud.discovery_engine.quotas import Quotas
from tests.cloud.discovery_engine.refusals import Refused, absent, forbidden, invalid, unauthenticated
from tests.cloud.discovery_engine.resource_names import ResourceNames, parts
from tests.cloud.discovery_engine.stores import BRANCH, DataStore

UNSET = "IDP_TYPE_UNSPECIFIED"


class State:
    """All that is kept between calls. `caller` is who asks without a token, `tokens` who asks with one.

    `calls` are the methods called so far, by name, refused ones among them; polls of operations too.
    """

    def __init__(
        self,
        objects: Objects | None = None,
        names: ResourceNames | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.objects: Objects = ObjectsInMemory() if objects is None else objects
        self.names = names or ResourceNames()
        self.clock = clock
        self.conduct = Conduct()
        self.quotas = Quotas(clock)
        self.operations = Operations(self.conduct, clock)
        self.stores: dict[str, DataStore] = {}
        self.creating: set[str] = set()
        self.engines: dict[str, str] = {}
        self.identity: Json = {"idpType": UNSET}
        self.caller = SERVICE_ACCOUNT
        self.tokens: dict[str, Caller] = {}
        self.calls: list[str] = []
        self.lock = RLock()

    def asking(self, authorization: str) -> Caller:
        """Who asks, by the header of the request. Raises Refused for a token that nobody gave out."""
        if not authorization:
            return self.caller
        token = authorization.removeprefix("Bearer ")
        if token not in self.tokens:
            raise unauthenticated("Request had invalid authentication credentials.")
        return self.tokens[token]

    def store(self, store_id: str) -> DataStore:
        """Raises Refused where there is none."""
        found = self.stores.get(store_id)
        if found is None:
            raise absent(f"DataStore {self.names.full(f'dataStores/{store_id}')} not found.")
        return found

    def store_of_branch(self, inner: str) -> DataStore:
        """The store of a branch, given by its inner name. Raises Refused where it has no such branch."""
        store_id, branch = parts(inner, "dataStores/*/branches/*")
        if branch not in {BRANCH, "default_branch"}:
            raise absent(f"Branch {branch} not found.")
        return self.store(store_id)

    def hidden(self) -> Refused:
        """How Get and List are refused on an access-controlled store."""
        message = "Documents of a data store with ACLs enabled cannot be accessed."
        return invalid(message) if self.conduct.documents_hidden == "invalid" else forbidden(message)
