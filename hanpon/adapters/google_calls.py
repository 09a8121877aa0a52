"""How Google's services are called: which failures are tried again, and what each is told as."""

from collections.abc import Iterator
from contextlib import contextmanager

import requests
from google.api_core import exceptions as refusals
from google.api_core.retry import Retry
from google.auth import exceptions as credentials

from hanpon.contracts.errors import HanponError, Unavailable, UsageError

DEADLINE = 120.0
"""Seconds for one call with all its tries."""

TRY = 30.0
"""Seconds for one try."""

_PASSING = (
    refusals.TooManyRequests,
    refusals.InternalServerError,
    refusals.BadGateway,
    refusals.ServiceUnavailable,
    refusals.GatewayTimeout,
    requests.exceptions.ConnectionError,
    requests.exceptions.Timeout,
    requests.exceptions.ChunkedEncodingError,
    credentials.TransportError,
)
_CREDENTIALS = (refusals.Unauthorized, credentials.RefreshError, credentials.DefaultCredentialsError)


def passes(error: BaseException) -> bool:
    """Whether a failure may be gone a moment later: 429, 5xx, a connection lost or refused, no answer in time."""
    return isinstance(error, _PASSING)


def patience(deadline: float = DEADLINE) -> Retry:
    """Tries again what passes, after pauses that grow from 1 to 30 seconds with jitter, for `deadline` seconds."""
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
    except _CREDENTIALS as error:
        advice = "log in with `gcloud auth application-default login`, or run as a service account"
        raise UsageError(f"{what}: Google does not accept the credentials ({_said(error)}); {advice}") from error
    except refusals.Forbidden as error:
        raise UsageError(f"{what}: not permitted ({_said(error)}); `hanpon doctor` names the missing role") from error
    except refusals.NotFound as error:
        raise UsageError(f"{what}: does not exist ({_said(error)})") from error
    except (refusals.RetryError, *_PASSING) as error:
        raise Unavailable(f"{what}: {_said(error)}") from error
    except refusals.GoogleAPICallError as error:
        raise UsageError(f"{what}: refused ({_said(error)})") from error


def _said(error: Exception) -> str:
    """What Google says, on one line, without the repetition of the address that its library puts in front."""
    message = getattr(error, "message", "") or str(error) or type(error).__name__
    return " ".join(str(message).split())[:500]
