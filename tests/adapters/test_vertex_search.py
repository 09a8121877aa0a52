"""Search in Vertex AI Search: one hit for each document, and nothing that the asker may not read."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from hanpon.contracts.documents import Document
from hanpon.contracts.errors import Unavailable, UsageError
from hanpon.contracts.filters import AnyOf, Not
from hanpon.contracts.manifests import Entry
from hanpon.contracts.search import Query
from hanpon.search.filters import parse_filter
from hanpon.search.targets import target_filter
from tests.adapters.vertex_world import HeldVertex, World, world
from tests.cloud import faults
from tests.cloud.discovery_engine.callers import member
from tests.editions import CUSTOMER, ENGINEERS, document, edition_of


@pytest.fixture
def made() -> Iterator[World]:
    with world() as new:
        yield new


def told(section: str, *texts: str, **fields: Any) -> Document:
    """A document called `section`, with a heading for each text."""
    made = document(section, readers=fields.pop("readers", ENGINEERS))
    parts = "".join(f"<h2>S{number}</h2><p>{text}</p>" for number, text in enumerate(texts, 1))
    return replace(made, content=f"<h1>{section}</h1>{parts}".encode(), metadata=replace(made.metadata, **fields))


def filled(made: World, *documents: Document) -> HeldVertex:
    content = {each.id: each.content for each in documents}
    with made.open().change(CUSTOMER) as change:
        change.upsert(edition_of(*documents).manifest.entries, lambda entry: content[entry.id])
        change.commit()
    return made.open()


def sections(datastore: HeldVertex, text: str, expression: str = "", **query: Any) -> list[str]:
    tree = parse_filter(expression) if expression else None
    asked = Query(text=text, filter=tree, principals=query.pop("principals", ENGINEERS), **query)
    return [hit.section for hit in datastore.search(asked)]


def test_a_hit_tells_the_document_and_the_piece_it_was_found_by(made: World) -> None:
    page = told("GET /customers", "nothing here", "退会した顧客も検索する。", title="顧客を検索する")
    [hit] = filled(made, page).search(Query(text="退会", principals=ENGINEERS))
    assert (hit.id, hit.key, hit.title, hit.section) == (page.id, page.key, "顧客を検索する", "GET /customers")
    assert (hit.trail, hit.anchor, hit.snippet) == (("GET /customers", "S2"), "", "退会した顧客も検索する。")
    assert hit.metadata == Entry.of(page).metadata
    assert list(hit.metadata) == sorted(hit.metadata)
    assert type(hit.metadata["version_rank"]) is int


def test_a_document_is_one_hit_however_many_of_its_pieces_are_found(made: World) -> None:
    datastore = filled(made, told("A", *["order word"] * 30), told("B", "order"), told("C", "order"))
    assert sorted(sections(datastore, "order")) == ["A", "B", "C"]
    assert len(sections(datastore, "order", limit=2)) == 2
    hits = datastore.search(Query(text="order", principals=ENGINEERS))
    assert [hit.score for hit in hits] == [1, 0.5, 0.333333]


def test_more_pieces_than_a_page_holds_are_looked_through(made: World) -> None:
    datastore = filled(made, told("A", *["order order"] * 250), told("B", "order"))
    assert sections(datastore, "order") == ["A", "B"]
    assert made.calls.count("Search") == 3


def test_a_store_without_pieces_finds_documents() -> None:
    with world(chunked=False) as made:
        page = told("GET /a", "order")
        [hit] = filled(made, page).search(Query(text="order", principals=ENGINEERS))
        assert (hit.id, hit.key, hit.trail, hit.snippet) == (page.id, page.key, ("GET /a",), "GET /a")
        assert hit.metadata == Entry.of(page).metadata


@pytest.mark.parametrize(
    ("principals", "found"),
    [
        ((), ["open"]),
        (("user:a@x",), ["mine", "open"]),
        (("user:A@x",), ["open"]),
        (("group:x", "user:b@x"), ["his", "open"]),
    ],
)
def test_a_filter_keeps_what_the_asker_may_not_read(made: World, principals: Sequence[str], found: list[str]) -> None:
    datastore = filled(
        made,
        told("mine", "order", readers=("user:a@x",)),
        told("his", "order", readers=("user:b@x",)),
        told("open", "order", readers=("all",)),
    )
    assert sorted(sections(datastore, "order", principals=tuple(principals))) == found
    names = 'section: ANY("mine") OR section: ANY("his") OR section: ANY("open")'
    assert sorted(sections(datastore, "order", names, principals=tuple(principals))) == found


def test_a_result_that_the_filter_let_through_by_mistake_is_not_shown(
    made: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    datastore = filled(made, told("mine", "order", readers=("user:a@x",)))
    monkeypatch.setattr("hanpon.adapters.vertex_search.for_readers", lambda tree, _: tree)
    assert sections(datastore, "order", principals=("user:b@x",)) == []


def test_filters_are_those_of_the_embedded_store(made: World) -> None:
    datastore = filled(
        made,
        told("new", "order", api_version="v2", version_rank=2),
        told("old", "order", tags=("a", "b")),
        told("gone", "order", superseded="true"),
    )
    assert sections(datastore, "order", "version_rank >= 2") == ["new"]
    assert sections(datastore, "order", 'tags: ANY("b") AND NOT api_version: ANY("v2")') == ["old"]
    assert sections(datastore, "order", "version_rank: IN(1i, 2e)", principals=ENGINEERS) == ["gone", "old"]
    tree = target_filter(["customer@v2", "customer@v3"])
    assert [hit.section for hit in datastore.search(Query(text="order", filter=tree, principals=ENGINEERS))] == [
        "new"
    ]
    twice = Not(Not(AnyOf("api_version", ("v2",))))
    assert len(datastore.search(Query(text="order", filter=twice, principals=ENGINEERS))) == 1


def test_in_a_store_with_access_control_the_credentials_decide() -> None:
    with world(access=True) as made:
        made.project.state.tokens = {"ann": member("ann@x", "staff@x"), "bob": member("bob@x")}
        datastore = filled(
            made,
            told("staff", "order", readers=("group:staff@x",)),
            told("bob", "order", readers=("user:bob@x",)),
            told("open", "order", readers=("all",)),
        )
        assert datastore.search(Query(text="order")) == []  # the pipeline itself is nobody's colleague
        for token, found in (("ann", ["open", "staff"]), ("bob", ["bob", "open"])):
            asking = made.open(caller=token)
            assert sorted(hit.section for hit in asking.search(Query(text="order"))) == found
        with pytest.raises(UsageError, match="own credentials decide"):
            datastore.search(Query(text="order", principals=("user:bob@x",)))


@pytest.mark.parametrize("text", ["", "!?", "   "])
def test_a_query_without_a_word_finds_nothing_and_asks_nothing(made: World, text: str) -> None:
    datastore = filled(made, told("a", "order"))
    made.calls.clear()
    assert sections(datastore, text) == []
    assert sections(datastore, "order", limit=0) == []
    assert "Search" not in made.calls


def test_a_search_that_fails_once_is_tried_again_and_one_that_fails_for_long_is_told(made: World) -> None:
    datastore = filled(made, told("a", "order"))
    made.proxy.plan(faults.status(503, "POST", ":search"), faults.reset("POST", ":search", first=2))
    assert sections(datastore, "order") == ["a"]
    made.proxy.plan(faults.status(429, "POST", ":search", times=float("inf")))
    with pytest.raises(Unavailable, match="searching"):
        sections(datastore, "order")
    made.proxy.plan(faults.status(403, "POST", ":search"))
    with pytest.raises(UsageError, match="not permitted"):
        sections(datastore, "order")
