"""What the pages of a source do not show, or not where a reader would look: one finding for each kind."""

from collections.abc import Sequence

from hanpon.contracts.findings import Finding, Place, Severity, in_order
from hanpon.contracts.operations import ApiSource, Operation
from hanpon.contracts.texts import bounded, clean
from renderers.operation_page import Printed
from renderers.schema_rows import Cut, SchemaRows

_LONGEST_NAME = 100


def losses(source: ApiSource, rows: SchemaRows, cut: Sequence[tuple[Operation, Printed]]) -> tuple[Finding, ...]:
    """Findings on tables that end before their schema does, and on pages that were cut into parts."""
    found = []
    cuts = rows.cuts()
    for is_elsewhere in (False, True):
        places = [(source.schemas[cut.key].place, cut) for cut, is_shown in cuts if is_shown is is_elsewhere]
        if places:
            found.append(_of_tables(places, rows, is_elsewhere=is_elsewhere))
    for severity, what, operations in (
        (
            Severity.WARNING,
            "too large even for many pages: the rest of it is on no page",
            [operation for operation, printed in cut if printed.lost.rest],
        ),
        (
            Severity.WARNING,
            "so large that addresses of links were left out of it",
            [operation for operation, printed in cut if printed.lost.addresses],
        ),
        (
            Severity.INFO,
            "too large for one page and was cut into parts, each with an id of its own",
            [operation for operation, printed in cut if len(printed.parts) > 1],
        ),
    ):
        if operations:
            first = min(operations, key=lambda operation: operation.place)
            message = f"`{_named(first.heading)}` is {what} ({_number(len(operations), 'operation')})"
            found.append(Finding("not-rendered", severity, first.place, message))
    return in_order(found)


def _of_tables(places: list[tuple[Place, Cut]], rows: SchemaRows, *, is_elsewhere: bool) -> Finding:
    place, cut = min(places, key=lambda found: (found[0], found[1].key))
    what = "the fields" if cut.is_whole else f"{cut.hidden} of the {cut.count} fields"
    where = "are left out of a table, but stand in another one" if is_elsewhere else "are not on any page"
    message = (
        f"{what} of `{_named(cut.name)}` {where}: a table ends at {rows.max_rows} rows or {rows.max_depth} levels "
        f"({_number(len(places), 'schema')})"
    )
    return Finding("not-rendered", Severity.INFO if is_elsewhere else Severity.WARNING, place, message)


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'s' if count > 1 else ''} in this definition; the first is here"


def _named(name: str) -> str:
    return bounded(clean(name).replace("\n", " "), _LONGEST_NAME)
