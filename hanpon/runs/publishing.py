"""Carrying out a plan: stage, verify, import, verify, publish, retire. Contains no decisions of its own."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from hanpon.contracts.digests import canonical_json
from hanpon.contracts.documents import HTML
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import Unavailable
from hanpon.contracts.manifests import Entry, Manifest, Row
from hanpon.contracts.names import Inventory
from hanpon.contracts.ports import Datastore, Progress, Storage
from hanpon.releases.edition_print import StoredObject
from hanpon.releases.plan import Found, Plan
from hanpon.releases.retention import next_pointer, sweepable
from hanpon.runs.survey import index_key, pointer_key, read_manifest, read_pointer

_MOST_KEYS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """What a publication is stamped with (the run, its bundle, the clock), how many stay, where it is opened."""

    run: str
    origin: str
    ref: str
    now: Callable[[], datetime]
    keep: int
    link_base: str
    index_page: Callable[[Manifest, Inventory], bytes]
    """Makes index.html."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """The places an edition is published to."""

    storage: Storage
    datastore: Datastore
    progress: Progress


def publish(
    plan: Plan, found: Found, objects: Mapping[str, StoredObject], press: Press, publication: Publication
) -> None:
    """Do what the plan says, in the order that keeps the old edition whole until the pointer moves.

    Objects are staged under names nobody refers to yet and verified; rows change in one transaction that is read
    back before it is committed; the pointer moves last.
    """
    _stage(plan, objects, press)
    if plan.create:
        press.storage.settle()  # no row may name a page that a power cut could still take
        _verify_objects(plan, press)
    _import_rows(plan, press)
    if plan.moves_pointer:
        _move_pointer(plan.target, found, press.storage, publication)


def retire(plan: Plan, press: Press, publication: Publication) -> None:
    """What follows a publication: former ones beyond those kept are swept, and the index page is made anew.

    The index page comes last: one that is not of the current publication tells that sweeping was cut short.
    """
    press.progress.step(plan.target.edition, "retire")
    if plan.sweeps:
        _sweep(plan.target.edition, press.storage)
    if plan.renews_index:
        _renew_index(plan.target, press.storage, publication)


def _stage(plan: Plan, objects: Mapping[str, StoredObject], press: Press) -> None:
    for done, key in enumerate(plan.create, 1):
        press.progress.step(plan.target.edition, "stage", done, len(plan.create))
        press.storage.create(key, objects[key].data, objects[key].media_type)


def _verify_objects(plan: Plan, press: Press) -> None:
    edition, storage, digests = plan.target.edition, press.storage, plan.target.digests
    wanted = {key: digests[key] for key in plan.create}
    differing = storage.differing(wanted, lambda done: press.progress.step(edition, "verify", done, len(wanted)))
    if differing:
        keys = ", ".join(differing[:_MOST_KEYS])
        raise Unavailable(
            f"{storage.address}: {len(differing)} objects read back are not what was written: {keys}; try again"
        )


def _import_rows(plan: Plan, press: Press) -> None:
    if not (plan.upsert or plan.remove):
        return
    edition = plan.target.edition
    press.progress.step(edition, "import", 0, len(plan.upsert))
    with press.datastore.change(edition) as change:
        change.upsert(plan.upsert, lambda entry: press.storage.read(entry.key))
        change.remove(plan.remove)
        verify_rows(plan.target.entries, change.rows(), press.datastore.address)
        change.commit()
    press.progress.step(edition, "import", len(plan.upsert), len(plan.upsert))


def verify_rows(entries: tuple[Entry, ...], rows: Mapping[str, Row], address: str) -> None:
    """Raise Unavailable where rows that were read back are not those of the entries."""
    wanted = {entry.id: entry.row for entry in entries}
    differing = sorted(key for key in wanted.keys() | rows.keys() if wanted.get(key) != rows.get(key))
    if differing:
        raise Unavailable(f"{address}: {len(differing)} rows read back differ from what was written: {differing[:3]}")


def _move_pointer(manifest: Manifest, found: Found, storage: Storage, publication: Publication) -> None:
    pointer = next_pointer(
        found.pointer,
        manifest,
        published_at=publication.now().isoformat(timespec="seconds"),
        run=publication.run,
        origin=publication.origin,
        ref=publication.ref,
        keep=publication.keep,
        link_base=publication.link_base,
    )
    storage.replace(pointer_key(manifest.edition), canonical_json(pointer.as_record()), found.token)


def _renew_index(manifest: Manifest, storage: Storage, publication: Publication) -> None:
    edition = manifest.edition
    inventory = Inventory.from_records(edition, json.loads(storage.read(manifest.inventory.key))["names"])
    storage.put(index_key(edition), publication.index_page(manifest, inventory), HTML)


def _sweep(edition: Edition, storage: Storage) -> None:
    """Remove what no kept publication refers to. One whose manifest is gone or damaged is lost already."""
    pointer = read_pointer(edition, storage)
    if pointer is None:
        return
    digests = (pointer.manifest, *pointer.previous)
    kept = [manifest for digest in digests if (manifest := read_manifest(edition, digest, storage)) is not None]
    if kept and kept[0].digest == pointer.manifest:
        storage.delete(sweepable(edition, storage.list(f"{edition.folder}/"), kept))
