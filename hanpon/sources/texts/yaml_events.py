"""libyaml's events, as YAML 1.2 has them."""

from collections.abc import Callable
from itertools import islice
from typing import Any

import yaml

_OLD_BREAKS = "\x85\u2028\u2029"
"""Line breaks in YAML 1.1 alone (YAML 1.2.2, section 5.4): libyaml ends a line at them, and a text with it."""

_PRIVATE = range(0x100000, 0x10FFFE)


def events(text: str) -> Callable[[], Any]:
    """What gives the next event of a text each time it is called, None after the last; it raises yaml.YAMLError."""
    found = [character for character in _OLD_BREAKS if character in text]
    if not found:
        get_event: Callable[[], Any] = yaml.CSafeLoader(text).get_event
        return get_event
    # characters that the text does not have stand in for them, one for one: places stay the same
    unused = islice((code for code in _PRIVATE if chr(code) not in text), len(found))
    stand_ins = dict(zip(unused, found, strict=True))
    covered = text.translate({ord(character): chr(code) for code, character in stand_ins.items()})
    take = yaml.CSafeLoader(covered).get_event

    def uncovered() -> Any:
        event = take()
        if isinstance(event, yaml.ScalarEvent):
            event.value = event.value.translate(stand_ins)
        return event

    return uncovered
