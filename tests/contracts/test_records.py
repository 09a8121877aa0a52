"""Every record fits its schema, and no record or schema is without the other."""

import ast
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hanpon
from hanpon.cli.refusals import refusal_of
from hanpon.contracts.checks import CheckReport, EditionCheck
from hanpon.contracts.datastore_form import DatastoreForm, Difference, StoreDescription
from hanpon.contracts.diagnoses import Diagnosis
from hanpon.contracts.digests import canonical_json, digest_of_json
from hanpon.contracts.documents import HTML, Document, Metadata, identify
from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.errors import UsageError
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.contracts.manifests import Entry, Manifest, ObjectRef
from hanpon.contracts.names import Inventory, Name
from hanpon.contracts.publications import Pointer
from hanpon.contracts.rebuilds import Rebuilt, Refilled
from hanpon.contracts.reports import (
    CHANGES,
    Affected,
    Counts,
    EditionReport,
    Estimate,
    Intent,
    RunRecord,
    RunReport,
    Status,
)
from hanpon.contracts.search import Hit
from hanpon.contracts.withdrawals import Withdrawal
from hanpon.runs.searching import Linked
from schemas import by_id, load, names

SCHEMA_OF: dict[type, str] = {
    Affected: "urn:hanpon:schema:run#/$defs/documents/items",
    CheckReport: "urn:hanpon:schema:check",
    DatastoreForm: "urn:hanpon:schema:datastore-form",
    Diagnosis: "urn:hanpon:schema:diagnosis",
    Difference: "urn:hanpon:schema:datastore-form#/$defs/difference",
    EditionCheck: "urn:hanpon:schema:check#/properties/editions/items",
    EditionReport: "urn:hanpon:schema:run#/$defs/edition",
    Entry: "urn:hanpon:schema:document",
    Estimate: "urn:hanpon:schema:run#/$defs/plan/properties/import",
    Finding: "urn:hanpon:schema:finding",
    Intent: "urn:hanpon:schema:run#/$defs/plan",
    Inventory: "urn:hanpon:schema:inventory",
    Linked: "urn:hanpon:schema:hit",
    Manifest: "urn:hanpon:schema:manifest",
    Metadata: "urn:hanpon:schema:document#/$defs/metadata",
    Name: "urn:hanpon:schema:inventory#/properties/names/items",
    ObjectRef: "urn:hanpon:schema:manifest#/$defs/object",
    Place: "urn:hanpon:schema:finding#/properties/where",
    Pointer: "urn:hanpon:schema:pointer",
    Rebuilt: "urn:hanpon:schema:rebuild",
    Refilled: "urn:hanpon:schema:rebuild#/properties/editions/items",
    RunRecord: "urn:hanpon:schema:run",
    RunReport: "urn:hanpon:schema:run",
    StoreDescription: "urn:hanpon:schema:datastore-form#/$defs/description",
    Withdrawal: "urn:hanpon:schema:withdrawal",
}
"""Where each record type is described."""

KINDS: list[Any] = sorted(SCHEMA_OF, key=lambda kind: kind.__name__)

WITHOUT_RECORD = {"answer", "bundle"}
"""Schemas of what people write: read, never written. Held against real bundles in tests/sources."""

REGISTRY = jsonschema_rs.Registry(list(by_id().items()))


@cache
def validator_of(reference: str) -> Any:
    return jsonschema_rs.validator_for({"$ref": reference}, registry=REGISTRY)


def misfits(record: Any, reference: str) -> list[str]:
    return [f"{error.instance_path}: {error.message}" for error in validator_of(reference).iter_errors(record)]


