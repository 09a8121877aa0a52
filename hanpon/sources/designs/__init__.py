"""Design documents: writings and office files with exactly their readers."""
