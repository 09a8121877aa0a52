"""hanpon.yaml and the files it lists: from a folder's tree to a checked bundle."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from hanpon.contracts.bundle import Bundle
from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Finding, Place, in_order
from hanpon.contracts.ports import BundleTree
from hanpon.sources.bundles.entries import entries_of
from hanpon.sources.bundles.files import files_of
from hanpon.sources.bundles.items import item_of
from hanpon.sources.bundles.names import name_problems
from hanpon.sources.bundles.settings import setting_problems
from hanpon.sources.bundles.shape import BUNDLE_FILE, shape_problems
from hanpon.sources.texts.structured_text import locate, parse
from hanpon.sources.texts.text_encoding import decode
from hanpon.sources.texts.text_problems import problem, shown

MAX_BUNDLE_BYTES = 1024 * 1024
"""A larger hanpon.yaml is not read."""


def read_bundle(tree: BundleTree) -> Bundle:
    """The bundle of a tree, checked, with patterns expanded and defaults filled in.

    Reads hanpon.yaml and no other file. Raises InvalidInput with every problem there is in it, each with its
    line and key: a bundle that is itself wrong is refused whole.
    """
    data = _read(tree)
    raw = parse(data, BUNDLE_FILE)
    text = decode(data, BUNDLE_FILE)
    if raw is None:
        raise InvalidInput([_whole("empty-hanpon-yaml", "hanpon.yaml is empty; list what to release under `items`.")])
    entries = entries_of(raw, _lines_of_items(raw, text))
    settings = raw if isinstance(raw, dict) else {}
    ledger = settings.get("ledger")
    files = files_of(entries, ledger if isinstance(ledger, str) else "", tree)
    problems = [
        *shape_problems(raw, text),
        *name_problems(entries),
        *setting_problems(settings, entries),
        *files.problems,
    ]
    if problems:
        raise InvalidInput(in_order(list(_located(problems, text))))
    return Bundle(
        items=tuple(item_of(entry, settings, files) for entry in entries),
        link_base=_with_slash(settings.get("link_base", "")),
        ledger=files.ledger,
        raw=settings,
    )


def _read(tree: BundleTree) -> bytes:
    if BUNDLE_FILE not in tree.paths():
        raise InvalidInput([_whole("missing-hanpon-yaml", _why_missing(tree))])
    size = tree.size(BUNDLE_FILE)
    if size > MAX_BUNDLE_BYTES:
        message = f"hanpon.yaml has {size:,} bytes; at most {MAX_BUNDLE_BYTES:,} are read."
        raise InvalidInput([_whole("too-large", message)])
    return tree.read(BUNDLE_FILE)


def _why_missing(tree: BundleTree) -> str:
    if BUNDLE_FILE in tree.links():
        return "hanpon.yaml is a symbolic link, and links are not followed; put the file itself in its place."
    paths = tree.paths()
    if not paths:
        return "The folder holds no file at all; a bundle is a folder with a hanpon.yaml at its root."
    alike = [path for path in paths if path.lower() in {"hanpon.yaml", "hanpon.yml"}]
    if alike:
        return f"There is no hanpon.yaml here; rename {shown(alike[0])} to hanpon.yaml."
    below = [path for path in paths if path.endswith("/" + BUNDLE_FILE)]
    if below:
        return f"There is no hanpon.yaml here, but {shown(below[0])}; name the folder that holds it."
    return "There is no hanpon.yaml here; a bundle is a folder with a hanpon.yaml at its root that lists `items`."


def _whole(rule: str, message: str) -> Finding:
    return problem(rule, Place(BUNDLE_FILE), message)


def _lines_of_items(raw: Any, text: str) -> dict[str, int]:
    items = raw.get("items") if isinstance(raw, dict) else None
    return locate(text, [f"/items/{index}" for index in range(len(items))]) if isinstance(items, list) else {}


def _located(problems: Iterable[Finding], text: str) -> Iterator[Finding]:
    found = list(problems)
    lines = locate(text, [each.where.pointer for each in found])
    for each in found:
        where = Place(each.where.file, each.where.pointer, lines[each.where.pointer])
        yield replace(each, where=where)


def _with_slash(address: str) -> str:
    return address if not address or address.endswith("/") else address + "/"