def record_types() -> set[str]:
    """Every class of the engine that makes a record, wherever it stands."""
    classes = (
        node
        for path in Path(hanpon.__path__[0]).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    return {each.name for each in classes if any(getattr(member, "name", "") == "as_record" for member in each.body)}


NAMES = st.from_regex(r"[a-zA-Z0-9_あ-ん顧客]([a-zA-Z0-9._あ-ん顧客-]){0,20}", fullmatch=True)
VERSIONS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,39}", fullmatch=True)
PRINCIPALS = st.just("all") | st.from_regex(r"(group|user):[a-z.@-]{1,20}", fullmatch=True)
READERS = st.lists(PRINCIPALS, min_size=1, max_size=3, unique=True).map(lambda them: tuple(sorted(them)))
TEXTS = st.text(max_size=20)
EDITIONS = st.builds(Edition, st.sampled_from(Kind), NAMES, VERSIONS)
COUNTS = st.integers(0, 10_000)
PLACES = st.builds(Place, TEXTS, line=st.integers(0, 99)).flatmap(
    lambda place: st.lists(TEXTS | st.integers(0, 9), max_size=3).map(
        lambda keys: replace(place.child(*keys), line=place.line)
    )
)
RULES = st.from_regex(r"[a-z]+(-[a-z]+){0,2}", fullmatch=True)
FINDINGS = st.builds(Finding, RULES, st.sampled_from(Severity), PLACES, st.text(min_size=1, max_size=20))
SOME_FINDINGS = st.lists(FINDINGS, max_size=2).map(tuple)
DOC_TYPES = st.sampled_from(["api_spec", "lib_doc", "guideline", "design", "qa"])
FLAGS = st.sampled_from(["true", "false"])
METADATA = st.builds(
    Metadata,
    title=TEXTS,
    doc_type=DOC_TYPES,
    api=NAMES | st.just("COMMON"),
    api_version=VERSIONS | st.just("ALL"),
    version_rank=st.integers(0, 2**63 - 1),
    superseded=FLAGS,
    deprecated=FLAGS,
    owner=TEXTS,
    language=st.sampled_from(["ja", "en"]),
    section=TEXTS,
    method=TEXTS,
    path=TEXTS,
    operation_id=TEXTS,
    tags=st.lists(TEXTS, max_size=3).map(tuple),
    groups=READERS,
    source=TEXTS,
)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    edition, metadata = draw(EDITIONS), draw(METADATA)
    identifier, slug = identify(edition, metadata.doc_type, draw(TEXTS))
    media_type, extension = draw(st.sampled_from([(HTML, "html"), ("application/pdf", "pdf")]))
    return Document(
        id=identifier,
        slug=slug,
        edition=edition,
        metadata=metadata,
        readers=metadata.groups,
        content=draw(st.binary(max_size=20)),
        media_type=media_type,
        extension=extension,
        position=draw(COUNTS),
    )


