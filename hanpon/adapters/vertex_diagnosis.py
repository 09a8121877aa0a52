"""What `hanpon doctor` looks at of a store of Vertex AI Search: is it there, and is it as the settings want it."""

from collections.abc import Iterator

from hanpon.adapters.cloud_looks import CloudPlaces, trouble
from hanpon.adapters.vertex_form import StoreForms
from hanpon.contracts.datastore_form import DatastoreForm
from hanpon.contracts.diagnoses import Diagnosis
from hanpon.contracts.errors import HanponError
from hanpon.releases.datastore_form import differences, refusal


def diagnose_store(places: CloudPlaces, wanted: DatastoreForm) -> Iterator[Diagnosis]:
    """The identity provider first, for a store is made after it. Raises HanponError where no client can be made."""
    forms = StoreForms(wanted, places.endpoint, deadline=places.patience / 3)
    if wanted.access_control:
        yield _provider(forms, wanted)
    yield _store(forms, wanted)


def _provider(forms: StoreForms, wanted: DatastoreForm) -> Diagnosis:
    subject = "identity provider"
    try:
        found = forms.identity_provider()
    except HanponError as error:
        return trouble(subject, str(error), _enable(wanted), error)
    if found:
        return Diagnosis(subject=subject, found=f"{found}, for {wanted.project} in {wanted.location}")
    advice = (
        "set it up before the store is made, as docs/google-cloud.md shows (updateAclConfig), or decide for "
        "--access filtered"
    )
    return trouble(subject, f"none for {wanted.project} in {wanted.location}, and access is to be enforced", advice)


def _store(forms: StoreForms, wanted: DatastoreForm) -> Diagnosis:
    subject = f"store {wanted.address}"
    try:
        found = forms.found()
    except HanponError as error:
        return trouble(subject, str(error), _enable(wanted), error)
    if found is None:
        advice = "see what would be decided for ever with `hanpon datastore plan`, then `hanpon datastore create`"
        return trouble(subject, "does not exist", advice)
    differing = differences(wanted, found)
    if not differing:
        fields = len(wanted.schema["properties"])
        return Diagnosis(subject=subject, found=f"is there as the settings want it, with all {fields} fields")
    return trouble(subject, refusal(found, differing), "`hanpon datastore plan` lists it line by line")


def _enable(wanted: DatastoreForm) -> str:
    return (
        "mend the permissions above first; where the API is not enabled: "
        f"gcloud services enable discoveryengine.googleapis.com --project={wanted.project}"
    )
