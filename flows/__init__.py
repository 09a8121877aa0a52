"""Prefect flows: releases, backfills and checks as runs on record.

Importing this package settles, before Prefect is imported, what Prefect takes from the environment: nothing is
reported to anybody, and the temporary server that stands in where no `PREFECT_API_URL` is set gets the time it
needs on a busy machine.
"""

import os

os.environ["DO_NOT_TRACK"] = "1"
os.environ["PREFECT_SERVER_ANALYTICS_ENABLED"] = "false"
os.environ["PREFECT_TELEMETRY_ENABLE_RESOURCE_METRICS"] = "false"
os.environ.setdefault("PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS", "120")
