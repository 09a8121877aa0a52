"""Objects under `gs://`, as the service reads them: out of a Cloud Storage on this machine, or out of memory."""

import http.client
import json
import re
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import quote, urlencode, urlsplit

from tests.cloud.discovery_engine.refusals import invalid

_URI = re.compile(r"gs://([^/*]+)/(.*)", re.DOTALL)


class Objects(Protocol):
    """What the service does with Cloud Storage."""

    def read(self, uri: str) -> bytes | None:
        """The bytes of an object, or None."""

    def below(self, prefix: str) -> list[str]:
        """The addresses of all objects that begin with an address, sorted."""

    def write(self, uri: str, data: bytes) -> None:
        """Create or overwrite an object."""


@dataclass
class ObjectsInMemory:
    """Objects of tests that need no server."""

    held: dict[str, bytes] = field(default_factory=dict)

    def read(self, uri: str) -> bytes | None:
        return self.held.get(uri)

    def below(self, prefix: str) -> list[str]:
        return sorted(uri for uri in self.held if uri.startswith(prefix))

    def write(self, uri: str, data: bytes) -> None:
        self.held[uri] = data


class ObjectsOfServer:
    """Objects of the Cloud Storage at an endpoint (`http://host:port`), over one connection that is kept open."""

    def __init__(self, endpoint: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(endpoint).netloc, timeout=60)

    def read(self, uri: str) -> bytes | None:
        bucket, name = split(uri)
        status, body = self._ask("GET", f"/storage/v1/b/{quote(bucket)}/o/{quote(name, safe='')}?alt=media")
        return body if status == http.HTTPStatus.OK else None

    def below(self, prefix: str) -> list[str]:
        bucket, start = split(prefix)
        found: list[str] = []
        query = {"prefix": start}
        while True:
            status, body = self._ask("GET", f"/storage/v1/b/{quote(bucket)}/o?{urlencode(query)}")
            page = json.loads(body) if status == http.HTTPStatus.OK else {}
            found += [f"gs://{bucket}/{item['name']}" for item in page.get("items", [])]
            if not page.get("nextPageToken"):
                return sorted(found)
            query["pageToken"] = page["nextPageToken"]

    def write(self, uri: str, data: bytes) -> None:
        bucket, name = split(uri)
        query = urlencode({"uploadType": "media", "name": name})
        self._ask("POST", f"/upload/storage/v1/b/{quote(bucket)}/o?{query}", data)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _ask(self, method: str, target: str, body: bytes | None = None) -> tuple[int, bytes]:
        headers = {"Content-Type": "application/json"} if body is not None else {}
        self._connection.request(method, target, body=body, headers=headers)
        answer = self._connection.getresponse()
        return answer.status, answer.read()


def split(uri: str) -> tuple[str, str]:
    """Bucket and name of an address. Raises Refused where it is not `gs://BUCKET/NAME`."""
    match = _URI.fullmatch(uri)
    if match is None:
        raise invalid(f'"{uri}" is not a Cloud Storage URI: expected gs://BUCKET/OBJECT.')
    return match[1], match[2]


def matching(objects: Objects, pattern: str) -> list[str]:
    """The objects that an address or a pattern names; `*` stands for any part of a name within its folder."""
    bucket, name = split(pattern)
    start = name.split("*")[0]
    expression = re.compile(re.escape(name).replace(r"\*", "[^/]*"))
    found = objects.below(f"gs://{bucket}/{start}")
    return [uri for uri in found if expression.fullmatch(split(uri)[1])]
