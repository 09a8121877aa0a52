"""The sequences: release, withdraw, look-ups; on ports alone, without Prefect or Google."""
