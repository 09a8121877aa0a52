"""What is kept of where things stand when a text is parsed."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """Where keys of a text's upper objects stand, by JSON Pointer, in the order of the text.

    `lines` are 1-based; `columns`, of JSON alone, are characters before the key in its line.
    """

    lines: Mapping[str, int] = field(default_factory=dict)
    columns: Mapping[str, int] = field(default_factory=dict)
