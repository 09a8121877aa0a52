"""A sound hanpon.yaml: what comes out of it."""

from hanpon.contracts.bundle import ApiItem, Code, ComponentItem, FilesItem, Item
from hanpon.contracts.editions import Kind
from hanpon.sources.bundles.reader import read_bundle
from tests.trees import MemoryTree

WHOLE = """\
owner: platform-team
readers: [group:engineers@example.co.jp]
language: ja
link_base: https://docs.example.co.jp
ledger: projects.csv
items:
  - {kind: api, name: customer, version: v1, title: 顧客API, aliases: [customer-api],
     definition: apis/v1/openapi.yaml, readme: apis/v1/README.md}
  - {kind: api, name: customer, version: v2, definition: apis/v2/openapi.json,
     readers: [user:b@example.co.jp, all], internal: hide, encoding: cp932}
  - kind: component
    name: log
    title: 共通ログ部品
    version: "3.2"
    owner: log-team
    language: en
    markdown: mkdocs
    readme: [libs/log/README.md, "libs/log/docs/*.md"]
    code: {language: java, path: libs/log/src}
  - {kind: guideline, name: java-coding, files: ["guidelines/java/*.md"]}
  - {kind: guideline, name: order-coding, files: guidelines/order.md, api: order, api_version: ALL, version: "2"}
  - {kind: design, name: order-design, api: order, api_version: v1,
     files: ["designs/**/*"], access: designs/access.csv, readers: []}
  - {kind: design, name: 全体設計, api: COMMON, api_version: ALL, files: [designs-all/*]}
  - {kind: answers, name: past-answers, files: [answers/*.jsonl]}
"""

HEAD = "owner: me\nreaders: [all]\nlanguage: ja\n"

FILES = [
    "projects.csv",
    "apis/v1/openapi.yaml",
    "apis/v1/README.md",
    "apis/v2/openapi.json",
    "libs/log/README.md",
    "libs/log/docs/b.md",
    "libs/log/docs/a.md",
    "libs/log/docs/picture.png",
    "libs/log/src/jp/Log.java",
    "libs/log/src/jp/notes.txt",
    "guidelines/java/2.md",
    "guidelines/java/1.md",
    "guidelines/java/deep/3.md",
    "guidelines/order.md",
    "designs/access.csv",
    "designs/a.docx",
    "designs/deep/b.md",
    "designs/.DS_Store",
    "designs-all/a.md",
    "answers/2026.jsonl",
]


def tree(text: str = WHOLE, files: list[str] = FILES) -> MemoryTree:
    return MemoryTree({"hanpon.yaml": text, **dict.fromkeys(files, b"")})


def items_of(text: str, *files: str) -> tuple[Item, ...]:
    return read_bundle(tree(text, [*files])).items


def test_items_come_in_the_order_of_the_file_with_their_lines() -> None:
    items = read_bundle(tree()).items
    assert [str(item.edition) for item in items] == [
        "customer@v1",
        "customer@v2",
        "log@3.2",
        "java-coding@ALL",
        "order-coding@2",
        "order-design@ALL",
        "全体設計@ALL",
        "past-answers@ALL",
    ]
    assert [str(item.place) for item in items[:3]] == [
        "hanpon.yaml:7#/items/0",
        "hanpon.yaml:9#/items/1",
        "hanpon.yaml:11#/items/2",
    ]


def test_an_api_takes_from_the_bundle_what_it_does_not_say() -> None:
    first, second = read_bundle(tree()).items[:2]
    assert first == ApiItem(
        kind=Kind.API,
        name="customer",
        version="v1",
        title="顧客API",
        aliases=("customer-api",),
        owner="platform-team",
        readers=("group:engineers@example.co.jp",),
        language="ja",
        place=first.place,
        definition="apis/v1/openapi.yaml",
        readme=("apis/v1/README.md",),
        internal="show",
        encoding="utf-8",
    )
    assert isinstance(second, ApiItem)
    assert (second.title, second.readers) == ("customer", ("all", "user:b@example.co.jp"))
    assert (second.internal, second.encoding, second.readme) == ("hide", "cp932", ())