DIGESTS = st.from_regex(r"[0-9a-f]{64}", fullmatch=True)
ENTRIES = documents().map(Entry.of)
OBJECTS = st.builds(
    lambda edition, name, digest, size: ObjectRef(f"{edition.folder}/{name.format(short=digest[:16])}", digest, size),
    EDITIONS,
    st.sampled_from(["inventory/{short}.json", "assets/{short}.png"]),
    DIGESTS,
    COUNTS,
)
STOOD = DIGESTS | st.sampled_from(["", "file", "link"]) | st.builds("size:{}".format, COUNTS)
MANIFESTS = st.builds(
    Manifest,
    edition=EDITIONS,
    inputs=st.dictionaries(TEXTS, STOOD, max_size=3),
    definition=st.lists(TEXTS, max_size=2).map(tuple),
    settings=DIGESTS,
    recipe=st.dictionaries(TEXTS, st.integers(1, 99), max_size=3),
    inventory=OBJECTS,
    names=COUNTS,
    entries=st.lists(ENTRIES, max_size=2).map(tuple),
    assets=st.lists(OBJECTS, max_size=2).map(tuple),
    findings=SOME_FINDINGS,
)
MOMENTS = st.datetimes().map(lambda moment: moment.isoformat(timespec="seconds") + "+00:00")
POINTERS = st.builds(
    Pointer,
    manifest=DIGESTS,
    published_at=MOMENTS,
    run=st.text(min_size=1),
    origin=TEXTS,
    ref=TEXTS,
    previous=st.lists(DIGESTS, max_size=3).map(tuple),
    link_base=st.sampled_from(["", "https://docs.example.co.jp/"]),
    narrowed=st.dictionaries(ENTRIES.map(lambda entry: entry.id), READERS | st.just(()), max_size=2),
)
LISTED = st.builds(
    Name,
    kind=st.sampled_from(["path", "webhook", "callback", "function"]),
    name=st.text(min_size=1),
    deprecated=st.booleans(),
    operation_id=TEXTS,
    document=ENTRIES.map(lambda entry: entry.id) | st.just(""),
)
INVENTORIES = st.builds(Inventory, EDITIONS, st.lists(LISTED, max_size=3).map(tuple))
AFFECTED = st.builds(
    Affected, id=st.text(min_size=1), title=TEXTS, lost=READERS | st.just(()), gained=READERS | st.just(())
)
ESTIMATES = st.builds(Estimate, documents=COUNTS, pieces=COUNTS, tokens=COUNTS, error=st.floats(0, 1))
INTENTS = st.builds(
    Intent,
    changes=st.dictionaries(st.sampled_from(CHANGES), st.lists(AFFECTED, max_size=2).map(tuple)),
    narrowed=st.lists(AFFECTED, max_size=2).map(tuple),
    widened=st.lists(AFFECTED, max_size=2).map(tuple),
    estimate=ESTIMATES,
)
REPORTS = st.builds(
    EditionReport,
    edition=EDITIONS,
    status=st.sampled_from(Status),
    counts=st.builds(Counts, added=COUNTS, changed=COUNTS, removed=COUNTS, failed=COUNTS),
    names=COUNTS,
    findings=SOME_FINDINGS,
    intent=st.none() | INTENTS,
)
RUNS = st.builds(
    RunReport,
    run=st.text(min_size=1),
    dry_run=st.booleans(),
    editions=st.lists(REPORTS, max_size=2).map(tuple),
    findings=SOME_FINDINGS,
)
HITS = ENTRIES.flatmap(
    lambda entry: st.builds(
        Hit,
        id=st.just(entry.id),
        key=st.just(entry.key),
        title=TEXTS,
        section=TEXTS,
        trail=st.lists(TEXTS, max_size=3).map(tuple),
        anchor=TEXTS,
        snippet=TEXTS,
        score=st.floats(0, 99),
        metadata=METADATA.map(Metadata.as_record),
    )
)
REFILLED = st.builds(
    Refilled,
    edition=EDITIONS,
    documents=COUNTS,
    written=COUNTS,
    removed=COUNTS,
    findings=SOME_FINDINGS,
)
EDITION_CHECKS = st.builds(
    EditionCheck,
    edition=EDITIONS,
    documents=COUNTS,
    objects=COUNTS,
    rows=COUNTS,
    findings=SOME_FINDINGS,
    failure=st.sampled_from([0, 2, 4, 5]),
)
CHECKS = st.builds(
    CheckReport,
    run=st.text(min_size=1),
    dry_run=st.booleans(),
    editions=st.lists(EDITION_CHECKS, max_size=2).map(tuple),
    findings=SOME_FINDINGS,
)
FORMS = st.builds(
    replace,
    st.builds(
        DatastoreForm.wanted,
        st.just("shop"),
        st.sampled_from(["global", "us", "eu"]),
        st.from_regex(r"[a-z0-9][a-z0-9_-]{0,62}", fullmatch=True),
        access=st.sampled_from(["enforced", "filtered"]),
        chunk_size=st.integers(100, 500),
    ),
    display_name=TEXTS,
    html_parser=st.sampled_from(["layout", "digital"]),
    ancestor_headings=st.booleans(),
)
DIFFERENCES = st.builds(
    Difference, what=st.text(min_size=1), wanted=TEXTS, found=TEXTS, changeable=st.booleans(), advice=TEXTS
)
VALUES: dict[type, st.SearchStrategy[Any]] = {
    CheckReport: CHECKS,
    EditionCheck: EDITION_CHECKS,
    Diagnosis: st.builds(
        Diagnosis, subject=st.text(min_size=1), found=TEXTS, advice=TEXTS, exit_code=st.sampled_from([0, 2, 4])
    ),
    DatastoreForm: FORMS,
    Difference: DIFFERENCES,
    StoreDescription: st.builds(
        StoreDescription,
        address=st.text(min_size=1),
        wanted=st.none() | FORMS,
        found=st.none() | FORMS,
        identity_provider=TEXTS,
        differences=st.lists(DIFFERENCES, max_size=2).map(tuple),
        steps=st.lists(TEXTS, max_size=2).map(tuple),
    ),
    Affected: AFFECTED,
    EditionReport: REPORTS,
    Entry: ENTRIES,
    Estimate: ESTIMATES,
    Finding: FINDINGS,
    Intent: INTENTS,
    Linked: st.builds(Linked, hit=HITS, link=st.text(min_size=1)),
    Rebuilt: st.builds(
        Rebuilt, dry_run=st.booleans(), renewed=st.booleans(), editions=st.lists(REFILLED, max_size=2).map(tuple)
    ),
    Refilled: REFILLED,
    Inventory: INVENTORIES,
    Manifest: MANIFESTS,
    Metadata: METADATA,
    Name: LISTED,
    ObjectRef: OBJECTS,
    Place: PLACES,
    Pointer: POINTERS,
    RunRecord: st.builds(RunRecord, report=RUNS, at=MOMENTS, by=TEXTS, origin=TEXTS, ref=TEXTS),
    RunReport: RUNS,
    Withdrawal: st.builds(Withdrawal, edition=EDITIONS, rows=COUNTS, objects=COUNTS, kept=COUNTS),
}


