"""Names of a data store of Vertex AI Search, as its API wants them."""

import re
from dataclasses import dataclass

from hanpon.contracts.credentials import without_credentials
from hanpon.contracts.datastore_form import DatastoreForm
from hanpon.contracts.errors import UsageError

_ADDRESS = re.compile(r"vertex://([a-z0-9.:-]+)/([a-z0-9-]+)/([a-z0-9][a-z0-9_-]{0,62})")
_LOCATIONS = ("global", "us", "eu")


@dataclass(frozen=True, slots=True)
class StoreNames:
    """A data store: in which project and location, and called how."""

    project: str
    location: str
    store: str

    @classmethod
    def of(cls, address: str) -> "StoreNames":
        """From `vertex://PROJECT/LOCATION/DATA_STORE`. Raises UsageError for anything else."""
        match = _ADDRESS.fullmatch(address)
        if match is None:
            shown = without_credentials(address)
            raise UsageError(
                f"datastore: expected vertex://PROJECT/LOCATION/DATA_STORE in lower case, found {shown!r}"
            )
        if match[2] not in _LOCATIONS:
            raise UsageError(f"datastore: the location is to be one of {', '.join(_LOCATIONS)}, found {match[2]}")
        return cls(*match.groups())

    @classmethod
    def of_form(cls, form: DatastoreForm) -> "StoreNames":
        """Those of the store that has, or is to have, this form."""
        return cls(form.project, form.location, form.data_store)

    @property
    def address(self) -> str:
        return f"vertex://{self.project}/{self.location}/{self.store}"

    @property
    def endpoint(self) -> str:
        """The host that serves the location."""
        host = "discoveryengine.googleapis.com"
        return host if self.location == "global" else f"{self.location}-{host}"

    @property
    def resource(self) -> str:
        """The data store; all names hold the collection, so that they compare equal."""
        location = f"projects/{self.project}/locations/{self.location}"
        return f"{location}/collections/default_collection/dataStores/{self.store}"

    @property
    def branch(self) -> str:
        return f"{self.resource}/branches/default_branch"

    @property
    def serving_config(self) -> str:
        return f"{self.resource}/servingConfigs/default_serving_config"

    def document(self, identifier: str) -> str:
        return f"{self.branch}/documents/{identifier}"
