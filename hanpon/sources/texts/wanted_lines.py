"""A tree of wanted JSON Pointers that collects lines while a text is walked."""

from collections.abc import Iterable

from hanpon.contracts.pointers import steps_of


class Branch:
    """A place on the way to something wanted. `line` is 0 until it is seen."""

    __slots__ = ("branches", "line")

    def __init__(self) -> None:
        self.line = 0
        self.branches: dict[str, Branch] = {}


class WantedLines:
    """The branches from `root` to all that is wanted."""

    def __init__(self, pointers: Iterable[str]) -> None:
        self._pointers = list(pointers)
        self.root = Branch()
        for pointer in self._pointers:
            branch = self.root
            for step in steps_of(pointer):
                branch = branch.branches.setdefault(step, Branch())

    def seen(self) -> dict[str, int]:
        """The line of every wanted pointer that was seen itself."""
        found = {}
        for pointer in self._pointers:
            branch = self.root
            for step in steps_of(pointer):
                branch = branch.branches[step]
            if branch.line:
                found[pointer] = branch.line
        return found

    def lines(self) -> dict[str, int]:
        """The line of every wanted pointer, or of its nearest ancestor that was seen."""
        found = {}
        for pointer in self._pointers:
            branch, line = self.root, self.root.line
            for step in steps_of(pointer):
                branch = branch.branches[step]
                line = branch.line or line
            found[pointer] = line
        return found
