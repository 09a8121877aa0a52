"""A release over the real clients of both services: pages, lines and notes in a bucket, rows in Vertex AI Search."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from google.auth.credentials import AnonymousCredentials
from google.cloud.storage import Bucket

from hanpon.adapters.gcs_client import GcsAddress, client_for
from hanpon.adapters.gcs_storage import GcsStorage
from hanpon.adapters.vertex_bucket import Bucket as BucketOfVertex
from hanpon.adapters.vertex_datastore import VertexDatastore
from hanpon.contracts.reports import Status
from tests.adapters.vertex_releases import Releases
from tests.adapters.vertex_world import World, world
from tests.cloud.discovery_engine.objects import ObjectsOfServer


class ReleasesOnGcs(Releases):
    """As `Releases`, with a real storage."""

    def __init__(self, folder: Path, made: World, storage: GcsStorage) -> None:
        super().__init__(folder, made)
        self.made, self.storage = made, storage

    def open(self, **opened: Any) -> tuple[Any, VertexDatastore]:
        storage: BucketOfVertex = self.storage
        return storage, self.made.open(holds=False, bucket=storage)


@pytest.mark.parametrize("access", [False, True], ids=["filtered", "enforced"])
def test_a_release_goes_through_a_bucket_into_the_store(
    tmp_path: Path,
    gcs_endpoint: str,
    bucket: Bucket,
    *,
    access: bool,
) -> None:
    nobody = AnonymousCredentials()
    client = client_for(nobody, "p", endpoint=gcs_endpoint)
    storage = GcsStorage(GcsAddress(bucket.name, "docs/"), client)
    with closing(ObjectsOfServer(gcs_endpoint)) as objects, world(access=access, objects=objects) as made:
        desk = ReleasesOnGcs(tmp_path / "bundle", made, storage)
        desk.write("/a", "/顧客")
        assert desk.release().status is Status.PUBLISHED
        assert len(made.ids) == 2
        made.calls.clear()
        assert desk.release().status is Status.UNCHANGED
        assert {"ImportDocuments", "PurgeDocuments"}.isdisjoint(made.calls)
        desk.write("/a", "/b", readers="group:b@x")
        assert desk.release().status is Status.PUBLISHED
        assert desk.check().exit_code == 0
        assert not storage.list("imports/")
        desk.withdraw()
        assert made.ids == set()
