"""What a Vertex AI Search datastore asks of the storage that its documents lie in."""

from collections.abc import Mapping
from typing import Any, Protocol

from hanpon.contracts.editions import Edition
from hanpon.contracts.ports import Storage


class Bucket(Storage, Protocol):
    """A storage whose objects the service can read, and which keeps notes for whoever holds an edition next."""

    def uri(self, key: str) -> str:
        """The `gs://` address of an object."""

    def note(self, notes: Mapping[str, Any]) -> None:
        """Keep these notes, in place of former ones, for the edition that is held; {} takes them away.

        They are safe from a power cut once this returns, and outlive a run that is killed or fails.
        """

    def still_held(self) -> None:
        """Raises Conflict where the edition that was held is so no more, or may not be; nothing is asked for that."""

    def noted(self, edition: Edition) -> Mapping[str, Any]:
        """The notes that were kept last for an edition, {} where there are none. The edition need not be held."""
