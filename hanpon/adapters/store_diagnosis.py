"""Whether the stores that the settings name can be used. Reads only."""

from collections.abc import Callable

from hanpon.contracts.diagnoses import Diagnosis
from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.errors import HanponError
from hanpon.contracts.ports import Datastore, Storage


def diagnose_storage(open_storage: Callable[[], Storage]) -> Diagnosis:
    """Opens storage and counts what is published."""
    try:
        storage = open_storage()
        published = sum(key.endswith("/current.json") for kind in Kind for key in storage.list(f"{kind}/"))
    except HanponError as error:
        return _failed("storage", error)
    if not published:
        return Diagnosis(subject="storage", found=f"{storage.address}: nothing published yet")
    return Diagnosis(subject="storage", found=f"{storage.address}: {published} editions published")


def diagnose_datastore(open_datastore: Callable[[], Datastore]) -> Diagnosis:
    """Opens the datastore and reads from it."""
    try:
        datastore = open_datastore()
        datastore.rows(Edition(Kind.API, "doctor", "0"))
    except HanponError as error:
        return _failed("datastore", error)
    return Diagnosis(subject="datastore", found=f"{datastore.address}: can be read")


def _failed(subject: str, error: HanponError) -> Diagnosis:
    return Diagnosis(
        subject=subject, found=str(error), advice="mend this before a release", exit_code=error.exit_code
    )
