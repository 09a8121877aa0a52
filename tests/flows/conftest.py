"""One Prefect server for all tests of flows that need one: it takes about ten seconds to start."""

from collections.abc import Iterator

import pytest
from prefect.testing.utilities import prefect_test_harness


@pytest.fixture(scope="package")
def prefect_server() -> Iterator[None]:
    """A server of this session's own, with a database of its own in a temporary folder."""
    with prefect_test_harness(server_startup_timeout=120):
        yield
