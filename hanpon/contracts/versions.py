"""The order of versions, from their text alone.

A version's rank is an integer that orders the versions of one item: numbers are compared as numbers, a
pre-release stands before its release (SemVer 2.0.0 §11, PEP 440), what a version is called after `+` says nothing
about order (SemVer §10). `v1` and `1` and `1.0` rank alike.
"""

import re

RANK_BITS = 53
"""A rank is below 2**53: exact in a JSON number and in the doubles of protocol buffers' Struct."""

_PART = re.compile(r"(\d+)|([A-Za-z]+)")
_STAGES = {
    "dev": 0, "snapshot": 0, "nightly": 0,
    "a": 1, "alpha": 1,
    "b": 2, "beta": 2,
    "m": 3, "milestone": 3, "preview": 3, "pre": 3,
    "c": 4, "rc": 4, "cr": 4,
}  # fmt: skip
_OTHER_STAGE = 5
_AFTER = frozenset({"post", "patch", "sp", "rev", "r", "p"})
_RELEASE = frozenset({"final", "ga", "release", "stable"})

_BEFORE_CODE, _END_CODE, _AFTER_CODE, _NUMBER_CODE = 0, 1, 2, 3
_LONGEST = 28
"""Bits of the largest number that is told apart (a date such as 20261231 fits); larger ones rank alike."""


def version_rank(version: str) -> int:
    """The rank of a version: 0 for a text without a number, else below 2**53.

    The encoding is a string of bits that sorts as the versions do: each number is 5 bits for its length and then
    its bits without the leading one, shorter numbers first; 5 bits more say how the numbers end (in a
    pre-release, in the release itself, in a post-release), a pre-release adds 3 bits for its stage and its
    number. The string is cut, or filled up with zeros, to 53 bits. So two versions of which one is older never
    rank the other way round, and rank alike only where they differ past the cut (about six small numbers, or a
    date and two), where a number has more than 28 bits, or in a word that is no known stage. Words in front
    (`ghes-3.17`, `release/2`) are left out. A number after a hyphen counts as a further number (`2025-08-06`,
    `1.0-1`), though SemVer would call `1.0.0-1` a pre-release.
    """
    parts = _PART.findall(version.partition("+")[0])
    first = next((index for index, (digits, _) in enumerate(parts) if digits), None)
    if first is None:
        return 0
    numbers: list[int] = []
    for digits, _ in parts[first:]:
        if not digits:
            break
        numbers.append(_bounded(digits))
    rest = parts[first + len(numbers) :]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    bits = "".join(map(_number, numbers)) + _ending(rest)
    return int(bits[:RANK_BITS].ljust(RANK_BITS, "0"), 2)


def _bounded(digits: str) -> int:
    significant = digits.lstrip("0")
    largest = (1 << _LONGEST) - 1
    return largest if len(significant) > 9 else min(int(significant or "0"), largest)


def _number(value: int) -> str:
    length = value.bit_length()
    return f"{_NUMBER_CODE + length:05b}" + f"{value:b}"[1:] * bool(length)


def _ending(rest: list[tuple[str, str]]) -> str:
    """Bits for what follows the numbers."""
    words = [(word.lower(), digits) for digits, word in rest]
    word = words[0][0] if words else ""
    if not word or word in _RELEASE:
        return f"{_END_CODE:05b}"
    number = _number(_bounded(words[1][1])) if len(words) > 1 and words[1][1] else _number(0)
    if word in _AFTER:
        return f"{_AFTER_CODE:05b}" + number
    return f"{_BEFORE_CODE:05b}{_STAGES.get(word, _OTHER_STAGE):03b}" + number
