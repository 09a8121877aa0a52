"""YAML 1.2 core schema over libyaml's events: what JSON has comes out, and nothing else.

PyYAML's own loaders follow YAML 1.1 (`no` becomes false, `12:30:45` a number, dates objects), let the last of
two equal keys win in silence and are 2.6 times slower than this one.
"""

from collections.abc import Callable
from typing import Any

import yaml

from hanpon.contracts.errors import InvalidInput, UsageError
from hanpon.sources.texts.yaml_building import Building, Stopped
from hanpon.sources.texts.yaml_events import events
from hanpon.sources.texts.yaml_lines import yaml_lines
from hanpon.sources.texts.yaml_syntax import syntax_problem


def outlined_yaml(text: str, file: str) -> tuple[Any, dict[str, int]]:
    """The value of a YAML document of one file, and the lines of keys in its upper levels by JSON Pointer.

    An empty document is None. Keys are text as written (`200:` is "200"). Aliases share the object that their
    anchor made, but count as often as they are used. `<<` merges mappings (YAML 1.1's merge key, which authors
    rely on: own keys win, then the earlier of a list). Raises InvalidInput with every duplicate key, unknown tag
    and misused alias, or with the one fault at which reading had to stop. Raises UsageError where PyYAML was built
    without libyaml.
    """
    if not yaml.__with_libyaml__:
        raise UsageError(
            "PyYAML was built without libyaml, and reading YAML would be 20 times slower: install a wheel of "
            "PyYAML for this platform (`pip install --force-reinstall --only-binary :all: pyyaml`)."
        )
    building = Building(file)
    try:
        _feed(building, text)
    except Stopped:
        pass
    except yaml.YAMLError as error:
        building.problems.append(syntax_problem(error, text, file))
    if building.problems:
        raise InvalidInput(building.worded(lambda pointers: yaml_lines(text, pointers)))
    return building.document, building.outline


def _feed(building: Building, text: str) -> None:
    take: dict[type, Callable[[Any], None]] = {
        yaml.ScalarEvent: building.scalar,
        yaml.MappingStartEvent: building.start,
        yaml.SequenceStartEvent: building.start,
        yaml.MappingEndEvent: building.end,
        yaml.SequenceEndEvent: building.end,
        yaml.AliasEvent: building.alias,
        yaml.DocumentStartEvent: building.document_start,
        yaml.DocumentEndEvent: lambda _: None,
        yaml.StreamStartEvent: lambda _: None,
        yaml.StreamEndEvent: lambda _: None,
    }
    next_event = events(text)
    while (event := next_event()) is not None:
        take[type(event)](event)
