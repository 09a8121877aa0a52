"""Front matter: what a text says of itself before it begins. It is used, and never printed."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.formats.untrusted_html import names
from hanpon.sources.texts.yaml_text import outlined_yaml

_OPENING = re.compile(r"---[ \t]*\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_LONGEST = 100_000
_KEY = re.compile(r"\s*(?:#[^\n]*\n\s*)*[\w\"'.-]+[ \t]*:(?:[ \t]|$)", re.MULTILINE)
_META = re.compile(r"([A-Za-z][A-Za-z0-9_-]*):[ \t]*([^\n]*)")
_KNOWN_META = names(
    "author authors category date description edit_url hide icon keywords revision status subtitle summary tags "
    "template title version"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fronted:
    """A text in two: its front matter, as far as its values are single texts or numbers, and the rest.

    `lines` is how many lines of the file come before `rest`.
    """

    front: Mapping[str, str] = field(default_factory=dict)
    rest: str
    lines: int = 0
    findings: tuple[Finding, ...] = ()


def fronted(text: str, file: str) -> Fronted:
    """Cut off the YAML between `---` and `---` at the very beginning of a text.

    What only looks like it, such as a line across the page, stays in the text. Front matter that cannot be read is
    a finding, and is not printed either.
    """
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end(), opening.end() + _LONGEST) if opening else None
    if opening is None or closing is None:
        return Fronted(rest=text)
    yaml, rest = text[opening.end() : closing.start()], text[closing.end() :].removeprefix("\n")
    lines = text.count("\n", 0, len(text) - len(rest))
    try:
        value, _ = outlined_yaml(f"\n{yaml}", file)
    except InvalidInput as broken:
        if not _KEY.match(yaml):
            return Fronted(rest=text)
        return Fronted(rest=rest, lines=lines, findings=(_broken(file, broken),))
    if value is None and not yaml.strip():
        return Fronted(rest=rest, lines=lines)
    if not isinstance(value, dict):
        return Fronted(rest=text)
    front = {key: str(one) for key, one in value.items() if _is_text_or_number(one)}
    return Fronted(front=front, rest=rest, lines=lines)


def _is_text_or_number(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def with_mkdocs_meta(text: str) -> Fronted:
    """Cut off MkDocs' own front matter: `key: value` lines up to an empty one, all of them of known keys."""
    front: dict[str, str] = {}
    lines = text[:_LONGEST].split("\n")
    for number, line in enumerate(lines):
        found = _META.fullmatch(line)
        if found and found[1].lower() in _KNOWN_META:
            front[found[1].lower()] = found[2].strip()
        elif line.startswith("    ") and front:
            continue
        elif not line.strip() and front:
            return Fronted(front=front, rest="\n".join(text.split("\n")[number + 1 :]), lines=number + 1)
        else:
            break
    return Fronted(rest=text)


def _broken(file: str, broken: InvalidInput) -> Finding:
    first = broken.problems[0]
    message = f"The front matter cannot be read and is left out: {first.message}"
    return Finding("front-matter-broken", Severity.WARNING, Place(file, "", first.where.line), message)
