"""The plan decides by comparing what was printed with what is there."""

from dataclasses import replace

import pytest

from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.manifests import Manifest
from hanpon.contracts.publications import Pointer
from hanpon.releases.plan import Found, plan_edition
from hanpon.releases.retention import next_pointer, sweepable
from tests.editions import CUSTOMER, document, edition_of

A, B, C = document("GET /a"), document("GET /b"), document("GET /c")


def found_as(manifest: Manifest, *previous: str) -> Found:
    """What a finished release of a manifest leaves."""
    return Found(
        pointer=Pointer(
            manifest=manifest.digest, published_at="2026-01-01", run="r", origin="o", ref="", previous=previous
        ),
        token="t",
        manifest=manifest,
        objects=manifest.objects,
        rows={entry.id: entry.row for entry in manifest.entries},
        index_of=manifest.digest,
    )


def test_a_first_release_adds_everything_and_moves_the_pointer() -> None:
    manifest = edition_of(A, B).manifest
    plan = plan_edition(manifest, Found())
    assert (plan.counts.added, plan.counts.documents) == (2, 2)
    assert set(plan.create) == set(manifest.objects)
    assert len(plan.upsert) == 2
    assert plan.moves_pointer
    assert plan.renews_index


def test_an_unchanged_edition_has_nothing_to_do() -> None:
    manifest = edition_of(A, B).manifest
    plan = plan_edition(manifest, found_as(manifest))
    assert plan.nothing_to_do
    assert plan.counts.unchanged == 2


def test_other_inputs_or_another_recipe_with_equal_bytes_are_unchanged() -> None:
    manifest = edition_of(A, B).manifest
    other = replace(manifest, inputs={"openapi.yaml": "2" * 64}, recipe={"operation": 2})
    assert plan_edition(other, found_as(manifest)).nothing_to_do


def test_one_changed_operation_touches_one_page_one_row_and_the_manifest() -> None:
    before, after = edition_of(A, B, C).manifest, edition_of(A, document("GET /b", "new"), C).manifest
    plan = plan_edition(after, found_as(before))
    assert (plan.counts.changed, plan.counts.unchanged) == (1, 2)
    assert [key.split("/")[3] for key in plan.create] == ["manifests", "pages"]
    assert plan.create[0] == after.key
    assert [entry.id for entry in plan.upsert] == [B.id]
    assert plan.remove == ()
    assert plan.moves_pointer


def test_a_removed_operation_removes_its_row() -> None:
    plan = plan_edition(edition_of(A).manifest, found_as(edition_of(A, B).manifest))
    assert plan.remove == (B.id,)
    assert (plan.counts.removed, plan.counts.documents) == (1, 1)


@pytest.mark.parametrize(
    ("change", "count"),
    [({"readers": ("group:crm@example.co.jp",)}, "access_changed"), ({"owner": "crm-team"}, "metadata_changed")],
)
def test_a_document_with_other_readers_or_metadata_counts_once(change: dict[str, str], count: str) -> None:
    after = edition_of(A, document("GET /b", **change)).manifest  # type: ignore[arg-type]
    counts = plan_edition(after, found_as(edition_of(A, B).manifest)).counts
    assert getattr(counts, count) == 1
    assert counts.documents == 2


def test_rows_that_are_gone_are_filled_again_without_a_new_publication() -> None:
    manifest = edition_of(A, B).manifest
    plan = plan_edition(manifest, replace(found_as(manifest), rows={}))
    assert len(plan.upsert) == 2
    assert not plan.moves_pointer
    assert plan.create == ()
    assert plan.counts.unchanged == 2


def test_a_row_that_differs_from_the_manifest_is_written_again() -> None:
    manifest = edition_of(A, B).manifest
    found = found_as(manifest)
    damaged = {**found.rows, A.id: replace(found.rows[A.id], metadata="")}
    assert [entry.id for entry in plan_edition(manifest, replace(found, rows=damaged)).upsert] == [A.id]


def test_an_object_of_another_size_is_written_again() -> None:
    manifest = edition_of(A).manifest
    found = found_as(manifest)
    plan = plan_edition(manifest, replace(found, objects={**found.objects, A.key: 3}))
    assert plan.create == (A.key,)


