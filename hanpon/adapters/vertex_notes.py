"""What a change of a Vertex AI Search datastore notes for the next run, should it not come to its end."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hanpon.adapters.vertex_bucket import Bucket
from hanpon.contracts.digests import digest_of_json
from hanpon.contracts.editions import Edition
from hanpon.contracts.manifests import Row

_NAME = "vertex"
_OPERATION = re.compile(r"projects/[^/\s]+/(?:[^/\s]+/)*operations/[^/\s]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes:
    """How far a change has come.

    `unanswered` says that a request was about to be sent, or was sent, and the name of its operation is not known.
    `rows` is the digest of the rows that the last change ended with, kept where the service lists none of them.
    """

    operations: tuple[str, ...] = ()
    unanswered: bool = False
    run: str = ""
    """Whose files in `imports/` are to be removed."""
    rows: str = ""

    @property
    def unfinished(self) -> bool:
        """Whether an import or a purge was begun that nobody has seen the end of."""
        return bool(self.operations) or self.unanswered


def is_operation(name: str) -> bool:
    """Whether this is the name of an operation, which the service can be asked for."""
    return _OPERATION.fullmatch(name) is not None


class Notebook:
    """The notes on one edition in one data store. What another store's change has noted is none of its business."""

    def __init__(self, bucket: Bucket, store: str, edition: Edition) -> None:
        self._bucket, self._store, self._edition = bucket, store, edition

    def read(self) -> Notes:
        record = self._bucket.noted(self._edition).get(_NAME)
        if not isinstance(record, Mapping) or record.get("store") != self._store:
            return Notes()
        found = record.get("operations", [])
        noted = tuple(map(str, found)) if isinstance(found, list) else ("",)
        operations = tuple(filter(is_operation, noted))
        return Notes(
            operations=operations,
            unanswered=bool(record.get("unanswered")) or operations != noted,
            run=str(record.get("run", "")),
            rows=str(record.get("rows", "")),
        )

    def write(self, notes: Notes) -> None:
        """Keep these notes alone. The edition must be held."""
        record: dict[str, Any] = {
            "operations": list(notes.operations),
            "unanswered": notes.unanswered,
            "run": notes.run,
            "rows": notes.rows,
        }
        kept = {name: value for name, value in record.items() if value}
        self._bucket.note({_NAME: {"store": self._store, **kept}} if kept else {})


def digest_of_rows(rows: Mapping[str, Row]) -> str:
    return digest_of_json(
        [
            [identifier, row.key, row.content, row.metadata, list(row.readers)]
            for identifier, row in sorted(rows.items())
        ]
    )
