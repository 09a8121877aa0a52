"""What a file or an answer holds for: an API or component and its version, or `COMMON` and `ALL` for every one."""

import unicodedata
from dataclasses import dataclass

from hanpon.contracts.editions import EVERY_API, EVERY_VERSION, LONGEST_NAME, is_version

_MARKS = frozenset("._-")


@dataclass(frozen=True, slots=True)
class HoldingProblem:
    """Which rule is broken, and a sentence that quotes nothing: the file may be one that holds secrets."""

    rule: str
    message: str


def holding_problem(api: str, version: str) -> HoldingProblem | None:
    """What is wrong with a pair, by the rules of hanpon.yaml for `api` and `api_version`; None if nothing is."""
    if not _is_name(api):
        message = (
            "Expected the name of an API or component (letters, digits, `-`, `_`, `.`, in Unicode NFC) or COMMON."
        )
        return HoldingProblem("bad-name", message)
    if not is_version(version):
        message = "Expected a version of ASCII letters, digits and `. _ + -`, 40 characters at most, or ALL."
        return HoldingProblem("bad-version", message)
    if _is_reserved(api, EVERY_API) or _is_reserved(version, EVERY_VERSION):
        message = "COMMON and ALL are reserved: write `COMMON` for every API, `ALL` for every version, or name one."
        return HoldingProblem("reserved-name", message)
    if api == EVERY_API and version != EVERY_VERSION:
        message = "Expected ALL beside COMMON, found one version; name the API that this version is of."
        return HoldingProblem("common-with-version", message)
    return None


def _is_reserved(value: str, allowed: str) -> bool:
    return value != allowed and unicodedata.normalize("NFKC", value).upper() in {EVERY_API, EVERY_VERSION}


def _is_name(text: str) -> bool:
    """As `name` in `schemas/bundle.schema.json`: categories L and Nd, `_` anywhere, `.` and `-` behind the first."""
    if not text or text[0] in ".-" or len(text.encode("utf-8", "replace")) > LONGEST_NAME:
        return False
    return all(sign in _MARKS or unicodedata.category(sign)[0] == "L" or sign.isdecimal() for sign in text) and (
        unicodedata.is_normalized("NFC", text)
    )
