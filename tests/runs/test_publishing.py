"""The order of writes, and that what was written is read back before it is believed."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hanpon.adapters.file_storage import FileStorage
from hanpon.adapters.sqlite_datastore import SqliteDatastore
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import Unavailable
from hanpon.contracts.manifests import Row
from hanpon.contracts.ports import Datastore, DatastoreChange, Storage
from hanpon.releases.plan import Found, plan_edition
from hanpon.runs.publishing import Press, Publication, publish
from hanpon.runs.silence import Silence
from tests.editions import CUSTOMER, document, edition_of

PRINTED = edition_of(document("GET /a"), document("GET /b"))


class RecordingStorage(FileStorage):
    """A folder that notes what it is told, and may give back other bytes than it was given."""

    def __init__(self, root: Path, told: list[str], garbled: str = "") -> None:
        super().__init__(root)
        self.told, self._garbled = told, garbled

    def create(self, key: str, data: bytes, media_type: str) -> None:
        self.told.append(key.split("/")[3])
        super().create(key, data, media_type)

    def settle(self) -> None:
        self.told.append("settle")
        super().settle()

    def replace(self, key: str, data: bytes, expected: str | None) -> None:
        self.told.append("pointer")
        super().replace(key, data, expected)

    def read(self, key: str) -> bytes:
        data = super().read(key)
        return data[:-1] + b"?" if self._garbled and self._garbled in key else data


class RecordingDatastore(SqliteDatastore):
    """A database that notes its commits, and may forget a row it was given."""

    def __init__(self, path: Path, told: list[str], *, forgets: bool = False) -> None:
        super().__init__(path)
        self._told, self._forgets = told, forgets

    @contextmanager
    def change(self, edition: Edition) -> Iterator[DatastoreChange]:
        with super().change(edition) as change:
            commit = change.commit
            rows = change.rows

            def noted() -> None:
                self._told.append("commit")
                commit()

            def forgetful() -> Mapping[str, Row]:
                return dict(list(rows().items())[1:])

            change.commit = noted  # type: ignore[method-assign]
            if self._forgets:
                change.rows = forgetful  # type: ignore[method-assign]
            yield change


def publish_to(storage: Storage, datastore: Datastore) -> None:
    press = Press(storage=storage, datastore=datastore, progress=Silence())
    publication = Publication(
        run="r",
        origin="o",
        ref="",
        now=lambda: datetime.now(UTC),
        keep=5,
        link_base="",
        index_page=lambda *_: b"",
    )
    with storage.hold(CUSTOMER, "r", 0):
        publish(plan_edition(PRINTED.manifest, Found()), Found(), PRINTED.objects, press, publication)


@pytest.fixture
def told() -> list[str]:
    return []


def test_objects_settle_before_rows_change_and_the_pointer_moves_last(tmp_path: Path, told: list[str]) -> None:
    publish_to(RecordingStorage(tmp_path / "s", told), RecordingDatastore(tmp_path / "db", told))
    assert told == ["manifests", "inventory", "pages", "pages", "settle", "commit", "pointer"]


@pytest.mark.parametrize(
    "stores",
    [
        lambda folder, told: (RecordingStorage(folder / "s", told, "/pages/"), SqliteDatastore(folder / "db")),
        lambda folder, told: (RecordingStorage(folder / "s", told, "/inventory/"), SqliteDatastore(folder / "db")),
        lambda folder, told: (
            RecordingStorage(folder / "s", told),
            RecordingDatastore(folder / "db", told, forgets=True),
        ),
    ],
    ids=["a page", "the inventory", "a row"],
)
def test_what_reads_back_otherwise_than_it_was_written_is_not_announced(
    tmp_path: Path, told: list[str], stores: Callable[[Path, list[str]], tuple[Storage, Datastore]]
) -> None:
    storage, datastore = stores(tmp_path, told)
    with pytest.raises(Unavailable, match="read back"):
        publish_to(storage, datastore)
    assert "pointer" not in told
    assert SqliteDatastore(tmp_path / "db").rows(CUSTOMER) == {}
