"""Bundle trees for tests."""

from collections.abc import Mapping, Sequence

from hanpon.contracts.errors import Missing, Unavailable


class MemoryTree:
    """A `BundleTree` that holds its files in memory; `sizes` lets a file claim to be larger than it is.

    `reads` remembers every path that was read, in order.
    """

    def __init__(
        self,
        files: Mapping[str, bytes | str],
        *,
        links: Sequence[str] = (),
        unreadable: Sequence[str] = (),
        sizes: Mapping[str, int] | None = None,
        origin: str = "memory:",
        ref: str = "",
    ) -> None:
        self._files = {path: data.encode() if isinstance(data, str) else data for path, data in files.items()}
        self._links = frozenset(links)
        self._unreadable = frozenset(unreadable)
        self._sizes = dict(sizes or {})
        self.origin = origin
        self.ref = ref
        self.reads: list[str] = []

    def put(self, path: str, data: str) -> None:
        self._files[path] = data.encode()

    def paths(self) -> Sequence[str]:
        return sorted(self._files)

    def links(self) -> frozenset[str]:
        return self._links

    def unreadable(self) -> frozenset[str]:
        return self._unreadable

    def size(self, path: str) -> int:
        self._refuse_missing(path)
        return self._sizes.get(path, len(self._files[path]))

    def read(self, path: str) -> bytes:
        self.reads.append(path)
        self._refuse_missing(path)
        return self._files[path]

    def _refuse_missing(self, path: str) -> None:
        for folder in self._unreadable:
            if path.startswith(f"{folder}/"):
                raise Unavailable(f"{path} may stand in {folder}")
        if path not in self._files:
            raise Missing(f"{path} is not in the bundle")
