"""What `hanpon doctor` looks at of Google Cloud. Reads only, and gives each look a few seconds."""

from collections.abc import Sequence
from email.utils import parsedate_to_datetime
from typing import Any

import google.auth
import requests
from google.auth.exceptions import DefaultCredentialsError
from google.auth.transport.requests import AuthorizedSession, Request

from hanpon.adapters.bucket_diagnosis import diagnose_bucket
from hanpon.adapters.cloud_looks import CloudPlaces, Identity, trouble, within
from hanpon.adapters.google_calls import LOGIN
from hanpon.adapters.google_rights import CALLS, impersonation_command, project_command, role_command, with_member
from hanpon.adapters.vertex_diagnosis import diagnose_store
from hanpon.adapters.vertex_names import StoreNames
from hanpon.contracts.datastore_form import DatastoreForm
from hanpon.contracts.diagnoses import Diagnosis

MOST_SKEW = 60.0
"""Seconds that this machine's clock may differ from the service's; tokens and leases are judged by time."""

_SCOPE = "https://www.googleapis.com/auth/cloud-platform"


def diagnose_cloud(places: CloudPlaces) -> list[Diagnosis]:
    """Everything, in the order in which it has to be mended. Never raises, and takes some seconds at worst."""
    identity, credentials = _identity(places)
    form = places.form
    found = [credentials, *([_location(places, form)] if form else [])]
    found += within("clock", lambda: [_clock(places)], places.patience)
    if credentials.exit_code:
        return found  # nothing else would say more than that
    if form:
        found += within("permissions", lambda: [_project_rights(places, form, identity)], places.patience)
    if places.storage:
        found += within("bucket", lambda: list(diagnose_bucket(places, identity)), places.patience)
    if form:
        found += within("store", lambda: list(diagnose_store(places, form)), places.patience)
    if form and form.access_control:
        found += within("auditor", lambda: [_auditor(places, identity)], places.patience)
    return found


def _identity(places: CloudPlaces) -> tuple[Identity, Diagnosis]:
    subject = "Google credentials"
    if places.is_bare:
        told = f"none are sent to {places.host}: it is plain HTTP"
        return Identity(), Diagnosis(subject=subject, found=told)
    got: list[Identity] = []

    def look() -> list[Diagnosis]:
        try:
            credentials, _ = google.auth.default(scopes=[_SCOPE])
        except DefaultCredentialsError:
            return [trouble(subject, "none were found", LOGIN)]
        if not credentials.valid:
            credentials.refresh(Request())
        identity = Identity(credentials=credentials, member=_member(credentials))
        got.append(identity)
        return [Diagnosis(subject=subject, found=identity.member, advice=_quota_advice(places, credentials))]

    (diagnosis,) = within(subject, look, places.patience)
    return (got[0] if got else Identity()), diagnosis


def _member(credentials: Any) -> str:
    """Whom a policy would name; a person's own login need not say who it is of."""
    account, person = (getattr(credentials, name, "") for name in ("service_account_email", "account"))
    return f"serviceAccount:{account}" if account else f"user:{person or 'YOUR_ADDRESS'}"


def _quota_advice(places: CloudPlaces, credentials: Any) -> str:
    """Calls with a person's own login are refused without a project that they count for."""
    account: str = getattr(credentials, "service_account_email", "")
    quota: str | None = getattr(credentials, "quota_project_id", None)
    if account or quota or not places.form:
        return ""
    return f"gcloud auth application-default set-quota-project {places.form.project}"


def _clock(places: CloudPlaces) -> Diagnosis:
    """By an answer that takes no credentials, so that it is told even where their clock has made them unusable."""
    url = f"{places.host}/$discovery/rest?version=v1"
    said = requests.get(url, timeout=places.patience, allow_redirects=False).headers.get("Date", "")
    if not said:
        return Diagnosis(subject="clock", found=f"{places.host} tells no time")
    skew = (places.now() - parsedate_to_datetime(said)).total_seconds()
    found = f"{abs(skew):.0f} seconds {'ahead of' if skew > 0 else 'behind'} {places.host}"
    if abs(skew) <= MOST_SKEW:
        return Diagnosis(subject="clock", found=found)
    return trouble("clock", found, "set this machine's clock by a time server: Google refuses tokens of another time")


def _location(places: CloudPlaces, form: DatastoreForm) -> Diagnosis:
    subject = "location"
    own = StoreNames.of_form(form).endpoint
    host = places.host.partition("://")[2]
    if host.endswith("discoveryengine.googleapis.com") and host != own:
        advice = f"leave --google-endpoint and HANPON_GOOGLE_ENDPOINT empty, or name {own}"
        return trouble(subject, f"{host} does not serve {form.location}", advice)
    return Diagnosis(subject=subject, found=f"{form.location}, served by {host}")


def _project_rights(places: CloudPlaces, form: DatastoreForm, identity: Identity) -> Diagnosis:
    """Whoever asks is told by the project itself; only the permissions that this access mode needs count."""
    subject = f"permissions on {form.project}"
    unneeded = "discoveryengine.documents.list" if form.access_control else "discoveryengine.aclConfigs.get"
    wanted = [permission for permission in CALLS if permission != unneeded]
    url = f"{places.manager}/v1/projects/{form.project}:testIamPermissions"
    held = _held(places, identity, url, wanted)
    if isinstance(held, str):
        advice = _MANAGER.format(form.project) if identity.credentials else ""
        return Diagnosis(subject=subject, found=f"cannot be seen ({held})", advice=advice)
    missing = [permission for permission in wanted if permission not in held]
    if not missing:
        return Diagnosis(subject=subject, found=f"all {len(wanted)} that are needed")
    advice = (
        f"{with_member(project_command(form.project, identity.member))} (the role has exactly what is needed; "
        f"where it is not there yet: {role_command(form.project)})"
    )
    return trouble(subject, f"missing: {', '.join(missing)}", advice)


_MANAGER = "to have them looked at: gcloud services enable cloudresourcemanager.googleapis.com --project={}"


def _auditor(places: CloudPlaces, identity: Identity) -> Diagnosis:
    subject = "auditor"
    if not places.auditor:
        advice = (
            "name a service account that is a member of the readers' groups with --auditor or HANPON_AUDITOR; "
            "without one, rows of a store with access control are believed and not seen"
        )
        return Diagnosis(subject=subject, found="none is named", advice=advice)
    project = places.auditor.partition("@")[2].removesuffix(".iam.gserviceaccount.com")
    project = project if "." not in project else "-"
    url = f"{places.iam}/v1/projects/{project}/serviceAccounts/{places.auditor}:testIamPermissions"
    needed = "iam.serviceAccounts.getAccessToken"
    held = _held(places, identity, url, [needed])
    command = with_member(impersonation_command(places.auditor, identity.member))
    if isinstance(held, str):
        return Diagnosis(subject=subject, found=f"{places.auditor}: cannot be seen ({held})", advice=command)
    if needed not in held:
        return trouble(subject, f"{places.auditor}: missing: {needed}", command)
    return Diagnosis(subject=subject, found=f"{places.auditor}: may be searched as")


def _held(places: CloudPlaces, identity: Identity, url: str, permissions: Sequence[str]) -> set[str] | str:
    """Those of the permissions that the identity has, or in words why that cannot be told."""
    if identity.credentials is None:
        return "no credentials are sent"
    session = AuthorizedSession(identity.credentials)
    answer = session.post(url, json={"permissions": list(permissions)}, timeout=places.patience)
    if not answer.ok:
        return f"HTTP {answer.status_code}"
    return set(answer.json().get("permissions", ()))
