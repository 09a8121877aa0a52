"""Tests of the flows, which are imported first: they settle the environment before Prefect is imported."""

import flows  # noqa: F401
