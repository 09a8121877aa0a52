"""Documents of Vertex AI Search: what is imported, and what comes back of it."""

import json
from dataclasses import replace
from typing import Any

import pytest
from google.cloud import discoveryengine_v1 as v1
from hypothesis import given
from hypothesis import strategies as st

from hanpon.adapters.vertex_documents import (
    MOST_IN_PAGE,
    MOST_READERS,
    document_of,
    edition_of,
    jsonl,
    line_in,
    line_of,
    metadata_of,
    refusals,
)
from hanpon.contracts.manifests import Entry
from hanpon.contracts.versions import RANK_BITS
from tests.editions import CUSTOMER, document

FOLDER = "gs://bucket/hanpon/"
NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20)
READERS = st.lists(st.builds("{}:{}".format, st.sampled_from(["group", "user"]), NAMES) | st.just("all"), unique=True)


def entry(**fields: Any) -> Entry:
    return replace(Entry.of(document("GET /a")), **fields)


def back(made: Entry, *, access: bool) -> Any:
    text = jsonl(document_of(line_of(made), FOLDER + made.key, access=access)).decode()
    return line_in(v1.Document.from_json(text), FOLDER)


@given(
    readers=READERS, title=st.text(st.characters(exclude_categories=["Cs"])), rank=st.integers(0, 2**RANK_BITS - 1)
)
@pytest.mark.parametrize("access", [True, False])
def test_a_document_read_back_is_the_row_of_its_entry(
    *, access: bool, readers: list[str], title: str, rank: int
) -> None:
    plain = Entry.of(document("GET /a"))
    metadata = {**plain.metadata, "title": title, "version_rank": rank, "tags": ["a", "b"]}
    made = replace(plain, metadata=metadata).with_readers(tuple(readers))
    line = back(made, access=access)
    assert line.row == replace(line_of(made), in_doubt=not readers).row
    assert type(line.metadata["version_rank"]) is int


def test_a_line_holds_one_entry_of_readers_any_of_whom_may_read() -> None:
    made = entry(readers=("group:a@x", "user:b@y"))
    record = document_of(line_of(made), FOLDER + made.key, access=True)
    assert record["acl_info"] == {"readers": [{"principals": [{"groupId": "a@x"}, {"userId": "b@y"}]}]}
    assert record["content"] == {"mimeType": "text/html", "uri": FOLDER + made.key}
    assert record["structData"] == {**made.metadata, "content_sha256": made.content_digest}
    assert "acl_info" not in document_of(line_of(made), FOLDER + made.key, access=False)
    assert metadata_of(line_of(made)) == {"id": made.id, "structData": record["structData"]}


def test_all_are_everyone_in_the_identity_provider() -> None:
    record = document_of(line_of(entry(readers=("all", "group:a"))), "gs://b/k", access=True)
    assert record["acl_info"] == {"readers": [{"idpWide": True}]}


def test_a_line_is_one_line_whatever_its_texts_hold() -> None:
    data = jsonl(metadata_of(line_of(entry(metadata={"title": "a\nb\u2028c"}))))
    assert data.count(b"\n") == 1
    assert json.loads(data)["structData"]["title"] == "a\nb\u2028c"


def test_readers_that_differ_from_the_groups_are_told_as_the_service_has_them() -> None:
    made = entry()
    record = document_of(replace(line_of(made), readers=("group:x", "all")), FOLDER + made.key, access=True)
    line = line_in(v1.Document.from_json(json.dumps(record)), FOLDER)
    assert line is not None
    assert line.readers == ("all",)


def test_what_lies_elsewhere_is_no_row_of_ours() -> None:
    record = document_of(line_of(entry()), "gs://other/page.html", access=False)
    assert line_in(v1.Document.from_json(json.dumps(record)), FOLDER) is None
    assert edition_of("nothing/of/ours") is None
    assert edition_of(entry().key) == CUSTOMER


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"id": "GET./a"}, "expected an id"),
        ({"id": "a" * 64}, "expected an id"),
        ({"size": MOST_IN_PAGE}, "cut it in two"),
        ({"media_type": "text/markdown; charset=utf-8"}, "no content of type text/markdown"),
        ({"readers": tuple(f"user:{n}" for n in range(MOST_READERS + 1))}, "3,001 readers"),
        ({"metadata": {"title": "x" * 1_000_000}}, "1,000,000 are the most"),
        ({"metadata": {"title": 3}}, "`title` is to be a text"),
        ({"metadata": {"tags": ["a", 3]}}, "`tags` is to be a text or a list of texts"),
        ({"metadata": {"version_rank": 1.5}}, "whole number"),
        ({"metadata": {"version_rank": True}}, "whole number"),
        ({"metadata": {"version_rank": 2**53}}, "whole number"),
        ({"metadata": {"colour": "red"}}, "no field of the store's schema"),
    ],
)
def test_what_the_service_would_refuse_is_named_before_anything_is_sent(fields: dict[str, Any], words: str) -> None:
    [problem] = refusals([entry(), entry(**fields)], access=True)
    assert words in problem.message
    assert problem.message.startswith(fields.get("id", entry().id) + ": ")
    assert problem.rule == "document-not-accepted"


def test_all_that_is_wrong_is_told_at_once() -> None:
    odd = entry(id="A", size=MOST_IN_PAGE, media_type="image/png")
    assert len(refusals([odd, odd], access=False)) == 6
