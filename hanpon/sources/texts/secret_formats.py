"""Secrets that show by their form alone, whatever stands around them."""

import base64
import binascii
import re
from collections.abc import Iterator

from hanpon.sources.texts.secret_placeholders import is_placeholder, is_sample

Found = tuple[str, int]
"""A kind of secret, and the offset at which it stands."""

_SIGNS = r"[A-Za-z0-9_-]"
_START = r"(?<![A-Za-z0-9_])"

_FORMATS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("aws-access-key", r"(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])"),
        ("github-token", _START + r"gh[pousr]_[A-Za-z0-9]{36}"),
        ("github-token", _START + r"github_pat_[A-Za-z0-9_]{82}"),
        ("gitlab-token", _START + r"gl(?:pat|dt|ft|soat|rt|ptt|agent|oas|imt|cbt)-[A-Za-z0-9_-]{20}"),
        ("google-api-key", _START + r"AIza[A-Za-z0-9_-]{35}"),
        ("google-oauth-secret", _START + r"GOCSPX-[A-Za-z0-9_-]{28}"),
        ("google-oauth-token", _START + r"ya29\.[A-Za-z0-9_-]{30}"),
        ("slack-token", _START + r"xox[a-z](?:\.xox[a-z])?-[0-9]{8,14}-[A-Za-z0-9-]{18,}"),
        ("slack-token", _START + r"(?i:xapp-[0-9]-[a-z0-9]{1,20}-[0-9]{1,20}-[a-z0-9]{8,})"),
        ("slack-webhook", r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{40}"),
        ("stripe-key", _START + r"[sr]k_(?:test|live|prod)_[A-Za-z0-9]{10}[A-Za-z0-9]{0,89}"),
        ("stripe-key", _START + r"whsec_[A-Za-z0-9+/]{24}"),
        ("openai-key", _START + r"sk-(?:(?:proj|svcacct|admin)-)?[A-Za-z0-9_-]{20,74}T3BlbkFJ[A-Za-z0-9_-]{20}"),
        ("anthropic-key", _START + r"sk-ant-[a-z]{2,10}[0-9]{2}-[A-Za-z0-9_-]{80}"),
        ("sendgrid-token", _START + r"SG\.[A-Za-z0-9=_.-]{66}"),
        ("package-upload-token", _START + r"pypi-Ag[A-Za-z0-9_-]{60}"),
        ("npm-token", _START + r"npm_[A-Za-z0-9]{36}"),
        (
            "azure-key",
            r"(?:AccountKey|SharedAccessKey|SharedSecret)\s?=\s?[A-Za-z0-9+/]{40}[A-Za-z0-9+/]{0,60}={0,2}",
        ),
        ("azure-key", r"[?&]sig=[A-Za-z0-9%+/]{40}[A-Za-z0-9%+/=]{0,40}"),
        ("discord-token", r"(?<![A-Za-z0-9])[MNO][A-Za-z\d_-]{23,25}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27}"),
        ("telegram-token", r"(?<![0-9A-Za-z])[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"),
        ("twilio-key", _START + r"SK[0-9a-f]{32}(?![0-9a-f])"),
        ("mailchimp-key", r"(?<![0-9a-z])[0-9a-f]{32}-us[0-9]{1,2}(?![0-9a-z])"),
        ("square-token", _START + r"sq0[a-z]{3}-[A-Za-z0-9_-]{22}"),
        ("shop-token", _START + r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}"),
        ("cloud-token", _START + r"do[opr]_v1_[a-f0-9]{64}"),
        ("cloud-token", _START + r"(?:hvs|hvb)\.[A-Za-z0-9_-]{24}"),
        ("cloud-token", _START + r"hf_[A-Za-z]{34}"),
        ("cloud-token", _START + r"dapi[a-f0-9]{32}"),
        ("cloud-token", _START + r"dckr_pat_[A-Za-z0-9_-]{27}"),
        ("cloud-token", _START + r"ATATT3[A-Za-z0-9_=-]{40}"),
        ("cloud-token", _START + r"NRAK-[A-Z0-9]{27}"),
        ("cloud-token", _START + r"lin_api_[A-Za-z0-9]{40}"),
        ("password-hash", r"\$2[abxy]?\$[0-9]{2}\$[./A-Za-z0-9]{53}"),
        ("password-hash", r"\$(?:1|5|6|apr1|y|argon2(?:id|i|d))\$[./A-Za-z0-9=,$]{1,60}\$[./A-Za-z0-9+]{20}"),
    )
)

