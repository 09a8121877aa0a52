"""YAML and JSON text into values, with limits, and the lines of what is reported."""
