"""Addresses as they may be shown: a name and password before the host are no business of a reader."""

import re
from collections.abc import Iterator

_MASK = "***@"
_WORD = re.compile(r"\S+")
_SLASHES = re.compile(r"/{2,}")
_END_OF_HOST = re.compile(r"[/?#]")
_NAME = re.compile(r"""(?<![^"'`<>(){},\[\]=;])(?!git@)[^:/"'`<>(){},\[\]=;]+:(?=.)""")
_MAIL = frozenset({"mailto:", "mail:", "email:", "e-mail:"})


def without_credentials(text: str) -> str:
    """The text with `***` for what stands before the `@` of an address: `https://u:p@h/x` is `https://***@h/x`.

    A token alone before a host is taken for a password too. Where it cannot be known where a password ends, more is
    masked rather than less. Mail addresses, ports and names as of packages (`/@scope/x`) stay.
    """
    return _WORD.sub(_masked, text) if "@" in text else text


def _masked(word: "re.Match[str]") -> str:
    text = word.group()
    last = text.rfind("@")
    start = next((start for start in _starts(text) if start < last), None)
    return text if start is None else text[:start] + _MASK + text[last + 1 :]


def _starts(text: str) -> Iterator[int]:
    """Where credentials begin, if a later `@` ends them."""
    for slashes in _SLASHES.finditer(text):
        start = slashes.end()
        end = _END_OF_HOST.search(text, start)
        host = text[start : end.start() if end else len(text)]
        if "@" in host or (":" in host and not _is_host_with_port(host)):
            yield start
    for name in _NAME.finditer(text):
        if name.group().lower() not in _MAIL and not text.startswith("//", name.end()):
            yield name.start()


def _is_host_with_port(text: str) -> bool:
    host, _, port = text.rpartition(":")
    is_port = not port or (port.isascii() and port.isdigit())
    return text.startswith("[") or (is_port and ":" not in host and ("." in host or host == "localhost"))
