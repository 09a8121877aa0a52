"""`hanpon withdraw`."""

import click

from hanpon.cli.options import Settings, json_option, print_json, print_lines, setting_options, wait_option
from hanpon.runs.withdrawal import withdraw as withdraw_edition
from hanpon.wiring import DATASTORE, STORAGE, new_run, open_datastore, open_storage


@click.command(epilog="Example: hanpon withdraw customer v1 --purge")
@click.argument("name")
@click.argument("version")
@click.option("--purge", is_flag=True, help="Remove all its objects too, every former publication included.")
@wait_option
@json_option
@setting_options(STORAGE, DATASTORE)
def withdraw(*, name: str, version: str, purge: bool, wait: float, as_json: bool, settings: Settings) -> None:
    """Take an edition away from its readers.

    NAME at VERSION leaves the datastore first, then storage's front. Its objects stay unless --purge is given.
    """
    withdrawal = withdraw_edition(
        name, version, open_storage(settings), open_datastore(settings), run=new_run(), purge=purge, wait=wait
    )
    if as_json:
        print_json(withdrawal.as_record())
        return
    print_lines([f"{withdrawal.edition}: withdrawn, {withdrawal.rows} rows and {withdrawal.objects} objects removed"])
