"""Which documents an import did not take, and why."""

import json
import re
from collections.abc import Iterable, Mapping

from hanpon.adapters.vertex_bucket import Bucket
from hanpon.adapters.vertex_documents import Line
from hanpon.adapters.vertex_requests import PASSING_CODES
from hanpon.contracts.errors import InvalidInput, Unavailable
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.contracts.manifests import file_of

_MOST_SAID = 500

_WORD = re.compile(r"[A-Za-z0-9_-]+")
_ADDRESS = re.compile("gs://")


class Failures:
    """Failures of the lines that were sent, given by their address: what the service tells names the address."""

    def __init__(self, sent: Mapping[str, Line]) -> None:
        self._sent = sent
        self._lengths = sorted({len(uri) for uri in sent}, reverse=True)
        self._by_id = {line.id: line for line in sent.values()}
        self.samples: dict[tuple[int, str], Line | None] = {}
        """google.rpc code and message, with the document that it is about where that is known."""

    def add(self, samples: Iterable[tuple[int, str]]) -> None:
        for code, message in samples:
            said = " ".join(message.split())[:_MOST_SAID]
            self.samples.setdefault((code, said), self._subject(message))

    def read(self, bucket: Bucket, folder: str) -> None:
        """Add what the service wrote: in every file, a google.rpc.Status as JSON on each line."""
        for key in sorted(bucket.list(folder)):
            self.add(_statuses(bucket.read(key)))

    def judge(self, what: str, *, taken: int, failed: int, sent: int) -> None:
        """Raises InvalidInput, or Unavailable, unless everything was taken and nothing is said against it."""
        if taken == sent and not failed and not self.samples:
            return
        counts = f"{what}: {taken:,} were taken, {failed:,} failed"
        passing = [message for code, message in self.samples if code in PASSING_CODES]
        if not self.samples or len(passing) == len(self.samples):
            told = f" ({passing[0]})" if passing else ""
            raise Unavailable(f"{counts}{told}; try again")
        unnamed = failed - len(self.samples)
        rest = [_told(f"{counts}; the service says nothing of {unnamed:,} of them")] if unnamed > 0 else []
        raise InvalidInput([*(_failure(line, said) for (_, said), line in self.samples.items()), *rest])

    def _subject(self, message: str) -> Line | None:
        for begin in (address.start() for address in _ADDRESS.finditer(message)):
            # an address may stand in front of anything: it is known by its length, of which there are few
            for length in self._lengths:
                if line := self._sent.get(message[begin : begin + length]):
                    return line
        return next((self._by_id[word] for word in _WORD.findall(message) if word in self._by_id), None)


def _statuses(data: bytes) -> Iterable[tuple[int, str]]:
    for text in data.decode("utf-8", "replace").splitlines():
        try:
            status = json.loads(text)
            yield int(status.get("code", 0)), str(status.get("message", ""))
        except (ValueError, AttributeError, TypeError):  # no status: its words are told as they stand
            yield 0, text


def _failure(line: Line | None, said: str) -> Finding:
    if line is None:
        return _told(f"a document was not taken: {said}")
    return _told(f"{line.id} was not taken: {said}", file_of(line.metadata))


def _told(words: str, file: str = "") -> Finding:
    return Finding("document-not-imported", Severity.ERROR, Place(file), f"Vertex AI Search: {words}")
