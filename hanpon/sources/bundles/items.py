"""Checked entries of hanpon.yaml into items, with what they take from the bundle and what goes without saying."""

import unicodedata
from collections.abc import Mapping
from typing import Any

from hanpon.contracts.bundle import ApiItem, Code, ComponentItem, FilesItem, Item
from hanpon.contracts.editions import EVERY_API, EVERY_VERSION, Kind
from hanpon.sources.bundles.entries import Entry
from hanpon.sources.bundles.files import BundleFiles


def item_of(entry: Entry, bundle: Mapping[str, Any], files: BundleFiles) -> Item:
    """The item of an entry in which nothing is wrong."""
    kind = Kind(entry.kind)
    if kind is Kind.API:
        return _api(entry, bundle, files)
    if kind is Kind.COMPONENT:
        return _component(entry, bundle, files)
    return _set_of_files(entry, bundle, files)


def _api(entry: Entry, bundle: Mapping[str, Any], files: BundleFiles) -> ApiItem:
    return ApiItem(
        **_common(entry, bundle),
        definition=files.of(entry.index, "definition")[0],
        readme=files.of(entry.index, "readme"),
        internal=entry.raw.get("internal", "show"),
        markdown=entry.raw.get("markdown", ""),
    )


def _component(entry: Entry, bundle: Mapping[str, Any], files: BundleFiles) -> ComponentItem:
    return ComponentItem(
        **_common(entry, bundle),
        readme=files.of(entry.index, "readme"),
        code=_code(entry, files) if "code" in entry.raw else None,
        markdown=entry.raw.get("markdown", ""),
    )


def _code(entry: Entry, files: BundleFiles) -> Code:
    path = unicodedata.normalize("NFC", entry.text("code", "path"))
    return Code(language=entry.text("code", "language"), path=path, files=files.of(entry.index, "code"))


def _set_of_files(entry: Entry, bundle: Mapping[str, Any], files: BundleFiles) -> FilesItem:
    return FilesItem(
        **_common(entry, bundle),
        files=files.of(entry.index, "files"),
        api=entry.text("api") or EVERY_API,
        api_version=entry.text("api_version") or EVERY_VERSION,
        markdown=entry.raw.get("markdown", ""),
        access="".join(files.of(entry.index, "access")),
    )


def _common(entry: Entry, bundle: Mapping[str, Any]) -> dict[str, Any]:
    inherited = {key: entry.raw.get(key, bundle.get(key)) for key in ("owner", "readers", "language")}
    return {
        "kind": Kind(entry.kind),
        "name": entry.text("name"),
        "version": entry.version,
        "title": entry.text("title") or entry.text("name"),
        "aliases": tuple(entry.raw.get("aliases", ())),
        "owner": inherited["owner"],
        "readers": tuple(sorted(set(inherited["readers"] or ()))),
        "language": inherited["language"],
        "place": entry.place,
        "encoding": entry.raw.get("encoding", "utf-8"),
    }
