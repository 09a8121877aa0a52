"""`hanpon search`."""

from collections.abc import Iterator

import click

from hanpon.cli.options import Settings, json_option, print_json, print_lines, setting_options, tell
from hanpon.contracts.ports import Datastore
from hanpon.contracts.settings import STORES
from hanpon.runs.searching import MOST_HITS, Linked, unpublished
from hanpon.runs.searching import search as search_documents
from hanpon.wiring import open_datastore, open_storage


@click.command(epilog='Example: hanpon search "退会した顧客" --target customer@v2 --as group:engineers@shop.example')
@click.argument("query")
@click.option("--filter", "expression", default="", metavar="EXPR", help='Such as: api: ANY("customer", "COMMON")')
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="NAME@VERSION",
    help="Look in this version and in what holds for all APIs and versions; may be repeated.",
)
@click.option(
    "--as",
    "principals",
    multiple=True,
    metavar="PRINCIPAL",
    help="Search as group:NAME or user:NAME; may be repeated. What is for all is always searched.",
)
@click.option("--limit", type=click.IntRange(1, MOST_HITS), default=10, show_default=True, help="Hits at most.")
@json_option
@setting_options(*STORES)
def search(
    *,
    query: str,
    expression: str,
    targets: tuple[str, ...],
    principals: tuple[str, ...],
    limit: int,
    as_json: bool,
    settings: Settings,
) -> None:
    """Search the published documents as a reader would.

    Without --filter and --target, superseded answers are left out. Without --as only what everyone may read is
    searched.
    """
    storage = open_storage(settings)
    datastore = open_datastore(settings, storage)
    hits = search_documents(
        query,
        storage,
        datastore,
        expression=expression,
        targets=targets,
        principals=principals,
        limit=limit,
    )
    for words in unpublished(targets, storage):
        tell(f"note: {words}")
    if as_json:
        print_json([hit.as_record() for hit in hits])
        return
    print_lines(line for number, hit in enumerate(hits, 1) for line in _lines(number, hit))
    if not hits:
        tell(_nothing(principals, datastore))


def _lines(number: int, linked: Linked) -> Iterator[str]:
    hit = linked.hit
    said = hit.metadata.get  # of a damaged row there may be none
    version = f"{said('api', '')} {said('api_version', '')}".strip()
    marks = [mark for mark in ("superseded", "deprecated") if said(mark) == "true"]
    yield f"{number}. {hit.title}  ({', '.join([version, *marks])})"
    below = hit.trail[1:]
    if below:
        yield f"   {' › '.join(below)}"
    yield f"   {hit.snippet}"
    yield f"   {linked.link}"


def _nothing(principals: tuple[str, ...], datastore: Datastore) -> str:
    if not datastore.editions():
        return f"nothing was found: {datastore.address} holds nothing; release first, or name it with --datastore"
    if principals:
        return f"nothing was found that {', '.join(principals)} may read"
    return "nothing was found that everyone may read; say who asks with --as group:NAME"
