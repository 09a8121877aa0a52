"""What is kept of where things stand when a text is parsed."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """Where keys of a text's upper objects stand, by JSON Pointer: 1-based lines in YAML, offsets in JSON."""

    lines: Mapping[str, int] = field(default_factory=dict)
    offsets: Mapping[str, int] = field(default_factory=dict)
