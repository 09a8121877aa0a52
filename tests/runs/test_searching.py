"""Searching as a person does, over what a release published."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.runs.bundles import Desk

ENGINEERS = "group:engineers@example.co.jp"

BUNDLE = """\
owner: platform-team
readers: [group:engineers@example.co.jp]
language: ja
{link_base}
items:
  - {{kind: api, name: shop, version: v1, definition: shop.yaml}}
  - {{kind: guideline, name: rules, files: [rules.md]}}
  - {{kind: answers, name: past, files: [past.jsonl]}}
  - {{kind: design, name: plans, api: shop, api_version: v1, files: ["plans/*"], access: access.csv}}
"""

DEFINITION = """\
openapi: 3.0.3
info: {title: Shop, version: "1"}
paths:
  /v1/customers/{id}:
    get:
      operationId: getCustomerById
      summary: 顧客を取得する
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: 退会した顧客も返す}}
  /v1/orders:
    get: {summary: 注文の一覧, responses: {"200": {description: 注文}}}
"""

ANSWERS = [
    {"id": "a1", "question": "退会した顧客は返りますか", "answer": "返ります。", "api": "shop", "versions": ["v1"]},
    {
        "id": "a2",
        "question": "退会した顧客は返りますか(旧)",
        "answer": "返りません。",
        "api": "shop",
        "versions": ["v1"],
        "superseded": True,
    },
]


def write(desk: Desk, *, link_base: str = "", access: str = "plans/secret.md,group:finance@example.co.jp\n") -> None:
    desk.put("hanpon.yaml", BUNDLE.format(link_base=f"link_base: {link_base}" if link_base else ""))
    desk.put("shop.yaml", DEFINITION)
    desk.put("rules.md", "# 規約\n\n## 第1条 命名\n\n退会という語を使う。\n\n## 第2条 例外\n\n握りつぶさない。\n")
    desk.put("past.jsonl", "".join(json.dumps(answer, ensure_ascii=False) + "\n" for answer in ANSWERS))
    desk.put("plans/secret.md", "# 与信限度額の設計\n\n退会時の与信限度額はゼロにする。\n")
    desk.put("access.csv", "path,principals\n" + access)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    write(desk)
    result = desk.release()
    assert result.exit_code == 0, result.output
    return desk


def hits(desk: Desk, query: str, *arguments: str, who: str = ENGINEERS) -> list[dict[str, Any]]:
    result = desk.run("search", query, "--json", "--as", who, *arguments)
    assert result.exit_code == 0, result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


def sections(desk: Desk, query: str, *arguments: str, who: str = ENGINEERS) -> list[str]:
    return [hit["section"] for hit in hits(desk, query, *arguments, who=who)]


def test_a_word_of_two_characters_finds_each_kind_and_no_superseded_answer(desk: Desk) -> None:
    found = sections(desk, "退会")
    assert "GET /v1/customers/{id}" in found
    assert "第1条" in found
    assert "退会した顧客は返りますか" in found
    assert "退会した顧客は返りますか(旧)" not in found


@pytest.mark.parametrize("query", ["/v1/customers/{id}", "getCustomerById", "customerById", "ＧＥＴ /v1/customers"])
def test_an_identifier_finds_its_operation_first(desk: Desk, query: str) -> None:
    assert sections(desk, query)[0] == "GET /v1/customers/{id}"


def test_a_filter_says_where_to_look(desk: Desk) -> None:
    assert sections(desk, "退会", "--filter", 'doc_type: ANY("qa") AND superseded: ANY("true")') == [
        "退会した顧客は返りますか(旧)"
    ]


def test_a_target_takes_in_what_holds_for_all_and_only_answers_that_stand(desk: Desk) -> None:
    found = sections(desk, "退会", "--target", "shop@v1")
    assert {"GET /v1/customers/{id}", "第1条", "退会した顧客は返りますか"} == set(found)


def test_a_target_of_which_nothing_is_published_is_told(desk: Desk) -> None:
    result = desk.run("search", "退会", "--target", "shop@v9", "--target", "shop@v1", "--as", ENGINEERS)
    assert result.exit_code == 0
    assert result.stderr == "note: nothing is published under shop@v9; published versions of shop: v1\n"


def test_nothing_of_a_document_is_shown_to_someone_without_its_group(desk: Desk) -> None:
    assert sections(desk, "与信限度額", who="group:finance@example.co.jp") == ["与信限度額の設計"]
    assert sections(desk, "与信限度額") == []
    assert sections(desk, "退会", who="group:nobody@example.co.jp") == []


def test_a_reader_who_is_taken_away_is_gone_with_the_next_release(desk: Desk) -> None:
    write(desk, access="plans/secret.md,group:audit@example.co.jp\n")
    planned = json.loads(desk.release("--json", "--dry-run").stdout)["editions"][-1]["plan"]
    assert [each["lost"] for each in planned["narrowed"]] == [["group:finance@example.co.jp"]]
    assert [each["gained"] for each in planned["widened"]] == [["group:audit@example.co.jp"]]
    assert "! given to group:audit@example.co.jp: " in desk.release("--dry-run").stdout
    assert desk.release().exit_code == 0
    assert sections(desk, "与信限度額", who="group:finance@example.co.jp") == []
    assert sections(desk, "与信限度額", who="group:audit@example.co.jp") == ["与信限度額の設計"]


def test_a_document_that_the_access_file_covers_no_more_is_seen_by_nobody(desk: Desk) -> None:
    write(desk, access="")
    assert desk.release("--allow-removals").exit_code == 0
    assert sections(desk, "与信限度額", who="group:finance@example.co.jp") == []


def test_access_is_taken_away_even_where_the_rest_of_the_release_is_refused(desk: Desk) -> None:
    write(desk, access="plans/secret.md,group:audit@example.co.jp\nplans/secret2.md,nonsense\n")
    assert desk.release().exit_code == 3
    assert sections(desk, "与信限度額", who="group:finance@example.co.jp") == []


def test_a_line_of_an_access_file_that_is_wrong_takes_nothing_away(desk: Desk) -> None:
    write(desk, access="plans/secret.md,nonsense\n")
    assert desk.release().exit_code == 3
    assert sections(desk, "与信限度額", who="group:finance@example.co.jp") == ["与信限度額の設計"]


def test_links_lead_below_the_address_that_the_bundle_names(desk: Desk) -> None:
    (first,) = hits(desk, "握りつぶさない")
    assert first["link"].startswith("file:///")
    write(desk, link_base="https://docs.example.co.jp/hanpon")
    assert desk.release().exit_code == 0
    (first,) = hits(desk, "握りつぶさない")
    assert first["link"].startswith("https://docs.example.co.jp/hanpon/guideline/rules/ALL/pages/")
    before = desk.files()
    assert desk.release().exit_code == 0
    assert desk.files() == before


def test_searching_writes_nothing(desk: Desk) -> None:
    before = desk.files()
    hits(desk, "退会")
    assert desk.files() == before


def test_what_cannot_be_understood_is_told_in_words(desk: Desk) -> None:
    result = desk.run("search", "退会", "--filter", 'api: ANY("a") AND api: ANY("b") OR api: ANY("c")')
    assert result.exit_code == 2
    assert "parentheses" in result.stderr
    assert desk.run("search", "退会", "--target", "shop").exit_code == 2
    assert desk.run("search", "退会", "--target", "shop@v1", "--filter", 'api: ANY("a")').exit_code == 2
    nobody = desk.run("search", "退会", "--as", ENGINEERS, "--as", "finance")
    assert nobody.exit_code == 2
    assert "expected group:NAME or user:NAME, found `finance`" in nobody.stderr


def test_a_damaged_pointer_keeps_nobody_from_finding(desk: Desk) -> None:
    (desk.storage / "guideline/rules/ALL/current.json").write_text("{nonsense")
    (first,) = hits(desk, "握りつぶさない")
    assert Path(first["link"].removeprefix("file://").partition("#")[0]).is_file()


@pytest.mark.parametrize(
    "damage",
    [
        "document SET key = 'nowhere'",
        "document SET key = 'x/y/z/pages/a.html'",
        """document SET metadata = '{"superseded": "false"}'""",
        "piece SET trail = 'no list'",
        "piece SET trail = '7'",
    ],
)
def test_a_damaged_row_keeps_nobody_from_finding(desk: Desk, damage: str) -> None:
    with sqlite3.connect(desk.database) as connection:
        connection.execute(f"UPDATE {damage}")
    connection.close()
    assert hits(desk, "握りつぶさない")
    result = desk.run("search", "握りつぶさない", "--as", ENGINEERS)
    assert result.exit_code == 0
    assert "握りつぶさない" in result.stdout


def test_a_person_reads_title_trail_snippet_and_link(desk: Desk) -> None:
    result = desk.run("search", "握りつぶさない", "--as", ENGINEERS)
    assert "第2条 例外" in result.stdout
    assert "握りつぶさない。" in result.stdout
    assert "file://" in result.stdout
    assert "--as group:NAME" in desk.run("search", "握りつぶさない").stderr


def test_an_image_of_a_design_is_shown_on_no_page_of_another_item(desk: Desk) -> None:
    image = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\6\0\0\0\x1f\x15\xc4\x89"
    desk.put("plans/flow.png", image)
    desk.put("rules.md", "# 規約\n\n## 第1条 図\n\n![流れ](plans/flow.png)\n")
    result = desk.release("--allow-removals", "--only", "rules")
    assert result.exit_code == 0
    assert "belongs to another item" in result.stderr
    assert list(desk.storage.rglob("assets/*")) == []


def test_a_query_without_a_word_and_a_datastore_without_rows_are_told(desk: Desk) -> None:
    empty = desk.run("search", " ", "--as", ENGINEERS)
    assert empty.exit_code == 2
    assert "no word" in empty.stderr
    elsewhere = desk.run("search", "退会", "--as", ENGINEERS, "--datastore", f"sqlite:{desk.folder / 'none.db'}")
    assert "holds nothing" in elsewhere.stderr
    assert not (desk.folder / "none.db").exists()
