"""How Google's services are called: which failures are tried again, and what each is told as."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

import requests
import urllib3
from google.api_core import exceptions as refusals
from google.api_core.retry import Retry
from google.auth import exceptions as credentials
from google.protobuf.json_format import ParseError

from hanpon.contracts.errors import HanponError, Unavailable, UsageError

DEADLINE = 120.0
"""Seconds for one call with all its tries."""

TRY = 30.0
"""Seconds for one try: without an answer, or without another byte of it."""

LOGIN = "log in with `gcloud auth application-default login`, or run as a service account"

_PASSING_STATUSES = {408, 429, 500, 502, 503, 504}

_ADDRESS = re.compile(r"[A-Z]+ \S+: ")
"""What the libraries put in front of a message: method and address."""


_TAG = re.compile(r"<[^<>]*>")
"""Proxies answer with HTML, of which the words are told."""


class DamagedAnswer(Exception):
    """What was sent or received is not what its checksum says; the next try may be better."""


_PASSING = (
    DamagedAnswer,
    ConnectionError,
    ParseError,
    credentials.TransportError,
    requests.exceptions.ChunkedEncodingError,
    requests.exceptions.ConnectionError,
    requests.exceptions.ContentDecodingError,
    requests.exceptions.JSONDecodeError,
    requests.exceptions.Timeout,
    urllib3.exceptions.HTTPError,
)


def passes(error: BaseException) -> bool:
    """Whether a failure may be gone a moment later: 408, 429, 5xx, a connection lost or refused, half an answer."""
    if isinstance(error, refusals.GoogleAPICallError):
        return error.code in _PASSING_STATUSES
    return isinstance(error, _PASSING) or (isinstance(error, credentials.RefreshError) and error.retryable)


def patience(deadline: float = DEADLINE) -> Retry:
    """Tries again what passes, after pauses of up to 1, 2, 4 … 30 seconds, drawn by lot, for `deadline` seconds."""
    return Retry(predicate=passes, initial=1.0, maximum=30.0, multiplier=2.0, timeout=deadline)


@contextmanager
def google_errors_in_words(what: str) -> Iterator[None]:
    """A refusal of Google as hanpon tells it; `what` says what was being asked of which service.

    What passes, after all tries, is Unavailable. Credentials, permissions, requests that are refused and what does
    not exist are a UsageError: trying again would not help.
    """
    try:
        yield
    except HanponError:
        raise
    except (
        refusals.GoogleAPIError,
        credentials.GoogleAuthError,
        requests.exceptions.RequestException,
        urllib3.exceptions.HTTPError,
        ConnectionError,
        DamagedAnswer,
        ParseError,
    ) as error:
        raise _in_words(what, error) from error


def _in_words(what: str, error: Exception) -> HanponError:
    said = _said(error)
    if isinstance(error, refusals.RetryError):
        cause = f"; last: {_said(error.cause)}" if isinstance(error.cause, Exception) else ""
        return Unavailable(f"{what}: no success after all tries{cause}; try again later")
    if passes(error):
        return Unavailable(f"{what}: {said}")
    if isinstance(error, refusals.Unauthorized | credentials.GoogleAuthError):
        return UsageError(f"{what}: Google does not accept the credentials ({said}); {LOGIN}")
    if isinstance(error, refusals.Forbidden):
        return UsageError(f"{what}: not permitted ({said}); `hanpon doctor` names the missing role")
    if isinstance(error, refusals.NotFound):
        return UsageError(f"{what}: does not exist ({said})")
    return UsageError(f"{what}: refused ({said})")


def _said(error: Exception) -> str:
    """What Google says, on one line, without the address that its libraries put in front."""
    message = getattr(error, "message", "") or str(error) or type(error).__name__
    if isinstance(error, ParseError):
        message = f"the answer is not what the API promises, but perhaps a proxy's ({message})"
    message = _of_record(_ADDRESS.sub("", str(message), count=1))
    if message.lstrip().startswith("<"):
        message = _TAG.sub(" ", message)
    return " ".join(message.split())[:500]


def _of_record(message: str) -> str:
    """The message of Google's JSON of an error, where that is what a message begins with."""
    if not message.startswith("{"):
        return message
    try:
        record, _ = json.JSONDecoder().raw_decode(message)
        return str(record["error"]["message"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return message