def test_a_component_has_its_files_expanded_in_order() -> None:
    item = read_bundle(tree()).items[2]
    assert isinstance(item, ComponentItem)
    assert item.readme == ("libs/log/README.md", "libs/log/docs/a.md", "libs/log/docs/b.md")
    assert item.code == Code(language="java", path="libs/log/src", files=("libs/log/src/jp/Log.java",))
    assert (item.owner, item.language, item.markdown) == ("log-team", "en", "mkdocs")


def test_guidelines_hold_for_everything_unless_they_say_otherwise() -> None:
    everywhere, order = read_bundle(tree()).items[3:5]
    assert isinstance(everywhere, FilesItem)
    assert isinstance(order, FilesItem)
    assert (everywhere.api, everywhere.api_version, everywhere.markdown) == ("COMMON", "ALL", "")
    assert everywhere.files == ("guidelines/java/1.md", "guidelines/java/2.md")
    assert (order.api, order.api_version, order.version) == ("order", "ALL", "2")


def test_an_access_file_is_no_item_file_and_stands_in_for_readers() -> None:
    item = read_bundle(tree()).items[5]
    assert isinstance(item, FilesItem)
    assert (item.access, item.readers) == ("designs/access.csv", ())
    assert item.files == ("designs/a.docx", "designs/deep/b.md")


def test_answers_take_what_they_hold_for_from_each_answer() -> None:
    item = read_bundle(tree()).items[7]
    assert isinstance(item, FilesItem)
    assert (item.kind, item.api, item.api_version, item.files) == (
        Kind.ANSWERS,
        "COMMON",
        "ALL",
        ("answers/2026.jsonl",),
    )


def test_the_bundle_keeps_its_ledger_and_an_address_that_pages_can_stand_below() -> None:
    bundle = read_bundle(tree())
    assert bundle.ledger == "projects.csv"
    assert bundle.link_base == "https://docs.example.co.jp/"
    assert bundle.raw["items"][0]["name"] == "customer"


def test_only_hanpon_yaml_is_read() -> None:
    files = tree()
    read_bundle(files)
    assert files.reads == ["hanpon.yaml"]


def test_reading_twice_is_equal() -> None:
    assert read_bundle(tree()) == read_bundle(tree())


def test_settings_may_stand_with_the_items_alone() -> None:
    (item,) = items_of(
        "items: [{kind: api, name: a, version: v1, definition: a.json, owner: me, readers: [all], language: en}]",
        "a.json",
    )
    assert (item.owner, item.readers, item.language) == ("me", ("all",), "en")


def test_a_bundle_may_be_written_as_json_and_begin_with_a_byte_order_mark() -> None:
    text = (
        '\ufeff{"owner": "me", "readers": ["all"], "language": "ja", '
        '"items": [{"kind": "api", "name": "a", "version": "1", "definition": "a.json"}]}'
    )
    assert [str(item.edition) for item in items_of(text, "a.json")] == ["a@1"]


def test_paths_are_compared_in_nfc() -> None:
    text = HEAD + f"items: [{{kind: guideline, name: g, files: [{'か' + chr(0x3099)}.md]}}]"
    (item,) = items_of(text, "が.md")
    assert isinstance(item, FilesItem)
    assert item.files == ("が.md",)


def test_versions_of_one_item_share_files_only_by_reference() -> None:
    text = HEAD + (
        "items:\n"
        "  - {kind: api, name: a, version: v1, definition: v1.yaml}\n"
        "  - {kind: api, name: a, version: v2, definition: v2.yaml}\n"
    )
    assert len(items_of(text, "v1.yaml", "v2.yaml", "shared.yaml")) == 2


def test_a_components_code_may_lie_at_the_root() -> None:
    text = HEAD + "items: [{kind: component, name: c, version: '1', code: {language: go, path: .}}]"
    (item,) = items_of(text, "a.go", "b/c.go", ".hidden/d.go")
    assert isinstance(item, ComponentItem)
    assert item.code is not None
    assert item.code.files == ("a.go", "b/c.go")
