"""From a bundle to sources: text is parsed, definitions are checked, one model is read. Pure."""
