"""What can be wrong with a file before anything is known of its meaning."""

import re
from urllib.parse import unquote

from hanpon.contracts.credentials import without_credentials
from hanpon.contracts.definitions import MAX_DEPTH, MAX_NODES
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.sources.texts.secret_masks import without_secrets

MOST_PROBLEMS = 100
"""After as many problems in one file, reading stops."""


def problem(rule: str, place: Place, message: str) -> Finding:
    """An error at a place of a file."""
    return Finding(rule, Severity.ERROR, place, message)


def too_deep(place: Place) -> Finding:
    """That values are nested deeper than `MAX_DEPTH` at a place."""
    return problem("too-deep", place, f"Values are nested more than {MAX_DEPTH} levels deep here.")


def too_many_values(place: Place) -> Finding:
    """That a file holds more than `MAX_NODES` values, or does so at a place."""
    message = f"The file holds more than {MAX_NODES:,} values, aliases counted as often as they are used."
    return problem("too-many-values", place, message)


def shown(text: object, longest: int = 60, *, may_be_address: bool = True) -> str:
    """Text of a file as a message may quote it: between back-quotes, on one line, nothing invisible, no secret."""
    return f"`{shortened(str(text), longest, may_be_address=may_be_address)}`"


def shortened(text: str, longest: int = 80, *, may_be_address: bool = True) -> str:
    """Text on one line: secrets are masked, what cannot be printed is replaced, what is too long ends in `…`."""
    masked = _masked(text) if may_be_address and "@" in text else text
    # a secret may begin in what is shown and be known only by what follows
    masked = without_secrets(masked[: longest + _BEYOND])
    printable = "".join(character if character.isprintable() else "\ufffd" for character in masked[: longest + 1])
    return printable if len(printable) <= longest else printable[: longest - 1] + "…"


_BEYOND = 250

_FAR = 2000
"""More of a text is not looked at: of what follows, no more is shown anyway."""

_BLANK = re.compile(r"\s")
_BEFORE_COLON = re.compile(r"/+(?=[^/@]{0,200}:)")


def _masked(text: str) -> str:
    # an `@` far away can still end a password that begins near; a blank is no end of one
    near = text[:_FAR] + "@" if text.find("@", _FAR) >= 0 else text[:_FAR]
    masked = without_credentials(_BLANK.sub("\0", near))
    # an address inside a path or pointer may have lost a slash, or have it escaped
    plain = _BEFORE_COLON.sub("//", unquote(masked).replace("~1", "/"))
    plainly_masked = without_credentials(plain)
    return (masked if plainly_masked == plain else plainly_masked).replace("\0", " ")