def parts_of(schema: Any, pointer: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """A schema and every object in it, with where it stands; what is an enumeration or a place is no part."""
    if isinstance(schema, dict):
        yield pointer, schema
        for key, value in schema.items():
            if key != "enum":
                yield from parts_of(value, f"{pointer}/{key}")
    elif isinstance(schema, list):
        for index, value in enumerate(schema):
            yield from parts_of(value, f"{pointer}/{index}")


SAID_WHERE_IT_APPLIES = {
    ("check", "at", "by"): CHECKS.map(lambda report: report.as_kept("2026-01-01T00:00:00+00:00", "x@y")),
    ("pointer", "link_base", "narrowed"): POINTERS.map(Pointer.as_record),
    ("rebuild", "findings"): TEXTS.filter(bool).map(
        lambda text: refusal_of("datastore rebuild", UsageError(text), dry_run=False)
    ),
    ("run", "at", "by", "origin", "ref"): st.builds(
        RunRecord, report=RUNS, at=MOMENTS, by=TEXTS, origin=TEXTS, ref=TEXTS
    ).map(RunRecord.as_record),
    ("run#/$defs/documents/items", "gained", "lost"): AFFECTED.map(Affected.as_record),
    ("run#/$defs/edition", "plan"): REPORTS.map(EditionReport.as_record),
}
"""Keys that a record need not have, by where its schema stands, with records that have them now and then."""

MAY_BE_LEFT_OUT = {"gained", "link_base", "lost", "narrowed", "plan"}
"""Those that come and go alone; the others come together or not at all."""


def test_a_key_that_no_record_writes_stands_in_no_schema() -> None:
    optional = {
        (name, pointer, *sorted(part["properties"].keys() - set(part.get("required", ()))))
        for name in names()
        if name not in WITHOUT_RECORD
        for pointer, part in parts_of(load(name))
        if part.get("properties", {}).keys() - set(part.get("required", ()))
    }
    assert optional == {(*place.partition("#")[::2], *keys) for place, *keys in SAID_WHERE_IT_APPLIES}


@pytest.mark.parametrize("place", SAID_WHERE_IT_APPLIES, ids="-".join)
@settings(max_examples=10)
@given(data=st.data())
def test_what_is_said_only_where_it_applies_is_said_and_fits(place: tuple[str, ...], data: st.DataObject) -> None:
    schema, *keys = place
    record = data.draw(SAID_WHERE_IT_APPLIES[place].filter(lambda record: record.keys() >= set(keys)))
    assert misfits(record, f"urn:hanpon:schema:{schema}") == []


def test_every_record_type_has_a_schema_and_values_to_try_it_with() -> None:
    assert record_types() == {kind.__name__ for kind in SCHEMA_OF}
    assert set(SCHEMA_OF) == set(VALUES)


def test_every_schema_has_a_record() -> None:
    described = {reference.removeprefix("urn:hanpon:schema:").partition("#")[0] for reference in SCHEMA_OF.values()}
    assert described | WITHOUT_RECORD == set(names())


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@settings(max_examples=25)
@given(data=st.data())
def test_a_record_fits_its_schema(kind: type, data: st.DataObject) -> None:
    assert misfits(data.draw(VALUES[kind]).as_record(), SCHEMA_OF[kind]) == []


@pytest.mark.parametrize(
    "kind", [each for each in KINDS if hasattr(each, "from_record")], ids=lambda kind: kind.__name__
)
@settings(max_examples=25)
@given(data=st.data())
def test_what_was_written_as_json_is_read_back_as_it_was(kind: Any, data: st.DataObject) -> None:
    value = data.draw(VALUES[kind])
    assert kind.from_record(json.loads(canonical_json(value.as_record()))) == value


@given(MANIFESTS)
def test_a_manifest_that_was_read_back_has_the_digest_it_was_stored_under(manifest: Manifest) -> None:
    read = replace(Manifest.from_record(json.loads(manifest.content)), stored=manifest.content)
    assert (read, read.digest, read.key, read.objects) == (manifest, manifest.digest, manifest.key, manifest.objects)
    assert read.says_the_same_as(manifest)


@given(INVENTORIES)
def test_an_inventory_is_read_back_from_its_names(inventory: Inventory) -> None:
    assert Inventory.from_records(inventory.edition, inventory.as_record()["names"]) == inventory


@given(ENTRIES, READERS | st.just(()))
def test_an_entry_with_other_readers_is_the_one_of_the_document_with_them(
    entry: Entry, readers: tuple[str, ...]
) -> None:
    other = entry.with_readers(readers)
    assert (other.readers, other.metadata["groups"]) == (readers, list(readers))
    assert (other.metadata_digest, other.access_digest) == (
        digest_of_json(other.metadata),
        digest_of_json(list(readers)),
    )
    assert other.with_readers(entry.readers) == entry


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@settings(max_examples=25)
@given(data=st.data())
def test_a_record_with_a_key_too_many_or_too_few_does_not_fit(kind: type, data: st.DataObject) -> None:
    record = data.draw(VALUES[kind]).as_record()
    key = data.draw(st.sampled_from(sorted(record.keys() - MAY_BE_LEFT_OUT)))
    assert misfits(record | {"unheard-of": 1}, SCHEMA_OF[kind])
    assert misfits({other: value for other, value in record.items() if other != key}, SCHEMA_OF[kind])


@pytest.mark.parametrize("name", names())
def test_a_schema_is_sound_closed_and_described(name: str) -> None:
    schema = load(name)
    jsonschema_rs.meta.validate(schema)
    assert (schema["$id"], schema["$schema"]) == (
        f"urn:hanpon:schema:{name}",
        "https://json-schema.org/draft/2020-12/schema",
    )
    assert schema["title"]
    assert schema["description"]
    for _, part in parts_of(schema):
        if part.get("type") == "object" and "allOf" not in part:
            assert "additionalProperties" in part, part


def test_a_schema_that_is_not_there_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        load("../pyproject")


def test_what_two_schemas_both_describe_is_described_alike() -> None:
    bundle, document = load("bundle")["$defs"], load("document")["$defs"]
    for key in ("name", "version", "principal"):
        assert bundle[key]["pattern"] == document[key]["pattern"]
    assert bundle["item"]["properties"]["kind"]["enum"] == document["kind"]["enum"] == [str(kind) for kind in Kind]
