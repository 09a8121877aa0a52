"""Whether the stores that the settings name can be used. Reads only."""

import os
from collections.abc import Callable
from pathlib import Path

from hanpon.contracts.diagnoses import Diagnosis
from hanpon.contracts.errors import HanponError
from hanpon.contracts.ports import Datastore, StorageView
from hanpon.runs.survey import published_editions


def diagnose_storage(open_storage: Callable[[], StorageView], path: Path) -> Diagnosis:
    """Opens storage, counts what is published, and sees whether its folder can be written to."""
    try:
        storage = open_storage()
        published = len(published_editions(storage))
    except HanponError as error:
        return _failed("storage", str(error), "name another folder: --storage file:PATH", error.exit_code)
    return _writable("storage", storage.address, path, f"{published} published edition{'s' * (published != 1)}")


def diagnose_datastore(open_datastore: Callable[[], Datastore], path: Path) -> Diagnosis:
    """Opens the datastore, reads from it, and sees whether it can be written to."""
    try:
        datastore = open_datastore()
        datastore.editions()
    except HanponError as error:
        return _failed("datastore", str(error), "name another file: --datastore sqlite:PATH", error.exit_code)
    return _writable("datastore", datastore.address, path, "can be read")


def _writable(subject: str, address: str, path: Path, state: str) -> Diagnosis:
    """Judged by the nearest folder that exists, for the first release makes what is missing."""
    nearest = next(place for place in (path, *path.absolute().parents) if place.exists())
    if os.access(nearest, os.W_OK) and (nearest == path or nearest.is_dir()) and not _is_of_the_kernel(nearest):
        found = state if path.exists() else "does not exist yet; the first release makes it"
        return Diagnosis(subject=subject, found=f"{address}: {found}")
    advice = "releases need to write there: change its permissions, or name another place"
    return _failed(subject, f"{address}: {nearest} cannot be written to", advice, 4)


def _is_of_the_kernel(folder: Path) -> bool:
    """Linux shows its own state as folders that look writable to the superuser and are not."""
    return folder.absolute().parts[:2] in {("/", "proc"), ("/", "sys")}


def _failed(subject: str, found: str, advice: str, exit_code: int) -> Diagnosis:
    return Diagnosis(subject=subject, found=found, advice=advice, exit_code=exit_code)
