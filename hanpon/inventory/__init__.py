"""From sources to the names that exist in an edition. Pure."""
