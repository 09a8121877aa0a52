"""The double of the Discovery Engine: what search finds, for whom, within which filter, and what it refuses."""

import json
from typing import Any

import pytest
from google.api_core import exceptions as refusals
from google.cloud import discoveryengine_v1 as v1

from tests.cloud.discovery_engine.callers import Caller, member
from tests.cloud.discovery_engine.examples import (
    SCHEMA,
    STORE,
    create,
    found,
    imported,
    line,
    page,
    readers,
)
from tests.cloud.discovery_engine.project import Project

Mode = v1.SearchRequest.ContentSearchSpec.SearchResultMode


@pytest.fixture
def filled(project: Project) -> Project:
    """Orders of two versions and customers of one, with every field, and a document that has but its title."""
    create(project)
    common = {"latest": True, "released": "2024-04-16T12:00:00Z", "groups": ["one", "two"]}
    tokyo = {"office": {"place": {"latitude": 35.68, "longitude": 139.77}}}
    lines = [
        line(project, "old", {"title": "Old", "api": "orders", "version": "v1", "rank": 1, "latest": False}),
        line(project, "new", {"title": "New", "api": "orders", "version": "v2", "rank": 2, **common, **tokyo}),
        line(project, "customer", {"title": 'The "C"\\', "api": "customers", "version": "v1", "rank": 5, **common}),
        line(project, "bare", {"title": "Bare"}),
    ]
    assert imported(project, lines) == (4, 0, 4)
    return project


def search(project: Project, query: str = "", store_id: str = STORE, **request: Any) -> v1.SearchResponse:
    """One page of results."""
    whole = v1.SearchRequest(serving_config=project.serving_config(store_id), query=query, **request)
    response = next(project.search.search(whole).pages)
    assert isinstance(response, v1.SearchResponse)
    return response


@pytest.mark.parametrize(
    ("filter_", "ids"),
    [
        ("", ["bare", "customer", "new", "old"]),
        ('api: ANY("orders")', ["new", "old"]),
        ('api:ANY("orders","customers")', ["customer", "new", "old"]),
        ('api: ANY("Orders")', []),
        ('api: ANY("order")', []),
        ('api: ANY("")', []),
        ('title: ANY("The \\"C\\"\\\\")', ["customer"]),
        ('groups: ANY("two")', ["customer", "new"]),
        ('groups: ANY("one,two")', []),
        ("rank = 2", ["new"]),
        ("rank >= 2", ["customer", "new"]),
        ("rank < 2.5", ["new", "old"]),
        ("rank: IN(1, 2)", ["old"]),
        ("rank: IN(1, 2i)", ["new", "old"]),
        ("rank: IN(1e, 5i)", ["customer", "new"]),
        ("rank: IN(*, 2)", ["old"]),
        ("rank: IN(2, *)", ["customer", "new"]),
        ('latest = "true"', ["customer", "new"]),
        ('latest = "false"', ["old"]),
        ('released = "2024"', ["customer", "new"]),
        ('released = "2024-04"', ["customer", "new"]),
        ('released > "2024-04-16"', []),
        ('released >= "2024-04-16"', ["customer", "new"]),
        ('released < "2024-04-16T21:00:01+09:00"', ["customer", "new"]),
        ("released > 1713268799000000", ["customer", "new"]),
        ("office.place: GEO_DISTANCE(35.7, 139.8, 10000)", ["new"]),
        ("office.place: GEO_DISTANCE(35.7, 139.8, 10)", []),
        ('api: ANY("orders") AND version: ANY("v2")', ["new"]),
        ('api: ANY("customers") OR version: ANY("v2")', ["customer", "new"]),
        ('api: ANY("orders") AND version: ANY("v1") AND rank = 1', ["old"]),
        ('(api: ANY("orders") AND version: ANY("v2")) OR rank = 5', ["customer", "new"]),
        ('api: ANY("orders") AND (version: ANY("v2") OR rank = 5)', ["new"]),
        ('((api: ANY("orders")) OR (rank = 5)) AND latest = "true"', ["customer", "new"]),
        ('NOT version: ANY("v2") AND api: ANY("orders")', ["old"]),
        ('-version: ANY("v2")', ["customer", "old"]),
        ('NOT (version: ANY("v2"))', ["customer", "old"]),
        ('NOT version: ANY("v1", "v2")', []),
        ("NOT rank >= 5", ["new", "old"]),
        ('api: ANY("orders") AND NOT version: ANY("v1") AND NOT rank = 5', ["new"]),
    ],
)
def test_a_filter_lets_through_what_it_says(filled: Project, filter_: str, ids: list[str]) -> None:
    assert found(filled, filter_) == ids