_CUT = re.compile(
    r"(?<![A-Za-z0-9_])((?:A3T|A[BKS]IA|ACCA|AIza|ATATT3|GOCSPX-|NRAK-|SG\.|SK|dapi|dckr_|do[opr]_|gh[pousr]_|github_pat_"
    r"|gl[a-z]{2,5}-|hf_|hv[sb]\.|lin_api_|npm_|pypi-|[rs]k_|shp|sk-|sq0|whsec_|xapp-|xox|ya29\.)"
    r"[A-Za-z0-9_.=-]{0,150}+)\n[ \t>]{0,20}(?=[A-Za-z0-9_.=-])"
)
"""What may be the beginning of a secret, at the end of a line that goes on in the next one."""

_LONGEST_REST = 150
_TOKEN = re.compile(r"(?<![A-Za-z0-9_-])(ey[A-Za-z0-9_-]{10,4000})\.(ey[A-Za-z0-9_-]{10,8000})\.([A-Za-z0-9_-]{10})")
_SAMPLE_CLAIMS = (b"John Doe", b"example", b"1234567890")
_KEY = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-[0-9]")
_KEY_IN_BASE64 = re.compile(
    r"LS0tLS1CRUdJTi(?:BQUklWQVRF|BSU0EgUFJJ|BFQyBQUklW|BPUEVOU1NI|BFTkNSWVBU)[A-Za-z0-9+/]{40}"
)
_SHORTEST_KEY_BODY, _SHORTEST_KEY_LINE = 64, 16


def formats_in(text: str) -> Iterator[Found]:
    """Every secret of a known format, with the offset at which it begins; samples of documentation are left out."""
    for kind, pattern in _FORMATS:
        for found in pattern.finditer(text):
            if not is_sample(found.group()):
                yield kind, found.start()
    yield from _cut_by_a_line_break(text)
    for found in _TOKEN.finditer(text):
        if not _holds_sample_claims(found[2]):
            yield "signed-token", found.start()
    for found in _KEY.finditer(text):
        if _has_key_body(text, found.end()):
            yield "private-key", found.start()
    for found in _KEY_IN_BASE64.finditer(text):
        yield "private-key", found.start()


def _cut_by_a_line_break(text: str) -> Iterator[Found]:
    """Secrets whose end stands in the next line, as in mails and terminals that wrap."""
    for cut in _CUT.finditer(text):
        joined = cut[1] + text[cut.end() : cut.end() + _LONGEST_REST]
        for kind, pattern in _FORMATS:
            found = pattern.match(joined)
            if found and found.end() > len(cut[1]) and not is_sample(found.group()):
                yield kind, cut.start()


def _holds_sample_claims(payload: str) -> bool:
    try:
        claims = base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))
    except (binascii.Error, ValueError):
        return False
    return any(sample in claims for sample in _SAMPLE_CLAIMS)


_NOT_OF_A_KEY = re.compile(r"\\[nrt]|[^A-Za-z0-9+/=]+")
_LINE_OF_KEY = re.compile(rf"[A-Za-z0-9+/=\s]{{{_SHORTEST_KEY_LINE},200}}")
_HEADERS = re.compile(r"[A-Za-z][A-Za-z0-9-]{1,30}: ?[^\n\\]{0,100}")


def _has_key_body(text: str, start: int) -> bool:
    """Whether base64 stands behind a key's first line, its wrapping and its headers (RFC 1421) left out.

    Much of it, or one line of it alone that is no word.
    """
    body = _HEADERS.sub("", text[start : start + 1500].partition("-----")[0])
    if len(_NOT_OF_A_KEY.sub("", body)) >= _SHORTEST_KEY_BODY:
        return True
    alone = body.replace("\\n", "\n").replace("\\r", "").strip(" \t\r\n\"'>|")
    return bool(_LINE_OF_KEY.fullmatch(alone)) and any(map(str.isdigit, alone)) and not is_placeholder(alone)
