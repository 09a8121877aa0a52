"""Documents of Vertex AI Search: the lines that are imported, and what the API shows of them as rows. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from google.cloud import discoveryengine_v1 as discoveryengine
from google.protobuf import json_format

from hanpon.contracts.access import EVERYONE
from hanpon.contracts.datastore_form import CONTENT_DIGEST
from hanpon.contracts.digests import canonical_json, digest_of_json
from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.filters import NUMBER_FIELDS, TEXT_FIELDS
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.contracts.manifests import Entry, Row, file_of, source_in

MOST_IN_LINE = 1_000_000
"""Bytes of a line. No official figure is known; a digest of the documentation gives 1 MB."""

MOST_IN_PAGE = 2_500_000
MOST_IN_FILE = 200_000_000
"""Bytes of a text, and of any other file, that the service takes without a layout parser."""

MOST_READERS = 3000
"""Principals of a document."""

_ID = re.compile(r"[a-z][a-z0-9_-]{0,62}")
_TEXT_TYPES = frozenset({"text/html", "text/plain", "application/xml", "text/xml", "application/json"})
_OFFICE = "application/vnd.openxmlformats-officedocument."
_TYPES = _TEXT_TYPES | {
    "application/pdf",
    f"{_OFFICE}wordprocessingml.document",
    f"{_OFFICE}presentationml.presentation",
    f"{_OFFICE}spreadsheetml.sheet",
    "application/vnd.ms-excel.sheet.macroenabled.12",
}
_LARGEST_EXACT = 2**53


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A document as the service keeps it, without its bytes; `readers` as in contracts.

    One that is `in_doubt` was written last as it stands here, or was to be: its row equals none that is wanted. So
    does that of a document without readers, for hanpon leaves none of those in a store.
    """

    id: str
    key: str
    media_type: str
    content: str
    metadata: Mapping[str, Any]
    readers: tuple[str, ...]
    in_doubt: bool = False

    @property
    def mime(self) -> str:
        """The media type without its parameters, as the service takes and shows it."""
        return mime_of(self.media_type)

    @property
    def row(self) -> Row:
        content = "" if self.in_doubt else self.content
        return Row(self.key, content, digest_of_json(dict(self.metadata)), self.readers, source_in(self.metadata))

    def with_readers(self, readers: tuple[str, ...]) -> "Line":
        """The same for these readers alone, in its access and in its metadata's `groups`."""
        return replace(self, readers=readers, metadata={**self.metadata, "groups": list(readers)}, in_doubt=False)


Lines = dict[str, Line]
"""By id of the document."""


def mime_of(media_type: str) -> str:
    return media_type.partition(";")[0].strip()


def line_of(entry: Entry) -> Line:
    return Line(
        id=entry.id,
        key=entry.key,
        media_type=entry.media_type,
        content=entry.content_digest,
        metadata=entry.metadata,
        readers=entry.readers,
    )


def document_of(line: Line, uri: str, *, access: bool) -> dict[str, Any]:
    """The whole document as JSON, with its readers where the store is one with access control."""
    record = {**metadata_of(line), "content": {"mimeType": line.mime, "uri": uri}}
    return {**record, "acl_info": {"readers": [_entry_of(line.readers)]}} if access else record


def metadata_of(line: Line) -> dict[str, Any]:
    """The document's id and metadata alone, as JSON."""
    return {"id": line.id, "structData": {**line.metadata, CONTENT_DIGEST: line.content}}


def jsonl(record: Mapping[str, Any]) -> bytes:
    """A record as one line with its end."""
    return canonical_json(dict(record)) + b"\n"


def _entry_of(readers: Iterable[str]) -> dict[str, Any]:
    """One entry of readers, any of whom may read; `all` is everyone in the identity provider."""
    if EVERYONE in readers:
        return {"idpWide": True}
    names = (reader.partition(":") for reader in readers)
    return {"principals": [{"groupId" if kind == "group" else "userId": name} for kind, _, name in names]}


