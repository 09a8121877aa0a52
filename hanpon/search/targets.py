"""Filters that hanpon writes itself: for the versions that a project uses, for what still stands.

A target is an edition as people write it, `customer@v1`.
"""

import unicodedata
from collections.abc import Iterable, Sequence

from hanpon.contracts.editions import EVERY_API, EVERY_VERSION, Edition, Kind
from hanpon.contracts.errors import UsageError
from hanpon.contracts.filters import AnyOf, Filter
from hanpon.search.filter_problems import shown
from hanpon.search.filter_trees import all_of, any_of


def default_filter() -> Filter:
    """Everything but superseded answers: what is searched where neither a filter nor a target is given."""
    return AnyOf("superseded", ("false",))


def target_filter(targets: Sequence[str]) -> Filter:
    """What is of the targets, and what holds for every API and version; nothing superseded.

    One target also finds what holds for every version of its API. Several do not: their names and versions stay
    pairs, or versions of one would leak into another (docs/decisions/search.md, "Targets"). Repeated targets count
    once. Raises UsageError for what is no target, and where there is none.
    """
    editions = names_and_versions(targets)
    if not editions:
        raise UsageError("Expected at least one target such as `customer@v1`, found none.")
    if len(editions) == 1:
        (name, version), *_ = editions
        names, versions = (name, EVERY_API), (version, EVERY_VERSION)
        return all_of([AnyOf("api", names), AnyOf("api_version", versions), default_filter()])
    pairs = [*editions, (EVERY_API, EVERY_VERSION)]
    return all_of([any_of([_pair(name, version) for name, version in pairs]), default_filter()])


def names_and_versions(targets: Iterable[str]) -> list[tuple[str, str]]:
    """The name and version of each target, in their order, each once. Raises UsageError for what is no target."""
    return list(dict.fromkeys(map(_name_and_version, targets)))


def _pair(name: str, version: str) -> Filter:
    return all_of([AnyOf("api", (name,)), AnyOf("api_version", (version,))])


def _name_and_version(target: str) -> tuple[str, str]:
    name, _, version = unicodedata.normalize("NFC", target).partition("@")
    if not name or not version:
        raise UsageError(f"Expected a target as NAME@VERSION, such as `customer@v1`, found {shown(target)}.")
    if name.upper() == EVERY_API or version.upper() == EVERY_VERSION:
        every = EVERY_API if name.upper() == EVERY_API else EVERY_VERSION
        words = f"What holds for {every} is searched with every target; name an API and one of its versions."
        raise UsageError(f"{shown(target)} is no target. {words}")
    try:
        Edition(Kind.API, name, version)
    except ValueError:
        words = "a name has letters and digits, `-`, `_` and `.`, a version ASCII alone and also `+`: `customer@v1`."
        raise UsageError(f"{shown(target)} is no target: {words}") from None
    return name, version
