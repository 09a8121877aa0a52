"""Connection targets: addresses by which somebody reaches a system of ours, with or without a password in them."""

import re
from collections.abc import Iterator

from hanpon.sources.texts.secret_formats import Found
from hanpon.sources.texts.secret_placeholders import is_placeholder
from hanpon.sources.texts.secret_values import could_be_key, could_be_password

_ADDRESS = r"(?:10(?:\.\d{1,3}){3}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|192\.168(?:\.\d{1,3}){2})(?!\.?\d)"
"""RFC 1918."""

_NAME = (
    r"(?:[A-Za-z0-9_-]{1,63}\.){1,6}"
    r"(?i:internal|local|corp|lan|intra|intranet|private|localdomain|home\.arpa)(?![\w-])"
)
_LOCAL_ADDRESS = r"\[f[cd][0-9a-f]{2}:[0-9a-fA-F:]{2,40}\]"
"""RFC 4193."""

_PRIVATE = re.compile(rf"(?<![\w.])(?:{_ADDRESS}|{_LOCAL_ADDRESS})|(?<![\w.-])(?P<name>{_NAME})")
_PORT = re.compile(
    r"\s?:\s?\d{2,5}(?!\d)|[^\d\n]{0,4}\n?[^\d\n]{0,20}?(?i:port|ポート|-p)\W{0,6}(?:番号)?\W{0,3}は?\W{0,3}\d{2,5}(?!\d)"
)
_KNOWN_NAMES = re.compile(
    r"(?i:(?:host|gateway|kubernetes)\.docker\.internal|metadata\.google\.internal|localhost\.\w+|.*example.*"
    r"|(?:my|your)\W.*)"
)
_REACHED = re.compile(
    r"(?i:\b(?:ssh|scp|sftp|rsync|telnet|nc|mstsc|psql|mysql|redis-cli|mongosh?|bastion|jump host"
    r"|connect(?:s|ed)? to)\b)|踏み台|接続先|接続文字列|接続ホスト|接続情報"
)
_REACHED_BEHIND = re.compile(
    r"(?!/\d)[^\n]{0,12}?(?:へ|に|まで)[^\n]{0,8}?(?i:ssh|scp|sftp|telnet|rdp|接続|ログイン|つな|繋)"
)

_WITH_PASSWORD = re.compile(
    r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}://(?P<name>[^\s:@/\"'<>`]{0,80}):(?P<value>[^\s/\"'`]{1,120})@"
    r"(?P<host>[^\s/:?#\"'<>,;`)\]]{1,120})"
)
_WITH_TOKEN = re.compile(r"://(?P<value>[A-Za-z0-9_-]{20,120})(?::x-oauth-basic)?@")
_THIN = re.compile(r"(?i:jdbc:oracle:\w{2,6}):[^\s/@\"']{1,60}/(?P<value>[^\s@\"']{1,100})@")

_HOST = r"(?P<host>\[[0-9a-fA-F:]{2,40}\]|[^\s/:;,?\"'`)\]<>{}@]{1,120})"
_DATABASE = re.compile(
    r"(?i:jdbc:[a-z0-9:]{2,40}(?:@//|//|@)|(?:mongodb(?:\+srv)?|rediss?|amqps?|postgres(?:ql)?|mysql|mariadb|sqlserver"
    r"|mssql|oracle|ldaps?|kafka|nats|cassandra|clickhouse|odbc|ibmdb2?|db2)://)(?:[^\s/@\"']{0,120}@)?" + _HOST
)
_SERVER = re.compile(
    r"(?i:(?<!\w)(?:server|data source|addr|address|host|hostname|network address)\s?=\s?(?:tcp:)?)" + _HOST
)
_REST_OF_STRING = re.compile(
    r"[^;\n]{0,100};[^\n]{0,200}?"
    r"(?i:database|initial catalog|user id|uid|username|user|integrated security|pwd|password|port)\s?="
)
_NAMED = re.compile(r"(?i:\(host\s?=\s?)" + _HOST)
_MANAGED = re.compile(
    r"(?<![\w.-])[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,3}\.(?:rds\.amazonaws\.com|cache\.amazonaws\.com"
    r"|database\.windows\.net|redis\.cache\.windows\.net|documents\.azure\.com|mongodb\.net|redshift\.amazonaws\.com)\b"
)
_ANNOUNCED = re.compile(
    r"(?:接続先|接続文字列|接続ホスト|接続情報|踏み台)[^\n]{0,24}?"
    r"(?<![\w.-])(?P<host>[A-Za-z0-9][A-Za-z0-9.-]{1,80}):\d{2,5}(?!\d)"
)
_SHARE = re.compile(rf"\\\\(?:{_ADDRESS}|{_NAME})\\")
_AT_ADDRESS = re.compile(rf"(?<![\w.-])[\w.-]{{1,40}}@{_ADDRESS}")

