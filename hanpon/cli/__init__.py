"""The command line: one function per command. Commands are imported when they are called, so help is quick."""

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

COMMANDS = {
    "release": "hanpon.cli.release",
    "check": "hanpon.cli.check",
    "documents": "hanpon.cli.documents",
    "names": "hanpon.cli.names",
    "search": "hanpon.cli.search",
    "withdraw": "hanpon.cli.withdraw",
    "datastore": "hanpon.cli.datastore",
    "doctor": "hanpon.cli.doctor",
}


class Commands(click.Group):
    """The commands of `COMMANDS`; each module has a click command of the same name."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        module = COMMANDS.get(name)
        command: click.Command | None = getattr(import_module(module), name) if module else None
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_WORDS] = tuple(args)
        with _answering_machines(ctx):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        with _answering_machines(ctx):
            return super().invoke(ctx)


_WORDS = "hanpon.words"
"""Under which the context keeps the command line: an option that is refused keeps others from being read."""


@contextmanager
def _answering_machines(root: click.Context) -> Iterator[None]:
    """What click refuses (an unknown option, a value out of bounds), it tells a person; this tells a machine."""
    try:
        yield
    except click.UsageError as refused:
        words: Sequence[str] = root.meta[_WORDS]
        options = words[: words.index("--")] if "--" in words else words
        if "--json" in options:
            from hanpon.cli.options import print_refusal
            from hanpon.contracts.errors import UsageError

            print_refusal(refused.ctx, UsageError(refused.format_message()), dry_run="--dry-run" in options)
        raise


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: hanpon release examples/shop-platform --dry-run",
)
@click.version_option(package_name="hanpon", message="hanpon %(version)s")
def main() -> None:
    """Print what is known about a released version into documents and publish them whole.

    Exit codes: 0 done; 1 a check found drift; 2 usage or settings; 3 input refused; 4 a service or disk failed;
    5 another run is at work on it.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without Japanese must not stop a run
