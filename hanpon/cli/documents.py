"""`hanpon documents`."""

import click

from hanpon.cli.options import Settings, json_option, print_json, print_lines, setting_options
from hanpon.contracts.settings import STORAGE
from hanpon.runs.lookup import current_documents
from hanpon.wiring import open_storage


@click.command(epilog="Example: hanpon documents customer v1")
@click.argument("name")
@click.argument("version")
@json_option
@setting_options(STORAGE)
def documents(*, name: str, version: str, as_json: bool, settings: Settings) -> None:
    """List the published documents of an edition."""
    entries = current_documents(name, version, open_storage(settings))
    if as_json:
        print_json(
            [
                {
                    "id": entry.id,
                    "doc_type": entry.metadata["doc_type"],
                    "title": entry.metadata["title"],
                    "section": entry.metadata["section"],
                    "key": entry.key,
                    "sha256": entry.content_digest,
                    "metadata": dict(entry.metadata),
                    "readers": list(entry.readers),
                }
                for entry in entries
            ]
        )
        return
    in_reading_order = sorted(entries, key=lambda entry: (entry.position, entry.metadata["path"], entry.id))
    print_lines(f"{entry.metadata['title']}\t{', '.join(entry.readers)}\t{entry.id}" for entry in in_reading_order)
