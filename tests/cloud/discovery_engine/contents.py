"""The content of documents: which types and sizes are taken, and what a parser makes of it."""

import base64

from tests.cloud.discovery_engine.conduct import Conduct
from tests.cloud.discovery_engine.messages import Json
from tests.cloud.discovery_engine.objects import Objects, split
from tests.cloud.discovery_engine.page_text import Section, cut, read_page
from tests.cloud.discovery_engine.refusals import invalid
from tests.cloud.discovery_engine.stores import Body, DataStore

_OFFICE = "application/vnd.openxmlformats-officedocument."
TEXTS = {"text/html", "text/plain", "application/xml", "text/xml", "application/json"}
TYPES = TEXTS | {
    "application/pdf",
    f"{_OFFICE}wordprocessingml.document",
    f"{_OFFICE}presentationml.presentation",
    f"{_OFFICE}spreadsheetml.sheet",
    "application/vnd.ms-excel.sheet.macroenabled.12",
}
IMAGES = {"image/bmp", "image/gif", "image/jpeg", "image/png", "image/tiff"}
"""Types that the layout parser takes besides."""

_RAW_LIMIT = 1_000_000
_URI_LIMIT = 2_000


def body_of(store: DataStore, content: Json, objects: Objects, conduct: Conduct) -> Body:
    """A document's content, read and cut. Raises Refused for what is not taken, or not there."""
    kind, uri = content.get("mimeType", ""), content.get("uri", "")
    if kind not in (TYPES | IMAGES if store.layout is not None else TYPES):
        raise invalid(f"Unsupported mime type: {kind or 'none'}.")
    data = _bytes(content, uri, objects)
    limit = _limit(store, kind, conduct)
    if len(data) > limit:
        raise invalid(f"The content has {len(data)} bytes, while at most {limit} are taken.")
    title, sections = "", [Section((), [])]
    if kind == "text/html":
        title, read = read_page(data.decode("utf-8", errors="replace"), store.excluded)
        sections = list(read)
    elif kind in TEXTS:
        sections = [Section((), [data.decode("utf-8", errors="replace")])]
    return Body(uri, kind, title, tuple(_chunks(store, sections)))


def _bytes(content: Json, uri: str, objects: Objects) -> bytes:
    if "rawBytes" in content:
        raw = base64.b64decode(content["rawBytes"])
        if len(raw) > _RAW_LIMIT:
            raise invalid(f"raw_bytes has {len(raw)} bytes, while at most {_RAW_LIMIT} are taken.")
        return raw
    if len(uri) > _URI_LIMIT:
        raise invalid("The content's URI is too long.")
    split(uri)
    data = objects.read(uri)
    if data is None:
        raise invalid("The content's object does not exist or cannot be read.")
    return data


def _limit(store: DataStore, kind: str, conduct: Conduct) -> int:
    if kind not in TEXTS:
        return (40 if kind == "application/pdf" and store.layout is not None else 200) * 1_000_000
    if conduct.text_limit is not None:
        return conduct.text_limit
    return 10_000_000 if store.layout is not None or store.chunking is not None else 2_500_000


def _chunks(store: DataStore, sections: list[Section]) -> list[str]:
    chunking = store.chunking
    if chunking is None:
        return ["\n".join(cut(sections, 10**9, with_headings=False))]
    return cut(sections, chunking["chunkSize"], with_headings=chunking.get("includeAncestorHeadings", False))
