"""libyaml's complaints in plain words."""

import yaml

from hanpon.contracts.findings import Finding, Place
from hanpon.sources.texts.text_problems import problem

_STARTERS = {
    "\t": "a tab stands where YAML wants spaces",
    "@": "text that begins with `@` must be quoted",
    "`": "text that begins with a back-quote must be quoted",
    "%": "text that begins with `%` must be quoted",
}

_WORDS = {
    "block sequence entries are not allowed in this context": (
        "a `-` stands where no list can begin: quote it, or begin the list on a line of its own"
    ),
    "could not find expected ':'": "a line has no `: ` behind its key; text of several lines must be indented",
    "did not find expected alphabetic or numeric character": (
        "the name behind `&` or `*` may hold ASCII letters, digits, `-` and `_` only; quote text that begins so"
    ),
    "did not find expected key": "a line is indented otherwise than those it belongs to",
    "did not find expected node content": "a value is missing, or a bracket before it is not closed",
    "found a tab character that violates indentation": "a tab stands where YAML wants spaces",
    "found unexpected end of stream": "a quotation mark is not closed",
    "found unknown escape character": (
        "a backslash between double quotes begins an escape that YAML does not have: use single quotes"
    ),
    "mapping values are not allowed in this context": (
        "a `: ` stands in text that is not quoted, or the line is indented wrongly"
    ),
}
"""What libyaml means, for those who know nothing of scalars and nodes."""


def syntax_problem(error: yaml.YAMLError, text: str, file: str) -> Finding:
    """The one fault at which libyaml stopped. Its messages are fixed texts: nothing of the file is in them."""
    if isinstance(error, yaml.reader.ReaderError):
        return _unreadable(error, text, file)
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    line = mark.line + 1 if mark else 0
    reason = getattr(error, "problem", None) or "it cannot be read"
    hint = _hint(reason, text, mark.index if mark else -1)
    context = getattr(error, "context", None)
    words = f"This is not YAML: {hint or reason}" + (f" ({context})" if context and not hint else "") + "."
    return problem("yaml-syntax", Place(file, "", line), words)


def _hint(reason: str, text: str, index: int) -> str:
    if reason == "found character that cannot start any token" and 0 <= index < len(text):
        return _STARTERS.get(text[index], "")
    return _WORDS.get(reason, "")


def _unreadable(error: yaml.reader.ReaderError, text: str, file: str) -> Finding:
    code = error.character if isinstance(error.character, int) else ord(error.character)
    line = text.count("\n", 0, max(text.find(chr(code)), 0)) + 1
    message = f"The control character U+{code:04X} may not stand in YAML."
    return problem("control-character", Place(file, "", line), message)
