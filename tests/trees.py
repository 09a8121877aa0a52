"""Bundle trees for tests."""

from collections.abc import Mapping, Sequence

from hanpon.contracts.errors import Missing


class MemoryTree:
    """A `BundleTree` that holds its files in memory; `sizes` lets a file claim to be larger than it is.

    `reads` remembers every path that was read, in order.
    """

    def __init__(
        self,
        files: Mapping[str, bytes | str],
        *,
        links: Sequence[str] = (),
        sizes: Mapping[str, int] | None = None,
        origin: str = "memory:",
        ref: str = "",
    ) -> None:
        self._files = {path: data.encode() if isinstance(data, str) else data for path, data in files.items()}
        self._links = frozenset(links)
        self._sizes = dict(sizes or {})
        self.origin = origin
        self.ref = ref
        self.reads: list[str] = []

    def paths(self) -> Sequence[str]:
        return sorted(self._files)

    def links(self) -> frozenset[str]:
        return self._links

    def size(self, path: str) -> int:
        return self._sizes.get(path, len(self._files[path]))

    def read(self, path: str) -> bytes:
        self.reads.append(path)
        if path not in self._files:
            raise Missing(f"{path} is not in the bundle")
        return self._files[path]
