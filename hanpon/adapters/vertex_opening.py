"""Opening a datastore by its address, with Google's clients."""

import secrets
from datetime import UTC, datetime
from typing import Any, Literal

import google.auth
from google.api_core.client_options import ClientOptions
from google.auth import impersonated_credentials
from google.auth.credentials import AnonymousCredentials
from google.cloud import discoveryengine_v1 as discoveryengine

from hanpon.adapters.google_calls import google_errors_in_words
from hanpon.adapters.vertex_bucket import Bucket
from hanpon.adapters.vertex_datastore import Clients, VertexDatastore
from hanpon.adapters.vertex_names import StoreNames
from hanpon.contracts.errors import UsageError

_SCOPES = ["https://www.googleapis.com/auth/cloud-platform"]


def open_vertex(
    address: str, storage: Bucket, *, access: Literal["enforced", "filtered"], auditor: str = "", endpoint: str = ""
) -> VertexDatastore:
    """The datastore of `vertex://PROJECT/LOCATION/DATA_STORE`; nothing is asked of it yet.

    `access` is what protects: the store's access control, or a filter alone. `auditor` is the service account that
    looks for rows where the store lists none, "" for nobody. The endpoint is the location's unless one is given; one
    that begins with `http://` is asked without credentials. Raises UsageError.
    """
    names = StoreNames.of(address)
    if access not in ("enforced", "filtered"):
        raise UsageError(f"HANPON_ACCESS: expected enforced or filtered, found {access!r}")
    if not storage.address.startswith("gs://"):
        raise UsageError(f"{address} reads its pages from gs://BUCKET/PREFIX, and the storage is {storage.address}")
    with google_errors_in_words(f"{address}: credentials"):
        clients = _clients(endpoint or names.endpoint, auditor)
    run = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}"
    return VertexDatastore(names, storage, clients, access=access == "enforced", run=run)


def _clients(endpoint: str, auditor: str) -> Clients:
    if endpoint.startswith("http://"):
        own: Any = AnonymousCredentials()
        other = own
    else:
        own, _ = google.auth.default(scopes=_SCOPES)
        impersonated: Any = impersonated_credentials.Credentials
        other = impersonated(own, auditor, _SCOPES) if auditor else None
    return Clients(
        documents=discoveryengine.DocumentServiceClient(**_how(endpoint, own)),
        stores=discoveryengine.DataStoreServiceClient(**_how(endpoint, own)),
        searches=discoveryengine.SearchServiceClient(**_how(endpoint, own)),
        auditor=discoveryengine.SearchServiceClient(**_how(endpoint, other)) if auditor else None,
    )


def _how(endpoint: str, credentials: Any) -> dict[str, Any]:
    """REST, so that proxies and logs can read what is said."""
    return {"transport": "rest", "credentials": credentials, "client_options": ClientOptions(api_endpoint=endpoint)}