@pytest.mark.parametrize(
    ("filter_", "said"),
    [
        ('api = "orders"', "Unsupported field on comparison operators"),
        ('api > "orders"', "Unsupported field on comparison operators"),
        ("rank != 5", "Unsupported operators"),
        ('api != "orders"', "Unsupported operators"),
        ('rank: ANY("1")', "Unsupported field on ':' operator"),
        ("api: IN(1, 2)", "Unsupported field on ':' operator"),
        ('latest: ANY("true")', "Unsupported field on ':' operator"),
        ("latest = true", "syntax error"),
        ('latest = "yes"', "Unsupported field on comparison operators"),
        ('api: ANY("a") AND rank = 1 OR rank = 2', "syntax error"),
        ('api: ANY("a") OR rank = 1 AND rank = 2', "syntax error"),
        ('NOT (api: ANY("a") OR rank = 1)', "NOT can only be applied to one expression"),
        ('NOT (api: ANY("a") AND rank = 1)', "NOT can only be applied to one expression"),
        ('note: ANY("x")', "not an indexable field"),
        ('unknown: ANY("x")', "not an indexable field"),
        ('structData.api: ANY("x")', "not an indexable field"),
        ('Api: ANY("orders")', "not an indexable field"),
        ('api: ANY("a") and rank = 1', "syntax error"),
        ('api: any("a")', "syntax error"),
        ("api: ANY('a')", "syntax error"),
        ("api: ANY(a)", "syntax error"),
        ("api: ANY(1)", "syntax error"),
        ("api: ANY()", "syntax error"),
        ('api: ANY("a"', "syntax error"),
        ('api: ANY("a\\n")', "syntax error"),
        ('api: ANY("a") rank = 1', "syntax error"),
        ('api: ANY("a")AND rank = 1', "syntax error"),
        ("rank: IN(1)", "syntax error"),
        ('rank: IN("1", 2)', "syntax error"),
        ("rank = 1e", "syntax error"),
        ("rank", "syntax error"),
        ("()", "syntax error"),
        ("AND", "syntax error"),
        ('released = "soon"', "no date"),
    ],
)
def test_a_filter_that_is_not_sound_is_refused(filled: Project, filter_: str, said: str) -> None:
    with pytest.raises(refusals.BadRequest, match=said):
        found(filled, filter_)


def test_whether_not_finds_what_lacks_the_field_is_not_known(filled: Project) -> None:
    filled.conduct.not_finds_missing = True
    assert found(filled, 'NOT version: ANY("v1", "v2")') == ["bare"]


def test_a_field_filters_what_was_imported_after_it_was_declared(project: Project) -> None:
    create(project)
    imported(project, [line(project, "before", {"title": "A", "note": "x"})])
    fields = {**SCHEMA["properties"], "note": {"type": "string", "indexable": True}}
    schema = v1.Schema(
        name=f"{project.store(STORE)}/schemas/default_schema",
        json_schema=json.dumps({**SCHEMA, "properties": fields}),
    )
    project.schemas.update_schema(v1.UpdateSchemaRequest(schema=schema)).result()
    imported(project, [line(project, "after", {"title": "B", "note": "x"})])
    assert found(project, 'note: ANY("x")') == ["after"]
    bare = line(project, "before", {"title": "A", "note": "x"}, content=None)
    imported(project, [bare], update_mask={"paths": ["struct_data"]})
    assert found(project, 'note: ANY("x")') == ["after", "before"]


def test_words_are_found_whatever_their_width_and_case(project: Project) -> None:
    create(project)
    pages = {"a": "<p>Orders of customers", "b": "<p>注文一覧を返す", "c": "<p>other things"}
    imported(project, [line(project, each, content=page(project, each, html)) for each, html in pages.items()])
    assert found(project, query="ＯＲＤＥＲＳ") == ["a"]
    assert found(project, query="一覧") == ["b"]
    assert found(project, query="覧一") == []


def test_what_holds_more_of_the_words_comes_first(project: Project) -> None:
    create(project)
    pages = {"one": "<p>orders", "often": "<p>orders orders", "both": "<p>orders invoices"}
    imported(project, [line(project, each, content=page(project, each, html)) for each, html in pages.items()])
    assert [result.document.id for result in search(project, "orders invoices").results] == ["both", "often", "one"]


