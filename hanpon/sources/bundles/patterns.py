"""Patterns of bundle-relative paths: `*` and `?` within one name, `**` for any number of folders.

Matching is by case and takes linear time for each name, whatever the pattern. A name that begins with a dot is met
only by a step that does too, as in a shell. Brackets are plain characters, for folders such as `[id]`. Kept
libraries were weighed: `PurePath.full_match` is there from Python 3.13 on only; wcmatch reads brackets, braces and
backslashes as well, and translates to regular expressions that a pattern of many stars makes very slow.
"""

import sys
from bisect import bisect_left
from collections.abc import Sequence
from fnmatch import fnmatchcase
from itertools import takewhile


def is_pattern(path: str) -> bool:
    """True where the text can stand for several paths."""
    return "*" in path or "?" in path


def fixed_part(pattern: str) -> str:
    """The folders, and at the end perhaps the file, with which all begins that a pattern stands for."""
    return "/".join(takewhile(lambda step: not is_pattern(step), pattern.split("/")))


def candidates(paths: Sequence[str], pattern: str) -> Sequence[str]:
    """Of a sorted sequence the paths that are worth comparing: those that begin as the pattern does."""
    fixed = fixed_part(pattern)
    return paths[bisect_left(paths, fixed) : bisect_left(paths, fixed + chr(sys.maxunicode))]


def select(paths: Sequence[str], pattern: str) -> list[str]:
    """The paths of a sorted sequence that fit, in its order."""
    steps = pattern.split("/")
    return [path for path in candidates(paths, pattern) if len(steps) in _reached(path.split("/"), steps)]


def select_on_the_way(paths: Sequence[str], pattern: str) -> list[str]:
    """The paths that fit, or below which something could fit if they were folders."""
    steps = pattern.split("/")
    return [path for path in paths if _reached(path.split("/"), steps)]


def select_above(paths: Sequence[str], pattern: str) -> list[str]:
    """The paths below which something could fit if they were folders."""
    steps = pattern.split("/")
    return [path for path in paths if any(used < len(steps) for used in _reached(path.split("/"), steps))]


def _reached(names: Sequence[str], steps: Sequence[str]) -> set[int]:
    """How many steps can be used up by the names; all of them where the names fit. Empty where they cannot."""
    states = _with_skipped({0}, steps)
    for name in names:
        after = {
            state + (steps[state] != "**") for state in states if state < len(steps) and _fits(name, steps[state])
        }
        states = _with_skipped(after, steps)
        if not states:
            break
    return states


def _with_skipped(states: set[int], steps: Sequence[str]) -> set[int]:
    """`**` may also stand for no folder at all."""
    reached = set(states)
    for state in states:
        following = state
        while following < len(steps) and steps[following] == "**":
            following += 1
            reached.add(following)
    return reached


def _fits(name: str, step: str) -> bool:
    if name.startswith(".") and not step.startswith("."):
        return False
    return step == "**" or fnmatchcase(name, step.replace("[", "[[]"))
