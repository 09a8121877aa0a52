"""Taking an edition away: out of search first, then out of sight, at last (with purge) out of storage."""

import json

from hanpon.contracts.digests import canonical_json
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import UsageError
from hanpon.contracts.ports import Datastore, Storage
from hanpon.contracts.withdrawals import Withdrawal
from hanpon.releases.edition_print import JSON
from hanpon.runs.survey import editions_named, index_key, pointer_key, unknown_edition


def withdraw(
    name: str, version: str, storage: Storage, datastore: Datastore, *, run: str, purge: bool, wait: float
) -> Withdrawal:
    """Withdraw `name@version`, whatever of it is there; a withdrawal that was cut short is finished.

    Without `purge` its objects stay, and a later release of the same bundle uses them again. Raises UsageError
    where nothing of the edition is there.
    """
    editions = editions_named(name, version)
    storage.tidy()
    # Names are unique over kinds, but what was withdrawn of another kind may still lie there.
    for edition in sorted(editions, key=lambda edition: storage.fetch(pointer_key(edition)) is None):
        if storage.list(f"{edition.folder}/") or datastore.rows(edition):
            with storage.hold(edition, run, wait):
                return _withdraw(edition, storage, datastore, purge=purge)
    raise UsageError(unknown_edition(name, version, storage))


def _withdraw(edition: Edition, storage: Storage, datastore: Datastore, *, purge: bool) -> Withdrawal:
    rows = datastore.rows(edition)
    # an index may still hold words of rows that a withdrawal without purge removed
    if rows or (purge and datastore.editions()):
        with datastore.change(edition) as change:
            if purge:
                change.erase(rows)
            else:
                change.remove(rows)
            change.commit()
    stored = storage.list(f"{edition.folder}/")
    front = [key for key in (pointer_key(edition), index_key(edition)) if key in stored]
    rest = sorted(stored.keys() - set(front)) if purge else []
    if purge:
        _forget_findings(edition, storage)  # before the objects: while one is there, running again finishes the job
    storage.delete([*front, *rest])
    return Withdrawal(
        edition=edition, rows=len(rows), objects=len(front) + len(rest), kept=len(stored) - len(front) - len(rest)
    )


def _forget_findings(edition: Edition, storage: Storage) -> None:
    """Take what a finding may quote of an edition out of the reports of runs and checks; counts stay on record."""
    for key in (*storage.list("runs/"), *storage.list("checks/")):
        try:
            record = json.loads(storage.read(key))
            concerned = [
                report
                for report in record["editions"]
                if (report["name"], report["version"]) == (edition.name, edition.version) and report["findings"]
            ]
        except (ValueError, KeyError, TypeError):  # no report of ours
            continue
        for report in concerned:
            report["findings"] = []
        if concerned:
            storage.put(key, canonical_json(record), JSON)
