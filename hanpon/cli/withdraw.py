"""`hanpon withdraw`."""

import click

from hanpon.cli.options import Settings, counted, json_option, print_json, print_lines, setting_options, wait_option
from hanpon.contracts.settings import STORES
from hanpon.contracts.withdrawals import Withdrawal
from hanpon.runs.withdrawal import withdraw as withdraw_edition
from hanpon.wiring import new_run, open_datastore, open_storage


@click.command(epilog="Example: hanpon withdraw customer v1 --purge")
@click.argument("name")
@click.argument("version")
@click.option(
    "--purge",
    is_flag=True,
    help="Remove its objects too. (What the cache quotes goes when you delete that folder; runs recorded in Prefect "
    "are deleted there.)",
)
@wait_option
@json_option
@setting_options(*STORES)
def withdraw(*, name: str, version: str, purge: bool, wait: float, as_json: bool, settings: Settings) -> None:
    """Take an edition away from its readers.

    NAME at VERSION is no longer found, listed or shown. Its objects stay in storage, for a release to use again,
    unless --purge is given.
    """
    storage = open_storage(settings)
    withdrawal = withdraw_edition(
        name, version, storage, open_datastore(settings, storage), run=new_run(), purge=purge, wait=wait
    )
    if as_json:
        print_json(withdrawal.as_record())
        return
    print_lines(_lines(withdrawal))


def _lines(withdrawal: Withdrawal) -> list[str]:
    state = "withdrawn" if withdrawal.rows or withdrawal.objects else "was withdrawn before"
    removed = f"{counted(withdrawal.rows, 'row')} and {counted(withdrawal.objects, 'object')} removed"
    line = f"{withdrawal.edition}: {state}, {removed}"
    stay = f"  kept for a later release: {counted(withdrawal.kept, 'object')}; --purge removes them too"
    return [line, stay] if withdrawal.kept else [line]
