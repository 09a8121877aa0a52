"""JSON or YAML, whichever a file is: the one door through which structured text comes in."""

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from hanpon.contracts.definitions import MAX_BYTES
from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Place
from hanpon.sources.texts.json_lines import json_lines, json_lines_of
from hanpon.sources.texts.json_text import NotJson, parse_outlined_json
from hanpon.sources.texts.outlines import Outline
from hanpon.sources.texts.text_encoding import decode, is_utf8
from hanpon.sources.texts.text_problems import problem
from hanpon.sources.texts.yaml_lines import yaml_lines
from hanpon.sources.texts.yaml_text import outlined_yaml

_LARGE = 256 * 1024


def parse(data: bytes, file: str, encoding: str = "utf-8") -> Any:
    """The value alone; see `parse_outlined`."""
    return parse_outlined(data, file, encoding)[0]


def parse_outlined(data: bytes, file: str, encoding: str = "utf-8") -> tuple[Any, Outline]:
    """The value of a file, and its outline: where some of its JSON Pointers stand, which `locate` makes use of.

    The value is what JSON has, with text keys only, within every limit of `contracts.definitions`. A file is
    JSON if its name ends in `.json`, or if it begins with `{` or `[` and parses as JSON; else YAML 1.2 (core
    schema). Raises InvalidInput with all that is wrong, as far as it can be read, with lines.
    """
    refuse_too_large(len(data), file)
    return _outlined(decode(data, file, encoding), file, data if is_utf8(encoding) else b"")


def parse_text(text: str, file: str) -> Any:
    """The value of a text that is decoded already; see `parse_outlined`."""
    return _outlined(text, file)[0]


def _outlined(text: str, file: str, data: bytes = b"") -> tuple[Any, Outline]:
    with _collector_resting(len(text)):
        if file.lower().endswith(".json"):
            return parse_outlined_json(text, file, data) if text.strip() else (None, Outline())
        if text.lstrip()[:1] in {"{", "["}:
            try:
                return parse_outlined_json(text, file, data)
            except NotJson:
                pass
        value, lines = outlined_yaml(text, file)
        return value, Outline(lines=lines)


def refuse_too_large(size: int, file: str) -> None:
    """Raise InvalidInput where a file of this size is not to be read at all."""
    if size > MAX_BYTES:
        message = f"The file has {size:,} bytes; at most {MAX_BYTES:,} are read."
        raise InvalidInput([problem("too-large", Place(file), message)])


def locate(text: str, pointers: Iterable[str]) -> dict[str, int]:
    """The 1-based line of each JSON Pointer in a JSON or YAML text.

    Where there is nothing at a pointer, the line of its nearest ancestor. A line is that of the key or entry.
    """
    return _located(text, list(pointers), Outline())


def locate_in(
    data: bytes, file: str, pointers: Iterable[str], outline: Outline, encoding: str = "utf-8"
) -> dict[str, int]:
    """The same in a file that was parsed; the `outline` that came with its value spares looking through all of it."""
    wanted = list(pointers)
    if outline.columns and is_utf8(encoding):
        return json_lines_of(data, wanted, outline)
    return _located(decode(data, file, encoding), wanted, outline)


def _located(text: str, pointers: list[str], outline: Outline) -> dict[str, int]:
    if text.lstrip("\ufeff \t\r\n")[:1] in {"{", "["}:
        try:
            return json_lines(text, pointers)
        except (ValueError, IndexError):
            pass  # a flow mapping of YAML
    return yaml_lines(text, pointers, outline.lines)


@contextmanager
def _collector_resting(size: int) -> Iterator[None]:
    """Keep the cyclic collector from walking a large tree again and again while it grows, and ever after.

    What is parsed holds no cycles, so counting references alone frees it. What was rubbish before is collected
    first: frozen, it would stay for good. Where the collector is off, whoever turned it off has seen to that.
    """
    if size < _LARGE or not gc.isenabled():
        yield
        return
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
