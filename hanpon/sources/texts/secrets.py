"""Secrets and connection targets in a text: where and of which kind, never what.

A text in which something is found is to be left out whole. Nothing of it may be shown, kept or hashed: a finding
names the kind, in words, and the line.
"""

import html
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from hanpon.sources.texts.secret_assignments import ANNOUNCING, assignments_in, columns_in
from hanpon.sources.texts.secret_commands import commands_in, headers_in
from hanpon.sources.texts.secret_formats import Found, formats_in
from hanpon.sources.texts.secret_second_opinion import second_opinion_on
from hanpon.sources.texts.secret_shapes import shapes_in, speaks_of_secrets
from hanpon.sources.texts.secret_targets import targets_in

KINDS: dict[str, str] = {
    "address-with-password": "an address with a password in it",
    "anthropic-key": "an Anthropic API key",
    "authorization-header": "the value of an Authorization header",
    "aws-access-key": "an AWS access key id",
    "azure-key": "an Azure key or signature",
    "cloud-token": "a token of a cloud service",
    "connection-target": "a connection target (a host or address of a system)",
    "cookie-value": "the value of a cookie",
    "discord-token": "a Discord token",
    "github-token": "a GitHub token",
    "gitlab-token": "a GitLab token",
    "google-api-key": "a Google API key",
    "google-oauth-secret": "a Google OAuth client secret",
    "google-oauth-token": "a Google OAuth token",
    "key-value": "the value of a key or client secret",
    "mailchimp-key": "a Mailchimp key",
    "npm-token": "an npm token",
    "openai-key": "an OpenAI key",
    "other-secret": "something that detect-secrets takes for a secret",
    "package-upload-token": "a token for uploading packages",
    "password-hash": "the hash of a password",
    "password-in-command": "a password in a command or query",
    "password-value": "a password",
    "private-key": "a private key",
    "secret-shape": "what looks like a secret, where secrets are spoken of",
    "sendgrid-token": "a SendGrid token",
    "shop-token": "a Shopify token",
    "signed-token": "a signed token (JWT)",
    "slack-token": "a Slack token",
    "slack-webhook": "the address of a Slack webhook",
    "square-token": "a Square token",
    "stripe-key": "a Stripe key",
    "telegram-token": "a Telegram token",
    "token-value": "the value of a token",
    "twilio-key": "a Twilio key",
    "unjudged-words": "more words for secrets than are looked at",
}
"""Every kind, in words that follow "holds"."""


@dataclass(frozen=True, slots=True, order=True)
class Secret:
    """That a secret stands in a text: in which line (0 is the first), and of which of the `KINDS` it is."""

    line: int
    kind: str


_RULES: tuple[Callable[[str], Iterator[Found]], ...] = (
    formats_in,
    assignments_in,
    headers_in,
    commands_in,
    columns_in,
    targets_in,
)


def secrets_in(text: str) -> tuple[Secret, ...]:
    """What of a text looks like a secret or a connection target, by line and kind, each once.

    Our own rules, and detect-secrets where they find nothing. Placeholders and the samples of well-known
    specifications are no secrets. Takes time in proportion to the length of the text. Remembers nothing.
    """
    plain = _plain(text)
    return _by_line(plain, {each for rule in _RULES for each in rule(plain)} or set(second_opinion_on(plain)))


def shapes_beside_words_in(text: str) -> tuple[Secret, ...]:
    """Where a text speaks of secrets anywhere: every value in it that has the shape of one, by line.

    Innocent values have that shape as well, so this is for texts that are better lost than published.
    """
    plain = _plain(text)
    return _by_line(plain, set(shapes_in(plain))) if speaks_of_secrets(plain) else ()


def _by_line(plain: str, found: set[Found]) -> tuple[Secret, ...]:
    ends = [end.start() for end in _END_OF_LINE.finditer(plain)] if found else []
    return tuple(sorted({Secret(bisect_left(ends, offset), kind) for kind, offset in found}))


def announcing_words_in(text: str) -> tuple[str, ...]:
    """The words of a text that announce a secret, such as `password`, each once."""
    return tuple(dict.fromkeys(word.group() for word in ANNOUNCING.finditer(_plain(text))))


_INVISIBLE = re.compile("[\xad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")
_MARKUP = re.compile(
    r"</?(?i:a|b|big|br|code|del|div|em|font|i|ins|kbd|li|mark|p|pre|q|s|small|span|strong|sub|sup|td|th|tr|tt|u)"
    r"(?:\s{1,4}(?:class|style|id|color|align)=(?:\"[^\"<>\n]{0,100}\"|'[^'<>\n]{0,100}')){0,3}\s?/?>"
)
_ESCAPED = re.compile(r"\\(?=[_\-:=@.*`~|<>#+!(){}\[\]\"'])")
_JOINT = "\x1f"
"""Stands where a command was wrapped by `\\` or `^`: a blank to the rules, the end of a line to those who count."""

_ENDS_SEEN = re.compile("\r\n|[\n\r\v\f\x85\u2028\u2029]")
_IN_ADDRESS = re.compile(r"%(?:3[aAdDfF]|26|2[02])")
"""The signs `:=?& "` of a query, written for another query."""

_WRAPPED = re.compile(r"[\\^]\n")
_END_OF_LINE = re.compile(rf"[\n{_JOINT}]")


def lines_of(text: str) -> list[str]:
    """The lines of a text as `secrets_in` counts them: they end where a reader sees an end."""
    return _ENDS_SEEN.sub("\n", text).split("\n")


def _plain(text: str) -> str:
    """The text as a reader takes it: compatibility forms, character references, escapes and markup resolved.

    Every place has as many ends of lines before it as in the text.
    """
    lines = lines_of(text.replace(_JOINT, " "))
    resolved = (_ENDS_SEEN.sub(" ", html.unescape(line)) if "&" in line else line for line in lines)
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", "\n".join(resolved)))
    plain = _IN_ADDRESS.sub(lambda found: unquote(found.group()), plain)
    return _WRAPPED.sub(_JOINT, _ESCAPED.sub("", _MARKUP.sub(" ", plain)))
