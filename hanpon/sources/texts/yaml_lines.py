"""Where values stand in a YAML text: a second pass, made only when something is reported."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import yaml

from hanpon.contracts.pointers import steps_of
from hanpon.sources.texts.wanted_lines import Branch, WantedLines
from hanpon.sources.texts.yaml_events import events

_STARTS = (yaml.MappingStartEvent, yaml.SequenceStartEvent)
_ENDS = (yaml.MappingEndEvent, yaml.SequenceEndEvent)


def yaml_lines(text: str, pointers: Iterable[str], outline: Mapping[str, int] | None = None) -> dict[str, int]:
    """The 1-based line of each pointer, or of its nearest ancestor in the text; of a repeated key, the first.

    Where an `outline` has the lines of all keys of mappings down to some depth, most deeper places are found in the
    few lines that stand between two of them; the whole text is looked through for the others alone.
    """
    known = outline or {}
    wanted = list(pointers)
    found = {pointer: known[pointer] for pointer in wanted if pointer in known}
    deeper = [pointer for pointer in wanted if pointer not in found]
    # libyaml ends lines at a carriage return, which is not looked for here
    if deeper and known and "\r" not in text:
        found |= _between_known_lines(text, deeper, known)
    missing = [pointer for pointer in wanted if pointer not in found]
    return {**found, **_in_whole(text, missing)} if missing else found


def _in_whole(text: str, pointers: Iterable[str]) -> dict[str, int]:
    wanted = WantedLines(pointers)
    next_event = events(text)
    try:
        while (event := next_event()) is not None:
            if isinstance(event, yaml.NodeEvent):
                _see(wanted.root, event)
                _look(event, wanted.root, next_event)
                break  # one document is all there is
    except yaml.YAMLError:
        pass  # whatever stands before the fault is located
    return wanted.lines()


def _between_known_lines(text: str, pointers: Iterable[str], outline: Mapping[str, int]) -> dict[str, int]:
    """Those of the pointers that stand below a key which has a line of its own, and nothing in the outline below."""
    keys = sorted(outline, key=outline.__getitem__)
    lines = [outline[key] for key in keys]
    below: dict[str, list[str]] = {}
    for pointer in pointers:
        below.setdefault(_deepest_known(pointer, outline), []).append(pointer)
    rows = text.split("\n")
    found: dict[str, int] = {}
    for key, wanted in below.items():
        first = outline.get(key, 0)
        at = bisect_left(lines, first)
        following = keys[at + 1] if at + 1 < len(keys) else ""
        if first and keys[at] == key and outline.get(following) != first and not following.startswith(f"{key}/"):
            stretch = rows[first - 1 : outline[following] - 1 if following else None]
            found |= _in_stretch("\n".join(stretch), key, wanted, first - 1)
    return found


def _deepest_known(pointer: str, outline: Mapping[str, int]) -> str:
    while pointer and pointer not in outline:
        pointer = pointer.rpartition("/")[0]
    return pointer


def _in_stretch(stretch: str, key: str, pointers: list[str], above: int) -> dict[str, int]:
    """Places below a key whose entry the lines of a stretch begin with; {} where they are not just that."""
    wanted = WantedLines(pointer.removeprefix(key) for pointer in pointers)
    next_event = events(stretch)
    try:
        start = [next_event() for _ in range(4)][2:]  # the first two begin stream and document
        if type(start[0]) is not yaml.MappingStartEvent or getattr(start[1], "value", None) != steps_of(key)[-1]:
            return {}
        _see(wanted.root, start[1])
        _look(next_event(), wanted.root, next_event)
    except yaml.YAMLError:
        return {}
    return {key + pointer: above + line for pointer, line in wanted.seen().items()}


def _look(event: Any, branch: Branch, next_event: Callable[[], Any]) -> None:
    """Look through the value that begins with an event, down where something is wanted, and past its end."""
    kind = type(event)
    if kind not in _STARTS:
        return
    if not branch.branches:
        _skip(next_event)
        return
    index = 0
    while type(event := next_event()) not in _ENDS:
        step = str(index)
        start = event
        if kind is yaml.MappingStartEvent:
            step = getattr(event, "value", "")
            _look(event, _NOWHERE, next_event)  # a key that is a collection
            event = next_event()
        inner = branch.branches.get(step)
        if inner is not None:
            _see(inner, start)
        _look(event, inner or _NOWHERE, next_event)
        index += 1


def _skip(next_event: Callable[[], Any]) -> None:
    depth = 1
    while depth:
        kind = type(next_event())
        if kind in _STARTS:
            depth += 1
        elif kind in _ENDS:
            depth -= 1


def _see(branch: Branch, event: Any) -> None:
    branch.line = branch.line or event.start_mark.line + 1


_NOWHERE = Branch()
