"""What is found in a datastore: the same as in plain Python, and nothing that the asker may not read."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hanpon.adapters import sqlite_search
from hanpon.adapters.sqlite_datastore import SqliteDatastore
from hanpon.contracts.documents import Document, Metadata
from hanpon.contracts.errors import UsageError
from hanpon.contracts.filters import And, AnyOf, Bound, Compared, Filter, Not, Or, Within
from hanpon.contracts.manifests import Entry
from hanpon.contracts.ports import Datastore
from hanpon.contracts.search import Query
from hanpon.search.filters import matches, parse_filter
from hanpon.search.pieces import pieces_of
from hanpon.search.tokens import index_tokens, is_prefix_query, query_tokens
from tests.editions import CUSTOMER, ENGINEERS, document, edition_of

WORDS = [
    "顧客",
    "退会",
    "検索",
    "する",
    "customer",
    "customers",
    "getCustomerById",
    "/v1/customers/{id}",
    "/v1/orders",
]
QUERIES = [*WORDS, "客", "顧客検索", "GET", "id", "そして", "none", "顧客 order", "v1 退会", '"NEAR(', "*"]


def page(title: str, *sections: str) -> bytes:
    rest = "".join(f"<h2>S{number}</h2><p>{section}</p>" for number, section in enumerate(sections, 1))
    return f"<h1>{title}</h1>{rest}".encode()


def store(path: Path, documents: Sequence[Document]) -> SqliteDatastore:
    datastore = SqliteDatastore(path / "hanpon.db")
    content = {document.id: document.content for document in documents}
    with datastore.change(CUSTOMER) as change:
        change.upsert(edition_of(*documents).manifest.entries, lambda entry: content[entry.id])
        change.commit()
    return datastore


def told(section: str, *texts: str, **fields: Any) -> Document:
    """A document called `section`, with a heading for each text."""
    made = document(section, readers=fields.pop("readers", ENGINEERS))
    metadata = replace(made.metadata, **fields)
    return replace(made, content=page(section, *texts), metadata=metadata)


def ids(datastore: Datastore, text: str, tree: Filter | str | None = None, **query: Any) -> list[str]:
    """The sections of what is found."""
    parsed = parse_filter(tree) if isinstance(tree, str) else tree
    hits = datastore.search(Query(text=text, filter=parsed, principals=query.pop("principals", ENGINEERS), **query))
    return [hit.section for hit in hits]


def test_a_hit_tells_the_document_and_the_piece_it_was_found_by(tmp_path: Path) -> None:
    made = told("GET /customers", "nothing here", "退会した顧客も検索する。", title="顧客を検索する")
    made = replace(made, content=made.content.replace(b"<h2>S2", b'<h2 id="s-2">S2'))
    [hit] = store(tmp_path, [made]).search(Query(text="退会", principals=ENGINEERS))
    assert (hit.id, hit.key, hit.title, hit.section) == (made.id, made.key, "顧客を検索する", "GET /customers")
    assert (hit.trail, hit.anchor, hit.snippet) == (("GET /customers", "S2"), "s-2", "退会した顧客も検索する。")
    assert hit.metadata == Entry.of(made).metadata
    assert hit.score > 0


def test_a_document_is_one_hit_shown_by_the_piece_with_most_of_the_rare_words(tmp_path: Path) -> None:
    datastore = store(
        tmp_path, [told("A", "order", "order of a withdrawn customer, and more words", "order"), told("B", "order")]
    )
    hits = datastore.search(Query(text="order withdrawn", principals=ENGINEERS))
    assert [(hit.section, hit.trail[-1]) for hit in hits] == [("A", "S2"), ("B", "S1")]


def test_the_page_about_a_path_comes_before_those_that_share_its_parts(tmp_path: Path) -> None:
    others = [
        told(f"GET /v1/customers/{{id}}/{part}", "/v1/customers/{id} " * 20, "v1 customers id " * 20)
        for part in ("orders", "notes", "locks")
    ]
    datastore = store(tmp_path, [*others, told("GET /v1/customers/{id}", "short")])
    for text in (
        "/v1/customers/{id}",
        "GET /v1/customers/{id}",
        "what does /v1/customers/{id} return, orders notes?",
    ):
        hits = datastore.search(Query(text=text, principals=ENGINEERS))
        assert hits[0].section == "GET /v1/customers/{id}"
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        assert len(hits) == 4


@pytest.mark.parametrize(
    ("text", "found"),
    [("顧客", True), ("客", True), ("客検", True), ("検索 顧", True), ("by id", True), ("getcustomerbyid", True),
     ("ＧＥＴ", True), ("customer", True), ("取消", False), ("", False), ("!?", False)],
)  # fmt: skip
def test_words_of_two_characters_parts_of_names_and_wide_letters_are_found(
    tmp_path: Path,
    text: str,
    found: bool,
) -> None:
    datastore = store(tmp_path, [told("x", "顧客検索は getCustomerById または GET /customers を使う")])
    assert ids(datastore, text) == ["x"] * found


def test_nothing_of_a_document_is_shown_to_those_who_may_not_read_it(tmp_path: Path) -> None:
    datastore = store(
        tmp_path,
        [
            told("secret", "退会顧客", readers=("group:crm@x", "user:a@x")),
            told("open", "退会顧客", readers=("all",)),
            told("staff", "退会顧客"),
        ],
    )
    assert ids(datastore, "退会", principals=()) == ["open"]
    assert ids(datastore, "退会", principals=("user:a@x",)) == ["open", "secret"]
    assert ids(datastore, "退会", principals=("group:crm", "crm@x", "%", "GROUP:CRM@X")) == ["open"]
    assert sorted(ids(datastore, "secret open staff", principals=ENGINEERS)) == ["open", "staff"]
    assert ids(datastore, "退会", 'groups: ANY("group:crm@x")', principals=ENGINEERS) == []
    assert len(ids(datastore, "退会", principals=(), limit=1)) == 1


def test_a_reader_who_is_taken_away_finds_nothing_from_then_on(tmp_path: Path) -> None:
    made = told("x", "退会", readers=("group:crm@x", *ENGINEERS))
    datastore = store(tmp_path, [made])
    assert ids(datastore, "退会", principals=("group:crm@x",)) == ["x"]
    with datastore.change(CUSTOMER) as change:
        change.restrict({made.id: ENGINEERS})
        change.commit()
    assert ids(datastore, "退会", principals=("group:crm@x",)) == []
    assert ids(datastore, "退会", 'groups: ANY("group:crm@x")') == []
    assert ids(datastore, "退会") == ["x"]


def test_what_is_removed_or_replaced_is_found_no_more(tmp_path: Path) -> None:
    old, other = told("x", "退会"), told("y", "退会")
    datastore = store(tmp_path, [old, other])
    store(tmp_path, [told("x", "検索")])
    assert ids(datastore, "退会") == ["y"]
    with datastore.change(CUSTOMER) as change:
        change.remove([other.id])
        change.commit()
    assert ids(datastore, "退会") == []
    assert ids(datastore, "検索") == ["x"]


def test_documents_of_equal_score_come_in_order_of_their_ids_whatever_the_limit(tmp_path: Path) -> None:
    made = [told(f"d{number}", "退会") for number in range(8)]
    wanted = [document.metadata.section for document in sorted(made, key=lambda document: document.id)]
    datastore = store(tmp_path, made)
    for limit in range(-1, 10):
        assert ids(datastore, "退会", limit=limit) == wanted[: max(limit, 0)]


def test_common_words_find_nothing_beside_rare_ones_in_a_large_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    datastore = store(tmp_path, [*(told(f"d{number}", "common") for number in range(9)), told("x", "common rare")])
    assert len(ids(datastore, "common rare")) == 10
    monkeypatch.setattr(sqlite_search, "COMMON_AT_LEAST", 5)
    assert ids(datastore, "common rare") == ["x"]
    assert len(ids(datastore, "common")) == 10
    monkeypatch.setattr(sqlite_search, "COMMON_AT_LEAST", 100)
    monkeypatch.setattr(sqlite_search, "MOST_PIECES", 3)
    assert ids(datastore, "common rare") == ["x"]
    assert len(ids(datastore, "common")) == 10


def test_searching_writes_no_file_and_finds_nothing_where_there_is_no_store(tmp_path: Path) -> None:
    assert SqliteDatastore(tmp_path / "none.db").search(Query(text="x")) == []
    store(tmp_path, [told("x", "退会")])
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for traceless in (True, False):
        assert ids(SqliteDatastore(tmp_path / "hanpon.db", traceless=traceless), "退会") == ["x"]
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("traceless", [True, False])
def test_what_is_committed_while_others_read_is_found_and_what_is_not_is_not(
    tmp_path: Path, *, traceless: bool
) -> None:
    store(tmp_path, [told("x", "退会")])
    reader = sqlite3.connect(tmp_path / "hanpon.db")
    reader.execute("SELECT count(*) FROM document").fetchone()
    writer = store(tmp_path, [told("y", "退会")])
    datastore = SqliteDatastore(tmp_path / "hanpon.db", traceless=traceless)
    with writer.change(CUSTOMER) as change:
        change.upsert([Entry.of(told("z", "退会"))], lambda _: page("z", "退会"))
        assert sorted(ids(datastore, "退会")) == ["x", "y"]
    reader.close()


def test_metadata_that_is_damaged_meets_no_condition(tmp_path: Path) -> None:
    datastore = store(tmp_path, [told("x", "退会"), told("y", "退会")])
    with sqlite3.connect(tmp_path / "hanpon.db") as connection:
        connection.execute("UPDATE document SET metadata = 'no json' WHERE id LIKE '%-x-%'")
    connection.close()
    assert ids(datastore, "退会", 'api: ANY("customer")') == ["y"]
    assert ids(datastore, "退会", 'NOT owner: ANY("nobody")') == ["y"]
    assert sorted(ids(datastore, "退会")) == ["", "y"]


HOSTILE = [
    '"',
    "''",
    "*",
    "NEAR(",
    "a NEAR(b, 2)",
    "AND",
    "NOT",
    "a AND",
    "title: x",
    "{title}: x",
    "^a",
    "-a",
    "a + b",
]
HOSTILE += [
    "\0",
    "a\0b",
    "\ud800",
    "x" * 100_000,
    "a b " * 25_000,
    "顧客" * 50_000,
    "/a" * 50_000,
    "(" * 1000,
    "\x1b[2J",
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:12]))
def test_a_hostile_query_is_a_query_like_any_other(tmp_path: Path, text: str) -> None:
    datastore = store(tmp_path, [told("x", "退会 a b")])
    values = (text, "a", "\ud800")
    for tree in (
        None,
        AnyOf("title", values),
        Not(AnyOf("tags", values)),
        Or((AnyOf("api", values), AnyOf("path", ("",)))),
    ):
        assert set(ids(datastore, text, tree, principals=(text, "a", *ENGINEERS))) <= {"x"}


def test_long_and_deep_filters_are_answered(tmp_path: Path) -> None:
    datastore = store(tmp_path, [told("x", "退会", tags=("t5",))])
    assert ids(datastore, "退会", AnyOf("tags", tuple(f"t{number}" for number in range(9_000)))) == ["x"]
    assert ids(datastore, "退会", Or(tuple(AnyOf("tags", (f"t{number}",)) for number in range(3_000)))) == ["x"]
    assert ids(datastore, "退会", And(tuple(Not(AnyOf("tags", (f"u{number}",))) for number in range(3_000)))) == ["x"]
    for levels in range(1, 50):
        deep: Filter = AnyOf("tags", ("t5",))
        for _ in range(levels):
            deep = And((*[AnyOf("api", ("customer",))] * 5, Or((Not(AnyOf("tags", ("t5",))), deep))))
        assert ids(datastore, "退会", deep) == ["x"]
        assert ids(datastore, "退会", And((deep, AnyOf("tags", ("none",))))) == []


def test_a_store_of_an_older_form_is_not_searched_but_told(tmp_path: Path) -> None:
    store(tmp_path, [told("x", "退会")])
    with sqlite3.connect(tmp_path / "hanpon.db") as connection:
        connection.execute("PRAGMA user_version = 1")
    connection.close()
    with pytest.raises(UsageError, match="hanpon datastore rebuild"):
        ids(SqliteDatastore(tmp_path / "hanpon.db"), "退会")


TEXT = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
PRINCIPALS = ["all", "group:a@x", "group:b@x", "user:c@x"]
VALUES: Mapping[str, Sequence[str]] = {
    "title": ["顧客", 'a "b"', "/v1/customers/{id}"],
    "api": ["customer", "order", "COMMON"],
    "api_version": ["v1", "v2", "ALL"],
    "superseded": ["true", "false"],
    "method": ["", "GET"],
    "path": ["", "/v1/customers/{id}"],
    "tags": ["a", "b", "\\", "客"],
    "groups": PRINCIPALS,
}
RANKS = [0, 1, 2, 2**53 - 1]


@dataclass(frozen=True)
class Made:
    texts: list[str]
    readers: tuple[str, ...]
    fields: dict[str, Any]


FIELDS = st.fixed_dictionaries(
    {name: st.sampled_from(values) for name, values in VALUES.items() if name not in {"tags", "groups"}}
    | {"tags": st.lists(st.sampled_from(VALUES["tags"]), max_size=2, unique=True).map(tuple)}
    | {"version_rank": st.sampled_from(RANKS)}
)
READERS = st.lists(st.sampled_from(PRINCIPALS), min_size=1, max_size=3, unique=True).map(sorted).map(tuple)
MADE = st.builds(Made, st.lists(TEXT, max_size=3), READERS, FIELDS)
NUMBERS = st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0, float(2**53), 1e300])
BOUNDS = st.none() | st.builds(Bound, NUMBERS, st.booleans())
LEAVES: st.SearchStrategy[Filter] = st.one_of(
    st.sampled_from(sorted(VALUES)).flatmap(
        lambda name: st.builds(
            AnyOf,
            st.just(name),
            st.lists(st.sampled_from([*VALUES[name], "", "none"]), min_size=1, max_size=3).map(tuple),
        )
    ),
    st.builds(Compared, st.just("version_rank"), st.sampled_from(["<", "<=", ">", ">=", "="]), NUMBERS),
    st.builds(Within, st.just("version_rank"), BOUNDS, BOUNDS),
)
TREES: st.SearchStrategy[Filter] = st.recursive(
    LEAVES | st.builds(Not, LEAVES),
    lambda trees: (
        st.builds(And, st.lists(trees, min_size=2, max_size=3).map(tuple))
        | st.builds(Or, st.lists(trees, min_size=2, max_size=3).map(tuple))
    ),
    max_leaves=6,
)


def document_of(number: int, made: Made) -> Document:
    return told(f"d{number}", *made.texts, readers=made.readers, **{**made.fields, "groups": made.readers})


def holds(document: Document, text: str) -> bool:
    """Whether a word of the query is among the words of the document."""
    metadata = document.metadata
    names = [metadata.title, metadata.section, metadata.path, metadata.operation_id]
    pieces = pieces_of(document.content, document.media_type, metadata.title)
    words = set(index_tokens("\n".join([*names, *(line for piece in pieces for line in (*piece.trail, piece.text))])))
    return any(
        any(word.startswith(token) for word in words) if is_prefix_query(token) else token in words
        for token in query_tokens(text)
    )


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.lists(MADE, max_size=6),
    st.lists(
        st.tuples(st.sampled_from(QUERIES), st.none() | TREES, st.sets(st.sampled_from(PRINCIPALS))),
        min_size=1,
        max_size=8,
    ),
)
def test_what_is_found_is_what_plain_python_finds(
    made: list[Made], asked: list[tuple[str, Filter | None, set[str]]]
) -> None:
    documents = [document_of(number, each) for number, each in enumerate(made)]
    with TemporaryDirectory() as folder:
        datastore = store(Path(folder), documents)
        for text, tree, principals in asked:
            wanted = [
                document.metadata.section
                for document in documents
                if (tree is None or matches(tree, document.metadata.as_record()))
                and {"all", *principals} & set(document.readers)
                and holds(document, text)
            ]
            assert sorted(ids(datastore, text, tree, principals=tuple(principals))) == wanted


def test_metadata_has_no_field_that_the_law_does_not_know() -> None:
    assert set(VALUES) <= set(Metadata.__dataclass_fields__)
