"""Who may see each file of an item: the readers that hanpon.yaml names, or an access file in their place."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from hanpon.contracts.access import Access, Grant
from hanpon.contracts.bundle import FilesItem
from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Finding, Place, Severity, in_order
from hanpon.formats.pictures import is_picture
from hanpon.sources.access.entries import Entry, access_of
from hanpon.sources.access.permissions import entries_of_permissions
from hanpon.sources.access.table import entries_of_table
from hanpon.sources.texts.inputs import Inputs
from hanpon.sources.texts.structured_text import locate, parse_text, refuse_too_large
from hanpon.sources.texts.text_encoding import decode
from hanpon.sources.texts.text_problems import MOST_PROBLEMS, problem, shown


def read_access(item: FilesItem, inputs: Inputs) -> tuple[Access, tuple[Finding, ...]]:
    """The grants of an item's files, and what is wrong with the access file or in vain in it.

    Without an access file every file has the item's own readers. With one, a file's readers are among the
    principals that the access file names for exactly its path; a file with no entry, or with one that is wrong in
    any way, has none and is simply not in the grants. Raises InvalidInput, with every problem, where the access file
    cannot be read or relied on as a whole, and Unavailable as `inputs` does.
    """
    if not item.access:
        return Access(common=_own(item)), ()
    text = _text(item, inputs)
    entries, findings = _entries(text, item.access)
    access, judged = access_of(entries, item)
    findings += judged
    return access, (*_bounded(item.access, findings), *_unclear(item, access, findings))


def _own(item: FilesItem) -> Grant | None:
    readers = tuple(sorted(set(item.readers)))
    return Grant(readers=readers, api=item.api, api_version=item.api_version) if readers else None


def _text(item: FilesItem, inputs: Inputs) -> str:
    size = inputs.size(item.access)
    if size is None:
        message = f"There is no file {shown(item.access)} in the bundle, so nobody may see the files of this item."
        raise InvalidInput([problem("missing-file", Place(item.access), message)])
    refuse_too_large(size, item.access)
    data = inputs.read(item.access)
    try:
        return decode(data, item.access)
    except InvalidInput:
        # what is UTF-8 is hardly ever anything else, so the item's encoding comes second
        return decode(data, item.access, item.encoding)


def _entries(text: str, file: str) -> tuple[list[Entry], list[Finding]]:
    suffix = file.lower().rpartition(".")[2]
    if suffix == "csv":
        return entries_of_table(text, file)
    if suffix != "json":
        message = "Expected an access file whose name ends in .csv or .json; see the README for what they hold."
        raise InvalidInput([problem("access-format", Place(file), message)])
    entries, findings = entries_of_permissions(parse_text(text, file), file)
    lines = locate(text, [each.place.pointer for each in entries] + [each.where.pointer for each in findings])
    return (
        [replace(each, place=_in_line(each.place, lines)) for each in entries],
        [replace(each, where=_in_line(each.where, lines)) for each in findings],
    )


def _in_line(place: Place, lines: dict[str, int]) -> Place:
    return Place(place.file, place.pointer, lines[place.pointer])


def _unclear(item: FilesItem, access: Access, findings: Iterable[Finding]) -> Iterator[Finding]:
    """What becomes of the files that nobody is granted, where that may be a slip of the pen.

    Taking a published file away from everybody for a misspelt line would break what works; handing it to anybody
    new would be a leak. So it stays as it was last released.
    """
    closed = [file for file in item.files if not access.of(file) and not is_picture(file)]
    if closed and any(each.severity is Severity.ERROR for each in findings):
        more = f" and {len(closed) - 1:,} more" if len(closed) > 1 else ""
        message = (
            f"While this file has errors, it is not known who may see {shown(closed[0])}{more}: not published, but "
            "what is out already keeps its readers if the release is refused; mend the errors and release again, or "
            "take the edition away at once with `hanpon withdraw`."
        )
        yield Finding("access-unclear", Severity.WARNING, Place(item.access), message)


def _bounded(file: str, findings: list[Finding]) -> Iterator[Finding]:
    """The first of the findings, and how many more there are."""
    ordered = in_order(findings)
    yield from ordered[:MOST_PROBLEMS]
    if rest := ordered[MOST_PROBLEMS:]:
        severity = Severity.ERROR if any(each.severity is Severity.ERROR for each in rest) else Severity.WARNING
        message = f"The access file has {len(rest):,} more problems than are listed."
        yield Finding("too-many-problems", severity, Place(file), message)
