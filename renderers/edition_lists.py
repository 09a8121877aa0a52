"""What an edition's index page lists below its operations: READMEs, clauses, answers, designs."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from hanpon.contracts.documents import HTML
from hanpon.contracts.manifests import Entry, file_of
from hanpon.contracts.texts import bounded, clean
from renderers.labels import Labels
from renderers.page import one_line
from renderers.prose_page import scope_of

_LONGEST = 200
_TEXT = re.compile(r".*?\.(?:md|markdown|mkd|x?html?|txt)(?=#|$)", re.IGNORECASE)
_DEEPEST = 7
"""Headings above one another: six levels, and one for a title that holds what divides a trail."""


@dataclass(slots=True)
class Line:
    """A document in a list, or a bare heading above documents.

    `id` is "" for a document that was listed before: an id stands on a page once.
    """

    heading: str
    link: str = ""
    id: str = ""
    summary: str = ""
    marks: tuple[str, ...] = ()
    is_code: bool = False
    below: list["Line"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Group:
    """Lines below a heading of level 2, or of level 3 where it goes on with the group before it."""

    title: str
    lines: Sequence[Line]
    level: int = 2


def text_groups(entries: Iterable[Entry], labels: Labels, title: str) -> Iterable[Group]:
    """Documents that are no operations, by kind, in reading order; `title` is that of the item."""
    listed = sorted(entries, key=lambda entry: (entry.position, entry.id))
    of_kind = {
        kind: [entry for entry in listed if str(entry.metadata["doc_type"]) in kinds]
        for kind, kinds in (
            ("readmes", ("api_spec", "lib_doc")),
            ("clauses", ("guideline",)),
            ("answers", ("qa",)),
            ("designs", ("design",)),
        )
    }
    yield Group(labels["index_readmes"], [_readme(entry) for entry in of_kind["readmes"]])
    yield from _clauses(of_kind["clauses"], labels["index_clauses"], title)
    yield Group(labels["index_answers"], [_answer(entry, labels) for entry in of_kind["answers"]])
    yield Group(labels["index_designs"], [_design(entry, labels) for entry in of_kind["designs"]])


def address(entry: Entry) -> str:
    """A document's page as seen from the edition's folder."""
    return entry.key[entry.key.index("/pages/") + 1 :]


def _line(entry: Entry, summary: str = "", marks: tuple[str, ...] = (), heading: str = "") -> Line:
    shown = heading or one_line(clean(str(entry.metadata["section"])))
    return Line(bounded(shown, _LONGEST), address(entry), entry.id, one_line(clean(summary)), marks)


def _readme(entry: Entry) -> Line:
    return _line(entry, str(entry.metadata["source"]))


def _answer(entry: Entry, labels: Labels) -> Line:
    metadata = entry.metadata
    marks = (labels["superseded"],) if metadata["superseded"] == "true" else ()
    return _line(entry, scope_of(labels, str(metadata["api"]), str(metadata["api_version"])), marks)


def _design(entry: Entry, labels: Labels) -> Line:
    metadata = entry.metadata
    extension = "" if entry.media_type == HTML else entry.key.rpartition(".")[2].upper()
    scope = scope_of(labels, str(metadata["api"]), str(metadata["api_version"]))
    return _line(entry, " · ".join(filter(None, (extension, scope, str(metadata["source"])))))


def _clauses(entries: Sequence[Entry], label: str, title: str) -> Iterable[Group]:
    """The clauses of one file as one list; of several files, each below the name of its file."""
    files = [(file, list(found)) for file, found in groupby(entries, lambda entry: _file_and_trail(entry)[0])]
    if len(files) == 1:
        yield Group(label, _tree(files[0][1], title))
    elif files:
        yield Group(label, ())
        for file, found in files:
            yield Group(clean(file), _tree(found, title), level=3)


def _file_and_trail(entry: Entry) -> tuple[str, str]:
    """The file of a clause and the headings down to it; the file's name may hold a `#` itself."""
    source = str(entry.metadata["source"])
    found = _TEXT.match(source)
    file = found[0] if found else file_of(entry.metadata)
    return file, source[len(file) + 1 :]


def _tree(entries: Sequence[Entry], title: str) -> list[Line]:
    """Clauses below the headings above them, which the source names."""
    top: list[Line] = []
    open_lines: list[tuple[str, Line]] = []
    for entry in entries:
        trail = _file_and_trail(entry)[1].split(" > ", _DEEPEST)
        above, own = trail[:-1], trail[-1]
        kept = 0
        while kept < min(len(above), len(open_lines)) and open_lines[kept][0] == above[kept]:
            kept += 1
        del open_lines[kept:]
        for heading in above[kept:]:
            _put(top, open_lines, heading, Line(bounded(clean(heading), _LONGEST)))
        _put(top, open_lines, own, _line(entry, heading=_clause_name(entry, title)))
    return top


def _put(top: list[Line], open_lines: list[tuple[str, Line]], heading: str, line: Line) -> None:
    (open_lines[-1][1].below if open_lines else top).append(line)
    open_lines.append((heading, line))


def _clause_name(entry: Entry, title: str) -> str:
    """Number and heading: the title without the guideline, and without the clause above that it may name."""
    name = one_line(clean(str(entry.metadata["title"]))).removeprefix(f"{one_line(clean(title))}: ")
    own = str(entry.metadata["section"])
    return own if name.endswith(f" › {own}") else name
