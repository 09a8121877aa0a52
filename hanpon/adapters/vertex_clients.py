"""Clients of Vertex AI Search, all made the same way."""

from typing import Any

from google.api_core.client_options import ClientOptions
from google.auth.credentials import AnonymousCredentials


def client_of(kind: Any, endpoint: str, credentials: Any = None) -> Any:
    """A client of a service at an endpoint, by default with the machine's credentials.

    It speaks REST, so that proxies and logs can read what is said. An endpoint in plain HTTP is spoken to without
    credentials: a token must not be read on the way.
    """
    if is_bare(endpoint):
        credentials = AnonymousCredentials()
    return kind(transport="rest", credentials=credentials, client_options=ClientOptions(api_endpoint=endpoint))


def is_bare(endpoint: str) -> bool:
    """Whether an endpoint is given no credentials."""
    return endpoint.startswith("http://")
