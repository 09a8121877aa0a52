"""Prefect flows: releases, backfills and checks as runs on record.

Importing this package settles, before Prefect is imported, what Prefect takes from the environment: nothing is
reported to anybody, the temporary server that stands in where no `PREFECT_API_URL` is set gets the time it needs on a
busy machine, a server that went away is not waited for as long as Prefect would, and no password is logged. Prefect
is imported where there is nothing to read: it takes settings from `.env`, `prefect.toml` and `pyproject.toml` of the
current folder, which may be a bundle of somebody else's.

Raises UsageError where Prefect cannot use its settings.
"""

import os
from contextlib import chdir

from hanpon.contracts.errors import UsageError

os.environ["DO_NOT_TRACK"] = "1"
os.environ["PREFECT_SERVER_ANALYTICS_ENABLED"] = "false"
os.environ["PREFECT_TELEMETRY_ENABLE_RESOURCE_METRICS"] = "false"
os.environ.setdefault("PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS", "120")
os.environ.setdefault("PREFECT_CLIENT_MAX_RETRIES", "3")
os.environ.setdefault("PREFECT_API_REQUEST_TIMEOUT", "20")

_scheme, _, _server = os.environ.get("PREFECT_API_URL", "").partition("//")
if "@" in _server:  # Prefect logs where a run can be seen
    os.environ.setdefault("PREFECT_UI_URL", f"{_scheme}//{_server.rpartition('@')[2].removesuffix('/api')}")

NOWHERE = os.sep
"""A folder that only this machine's administrator writes to."""

try:
    with chdir(NOWHERE):
        import prefect.main  # noqa: F401
except ValueError as error:  # pydantic's, of which Prefect's settings are made
    raise UsageError(
        f"Prefect cannot use its settings (PREFECT_…, or profiles.toml of PREFECT_HOME): {error}"
    ) from error
