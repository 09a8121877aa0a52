"""Secrets in what people paste: headers, command lines, SQL statements, queries, a user's name with a password."""

import base64
import binascii
import re
from collections.abc import Iterator

from hanpon.sources.texts.secret_formats import Found
from hanpon.sources.texts.secret_placeholders import is_placeholder
from hanpon.sources.texts.secret_values import SHORTEST_TOKEN, could_be_key, could_be_password, without_ending

_HEADER = re.compile(
    r"(?P<scheme>(?i:\b(?:bearer|basic))|(?i:authorization)[\"']?\s{0,2}[:=,]\s{0,2}[\"'`]?"
    r"(?i:token|apikey|api-key|key|digest|sso-key)?)\s{1,2}[\"'`]?(?P<value>[A-Za-z0-9._~+/=:-]{8,4000})"
)


_COOKIE = re.compile(
    r"(?i:\b(?:set-)?cookie)[\"']?\s{0,2}[:=]\s{0,2}[\"'`]?(?:[\w.-]{1,60}=[^\s;\"'`]{0,200};\s?){0,5}[\w.-]{1,60}="
    r"(?P<value>[A-Za-z0-9%+/=_.-]{16,4000})"
)


def headers_in(text: str) -> Iterator[Found]:
    """Every `Authorization` header, or `Bearer` and `Basic` alone, or cookie, with a value that could be one."""
    for found in _COOKIE.finditer(text):
        if could_be_key(found["value"], 16, quoted=True):
            yield "cookie-value", found.start()
    for found in _HEADER.finditer(text):
        value = found["value"].rstrip(".,:")
        is_basic = found["scheme"].lower() == "basic"
        if _holds_password(value) if is_basic else could_be_key(value, SHORTEST_TOKEN, quoted=True):
            yield "authorization-header", found.start()


def _holds_password(value: str) -> bool:
    """Whether a value of Basic (RFC 7617) is a name and a password, or else could be a token."""
    try:
        pair = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        pair = ""
    name, colon, password = pair.partition(":")
    if not colon or not pair.isprintable():
        return could_be_key(value, SHORTEST_TOKEN, quoted=True)
    return not is_placeholder(value) and not is_placeholder(password) and password != name


_PAIR = re.compile(
    r"(?<![\w-])(?:-u|--user|--proxy-user|-U)[\s=]{0,3}[\"']?(?P<name>[^\s:\"'/]{0,80}):(?P<value>[^\s\"']{2,200})"
)
_CLIENT = re.compile(
    r"(?<![\w-])(?:mysql\w{0,8}|mariadb|sshpass|redis-cli|sqlcmd|bcp|ldap\w{1,10}|mongo\w{0,8}|docker login|smbclient"
    r"|az login|curl|wget|ftp|rabbitmqadmin|influx|cqlsh)\b"
)
_OPTION = re.compile(r"(?<![\w-])-(?:[pPaw]|passin)(?: ?|=)[\"']?(?P<value>[^\s\"'|;]{3,200})")
_SLASHED = re.compile(
    r"(?<![\w-])(?:sqlplus|expdp|impdp|exp|imp|sqlldr|rman)\s[^\n]{0,40}?\w{1,40}/(?P<value>[^\s@\"']{3,100})@"
)
_IDENTIFIED = re.compile(
    r"(?i:\bidentified\s{1,4}by|\bpassword)\s{1,4}(?:values\s{1,4})?['\"](?P<value>[^'\"\s]{4,200})['\"]"
)
_IDENTIFIED_BARE = re.compile(r"(?i:\bidentified\s{1,4}by)\s{1,4}(?P<value>[^\s;'\"]{4,200})")
_SECURE_STRING = re.compile(
    r"(?i:convertto-securestring)\s(?:-string\s{1,4})?\s{0,3}['\"](?P<value>[^'\"\s]{4,200})['\"]"
)
_HTPASSWD = re.compile(r"\bhtpasswd\s-\w{0,4}b\w{0,4}\s[^\s-]\S{0,100}\s\S{1,60}\s(?P<value>\S{4,100})")
_QUERY = re.compile(
    r"[?&;](?i:password|passwd|pwd|pass|secret|client_secret)\s?=\s?[\"']?(?P<value>[^\s&;\"'<>)]{4,200})"
)
_LOGIN = re.compile(
    r"(?i:(?<![\w/.-])(?:admin|administrator|root|sa|sys|system|scott|postgres|oracle|deploy|batch\w{0,10}"
    r"|[a-z]{1,10}[_-]?admin)|(?:ID\s?/\s?(?:PW|PASS\w{0,5}|パスワード)|(?:basic|ベーシック)\s?認証)\s?[:は=]?\s?[\w.@-]{1,40})"
    r"(?:\s?/\s?|:)(?P<value>[A-Za-z0-9!#$%^&*+@?~_-]{6,99})(?![\w(\[/.:])"
)


def commands_in(text: str) -> Iterator[Found]:
    """Every password in a command line, an SQL statement or a query, or behind a user's name."""
    for found in _PAIR.finditer(text):
        if not is_placeholder(without_ending(found["value"])) and found["name"] != found["value"]:
            yield "password-in-command", found.start()
    for client in _CLIENT.finditer(text):
        line = text[client.end() : client.end() + 300].partition("\n")[0]
        if any(could_be_password(option["value"]) for option in _OPTION.finditer(line)):
            yield "password-in-command", client.start()
    yield from _in_statements(text)


def _in_statements(text: str) -> Iterator[Found]:
    for pattern in (_SLASHED, _IDENTIFIED, _QUERY, _SECURE_STRING, _HTPASSWD):
        for found in pattern.finditer(text):
            if not is_placeholder(without_ending(found["value"])):
                yield "password-in-command", found.start()
    for pattern in (_IDENTIFIED_BARE, _LOGIN):
        for found in pattern.finditer(text):
            if could_be_password(found["value"]):
                yield "password-value", found.start()
