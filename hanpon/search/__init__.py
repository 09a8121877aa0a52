"""Search: documents into pieces, text into tokens, the filter grammar, snippets. Pure; stores use it."""
