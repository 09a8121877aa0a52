"""Where a folder came from, as git tells: the address of its repository and the tag or commit it is of.

Git is asked as a child process that is kept from running anything that the checkout's own configuration names:
no hook, no filter, no monitor, no transport. Without git, or outside a checkout, nothing is known.
"""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from hanpon.contracts.credentials import without_credentials
from hanpon.contracts.errors import Unavailable, UsageError

TIME_LIMIT = 20.0
"""Seconds that one question to git may take."""

_USER_OF_SSH = re.compile(r"^((?:git\+)?ssh(?:\+git)?://)[^:/?#@]+@", re.IGNORECASE)

_HARMLESS = (
    "-c", "core.fsmonitor=false",
    "-c", "core.hooksPath=/dev/null",
    "-c", "versionsort.suffix=-",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Provenance:
    """`origin` is "" outside a repository with a remote of that name, `ref` where no tag or commit fits."""

    origin: str = ""
    ref: str = ""


class _NotKnown(Exception):
    """Git has no answer: no git, no checkout, no such thing in it."""


def provenance_of(folder: Path) -> Provenance:
    """The provenance of a folder that is part of a commit; an empty one for any other.

    The origin is the URL of the remote `origin` without credentials, `#` and the folder's path in the repository.
    The ref is a tag of the commit that is checked out (the highest version of several), else the commit; "" where
    tracked files of the folder were modified. Files that git does not track do not count: definitions are often
    made while a tag is built. Raises UsageError where git refuses to read a checkout that belongs to another
    user, Unavailable where it does not answer in time.
    """
    try:
        prefix = _ask(folder, "rev-parse", "--show-prefix").removesuffix("\n")
        commit = _ask(folder, "rev-parse", "--verify", "--quiet", "HEAD^{commit}").strip()
        _ask(folder, "rev-parse", "--verify", "--quiet", "HEAD:./")
        return Provenance(_origin(folder, prefix.rstrip("/")), _ref(folder, commit))
    except _NotKnown:
        return Provenance()


def identity_of(url: str) -> str:
    """A remote's address as what it is known by: no user, no password, no query, no `.git` or slash at its end.

    So a clone over a token and one without are the same origin.
    """
    address = _without_passwords(url)
    scheme = re.match(r"((?:[A-Za-z][A-Za-z0-9+.-]*::)*[A-Za-z][A-Za-z0-9+.-]*://)(?:[^/?#]*@)?([^?#]*)", address)
    if scheme:
        address = scheme[1].lower() + scheme[2]
    elif "@" in address.partition("/")[0].partition(":")[0] and ":" in address:
        address = address.partition("@")[2]
    return address.rstrip("/").removesuffix(".git")


def _without_passwords(url: str) -> str:
    # Git asks nobody whether an address makes sense: a slash, a colon or a blank may stand in a password.
    # The user of ssh is no secret, and an `@` may stand in the path behind it.
    whole = _USER_OF_SSH.sub(r"\1", "".join(url.split()))
    masked = without_credentials(whole)
    return url if "***@" not in masked else masked.replace("***@", "")


def _origin(folder: Path, prefix: str) -> str:
    try:
        url = _ask(folder, "config", "--get", "remote.origin.url").strip()
    except _NotKnown:
        return ""
    address = identity_of(url)
    return f"{address}#{prefix}" if prefix else address


def _ref(folder: Path, commit: str) -> str:
    if _is_modified(folder):
        return ""
    format_ = "--format=%(refname:strip=2)"
    tags = _ask(folder, "for-each-ref", "--sort=-version:refname", "--points-at=HEAD", format_, "refs/tags")
    return tags.partition("\n")[0] or commit


def _is_modified(folder: Path) -> bool:
    """True where tracked files differ from the commit, and where that cannot be asked safely."""
    filters = _filter_settings(folder)
    # `-c` splits at the first equals sign and is UTF-8 here: a filter with another name could not be switched off.
    if any("=" in name or "\ufffd" in name for name in filters):
        return True
    switched_off = [part for name in filters for part in ("-c", f"{name}=")]
    options = ("--porcelain", "--untracked-files=no", "--ignore-submodules=all", "--no-renames")
    try:
        return bool(_ask(folder, *switched_off, "status", *options, "--", "."))
    except _NotKnown:
        return True


def _filter_settings(folder: Path) -> list[str]:
    """The checkout's filters: programs that `git status` would run on touched files."""
    try:
        names = _ask(folder, "config", "--null", "--name-only", "--get-regexp", r"^filter\.")
    except _NotKnown:
        return []
    return [name for name in names.split("\0") if name]


def _ask(folder: Path, *arguments: str) -> str:
    command = ["git", *_HARMLESS, "-C", str(folder), *arguments]
    try:
        answer = subprocess.run(  # noqa: S603  the arguments are ours; the folder is one argument
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=_environment(),
            timeout=TIME_LIMIT,
            check=False,
        )
    except OSError:
        raise _NotKnown from None
    except subprocess.TimeoutExpired:
        raise Unavailable(f"git did not answer within {TIME_LIMIT:.0f} seconds about {folder}") from None
    if answer.returncode:
        _refuse_foreign_checkout(folder, answer.stderr)
        raise _NotKnown
    return answer.stdout.decode("utf-8", "replace")


def _refuse_foreign_checkout(folder: Path, words: bytes) -> None:
    # Without this the bundle would silently have another origin, and the release be refused for a wrong reason.
    if b"dubious ownership" in words or b"safe.directory" in words:
        raise UsageError(
            f"{folder} is in a git checkout that belongs to another user, so git does not say where it came from; "
            "allow it with: git config --global --add safe.directory <checkout>"
        )


def _environment() -> dict[str, str]:
    """Nothing of the caller's git: a hook that calls hanpon has variables set that name another repository."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "XDG_CONFIG_HOME") if name in os.environ}
    return kept | {
        "LC_ALL": "C",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        # A partial clone would fetch what is missing; no transport at all may be used for that.
        "GIT_ALLOW_PROTOCOL": "none",
    }
