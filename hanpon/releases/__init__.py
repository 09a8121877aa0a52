"""Decisions about editions: what a manifest holds, what a release would do, what may be swept. Pure."""