def test_search_sees_an_import_only_after_the_lag(project: Project) -> None:
    create(project)
    imported(project, [line(project, "a", content=page(project, "one", "<p>before"))])
    project.conduct.indexing_lag = 60
    imported(project, [line(project, "a", content=page(project, "two", "<p>after")), line(project, "b")])
    assert (found(project), found(project, query="before"), found(project, query="after")) == (["a"], ["a"], [])
    project.clock.pass_by(60)
    assert (found(project), found(project, query="before"), found(project, query="after")) == (["a", "b"], [], ["a"])


def test_chunks_are_cut_at_headings_and_say_where_they_stand(project: Project) -> None:
    create(project)
    html = f"<title>T</title><h1>Orders</h1><p>All.<h2>Paging</h2><p>{'word ' * 150}<h2>Errors</h2><p>wrong"
    imported(project, [line(project, "a", {"title": "A", "rank": 1, "note": "x"}, content=page(project, "a", html))])
    results = search(project, "paging wrong", content_search_spec={"search_result_mode": Mode.CHUNKS}).results
    chunks = {result.chunk.id: result.chunk for result in results}
    assert sorted(chunks) == ["c2", "c3", "c4"]
    assert chunks["c4"].content == "# Orders\n## Errors\n\nwrong"
    assert chunks["c4"].name.endswith("/branches/0/documents/a/chunks/c4")
    about = chunks["c4"].document_metadata
    assert (about.uri, about.title, dict(about.struct_data)) == (
        "gs://bucket/a.html",
        "A",
        {"title": "A", "rank": 1.0},
    )
    assert not results[0].document.id


def test_chunks_come_with_three_neighbours_at_most(project: Project) -> None:
    create(project)
    html = "".join(f"<h2>Part {number}</h2><p>word{number}" for number in range(9))
    imported(project, [line(project, "a", content=page(project, "a", html))])
    spec = {"search_result_mode": Mode.CHUNKS, "chunk_spec": {"num_previous_chunks": 1, "num_next_chunks": 5}}
    chunk = search(project, "word4", content_search_spec=spec).results[0].chunk
    assert [each.id for each in chunk.chunk_metadata.previous_chunks] == ["c4"]
    assert [each.id for each in chunk.chunk_metadata.next_chunks] == ["c6", "c7", "c8"]


def test_what_a_store_leaves_out_of_pages_is_not_found(project: Project) -> None:
    layout = {"exclude_html_elements": ["nav"], "exclude_html_classes": ["foot"], "exclude_html_ids": ["top"]}
    overrides = {"html": {"layout_parsing_config": layout}}
    create(project, document_processing_config={"parsing_config_overrides": overrides})
    html = "<nav>one<br>two</nav><div class='a foot'>three</div><p id=top>four</p><script>five</script><p>six"
    imported(project, [line(project, "a", content=page(project, "a", html))])
    seen = [word for word in ("one", "two", "three", "four", "five", "six") if found(project, query=word)]
    assert seen == ["six"]


def test_documents_show_what_is_retrievable_and_their_title(filled: Project) -> None:
    result = search(filled, filter='version: ANY("v2")').results[0]
    shown = json.loads(v1.Document.to_json(result.document))["structData"]
    assert shown == {"title": "New", "api": "orders", "version": "v2", "rank": 2.0, "groups": ["one", "two"]}
    assert result.document.derived_struct_data["title"] == "New"
    assert not result.chunk.id


@pytest.mark.parametrize(
    "spec",
    [
        {"extractive_content_spec": {"max_extractive_answer_count": 1}},
        {"chunk_spec": {"num_next_chunks": 1}, "search_result_mode": Mode.DOCUMENTS},
    ],
)
def test_a_store_with_chunks_refuses_what_is_for_others(filled: Project, spec: dict[str, Any]) -> None:
    with pytest.raises(refusals.BadRequest, match="must"):
        search(filled, "orders", content_search_spec=spec)


def test_a_store_without_chunks_gives_none(project: Project) -> None:
    create(project, document_processing_config=None)
    with pytest.raises(refusals.BadRequest, match="CHUNKS"):
        search(project, "orders", content_search_spec={"search_result_mode": Mode.CHUNKS})


def test_results_come_in_pages_of_one_search(filled: Project) -> None:
    request = v1.SearchRequest(serving_config=filled.serving_config(STORE), query="orders", page_size=3)
    pages = list(filled.search.search(request).pages)
    assert [len(page.results) for page in pages] == [3, 1]
    assert [page.total_size for page in pages] == [4, 4]
    assert len(search(filled, "orders", page_size=3, offset=2).results) == 2
    with pytest.raises(refusals.BadRequest, match="page_token"):
        search(filled, "customers", page_size=3, page_token=pages[0].next_page_token)


