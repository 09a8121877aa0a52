"""XML of office files as elements: no entities, no network, no more depth than libxml2 allows (256)."""

from collections.abc import Iterator
from typing import Protocol, cast

from lxml import etree  # type: ignore[import-untyped]  # it comes with python-docx and has no types


class Element(Protocol):
    """What is used of an lxml element. `tag` is no text for comments and processing instructions."""

    @property
    def tag(self) -> str: ...

    @property
    def text(self) -> str | None: ...

    def get(self, key: str, default: str = "") -> str: ...

    def find(self, path: str) -> "Element | None": ...

    def iterfind(self, path: str) -> "Iterator[Element]": ...

    def iter(self, *tags: str) -> "Iterator[Element]": ...

    def __iter__(self) -> "Iterator[Element]": ...


def parsed(xml: bytes) -> Element:
    """The root of a part. Raises lxml's XMLSyntaxError where it is no XML."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True)
    return cast("Element", etree.fromstring(xml, parser))
