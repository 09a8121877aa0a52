"""Opening a datastore by its address, with Google's clients."""

from typing import Any

import google.auth
from google.auth import impersonated_credentials
from google.cloud import discoveryengine_v1 as discoveryengine

from hanpon.adapters.google_calls import google_errors_in_words
from hanpon.adapters.vertex_bucket import Bucket
from hanpon.adapters.vertex_clients import client_of, is_bare
from hanpon.adapters.vertex_datastore import Clients, VertexDatastore
from hanpon.adapters.vertex_names import StoreNames
from hanpon.contracts.datastore_form import ENFORCED, FILTERED, Access
from hanpon.contracts.errors import UsageError

_SCOPES = ["https://www.googleapis.com/auth/cloud-platform"]


def open_vertex(
    address: str, storage: Bucket, *, access: Access, run: str, auditor: str = "", endpoint: str = ""
) -> VertexDatastore:
    """The datastore of `vertex://PROJECT/LOCATION/DATA_STORE`; nothing is asked of it yet.

    `access` is what protects: the store's access control, or a filter alone. `run` names its files in the bucket, and
    is used for no other datastore. `auditor` is the service account that looks for rows where the store lists none,
    "" for nobody. The endpoint is the location's unless one is given; one
    that begins with `http://` is asked without credentials. Raises UsageError.
    """
    names = StoreNames.of(address)
    if access not in (ENFORCED, FILTERED):
        raise UsageError(f"HANPON_ACCESS: expected enforced or filtered, found {access!r}")
    if not storage.address.startswith("gs://"):
        raise UsageError(f"{address} reads its pages from gs://BUCKET/PREFIX, and the storage is {storage.address}")
    with google_errors_in_words(f"{address}: credentials"):
        clients = _clients(endpoint or names.endpoint, auditor)
    return VertexDatastore(names, storage, clients, access=access == ENFORCED, run=run)


def _clients(endpoint: str, auditor: str) -> Clients:
    own: Any = None
    other: Any = None
    if not is_bare(endpoint):
        own, _ = google.auth.default(scopes=_SCOPES)
        impersonated: Any = impersonated_credentials.Credentials
        other = impersonated(own, auditor, _SCOPES) if auditor else None
    return Clients(
        documents=client_of(discoveryengine.DocumentServiceClient, endpoint, own),
        stores=client_of(discoveryengine.DataStoreServiceClient, endpoint, own),
        searches=client_of(discoveryengine.SearchServiceClient, endpoint, own),
        auditor=client_of(discoveryengine.SearchServiceClient, endpoint, other) if auditor else None,
    )