def test_a_page_of_results_has_50_unless_said_and_100_at_most(project: Project) -> None:
    create(project)
    content = {"mime_type": "text/html", "raw_bytes": b"<p>x"}
    documents = [v1.Document(id=f"d{n}", struct_data={"title": "x"}, content=content) for n in range(101)]
    imported(project, [], gcs_source=None, inline_source={"documents": documents})
    assert [len(search(project, "x", page_size=size).results) for size in (0, 7, 1000)] == [50, 7, 100]


@pytest.mark.parametrize("request_", [{"page_size": -1}, {"offset": -1}, {"user_pseudo_id": "x" * 129}])
def test_a_request_within_no_limits_is_refused(filled: Project, request_: dict[str, Any]) -> None:
    with pytest.raises(refusals.BadRequest):
        search(filled, "orders", **request_)


def test_what_the_double_does_not_heed_is_not_passed_over(filled: Project) -> None:
    with pytest.raises(refusals.MethodNotImplemented, match="orderBy"):
        search(filled, "orders", order_by="rank")


def test_an_engine_searches_its_store(filled: Project) -> None:
    filled.state.engines["app"] = STORE
    engine = filled.store("x").replace("/dataStores/x", "/engines/app")
    request = v1.SearchRequest(serving_config=f"{engine}/servingConfigs/default_serving_config", query="orders")
    assert len(list(filled.search.search(request))) == 4
    for name in (engine.replace("app", "none"), filled.store("none")):
        with pytest.raises(refusals.NotFound):
            filled.search.search(v1.SearchRequest(serving_config=f"{name}/servingConfigs/default_serving_config"))


@pytest.fixture
def controlled(project: Project) -> Project:
    """A store with access control: for everyone, for one group or another, for a group within another, for a user."""
    project.state.identity = {"idpType": "GSUITE"}
    create(project, acl_enabled=True)
    ann = {"readers": [{"principals": [{"userId": "ann@example.com"}]}]}
    access = {"all": readers("everyone"), "any": readers(["g", "h"]), "both": readers(["g"], ["h"]), "ann": ann}
    assert imported(project, [line(project, each, aclInfo=value) for each, value in access.items()]) == (4, 0, 4)
    project.state.tokens = {
        "service": Caller(),
        "guest": member("guest@example.com"),
        "g": member("bob@example.com", "g"),
        "gh": member("cy@example.com", "g", "h"),
        "ann": member("ann@example.com"),
    }
    return project


@pytest.mark.parametrize(
    ("token", "ids"),
    [
        ("service", []),
        ("guest", ["all"]),
        ("g", ["all", "any"]),
        ("gh", ["all", "any", "both"]),
        ("ann", ["all", "ann"]),
    ],
)
def test_a_token_sees_what_its_owner_may_read(controlled: Project, token: str, ids: list[str]) -> None:
    seen = controlled.seen_by(token)
    assert found(seen, query="orders") == ids
    assert search(seen, "orders").total_size == len(ids)


def test_who_the_request_says_the_user_is_counts_for_nothing(controlled: Project) -> None:
    named: dict[str, Any] = {"user_info": {"user_id": "ann@example.com"}, "user_pseudo_id": "ann@example.com"}
    assert not search(controlled.seen_by("service"), "orders", **named).results
    ids = [each.document.id for each in search(controlled.seen_by("guest"), "orders", **named).results]
    assert ids == ["all"]


def test_the_caller_can_be_set_without_a_token(controlled: Project) -> None:
    controlled.state.caller = member("ann@example.com", "g")
    assert found(controlled, query="orders") == ["all", "ann", "any"]


def test_narrowed_readers_count_once_they_are_indexed(controlled: Project) -> None:
    controlled.conduct.indexing_lag = 60
    imported(controlled, [line(controlled, "all", aclInfo=readers(["h"]))])
    guest = controlled.seen_by("guest")
    assert found(guest) == ["all"]
    controlled.clock.pass_by(60)
    assert found(guest) == []


def test_a_document_without_readers_is_seen_by_nobody(controlled: Project) -> None:
    controlled.conduct.without_readers = "invisible"
    imported(controlled, [line(controlled, "none")])
    assert [token for token in controlled.state.tokens if "none" in found(controlled.seen_by(token))] == []


def test_a_store_made_before_the_identity_provider_shows_nothing(project: Project) -> None:
    create(project, acl_enabled=True)
    project.state.identity = {"idpType": "GSUITE"}
    imported(project, [line(project, "a", aclInfo=readers("everyone"))])
    project.state.caller = member("ann@example.com")
    assert found(project) == []
