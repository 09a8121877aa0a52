"""A Cloud Storage on this machine, for the tests of the adapters that need one."""

from tests.cloud.conftest import bucket, gcs_endpoint

__all__ = ["bucket", "gcs_endpoint"]
