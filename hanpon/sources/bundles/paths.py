"""Paths in hanpon.yaml: how they are written, and which files of the bundle they lead to."""

import posixpath
import re
import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cached_property
from pathlib import PurePosixPath

from hanpon.contracts.findings import Finding, Place
from hanpon.contracts.ports import BundleTree
from hanpon.sources.bundles.patterns import (
    candidates,
    fixed_part,
    is_pattern,
    select,
    select_above,
    select_on_the_way,
)
from hanpon.sources.texts.text_problems import problem, shown

MOST_COMPARISONS = 5_000_000
"""Paths that all patterns together are compared with or lead to (some 20 seconds); more are refused."""


class BundlePaths:
    """Looks paths up among a bundle's files. What is wrong with one is added to `problems`."""

    def __init__(self, tree: BundleTree) -> None:
        self._paths = tree.paths()
        self._links = tree.links()
        self._sorted_links = sorted(self._links)
        self._unreadable = tree.unreadable()
        self._selected: dict[str, Sequence[str]] = {}
        self._compared = 0
        self.problems: list[Finding] = []

    def file(self, written: str, place: Place, without: frozenset[str] = frozenset()) -> str:
        """The one file that a path names; "" where there is none or it is one of `without`."""
        path = self._well_written(written, place)
        if not path or (path in self._known and path not in without):
            return path
        if path in without:
            self._report("bad-path", place, f"{shown(path)} has another task in this bundle; take it out here.")
        elif is_pattern(path):
            self._report("bad-path", place, f"Expected the path of one file, found the pattern {shown(path)}.")
        elif not self._behind_a_link(path, place) and not self._is_hidden(path, self._above(path), place):
            message = f"There is no file {shown(path)} in the bundle; {self._advice(path)}"
            self._report("missing-file", place, message)
        return ""

    def files(self, written: str, place: Place, without: frozenset[str]) -> Sequence[str]:
        """The files that a path or pattern leads to, sorted, those of `without` left out of a pattern's."""
        if not is_pattern(written):
            path = self.file(written, place, without)
            return [path] if path else []
        pattern = self._well_written(written, place)
        if not pattern or self._is_exhausted() or self._is_barred(pattern, place):
            return []
        found = [path for path in self._selection(pattern, place) if path not in without]
        if not found and not self._is_exhausted():
            message = f"The pattern {shown(pattern)} matches no file; {self._case_advice(pattern)}."
            self._report("pattern-matches-nothing", place, message)
        return found

    def below(self, written: str, place: Place, suffixes: tuple[str, ...]) -> Sequence[str]:
        """The files with one of the suffixes in a folder (`.`: the bundle's) and all below, hidden ones left out."""
        folder = written if written == "." else self._well_written(written, place)
        if is_pattern(folder):
            self._report("bad-path", place, f"Expected the path of one folder, found the pattern {shown(folder)}.")
        pattern = "**/*" if folder == "." else f"{folder}/**/*"
        if not folder or is_pattern(folder) or self._is_exhausted() or self._is_barred(pattern, place):
            return []
        found = [path for path in self._selection(pattern, place) if path.endswith(suffixes)]
        if not found and not self._is_exhausted():
            wanted = " or ".join(suffixes)
            message = f"No file in {shown(folder)} or below ends in {wanted}; name the folder that holds the code."
            self._report("pattern-matches-nothing", place, message)
        return found

    def _selection(self, pattern: str, place: Place) -> Sequence[str]:
        if pattern not in self._selected:
            worth = candidates(self._paths, pattern)
            self._compared += len(worth)
            self._selected[pattern] = () if self._is_exhausted() else select(worth, pattern)
        # counted at every use: aliases of YAML repeat a pattern for nothing
        self._compared += len(self._selected[pattern]) + 1
        if not self._is_exhausted():
            return self._selected[pattern]
        message = "The patterns up to here are too many for a bundle of so many files; make them narrower."
        self._report("too-many-patterns", place, message)
        return ()

    def _is_exhausted(self) -> bool:
        return self._compared > MOST_COMPARISONS

    def _is_barred(self, pattern: str, place: Place) -> bool:
        if self._is_linked(pattern, place):
            return True
        folders = sorted(self._unreadable)
        hidden = [*self._above(fixed_part(pattern)), *select_above(candidates(folders, pattern), pattern)]
        return self._is_hidden(pattern, list(dict.fromkeys(hidden)), place)

    def _is_hidden(self, wanted: str, folders: Sequence[str], place: Place) -> bool:
        """Report folders in which files could stand that are wanted, and that may not be listed."""
        if folders:
            more = f" and {len(folders) - 1} more" if len(folders) > 1 else ""
            message = (
                f"{shown(wanted)} may lead into the folder {shown(folders[0])}{more}, which this user may not read"
            )
            self._report("unreadable-folder", place, f"{message}; allow it, or take the folder out of the bundle.")
        return bool(folders)

    def _above(self, path: str) -> list[str]:
        """The unreadable folder that a path is or goes through, if it does."""
        steps = (path, *map(str, PurePosixPath(path).parents))
        return [step for step in steps if step in self._unreadable]

    def _is_linked(self, pattern: str, place: Place) -> bool:
        """Report a link that the pattern meets: what lies behind it would be missing without a word."""
        below = candidates(self._sorted_links, pattern)
        self._compared += len(below)
        linked = [*self._links_above(fixed_part(pattern)), *select_on_the_way(below, pattern)]
        if linked:
            more = f" and {len(linked) - 1} more" if len(linked) > 1 else ""
            message = f"{shown(pattern)} meets the symbolic link {shown(linked[0])}{more}, and links are not followed"
            self._report("symbolic-link", place, f"{message}; {_REPLACE}, or make the pattern narrower.")
        return bool(linked)

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self._paths)

    @cached_property
    def _folded(self) -> dict[str, str]:
        return {path.casefold(): path for path in self._paths}

    def _report(self, rule: str, place: Place, message: str) -> None:
        self.problems.append(problem(rule, place, message))

    def _well_written(self, written: str, place: Place) -> str:
        path = unicodedata.normalize("NFC", written)
        fault = _fault_of_path(path)
        if fault and written:
            self._report("bad-path", place, f"Expected a path in the bundle, found {shown(path)}, which {fault}.")
        return "" if fault else path

    def _behind_a_link(self, path: str, place: Place) -> bool:
        linked = [path] if path in self._links else self._links_above(path)
        for link in linked:
            what = "is a symbolic link" if link == path else f"lies behind the symbolic link {shown(link)}"
            self._report("symbolic-link", place, f"{shown(path)} {what}, and links are not followed; {_REPLACE}.")
        return bool(linked)

    def _links_above(self, path: str) -> list[str]:
        """The link that a path goes through, if it does: nothing that stands behind one is known."""
        return [str(folder) for folder in PurePosixPath(path).parents if str(folder) in self._links]

    def _advice(self, path: str) -> str:
        folded = self._folded.get(path.casefold())
        if folded:
            return f"there is {shown(folded)}: upper and lower case differ."
        if len(self.problems) > _MOST_ADVISED:
            return "add it, or correct the path."
        if candidates(self._paths, f"{path}/*"):
            return f"it is a folder: write {shown(path + '/*')} for its files."
        folder = path.rpartition("/")[0]
        beside = [each for each in self._paths if each.rpartition("/")[0] == folder]
        namesakes = [each for each in self._paths if each.rpartition("/")[2] == path.rpartition("/")[2]]
        near = get_close_matches(path, beside[:_MOST_COMPARED], n=1) or namesakes[:1]
        return f"did you mean {shown(near[0])}?" if near else "add it, or correct the path."

    def _case_advice(self, pattern: str) -> str:
        if len(self.problems) <= _MOST_ADVISED:
            folded = select(sorted(self._folded), pattern.casefold())
            if folded:
                return f"there is {shown(self._folded[folded[0]])}: upper and lower case differ"
        return "correct it, or take it out"


_MOST_COMPARED = 500
_MOST_ADVISED = 50
_REPLACE = "put the files themselves in its place"


def _fault_of_path(path: str) -> str:
    steps = path.split("/")
    faults = (
        (not path, "is empty"),
        ("\\" in path, "has a backslash: write / between folders"),
        (bool(_ADDRESS.match(path)), "is an address or has a drive: only files of the bundle are read"),
        (path.startswith("/"), "is absolute: begin at the folder of hanpon.yaml"),
        (".." in steps, "leads out of its folder: only files of the bundle are read, without `..`"),
        (_has_joined_stars(steps), "has `**` beside other characters: it stands alone between slashes"),
        (posixpath.normpath(path) != path or path == ".", "has steps that lead nowhere, such as `./` or `//`"),
    )
    return next((words for is_so, words in faults if is_so), "")


_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/|[A-Za-z]:")


def _has_joined_stars(steps: Sequence[str]) -> bool:
    return any("**" in step and step != "**" for step in steps)
