"""Prefect flows: releases, backfills and checks as runs on record.

Importing this package settles, before Prefect is imported, what Prefect takes from the environment: nothing is
reported to anybody, the temporary server that stands in where no `PREFECT_API_URL` is set gets the time it needs on a
busy machine, and a server that goes away is waited for a minute rather than ten. Prefect is imported where there is
nothing to read: it takes settings from `.env`, `prefect.toml` and `pyproject.toml` of the current folder, which may
be a bundle of somebody else's.
"""

import os
from contextlib import chdir

os.environ["DO_NOT_TRACK"] = "1"
os.environ["PREFECT_SERVER_ANALYTICS_ENABLED"] = "false"
os.environ["PREFECT_TELEMETRY_ENABLE_RESOURCE_METRICS"] = "false"
os.environ.setdefault("PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS", "120")
os.environ.setdefault("PREFECT_CLIENT_MAX_RETRIES", "3")

NOWHERE = os.sep
"""A folder that only this machine's administrator writes to."""

with chdir(NOWHERE):
    import prefect.main  # noqa: F401
