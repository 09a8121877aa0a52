"""From YAML events to a value, with every limit kept while it grows."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import yaml

from hanpon.contracts.definitions import MAX_DEPTH, MAX_NODES
from hanpon.contracts.findings import Finding, Place
from hanpon.contracts.pointers import pointer_of
from hanpon.sources.texts.text_problems import MOST_PROBLEMS, problem, shown, too_deep, too_many_values
from hanpon.sources.texts.yaml_scalars import plain_scalar, tagged_scalar

_CORE_CONTAINERS = (None, "!", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")
_OUTLINE_DEPTH = 3


class Stopped(Exception):
    """Nothing sound can be read beyond the last problem."""


class Building:
    """Takes events one by one. `box` is the open container, `key` the key that waits for its value.

    After the last event `document` is the value; it is of use only where `problems` is empty.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Finding] = []
        self.document: Any = None
        self.documents = 0
        self.box: Any = None
        self.keyed = False
        self.key: str | None = None
        self.merging = False
        self.outer: list[tuple[Any, bool, str | int | None, str | None, int]] = []
        self.count = 0
        self.scalars: dict[str, Any] = {}
        self.keys: dict[str, str] = {}
        self.anchors: dict[str, tuple[Any, int, str | None]] = {}
        self.heights: dict[int, tuple[Any, int]] = {}
        self.merges: dict[int, list[Any]] = {}
        self.outline: dict[str, int] = {}
        """The line of each key in the upper levels by pointer: most of what is reported stands there."""

    def document_start(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            self.stop("second-document", event, "A second YAML document starts here; a file holds one.")

    def scalar(self, event: Any) -> None:
        text = event.value
        if self.keyed and self.key is None:
            self.take_key(text, event)
            return
        self.count += 1
        value = self.value_of(event)
        if event.anchor is not None:
            self.anchors[event.anchor] = (value, 1, text)
        self.place(value)

    def value_of(self, event: Any) -> Any:
        """What a scalar says; None, with a problem, where its tag does not fit."""
        text = event.value
        if event.tag is None:
            if not event.implicit[0]:
                return text
            try:
                return self.scalars[text]
            except KeyError:
                return self.scalars.setdefault(text, plain_scalar(text))
        try:
            return tagged_scalar(event.tag, text)
        except ValueError:
            self.bad_tag(event)
            return None

    def bad_tag(self, event: Any) -> None:
        self.report("yaml-tag", event, f"The tag {shown(event.tag)} is unknown or does not fit the value.")

    def take_key(self, text: str, event: Any) -> None:
        if self.merging:
            self.stop("yaml-merge", event, "`<<` merges mappings, and its value here is none; quote a plain key.")
        if text == "<<" and event.tag is None and event.implicit[0]:
            if id(self.box) in self.merges:
                self.report("duplicate-key", event, "`<<` stands twice in one mapping; write `<<: [*one, *other]`.")
            self.merging = True
            return
        value = self.value_of(event)  # its tag is judged, though a key is text as written
        if event.anchor is not None:
            self.anchors[event.anchor] = (value, 1, text)
        self.set_key(text, event)

    def set_key(self, text: str, event: Any) -> None:
        # keys repeat by thousands: one object for each spelling halves the memory
        self.key = self.keys.setdefault(text, text)
        if text in self.box:
            self.report("duplicate-key", event, f"The key {shown(text)} stands here a second time.")
        elif len(self.outer) <= _OUTLINE_DEPTH:
            place = self.here(event)
            self.outline[place.pointer] = place.line

    def place(self, value: Any) -> None:
        if self.key is not None:
            self.box[self.key] = value
            self.key = None
        elif self.merging:
            self.merges.setdefault(id(self.box), []).append(value)
            self.merging = False
        elif self.box is None:
            self.document = value
        else:
            self.box.append(value)

    def start(self, event: Any) -> None:
        mapping = type(event) is yaml.MappingStartEvent
        if event.tag is not None and event.tag not in _CORE_CONTAINERS:
            self.bad_tag(event)
        if self.keyed and self.key is None and not self.merging:
            self.stop("key-not-text", event, "A mapping or list stands as a key; keys are text.")
        if len(self.outer) >= MAX_DEPTH:
            self.problems.append(too_deep(self.here(event)))
            raise Stopped
        step = self.key if self.keyed else len(self.box or ())
        value: Any = {} if mapping else []
        self.place(value)
        if event.anchor is not None:
            self.anchors.pop(event.anchor, None)
        self.outer.append((self.box, self.keyed, step, event.anchor, self.count))
        self.count += 1
        self.box, self.keyed = value, mapping

    def end(self, event: Any) -> None:
        value = self.box
        if self.merges and id(value) in self.merges:
            self.merge(value, self.merges.pop(id(value)), event)
        self.box, self.keyed, _, anchor, before = self.outer.pop()
        if anchor is not None:
            self.anchors[anchor] = (value, self.count - before, None)
        if self.count > MAX_NODES:
            self.problems.append(too_many_values(Place(self.file)))
            raise Stopped

    def alias(self, event: Any) -> None:
        if any(anchor == event.anchor for *_, anchor, _ in self.outer):
            self.stop(
                "alias-to-itself", event, f"The alias {shown('*' + event.anchor)} stands inside its own anchor."
            )
        if event.anchor not in self.anchors:
            self.stop("yaml-syntax", event, f"The alias {shown('*' + event.anchor)} has no anchor before it.")
        value, size, text = self.anchors[event.anchor]
        if self.keyed and self.key is None and not self.merging:
            if text is None:
                self.stop("key-not-text", event, "A mapping or list stands as a key; keys are text.")
            self.set_key(str(text), event)
            return
        self.count += size
        if self.count > MAX_NODES:
            self.problems.append(too_many_values(self.here(event)))
            raise Stopped
        if len(self.outer) + self.height(value) > MAX_DEPTH:
            self.problems.append(too_deep(self.here(event)))
            raise Stopped
        self.place(value)

    def height(self, value: Any) -> int:
        """Levels of containers from a finished value downwards, itself counted."""
        if not isinstance(value, (dict, list)):
            return 0
        known = self.heights.get(id(value))
        if known is None:
            members = value.values() if isinstance(value, dict) else value
            known = (value, 1 + max(map(self.height, members), default=0))
            self.heights[id(value)] = known  # with the value itself, so that no other object takes its id
        return known[1]

    def merge(self, box: dict[str, Any], parts: list[Any], event: Any) -> None:
        sources = [source for part in parts for source in (part if isinstance(part, list) else [part])]
        if not all(isinstance(source, dict) for source in sources):
            self.report("yaml-merge", event, "`<<` merges mappings, and its value here is none; quote a plain key.")
            return
        own = dict(box)
        box.clear()
        for source in reversed(sources):
            box.update(source)
        box.update(own)

    def here(self, event: Any) -> Place:
        steps: list[str | int] = ["<<" if step is None else step for _, _, step, _, _ in self.outer[1:]]
        if self.keyed and self.key is not None:
            steps.append(self.key)
        elif self.box is not None and not self.keyed:
            steps.append(len(self.box))
        return Place(self.file, pointer_of(steps), event.start_mark.line + 1)

    def report(self, rule: str, event: Any, message: str) -> None:
        self.problems.append(problem(rule, self.here(event), message))
        if len(self.problems) >= MOST_PROBLEMS:
            raise Stopped

    def stop(self, rule: str, event: Any, message: str) -> None:
        self.report(rule, event, message)
        raise Stopped

    def worded(self, lines: Callable[[Iterable[str]], Mapping[str, int]]) -> list[Finding]:
        """The problems, where a repeated key also names the line of the first."""
        repeated = [found.where.pointer for found in self.problems if found.rule == "duplicate-key"]
        first = lines(repeated) if repeated else {}
        return [
            problem(
                found.rule, found.where, f"{found.message[:-1]}; the first is in line {first[found.where.pointer]}."
            )
            if found.rule == "duplicate-key" and found.where.pointer in first
            else found
            for found in self.problems
        ]
