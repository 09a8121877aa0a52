"""Ids and digests of documents."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.contracts.documents import MAX_SLUG, DocType, identify
from hanpon.contracts.editions import Edition, Kind
from tests.contracts.test_records import DOC_TYPES, EDITIONS
from tests.editions import document

ID = re.compile(r"[a-z][a-z0-9_-]{0,62}")
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
PATHS = st.text(max_size=200)


@given(EDITIONS, DOC_TYPES, PATHS)
def test_ids_and_slugs_are_what_stores_take_whatever_things_are_called(
    edition: Edition, doc_type: DocType, path: str
) -> None:
    identifier, slug = identify(edition, doc_type, path)
    assert ID.fullmatch(identifier)
    assert SLUG.fullmatch(slug)
    assert len(slug) <= MAX_SLUG
    assert identifier.startswith(f"{edition.kind}-")
    assert identifier[-16:] == slug[-16:]


@given(st.lists(st.tuples(EDITIONS, DOC_TYPES, PATHS), min_size=2, max_size=6))
def test_two_documents_share_an_id_only_where_they_are_the_same_one(them: list[tuple[Edition, DocType, str]]) -> None:
    paths = {(doc_type, edition.name, edition.version, path) for edition, doc_type, path in them}
    assert len({identify(*each)[0][-16:] for each in them}) == len(paths)


@pytest.mark.parametrize(
    ("edition", "doc_type", "path", "identifier", "slug"),
    [
        (
            Edition(Kind.API, "customer", "v1"),
            "api_spec",
            "GET /customers/{id}",
            "api-customer-v1-get-customers-id-3bf282ce2fed7a92",
            "get-customers-id-3bf282ce2fed7a92",
        ),
        (
            Edition(Kind.GUIDELINE, "規約", "ALL"),
            "guideline",
            "rules/java.md#命名",
            "guideline-all-rules-java-md-891055633e408c1b",
            "rules-java-md-891055633e408c1b",
        ),
    ],
)
def test_an_id_that_was_given_once_is_given_for_ever(
    edition: Edition, doc_type: DocType, path: str, identifier: str, slug: str
) -> None:
    assert identify(edition, doc_type, path) == (identifier, slug)


def test_content_metadata_and_access_have_a_digest_each_and_the_key_follows_the_content_alone() -> None:
    before = document("GET /a")
    content = replace(before, content=b"other")
    metadata = replace(before, metadata=replace(before.metadata, owner="other"))
    readers = replace(before, readers=("all",))
    place = replace(before, position=7)

    def digests(which: object) -> list[bool]:
        names = ("content_digest", "metadata_digest", "access_digest", "key")
        return [getattr(which, name) != getattr(before, name) for name in names]

    assert digests(content) == [True, False, False, True]
    assert digests(metadata) == [False, True, False, False]
    assert digests(readers) == [False, False, True, False]
    assert digests(place) == [False, False, False, False]
