"""`hanpon datastore`."""

import sys
from collections.abc import Iterator

import click

from hanpon.cli.options import (
    Settings,
    counted,
    json_option,
    print_json,
    print_lines,
    setting_options,
    tell_findings,
    wait_option,
)
from hanpon.cli.progress import shown_progress
from hanpon.contracts.datastore_form import DatastoreForm, StoreDescription
from hanpon.contracts.errors import UsageError
from hanpon.contracts.rebuilds import Rebuilt
from hanpon.contracts.settings import ACCESS, CHUNK_SIZE, DATASTORE, GOOGLE_ENDPOINT, STORES
from hanpon.wiring import make_store, rebuild_of, store_description

FORM_SETTINGS = (DATASTORE, ACCESS, CHUNK_SIZE, GOOGLE_ENDPOINT)


@click.group(epilog="Example: hanpon datastore rebuild --dry-run")
def datastore() -> None:
    """Look after the datastore."""


@datastore.command(epilog="Example: hanpon datastore plan")
@json_option
@setting_options(*FORM_SETTINGS)
def plan(*, as_json: bool, settings: Settings) -> None:
    """Show what would be decided for ever by making the datastore.

    And how it differs where it is there already. Writes nothing.
    """
    description = store_description(settings)
    if as_json:
        print_json(description.as_record())
    else:
        print_lines(_plan(description))
    sys.exit(description.exit_code)


@datastore.command(epilog="Example: hanpon datastore describe")
@json_option
@setting_options(*FORM_SETTINGS)
def describe(*, as_json: bool, settings: Settings) -> None:
    """Read back how the datastore was made, and how it differs from what the settings want."""
    description = store_description(settings)
    if description.wanted and not description.found:
        raise UsageError(f"{description.address} does not exist; `hanpon datastore create` makes it")
    if as_json:
        print_json(description.as_record())
    else:
        print_lines(_described(description))
    sys.exit(2 if description.differences else 0)


@datastore.command(epilog="Example: hanpon datastore create --yes")
@click.option("--yes", is_flag=True, help="Do not ask; what is decided cannot be changed later.")
@json_option
@setting_options(*FORM_SETTINGS)
def create(*, yes: bool, as_json: bool, settings: Settings) -> None:
    """Make the datastore, or what is missing of it, after showing what that decides for ever.

    One that is there in this form is left as it is; one of another form is refused. Nothing is ever deleted.
    """
    description = store_description(settings)
    if not as_json:
        print_lines(_plan(description))
    if description.exit_code:
        raise UsageError(f"{description.address} cannot become what the settings want; see above, or --json")
    if description.steps:
        if not yes:
            _ask(description, as_json=as_json)
        description = make_store(settings)
        if not as_json:
            print_lines([f"{description.address} is there, and reads back as wanted"])
    if as_json:
        print_json(description.as_record())


def at_terminal() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin.isatty()


def _ask(description: StoreDescription, *, as_json: bool) -> None:
    if as_json or not at_terminal():
        raise UsageError(f"{description.address}: this cannot be undone; run it again with --yes")
    try:
        agreed = click.confirm("This cannot be undone. Go on?", err=True)
    except click.Abort:
        raise KeyboardInterrupt from None
    if not agreed:
        raise UsageError(f"{description.address}: not agreed to; nothing was made")


def _plan(description: StoreDescription) -> Iterator[str]:
    if description.wanted is None:
        yield f"{description.address}: nothing to decide; the first release makes it, and it can be made anew"
        return
    if description.found is None:
        yield f"{description.address} does not exist. It would be made so, for ever:"
        yield from _form(description.wanted)
        yield from _provider(description)
    elif not description.differences:
        yield f"{description.address} is there as the settings want it; nothing to do"
    else:
        yield from _differing(description)
    yield from (f"  to do: {step}" for step in description.steps)


def _described(description: StoreDescription) -> Iterator[str]:
    if description.found is None:
        yield f"{description.address}: nothing was decided for it; it can be made anew at any time"
        return
    yield f"{description.address} ({description.found.display_name}):"
    yield from _form(description.found)
    yield from _provider(description)
    if description.differences:
        yield from _differing(description)
    else:
        yield "as the settings want it"


def _differing(description: StoreDescription) -> Iterator[str]:
    yield f"{description.address} differs from what the settings want:"
    yield from (f"  {difference}" for difference in description.differences)
    if description.exit_code:
        yield "what can never be changed needs a store of another id, which `hanpon datastore rebuild` fills"


def _form(form: DatastoreForm) -> Iterator[str]:
    size = f"{form.chunk_size} tokens at most" if form.chunk_size else "none"
    access = (
        "on: the store keeps documents from others"
        if form.access_control
        else "off: only a filter keeps documents from others"
    )
    yield f"  location: {form.location}"
    yield f"  content: {form.content_config}, {form.vertical}"
    yield f"  access control: {access}"
    yield f"  parser: {form.html_parser} for HTML, {form.default_parser} for other types"
    yield f"  pieces: {size}, {'with' if form.ancestor_headings else 'without'} the headings above them"
    fields = form.schema.get("properties", {})
    yield f"  schema: {counted(len(fields), 'field')}: {', '.join(sorted(fields))}"


def _provider(description: StoreDescription) -> Iterator[str]:
    if description.wanted and description.wanted.access_control:
        yield f"  identity provider: {description.identity_provider or 'none; set it up before the store is made'}"


@datastore.command(epilog="Example: hanpon datastore rebuild --datastore sqlite:out/new.db")
@click.option("--dry-run", is_flag=True, help="Show what would be done; write nothing.")
@wait_option
@json_option
@setting_options(*STORES)
def rebuild(*, dry_run: bool, wait: float, as_json: bool, settings: Settings) -> None:
    """Fill the datastore from what is published in storage, without the bundles.

    Rows that are missing or damaged are written, rows of what is not published are removed. A database of another
    hanpon version, with a damaged index, or with rows that belong to nothing, is emptied first.
    """
    with shown_progress(quiet=as_json) as progress:
        rebuilt = rebuild_of(settings, progress, dry_run=dry_run, wait=wait)()
    if as_json:
        print_json(rebuilt.as_record())
    else:
        print_lines(_lines(rebuilt))
        print_lines(_switching(rebuilt, settings))
        tell_findings([finding for edition in rebuilt.editions for finding in edition.findings])
    sys.exit(rebuilt.exit_code)


def _lines(rebuilt: Rebuilt) -> Iterator[str]:
    if rebuilt.renewed:
        yield "the database was of another hanpon version, or damaged beyond single editions: it was emptied first"
    for edition in rebuilt.editions:
        if not edition.findings:
            rows = f"{counted(edition.written, 'row')} written, {edition.removed:,} removed"
            yield f"{edition.edition}: {counted(edition.documents, 'document')}, {rows}"
    if not rebuilt.editions:
        yield "nothing is published, and the datastore has no rows"
    if rebuilt.dry_run:
        yield "dry run: nothing was written"


def _switching(rebuilt: Rebuilt, settings: Settings) -> Iterator[str]:
    """Whoever fills a new store of Vertex AI Search wants it used."""
    if settings.uses_vertex and not rebuilt.dry_run and not rebuilt.exit_code:
        yield (
            f"to switch: name {settings.datastore} in HANPON_DATASTORE wherever hanpon runs, and in the app that "
            "answers; delete the old store when nothing asks it any more"
        )