def test_removing_more_than_half_of_ten_is_too_much_and_half_is_not() -> None:
    many = [document(f"GET /{number}") for number in range(10)]
    before = found_as(edition_of(*many).manifest)
    assert plan_edition(edition_of(*many[:4]).manifest, before).removes_too_much
    assert not plan_edition(edition_of(*many[:5]).manifest, before).removes_too_much
    few = found_as(edition_of(*many[:9]).manifest)
    assert not plan_edition(edition_of(many[0]).manifest, few).removes_too_much


def test_too_much_is_judged_by_the_rows_or_the_pages_where_the_manifest_is_gone() -> None:
    many = [document(f"GET /{number}") for number in range(10)]
    lost = replace(found_as(edition_of(*many).manifest), manifest=None, damaged=True)
    for found in (lost, replace(lost, rows={})):
        assert plan_edition(edition_of(*many[:4]).manifest, found).removes_too_much
        assert not plan_edition(edition_of(*many[:5]).manifest, found).removes_too_much


def test_what_lies_under_a_name_that_no_manifest_vouches_for_is_compared() -> None:
    before, after = edition_of(A).manifest, edition_of(A, B).manifest
    plan = plan_edition(after, replace(found_as(before), objects={**before.objects, B.key: len(B.content)}))
    assert B.key in plan.create
    assert A.key not in plan.create


def test_a_leftover_manifest_of_a_killed_run_is_swept() -> None:
    manifest = edition_of(A).manifest
    found = found_as(manifest)
    leftover = f"{CUSTOMER.folder}/manifests/0123456789abcdef.json"
    plan = plan_edition(manifest, replace(found, objects={**found.objects, leftover: 1}))
    assert plan.sweeps
    assert sweepable(CUSTOMER, {**found.objects, leftover: 1}, [manifest]) == (leftover,)


def test_the_last_five_publications_are_kept_and_manifests_are_swept_last() -> None:
    printed = [edition_of(document("GET /a", str(number))).manifest for number in range(7)]
    pointer = None
    for manifest in printed:
        pointer = next_pointer(pointer, manifest, published_at="", run="", origin="", ref="", keep=5)
    assert pointer is not None
    assert pointer.previous == tuple(m.digest for m in reversed(printed[2:6]))
    stored = {key: size for manifest in printed for key, size in manifest.objects.items()}
    swept = sweepable(CUSTOMER, stored, printed[2:])
    assert [key.split("/")[3] for key in swept] == ["pages", "pages", "manifests", "manifests"]


def test_an_edition_is_the_same_in_whatever_order_its_documents_come() -> None:
    assert edition_of(A, B, C).manifest == edition_of(C, A, B).manifest


def test_two_documents_of_one_id_are_refused_with_both_sources() -> None:
    with pytest.raises(InvalidInput, match=r"GET /a has the id of openapi.yaml#/paths/GET /a"):
        edition_of(A, document("GET /a", "other"))


def test_a_document_without_readers_is_refused() -> None:
    with pytest.raises(InvalidInput, match="has no readers"):
        edition_of(document("GET /a", readers=()))


def test_what_was_narrowed_ends_with_the_next_publication() -> None:
    manifest = edition_of(A).manifest
    found = found_as(manifest)
    assert found.pointer is not None
    narrowed = replace(found, pointer=replace(found.pointer, narrowed={A.id: ()}))
    plan = plan_edition(manifest, narrowed)
    assert plan.moves_pointer
    pointer = next_pointer(narrowed.pointer, manifest, published_at="", run="", origin="", ref="", keep=5)
    assert not pointer.narrowed


def test_another_address_for_people_moves_the_pointer_and_nothing_else() -> None:
    manifest = edition_of(A).manifest
    plan = plan_edition(manifest, found_as(manifest), "https://docs.example.co.jp/")
    assert plan.moves_pointer
    assert (plan.create, plan.upsert, plan.remove, plan.renews_index) == ((), (), (), False)


def test_a_take_over_moves_the_pointer_though_nothing_else_changes() -> None:
    manifest = edition_of(A).manifest
    found = found_as(manifest)
    assert found.pointer is not None
    assert plan_edition(manifest, found, origin="folder:/elsewhere").moves_pointer
    assert not plan_edition(manifest, found, origin=found.pointer.origin).moves_pointer
