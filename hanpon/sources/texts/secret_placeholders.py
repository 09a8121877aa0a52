"""What only stands for a secret: what documentation writes in its place, and values that name a kind or a form."""

import hashlib
import re

_MASK = re.compile(r"\*{3}|x{4}|X{4}|\.{3}|[•●○〇×△■□◯]{2}|_{4}|-{4}")
_TEMPLATE = re.compile(
    r"<[^<>]{0,200}>.{0,40}|\$\{.*|\$\(.*|\{\{.*|#\{.*|\$(?:[A-Z_][A-Z0-9_]*|[a-z_]+)\W{0,4}"
    r"|\{[^{}]{0,200}\}\W{0,4}|\[[^\[\]]{0,200}\]\W{0,4}|%\w{1,60}%.*|%\(?[a-z]{1,20}\)?s?|@\w{1,60}@|:[a-z_]+"
)
_SAID = re.compile(
    r"example|sample|dummy|placeholder|change[_-]?me|redacted|your[_-]|yourapi|replace[_-]?(?:me|with)|insert[_-]?"
    r"|foobar|hogehoge",
    re.IGNORECASE,
)
_RUN = re.compile(r"[A-Za-z]+|[0-9]+")
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_OF_WORDS = re.compile(r"[A-Za-z0-9_\-./:+,;=~ '\"<>()\[\]{}&?]*")
_SEQUENCES = (
    "abcdefghijklmnopqrstuvwxyzabcdef",
    "012345678901234567890",
    "98765432109876543210",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
)
_LONGEST_NUMBER = 4
"""Digits of a number behind a word, as in `SHA512` or `user0001`."""

_WORDS_OF_DOCUMENTATION = """
    a an my our your the this that some any here there new old current user users username userid name login
    email mail account accounts admin administrator root guest test tests testing tester demo sample samples
    example examples dummy fake mock foo bar baz qux foobar hoge fuga piyo hogehoge fugafuga xyz deadbeef
    cafebabe password passwords passwd passwort pass pwd pw passphrase passcode pin mypassword mysecret mytoken
    mykey myuser secret secrets secretkey secretaccesskey token tokens access refresh bearer basic digest auth
    authn authz authorization authorisation authentication oauth oidc saml openid jwt jws jwe jwk jwks api apis
    apikey apikeys key keys keyid private public client clients clientid clientsecret id ids value values val
    var vars string strings str text txt type types number numbers integer int long short float double boolean
    bool object objects array list map dict null nil none true false undefined nan required optional default
    defaults enum format uuid guid ulid hash hashed hashes salt hmac sha md hs rs es ps aes rsa dsa ed ecdsa gcm
    cbc base utf iso ascii rfc http https tls ssl ssh tcp udp ip ipv ver version versions v bit bits byte bytes
    char chars character characters letter letters digit digits max min maximum minimum length size len limit
    sec secs second seconds minute minutes hour hours day days month months year years ms env environment
    variable variables param params parameter parameters argument query header headers body cookie cookies
    session sessions csrf xsrf field fields column row table file files path paths url urls uri host hosts
    hostname port ports server servers service services database db dbname schema config configuration setting
    settings option options input output request response data json xml yaml form app apps application project
    tenant org organization team teams company domain dev development stg stage staging prd prod production
    local localhost change changeme replace insert enter put set get placeholder redacted masked hidden removed
    encrypted encoded decoded generated random issued provided obtained received bcrypt argon scrypt pbkdf kdf
    crypt plain plaintext clear cleartext from for with to in into on is as by at and or not no be must has have
    if it its use using used only once valid invalid expired expires wrong incorrect bad good correct strong
    weak rotate rotation reset temp temporary initial first last next page cursor grant code scope issuer
    audience subject claim claims sub iss aud exp iat see note section of openssh pem der pkcs pkix cert
    certificate certificates github gitlab google aws azure gcp slack stripe line npm docker kubernetes vault
    spring java python node ruby go php
"""
_WORDS = frozenset(_WORDS_OF_DOCUMENTATION.split())
"""What names a secret, its kind or its form. A value made of nothing else is none."""

_NAMED_AFTER = frozenset({"password", "passphrase", "secret", "token", "credential", "credentials", "key"})

