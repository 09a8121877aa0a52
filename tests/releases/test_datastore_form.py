"""The form that every store of hanpon has, and how another one differs from it."""

from dataclasses import replace
from typing import Any

import pytest

from hanpon.contracts.datastore_form import (
    CONTENT_DIGEST,
    LISTS,
    MOST_INDEXABLE,
    MOST_RETRIEVABLE,
    DatastoreForm,
    wanted_schema,
)
from hanpon.contracts.filters import NUMBER_FIELDS, TEXT_FIELDS
from hanpon.releases.datastore_form import differences, merged_schema, refusal

WANTED = DatastoreForm.wanted("shop", "eu", "docs", access="enforced", chunk_size=500)


def with_field(name: str, declared: Any) -> DatastoreForm:
    schema = wanted_schema()
    schema["properties"] = {**schema["properties"], name: declared}
    return replace(WANTED, schema=schema)


def without_field(name: str) -> DatastoreForm:
    schema = wanted_schema()
    del schema["properties"][name]
    return replace(WANTED, schema=schema)


def test_the_schema_declares_every_field_that_filters_name_and_guesses_none() -> None:
    schema = wanted_schema()
    fields = schema["properties"]
    assert set(fields) == {*TEXT_FIELDS, *NUMBER_FIELDS, CONTENT_DIGEST}
    assert {name for name, field in fields.items() if field["type"] == "array"} == LISTS
    assert fields["title"]["keyPropertyMapping"] == "title"
    assert schema["dynamic"] == "false"
    assert schema["datetime_detection"] is schema["geolocation_detection"] is False
    assert "indexable" not in fields[CONTENT_DIGEST]


def test_the_schema_stays_within_what_the_service_takes() -> None:
    leaves = [field.get("items", field) for field in wanted_schema()["properties"].values()]
    assert sum("indexable" in leaf or "keyPropertyMapping" in leaf for leaf in leaves) <= MOST_INDEXABLE
    assert sum(bool(leaf.get("retrievable")) for leaf in leaves) <= MOST_RETRIEVABLE


def test_a_store_of_the_wanted_form_does_not_differ_whatever_people_call_it() -> None:
    assert differences(WANTED, replace(WANTED, display_name="手で作った")) == ()


def test_a_schema_that_says_the_same_in_other_words_does_not_differ() -> None:
    schema = wanted_schema()
    schema["datetime_detection"] = "false"
    schema["properties"]["title"] |= {"indexable": True, "searchable": True, "dynamicFacetable": False}
    schema["properties"]["owner"]["searchable"] = True
    schema["properties"] = dict(reversed(schema["properties"].items()))
    assert differences(WANTED, replace(WANTED, schema=schema)) == ()


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"vertical": "MEDIA"}, "industry vertical: GENERIC wanted, MEDIA found (can never be changed)"),
        ({"content_config": "NO_CONTENT"}, "content: CONTENT_REQUIRED wanted, NO_CONTENT found"),
        ({"access_control": False}, "access control: on wanted, off found (can never be changed; --access filtered"),
        ({"html_parser": "digital"}, "parser for HTML: layout wanted, digital found"),
        ({"default_parser": "ocr"}, "parser for other types: digital wanted, ocr found"),
        ({"chunk_size": 300}, "500 tokens wanted, 300 tokens found (can never be changed; --chunk-size 300 takes"),
        ({"chunk_size": 0}, "chunk size: 500 tokens wanted, no pieces found (can never be changed)"),
        ({"ancestor_headings": False}, "headings above each piece: on wanted, off found"),
    ],
)
def test_what_was_decided_when_the_store_was_made_can_never_be_changed(changed: dict[str, Any], words: str) -> None:
    (difference,) = differences(WANTED, replace(WANTED, **changed))
    assert words in str(difference)
    assert not difference.changeable


def test_all_differences_are_told_at_once() -> None:
    found = replace(without_field("owner"), chunk_size=100, access_control=False)
    told = refusal(found, differences(WANTED, found))
    assert all(what in told for what in ("access control", "chunk size", "field owner"))
    assert "vertex://shop/eu/NEW_ID" in told
    assert "hanpon datastore rebuild" in told


def test_what_a_schema_lacks_can_be_pushed_and_it_is_said_what_that_costs() -> None:
    found = without_field("owner")
    (difference,) = differences(WANTED, found)
    assert difference.changeable
    assert "indexed anew" in refusal(found, (difference,))
    assert differences(WANTED, replace(found, schema=merged_schema(WANTED.schema, found.schema))) == ()


def test_a_field_that_cannot_be_filtered_by_can_be_made_so() -> None:
    (difference,) = differences(WANTED, with_field("owner", {"type": "string"}))
    assert difference.changeable


@pytest.mark.parametrize(
    "declared",
    [{"type": "datetime", "indexable": True}, {"type": "array", "items": {"type": "string"}}, "nonsense"],
)
def test_a_field_of_another_type_stays_so_for_ever(declared: Any) -> None:
    (difference,) = differences(WANTED, with_field("owner", declared))
    assert not difference.changeable


def test_a_field_too_many_stays_for_ever() -> None:
    (difference,) = differences(WANTED, with_field("guessed", {"type": "string"}))
    assert (difference.what, difference.changeable) == ("schema, field guessed", False)


@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {"properties": None}])
def test_a_store_without_a_schema_lacks_all_of_it_and_is_given_all_of_it(schema: dict[str, Any]) -> None:
    found = replace(WANTED, schema=schema)
    differing = differences(WANTED, found)
    assert all(difference.changeable for difference in differing)
    assert len(differing) == len(wanted_schema()["properties"]) + 3
    assert merged_schema(WANTED.schema, schema) == {**schema, **wanted_schema()}


def test_what_is_pushed_takes_nothing_away() -> None:
    found = with_field("guessed", {"type": "string"})
    found.schema["properties"]["tags"]["items"]["searchable"] = True
    pushed = merged_schema(WANTED.schema, found.schema)
    assert pushed["properties"]["guessed"] == {"type": "string"}
    assert pushed["properties"]["tags"]["items"] == {
        "type": "string", "searchable": True, "indexable": True, "retrievable": True,
    }  # fmt: skip
