"""Options that several commands share, and how their errors become messages and exit codes."""

import functools
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import click

from hanpon.contracts.errors import HanponError, InvalidInput, Unavailable
from hanpon.contracts.findings import Finding
from hanpon.contracts.lines import UNSAFE, one_line
from hanpon.contracts.settings import LONGEST_WAIT, SETTINGS, Setting, Settings
from hanpon.wiring import settings_from

F = TypeVar("F", bound=Callable[..., Any])


def setting_options(*settings: Setting) -> Callable[[F], F]:
    """The flags of settings; the command receives one `settings` argument for all of them."""

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def command(*args: Any, **kwargs: Any) -> Any:
            flags = {s.flag: kwargs.pop(_parameter(s)) for s in settings}
            with_settings: dict[str, Any] = {**kwargs, "settings": settings_from(flags)}
            return function(*args, **with_settings)

        decorated: Any = telling_errors(command)
        for setting in reversed(settings):
            decorated = click.option(
                setting.flag,
                _parameter(setting),
                metavar="VALUE",
                help=f"{setting.meaning} [{setting.variable}; default {setting.default or 'none'}]",
            )(decorated)
        result: F = decorated
        return result

    return decorate


def _parameter(setting: Setting) -> str:
    return "setting_" + setting.flag.removeprefix("--").replace("-", "_")


SHOWN_ERRORS = 200
"""Errors of one edition, or of one command, that a terminal is shown."""

INTERRUPTED = 130
"""What a shell reports for a command that was ended by Ctrl-C."""

json_option = click.option("--json", "as_json", is_flag=True, help="One JSON value on standard output, for machines.")


def telling_errors(function: F) -> F:
    """Errors become one message on standard error and their class's exit code; no traceback reaches a user.

    With --json standard output has the reason too, in the command's own shape.
    """

    @functools.wraps(function)
    def command(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except InvalidInput as refusal:
            _answer_refusal(refusal, kwargs)
            tell_findings(refusal.problems)
            sys.exit(refusal.exit_code)
        except HanponError as error:
            _answer_refusal(error, kwargs)
            tell(f"error: {error}")
            sys.exit(error.exit_code)
        except KeyboardInterrupt:
            tell("stopped; what was published before stays as it was, and running again finishes the job")
            sys.exit(INTERRUPTED)
        except Exception as error:
            if os.environ.get("HANPON_DEBUG"):
                raise
            tell(f"error: hanpon itself failed ({type(error).__name__}: {error}); set HANPON_DEBUG=1 to see where")
            sys.exit(HanponError.exit_code)

    result: Any = command
    return result  # type: ignore[no-any-return]


def _answer_refusal(error: HanponError, given: Mapping[str, Any]) -> None:
    if given.get("as_json"):
        print_refusal(click.get_current_context(), error, dry_run=bool(given.get("dry_run")))


def print_refusal(context: click.Context | None, error: HanponError, *, dry_run: bool) -> None:
    """Say on standard output, for machines, why a command was refused; it may be full, which is no second refusal."""
    from hanpon.cli.refusals import refusal_of

    words = []
    while context is not None and context.parent is not None:
        words.append(context.info_name or "")
        context = context.parent
    with suppress(HanponError):
        print_json(refusal_of(" ".join(reversed(words)), error, dry_run=dry_run))


def counted(number: int, noun: str) -> str:
    """`1 document`, `1,200 documents`."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def tell(message: str) -> None:
    """One line for a person, on standard error."""
    click.echo(one_line(message), err=True)


def tell_findings(findings: Sequence[Finding], *, indent: str = "", most: int = SHOWN_ERRORS) -> None:
    """One line for each finding; where there are more than `most`, how many more."""
    for finding in findings[:most]:
        tell(f"{indent}{finding.severity}: {finding}")
    if len(findings) > most:
        tell(f"{indent}and {len(findings) - most} more; --json lists them all")


def print_json(value: Any) -> None:
    """One JSON value for machines, on standard output, in UTF-8 whatever the locale says."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    # JSON's own spelling of what a terminal would act on, or of a name that is no UTF-8
    safe = UNSAFE.sub(lambda found: found[0] if found[0] == "\n" else json.dumps(found[0])[1:-1], text)
    with answering():
        sys.stdout.buffer.write(safe.encode() + b"\n")


def print_lines(lines: Iterable[str]) -> None:
    """Lines for a person, on standard output; tabs stand between columns."""
    with answering():
        for line in lines:
            click.echo("\t".join(map(one_line, line.split("\t"))))


@contextmanager
def answering() -> Iterator[None]:
    """Write to standard output. That its reader has had enough changes nothing; a full disk is told."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # What is still buffered would fail once more when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise Unavailable(f"standard output: {error.strerror}") from error


class Seconds(click.ParamType[float]):
    """A time in seconds that can be waited for."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            seconds = float(value)
        except ValueError:
            seconds = -1
        if not 0 <= seconds <= LONGEST_WAIT:
            self.fail(f"expected seconds from 0 to {LONGEST_WAIT}, found {value!r}", param, ctx)
        return seconds


wait_option = click.option(
    "--wait", type=Seconds(), default=0.0, metavar="SECONDS", help="Wait for other runs that hold the edition."
)


__all__ = [
    "SETTINGS",
    "Settings",
    "counted",
    "json_option",
    "print_json",
    "print_lines",
    "print_refusal",
    "setting_options",
    "tell",
    "tell_findings",
    "telling_errors",
    "wait_option",
]