_PUBLISHED = frozenset(
    {
        "6c96130f130ab0d6",  # RFC 6749 section 4.1.4, access token
        "00cf4c781dc37003",  # the same, refresh token
        "a35b81a7d7927b70",  # RFC 6749 section 4.1.2, code
        "ca7459e2b26776de",  # RFC 6749 section 2.3.1, Basic
        "e9974c507d2a8021",  # the same, client_secret
        "53f5da0aaa93d64c",  # RFC 6749 section 2.3.1, what Basic holds
        "b8e148545b13c78b",  # RFC 6750 section 2.1, Bearer
        "cf4d418ed3de92d7",  # RFC 7617 section 2, Basic
        "d05f6bb1aa2e4ccd",  # the same without padding
        "ad62d48d8b069026",  # another widely copied Basic
    }
)
"""Samples of specifications that API documents copy, by the first 16 digits of their sha256."""

_PUBLISHED_UUIDS = frozenset(
    {
        "550e8400-e29b-41d4-a716-446655440000",
        "123e4567-e89b-12d3-a456-426614174000",
        "123e4567-e89b-12d3-a456-426655440000",
        "3fa85f64-5717-4562-b3fc-2c963f66afa6",
    }
)


def is_placeholder(value: str) -> bool:
    """True where a value only marks the place of a secret: `<…>`, `***`, `${X}`, `my_password`, `abc123`."""
    bare = value.strip().strip("\"'`")
    return not bare or is_sample(bare) or bool(_TEMPLATE.fullmatch(bare)) or _is_of_known_words(bare)


def is_known_word(word: str) -> bool:
    """True of a word that names a secret, its kind or its form, such as `Hmac` or `token`."""
    return word.casefold() in _WORDS


def is_sample(value: str) -> bool:
    """True of a value that is masked, cut short, says that it is an example, or comes from a specification."""
    if _MASK.search(value) or _says_so(value) or value.lower() in _PUBLISHED_UUIDS:
        return True
    signs = [character for character in value.casefold() if character.isalnum()]
    if len(set(signs)) <= 2 or _is_row_of_sequences(value):
        return True
    return hashlib.sha256(value.encode("utf-8", "replace")).hexdigest()[:16] in _PUBLISHED


def _says_so(value: str) -> bool:
    """`EXAMPLE`, `changeMe`, `your_key`: in the mixed case of a random value the same letters say nothing."""
    return any(
        word.islower() or word.isupper() or re.fullmatch("[A-Z]?[a-z]+(?:[_-]?[A-Z]?[a-z]+)*[_-]?", word)
        for word in _SAID.findall(value)
    )


def _is_row_of_sequences(value: str) -> bool:
    """`12345678`, `abc123def456`, `0123456789abcdef`: every run goes up or down one by one."""
    runs = _RUN.findall(value)
    if not runs or any(
        character.isascii() and not character.isalnum() and character not in "-_" for character in value
    ):
        return False
    return all(len(run) > 1 and _is_sequence(run) for run in runs) or _is_sequence("".join(runs))


def _is_sequence(run: str) -> bool:
    folded = run.casefold()
    return len(folded) > 1 and (len(set(folded)) == 1 or any(folded in sequence for sequence in _SEQUENCES))


def _is_of_known_words(value: str) -> bool:
    if not _OF_WORDS.fullmatch(value):
        return False
    runs = _RUN.findall(value)
    return bool(runs) and all(_is_number(run) if run.isdigit() else _is_known(run) for run in runs)


def _is_number(run: str) -> bool:
    return len(run) <= _LONGEST_NUMBER or _is_sequence(run)


def _is_known(run: str) -> bool:
    if run.casefold() in _WORDS or (len(run) > 2 and _is_sequence(run)):
        return True
    pieces = [piece.casefold() for piece in _CAMEL.findall(run)]
    return len(pieces) > 1 and (_is_name_of_one(pieces) or all(piece in _WORDS for piece in pieces))


def _is_name_of_one(pieces: list[str]) -> bool:
    """`PasswordPolicyV`, `accessTokenProvider`: words of which one is a word for a secret."""
    return not _NAMED_AFTER.isdisjoint(pieces) and all(len(piece) > 2 for piece in pieces[:-1])
