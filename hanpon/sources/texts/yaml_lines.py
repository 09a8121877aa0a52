"""Where values stand in a YAML text: a second pass, made only when something is reported."""

from collections.abc import Callable, Iterable
from typing import Any

import yaml

from hanpon.sources.texts.wanted_lines import Branch, WantedLines
from hanpon.sources.texts.yaml_events import events

_STARTS = (yaml.MappingStartEvent, yaml.SequenceStartEvent)
_ENDS = (yaml.MappingEndEvent, yaml.SequenceEndEvent)


def yaml_lines(text: str, pointers: Iterable[str]) -> dict[str, int]:
    """The 1-based line of each pointer, or of its nearest ancestor in the text; of a repeated key, the first."""
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
