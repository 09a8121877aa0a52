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
    if reason == "mapping values are not allowed in this context":
        return "a `: ` stands in text that is not quoted, or the line is indented wrongly"
    return ""


def _unreadable(error: yaml.reader.ReaderError, text: str, file: str) -> Finding:
    code = error.character if isinstance(error.character, int) else ord(error.character)
    line = text.count("\n", 0, max(text.find(chr(code)), 0)) + 1
    message = f"The control character U+{code:04X} may not stand in YAML."
    return problem("control-character", Place(file, "", line), message)
