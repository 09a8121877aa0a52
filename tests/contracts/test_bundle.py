"""What an edition remembers of its entry in hanpon.yaml."""

from dataclasses import fields, replace
from typing import Any

import pytest

from hanpon.contracts.bundle import ApiItem, Code, ComponentItem, FilesItem, Item
from hanpon.contracts.editions import Kind
from hanpon.contracts.findings import Place

COMMON: dict[str, Any] = {
    "name": "shop",
    "version": "v1",
    "title": "Shop",
    "readers": ("all",),
    "language": "en",
    "place": Place("hanpon.yaml", "/items/0", 5),
}
ITEMS: tuple[Item, ...] = (
    ApiItem(kind=Kind.API, definition="shop.yaml", **COMMON),
    ComponentItem(kind=Kind.COMPONENT, code=Code(language="java", path="src", files=("src/A.java",)), **COMMON),
    FilesItem(kind=Kind.GUIDELINE, files=("a.md",), api="COMMON", api_version="ALL", **COMMON),
)
OTHERWISE: dict[str, Any] = {
    "kind": Kind.DESIGN,
    "aliases": ("store",),
    "readers": ("group:a@x",),
    "files": ("a.md", "b.md"),
    "readme": ("README.md",),
    "code": Code(language="java", path="src", files=("src/A.java", "src/B.java")),
}


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: str(item.kind))
def test_whatever_else_is_said_of_an_item_is_another_setting(item: Item) -> None:
    digests = {
        field.name: replace(item, **{field.name: OTHERWISE.get(field.name, "other")}).settings_digest
        for field in fields(item)
        if field.name != "place"
    }
    assert [name for name, digest in digests.items() if digest == item.settings_digest] == []
    assert len(set(digests.values())) == len(digests)


def test_where_an_item_stands_in_the_file_is_no_setting() -> None:
    item = ITEMS[0]
    assert replace(item, place=Place("hanpon.yaml", "/items/7", 90)).settings_digest == item.settings_digest
