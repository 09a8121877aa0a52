"""API definitions: files opened, references followed, everything checked that needs no full validator."""
