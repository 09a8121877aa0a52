"""The only I/O: one file per technology and port."""
