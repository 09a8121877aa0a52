"""detect-secrets as a second opinion on a line: its plug-ins without those that only measure disorder.

The plug-ins are asked directly. The package's own way (`transient_settings`, `scan_line`) changes settings of the
whole process, skips lines that carry its comment for exceptions, may put a secret into its log, and can be told to
try one out at its service; asking a plug-in for strings does none of that.
"""

import logging
import re
import warnings
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

from hanpon.sources.texts.secret_formats import Found
from hanpon.sources.texts.secret_placeholders import is_placeholder

_PLUGINS = (
    ("artifactory", "ArtifactoryDetector"),
    ("aws", "AWSKeyDetector"),
    ("azure_storage_key", "AzureStorageKeyDetector"),
    ("cloudant", "CloudantDetector"),
    ("discord", "DiscordBotTokenDetector"),
    ("github_token", "GitHubTokenDetector"),
    ("gitlab_token", "GitLabTokenDetector"),
    ("ibm_cloud_iam", "IbmCloudIamDetector"),
    ("ibm_cos_hmac", "IbmCosHmacDetector"),
    ("jwt", "JwtTokenDetector"),
    ("mailchimp", "MailchimpDetector"),
    ("npm", "NpmDetector"),
    ("openai", "OpenAIDetector"),
    ("pypi_token", "PypiTokenDetector"),
    ("sendgrid", "SendGridDetector"),
    ("slack", "SlackDetector"),
    ("softlayer", "SoftlayerDetector"),
    ("square_oauth", "SquareOAuthDetector"),
    ("stripe", "StripeDetector"),
    ("telegram_token", "TelegramBotTokenDetector"),
    ("twilio", "TwilioKeyDetector"),
)
"""Left out: entropy (it fires on everything), public addresses (no secrets), and three that our own rules do with
more care: words in front of values (its time grows with the square of a line of such words), passwords in addresses
(samples), private keys (a first line without a body)."""

_WINDOW, _OVERLAP = 1000, 250
"""Characters looked at in one go: some of the patterns take time that grows with the square of a line."""

_LONGEST = 300
_RUN = re.compile(r"[A-Za-z0-9_+/.=-]{10}")
"""Stands in all that a plug-in knows, and in few lines: asking all of them about every line takes seconds."""


def second_opinion_on(text: str) -> Iterator[Found]:
    """What the plug-ins take for a secret, with the offset of its line; samples of documentation are left out."""
    offset = 0
    for line in text.split("\n"):
        if any(_is_suspect(plugin, window) for window in _windows(line) for plugin in _plugins()):
            yield "other-secret", offset
        offset += len(line) + 1


def _windows(line: str) -> Iterator[str]:
    """The parts of a line that are worth asking about, overlapping so that nothing is cut in all of them."""
    for start in range(0, max(len(line) - _OVERLAP, 1), _WINDOW - _OVERLAP):
        window = line[start : start + _WINDOW]
        if _RUN.search(window):
            yield window


def _is_suspect(plugin: Any, window: str) -> bool:
    return any(_counts(str(value)) for value in plugin.analyze_string(window))


def _counts(value: str) -> bool:
    bare = value.strip().strip("\"'`")
    return 6 <= len(bare) <= _LONGEST and " " not in bare and not is_placeholder(bare)


@cache
def _plugins() -> tuple[Any, ...]:
    """The plug-ins, which keep nothing of what they are shown. Imported late: that takes a fifth of a second."""
    shows_warnings = warnings.showwarning
    made = tuple(getattr(import_module(f"detect_secrets.plugins.{file}"), name)() for file, name in _PLUGINS)
    if warnings.showwarning is not shows_warnings:
        logging.captureWarnings(capture=False)  # its logger turned that on for the whole process
    return made