def line_in(document: discoveryengine.Document, folder: str) -> Line | None:
    """The line that a document was made of, None for one that is not below `folder` (`gs://BUCKET/PREFIX/`)."""
    message = type(document).pb(document)
    if not message.content.uri.startswith(folder):
        return None
    metadata = struct_of(message.struct_data)
    content = metadata.pop(CONTENT_DIGEST, "")
    readers = _readers_in(message, metadata)
    return Line(
        id=message.id,
        key=message.content.uri.removeprefix(folder),
        media_type=message.content.mime_type,
        content=content if isinstance(content, str) else "",
        metadata=metadata,
        readers=readers,
        in_doubt=not readers,
    )


def struct_of(struct: Any) -> dict[str, Any]:
    """What a Struct holds, in order of name. Its numbers are doubles; those that are whole come back as integers."""
    plain: dict[str, Any] = json_format.MessageToDict(struct)
    return {name: _plain(value) for name, value in sorted(plain.items())}


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def readers_in(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    """The readers as `groups` repeats them; () where it holds something else than a list of texts."""
    groups = metadata.get("groups")
    return tuple(groups) if isinstance(groups, list) and all(isinstance(each, str) for each in groups) else ()


def _readers_in(message: Any, metadata: Mapping[str, Any]) -> tuple[str, ...]:
    groups = readers_in(metadata)
    if not message.HasField("acl_info"):
        return groups
    shown = json_format.MessageToDict(message.acl_info).get("readers", [])
    if shown == [_entry_of(groups)]:
        return groups
    principals = (each for entry in shown for each in entry.get("principals", []))
    names = {f"{'group' if 'groupId' in each else 'user'}:{next(iter(each.values()))}" for each in principals}
    return tuple(sorted(names | {EVERYONE for entry in shown if entry.get("idpWide")}))


def edition_of(key: str) -> Edition | None:
    """The edition in whose folder an object lies, None for what lies in none."""
    try:
        kind, name, version, _ = key.split("/", maxsplit=3)
        return Edition(Kind(kind), name, version)
    except ValueError:
        return None


def refusals(entries: Iterable[Entry], *, access: bool) -> list[Finding]:
    """Everything that the service would refuse of these entries, before anything is sent."""
    return [
        Finding("document-not-accepted", Severity.ERROR, Place(file_of(entry.metadata)), f"{entry.id}: {words}")
        for entry in entries
        for words in _problems(entry, access=access)
    ]


def _problems(entry: Entry, *, access: bool) -> Iterator[str]:
    mime = mime_of(entry.media_type)
    most = MOST_IN_PAGE if mime in _TEXT_TYPES or mime not in _TYPES else MOST_IN_FILE
    if not _ID.fullmatch(entry.id):
        yield "expected an id of lower-case letters, digits, `-` and `_`, 63 at most, with a letter in front"
    if mime not in _TYPES:
        yield f"Vertex AI Search takes no content of type {mime}; publish it as HTML"
    if entry.size >= most:
        yield f"the page has {entry.size:,} bytes, and fewer than {most:,} are taken; cut it in two"
    if len(entry.readers) > MOST_READERS:
        yield f"{len(entry.readers):,} readers, and {MOST_READERS:,} are the most; name groups instead of people"
    yield from _odd_values(entry.metadata)
    size = len(jsonl(document_of(line_of(entry), "gs://" + "b" * 63 + "/" + entry.key, access=access)))
    if size > MOST_IN_LINE:
        yield f"its metadata and readers take {size:,} bytes, and {MOST_IN_LINE:,} are the most"


def _odd_values(metadata: Mapping[str, Any]) -> Iterator[str]:
    for name, value in metadata.items():
        if name in NUMBER_FIELDS:
            if type(value) is not int or abs(value) >= _LARGEST_EXACT:
                yield f"`{name}` is to be a whole number below 2**53"
        elif name not in TEXT_FIELDS:
            yield f"`{name}` is no field of the store's schema"
        elif not (isinstance(value, str) or _is_list_of_texts(value)):
            yield f"`{name}` is to be a text or a list of texts"


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)
