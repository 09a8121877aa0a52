"""Where in its source an address stands."""

import re
from collections.abc import Callable
from urllib.parse import unquote


def line_finder(text: str, lines_before: int) -> Callable[[str], int]:
    """What tells the line of the source on which an address stands first, 0 where it is not found."""

    def line_of(target: str) -> int:
        for spelling in dict.fromkeys((target, unquote(target))):
            found = re.search(rf"(?<![\w/.%#-]){re.escape(spelling)}(?![\w/.%-])", text)
            if found:
                return lines_before + text.count("\n", 0, found.start()) + 1
        return 0

    return line_of
