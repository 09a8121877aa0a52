"""The commands of `hanpon` with their options, arguments and examples, as click knows them."""

import re
import shlex
from collections.abc import Iterator, Sequence
from functools import cache

import click

from hanpon.cli import main
from hanpon.contracts.settings import SETTINGS

SETTING_FLAGS = frozenset(setting.flag for setting in SETTINGS)


@cache
def commands() -> dict[str, click.Command]:
    """Every command and group by its words (`datastore rebuild`); "" is hanpon itself."""
    return dict(_below("", main))


def _below(words: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    yield words, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            each = command.get_command(context, name)
            assert each is not None
            yield from _below(f"{words} {name}".strip(), each)


def leaves() -> dict[str, click.Command]:
    """The commands that do something: all but groups."""
    return {words: command for words, command in commands().items() if not isinstance(command, click.Group)}


def options_of(command: click.Command) -> list[str]:
    """The long options of a command, `--help` among them."""
    context = click.Context(command)
    given = [name for option in command.get_params(context) for name in option.opts]
    return [name for name in given if name.startswith("--")]


def usage_of(words: str) -> str:
    """A command as a person would write it down: `hanpon names NAME VERSION`."""
    arguments = [one.human_readable_name for one in commands()[words].params if isinstance(one, click.Argument)]
    return " ".join(["hanpon", words, *arguments])


def example_of(command: click.Command) -> str:
    """The command line that the help of a command ends with; "" where there is none."""
    found = re.fullmatch(r"Example: (hanpon .+)", command.epilog or "")
    return found[1] if found else ""


def command_of(line: str) -> str:
    """The words of the command that a line calls. Raises KeyError where there is no such command."""
    words = _words(line)
    found = ""
    for word in words[1:]:
        further = f"{found} {word}".strip()
        if further not in commands():
            break
        found = further
    if not found and len(words) > 1 and not words[1].startswith("-"):
        raise KeyError(line)
    return found


def unknown_options(line: str) -> list[str]:
    """The options of a command line that its command does not have."""
    known = options_of(commands()[command_of(line)])
    given = [word.partition("=")[0] for word in _words(line) if word.startswith("--")]
    return [option for option in given if option not in known]


def _words(line: str) -> Sequence[str]:
    try:
        return shlex.split(line, comments=True)
    except ValueError:  # a quote that a page shows alone
        return line.split()