_HERE = re.compile(r"(?i:localhost|127\.\d.*|0\.0\.0\.0|\[?::1?\]?|host\.docker\.internal)")
_DOCUMENTED = re.compile(
    r"192\.0\.2\.\d+|198\.51\.100\.\d+|203\.0\.113\.\d+|\[?2001:db8:.*"
    r"|(?i:(?:.*[.-])?example(?:[.-].*)?|.*\.(?:test|invalid))"
)
"""RFC 5737, RFC 3849, RFC 2606."""

_GENERIC = frozenset(
    {
        *("com", "net", "org", "jp", "co", "io", "mydb", "mydomain", "myhost", "myserver", "mysql", "postgres"),
        *("postgresql", "redis", "mongo", "mongodb", "oracle", "rabbitmq", "cluster", "node", "master", "replica"),
        *("primary", "broker", "ldap", "machine", "sqlserver", "mssql", "mariadb", "kafka", "zookeeper"),
    }
)
_RUN = re.compile(r"[A-Za-z]+")


def targets_in(text: str) -> Iterator[Found]:
    """Every connection target, with the offset at which it stands; those on this machine or of examples are none."""
    yield from _addresses_with_password(text)
    yield from _private_places(text)
    for pattern in (_DATABASE, _NAMED, _ANNOUNCED):
        for found in pattern.finditer(text):
            if _is_of_ours(found["host"]):
                yield "connection-target", found.start()
    for found in _SERVER.finditer(text):
        if _is_of_ours(found["host"]) and _REST_OF_STRING.match(text, found.end()):
            yield "connection-target", found.start()
    for found in _MANAGED.finditer(text):
        if _is_of_ours(found.group()) and not found.group().lower().startswith(("my", "your", "db.")):
            yield "connection-target", found.start()
    for pattern in (_SHARE, _AT_ADDRESS):
        for found in pattern.finditer(text):
            yield "connection-target", found.start()


def _addresses_with_password(text: str) -> Iterator[Found]:
    for found in _WITH_PASSWORD.finditer(text):
        if _is_password_at(found["name"], found["value"], found["host"]):
            yield "address-with-password", found.start()
    for found in _THIN.finditer(text):
        if not is_placeholder(found["value"]):
            yield "address-with-password", found.start()
    for found in _WITH_TOKEN.finditer(text):
        if could_be_key(found["value"], 20, quoted=True):
            yield "address-with-password", found.start()


def _is_password_at(name: str, value: str, host: str) -> bool:
    if is_placeholder(value) or any(sign in value for sign in "<>{}"):
        return False
    return _is_of_ours(host) or (value != name and could_be_password(value, quoted=True))


def _private_places(text: str) -> Iterator[Found]:
    for found in _PRIVATE.finditer(text):
        if found["name"] and _KNOWN_NAMES.fullmatch(found["name"]):
            continue
        before = text[max(0, found.start() - 60) : found.start()].rpartition("\n")[2]
        is_reached = _REACHED.search(before) or _REACHED_BEHIND.match(text, found.end())
        if is_reached or _PORT.match(text, found.end()):
            yield "connection-target", found.start()


def _is_of_ours(host: str) -> bool:
    """False of a host that is this machine, an example, a template, or called by what it is alone: `db`, `host`."""
    if _HERE.fullmatch(host) or _DOCUMENTED.fullmatch(host) or any(sign in host for sign in "<>{}$%*"):
        return False
    words = _RUN.findall(host)
    if not words or ":" in host:
        return True  # an address
    has_shape = any(sign.isdigit() or sign in ".-" for sign in host)
    return has_shape and not all(word.casefold() in _GENERIC or is_placeholder(word) for word in words)
