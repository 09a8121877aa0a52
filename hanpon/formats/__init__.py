"""Formats of documents: HTML made harmless, Markdown in two dialects, text of PDF and office files. Pure."""
