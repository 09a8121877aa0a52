"""Of the branches of a `oneOf` or `anyOf` that all failed, what the author most likely meant."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from jsonschema_rs import ValidationError

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """An error of the validator, or what several of them come to. `keyword` is the name of its kind."""

    keyword: str
    facts: dict[str, Any]
    instance: Any
    path: Path
    schema_path: Path
    branches: tuple[tuple["Fault", ...], ...] = ()

    @classmethod
    def of(cls, error: ValidationError) -> "Fault":
        facts = error.kind.as_dict()
        context = facts.pop("context", ())
        return cls(
            keyword=type(error.kind).__name__,
            facts=facts,
            instance=error.instance,
            path=tuple(error.instance_path),
            schema_path=tuple(error.schema_path),
            branches=tuple(tuple(map(cls.of, branch)) for branch in context),
        )

    @property
    def is_choice(self) -> bool:
        return self.keyword in {"OneOfNotValid", "AnyOf"} and any(self.branches)


def telling(fault: Fault) -> Iterator[Fault]:
    """The faults that say what is wrong: those of the likeliest branch, in depth; else the fault itself."""
    if not fault.is_choice:
        yield fault
        return
    branches = _without_references(fault)
    if len(branches) == 1:
        yield from _all_of(branches[0])
        return
    for selector in ("type", "flow") if any("ecurity" in str(step) for step in fault.schema_path) else ("in",):
        selections = [_selection(branch, (*fault.path, selector)) for branch in branches]
        if None not in selections:
            yield from _merged([selection for selection in selections if selection is not None], "options")
            return
        branches = [branch for branch, other in zip(branches, selections, strict=True) if other is None]
    yield from _likeliest(fault, branches)


def _likeliest(fault: Fault, branches: list[tuple[Fault, ...]]) -> Iterator[Fault]:
    """Of branches that are for the author's value of `in` or `type`, the one that goes deepest."""
    typed = [branch for branch in branches if not any(_is_of_another_type(inner, fault) for inner in branch)]
    if not typed:
        others = [inner for branch in branches for inner in branch if _is_of_another_type(inner, fault)]
        yield from _merged(others, "types")
    elif len(typed) > 1 and all(len(branch) == 1 and branch[0].path == fault.path for branch in typed):
        yield replace(fault, branches=tuple(typed))
    else:
        yield from _all_of(max(typed, key=_weight))


def _all_of(branch: tuple[Fault, ...]) -> Iterator[Fault]:
    for inner in branch:
        # what lacks a key may well fit several forms: the lacking key is the fault
        if len(branch) == 1 or inner.keyword != "OneOfMultipleValid":
            yield from telling(inner)


def _without_references(fault: Fault) -> list[tuple[Fault, ...]]:
    """Without the branch for a reference, unless the author wrote one."""
    branches = [branch for branch in fault.branches if branch]
    if isinstance(fault.instance, dict) and "$ref" in fault.instance:
        return branches
    return [branch for branch in branches if not any(_wants_reference(inner) for inner in branch)] or branches


def _wants_reference(inner: Fault) -> bool:
    return inner.keyword == "Required" and inner.facts["property"] == "$ref"


def _selection(branch: tuple[Fault, ...], path: Path) -> Fault | None:
    """The fault by which a branch is for another value at `path` (of `in`, of `type`) than the author's, if it is."""
    for inner in branch:
        if inner.keyword in {"Enum", "Constant"} and inner.path == path:
            return inner
        if inner.is_choice and inner.path == path[:-1]:
            nested = [_selection(other, path) for other in _without_references(inner)]
            found = [selection for selection in nested if selection is not None]
            if len(found) == len(nested):
                return next(_merged(found, "options"))
    return None


def _is_of_another_type(inner: Fault, fault: Fault) -> bool:
    return inner.keyword == "Type" and inner.path == fault.path


def _merged(faults: list[Fault], listing: str) -> Iterator[Fault]:
    """One fault for several at one place that differ only in what they would allow."""
    allowed: dict[str, Any] = {}
    for fault in faults:
        for value in fault.facts.get(listing, [fault.facts.get("expected_value")]):
            allowed.setdefault(str(value), value)
    keyword = "Enum" if listing == "options" else "Type"
    yield replace(faults[0], keyword=keyword, facts={listing: list(allowed.values())}, branches=())


def _weight(branch: tuple[Fault, ...]) -> tuple[int, int]:
    return max(len(inner.path) for inner in branch), -len(branch)
