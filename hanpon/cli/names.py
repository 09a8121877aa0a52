"""`hanpon names`."""

import click

from hanpon.cli.options import Settings, json_option, print_json, print_lines, setting_options, tell
from hanpon.contracts.settings import STORAGE
from hanpon.runs.lookup import current_names
from hanpon.wiring import open_storage


@click.command(epilog="Example: hanpon names customer v1 --json")
@click.argument("name")
@click.argument("version")
@json_option
@setting_options(STORAGE)
def names(*, name: str, version: str, as_json: bool, settings: Settings) -> None:
    """List the names that exist in an edition."""
    record = current_names(name, version, open_storage(settings))
    if as_json:
        print_json(record)
        return
    print_lines(
        "\t".join([entry["kind"], entry["name"], *(["deprecated"] if entry["deprecated"] else [])])
        for entry in record["names"]
    )
    if not record["names"]:
        tell(f"no name is listed in {record['name']}@{record['version']}")
