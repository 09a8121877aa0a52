"""What `hanpon doctor` looks at of a bucket: is it there, who may do what with it, who else can read it."""

from collections.abc import Iterator
from typing import Any

from google.api_core import exceptions as refusals
from google.cloud.storage import Bucket, Client

from hanpon.adapters.cloud_looks import CloudPlaces, Identity, trouble
from hanpon.adapters.gcs_client import client_for, default_client
from hanpon.adapters.google_calls import google_errors_in_words, patience
from hanpon.adapters.google_rights import OBJECTS, READER_ROLE, agent_of, bucket_command, making_command, with_member
from hanpon.contracts.diagnoses import Diagnosis

READERS = {
    *("roles/storage.objectViewer", "roles/storage.objectUser", "roles/storage.objectAdmin", "roles/storage.admin"),
    *("roles/storage.legacyObjectReader", "roles/storage.legacyBucketReader"),
}
"""Roles that let somebody read the objects of a bucket."""


def diagnose_bucket(places: CloudPlaces, identity: Identity) -> Iterator[Diagnosis]:
    """Several diagnoses; where the bucket is not there, that one. May raise what the client raises."""
    client = _client(places, identity)
    bucket = client.bucket(places.bucket)
    subject = f"bucket {places.bucket}"
    tries: dict[str, Any] = {"timeout": places.patience / 2, "retry": patience(places.patience / 2)}
    with google_errors_in_words(f"gs://{places.bucket}"):
        try:
            bucket.reload(**tries)
        except refusals.NotFound:
            yield trouble(subject, "does not exist", _making(places))
            return
        except refusals.Forbidden:
            seen = False
        else:
            seen = True
        try:
            next(iter(client.list_blobs(bucket, prefix=places.prefix, max_results=1, **tries)), None)
            yield Diagnosis(subject=subject, found="is there, and can be listed")
        except refusals.Forbidden:
            command = with_member(bucket_command(places.bucket, identity.member))
            yield trouble(subject, "may not be listed", command)
        except refusals.NotFound:
            yield trouble(subject, "does not exist", _making(places))
            return
        yield _rights(bucket, places, identity, tries)
        yield from _settings(bucket) if seen else [_unseen_settings(places, identity)]
        if places.form:
            yield _agent(bucket, places, tries)


def _client(places: CloudPlaces, identity: Identity) -> Client:
    if identity.credentials is None:
        return default_client(threads=1)
    return client_for(identity.credentials, places.form.project if places.form else None, threads=1)


def _making(places: CloudPlaces) -> str:
    project, location = (places.form.project, places.form.location) if places.form else ("", "")
    return making_command(places.bucket, project, "EU" if location == "eu" else "US")


def _rights(bucket: Bucket, places: CloudPlaces, identity: Identity, tries: dict[str, Any]) -> Diagnosis:
    subject = f"permissions on {places.bucket}"
    try:
        held = bucket.test_iam_permissions(list(OBJECTS), **tries)
    except refusals.GoogleAPICallError as error:
        return Diagnosis(subject=subject, found=f"cannot be seen ({type(error).__name__})")
    missing = [permission for permission in OBJECTS if permission not in held]
    if missing:
        command = with_member(bucket_command(places.bucket, identity.member))
        return trouble(subject, f"missing: {', '.join(missing)}", command)
    return Diagnosis(subject=subject, found=f"all {len(OBJECTS)} that are needed")


def _settings(bucket: Bucket) -> Iterator[Diagnosis]:
    """Who else can read pages, and whether objects can be replaced."""
    subject = f"settings of {bucket.name}"
    access = bucket.iam_configuration
    if bucket.retention_period:
        advice = f"gcloud storage buckets update gs://{bucket.name} --clear-retention-period, or take another bucket"
        yield trouble(subject, f"objects cannot be replaced for {bucket.retention_period} seconds", advice)
    if not access.uniform_bucket_level_access_enabled:
        advice = f"gcloud storage buckets update gs://{bucket.name} --uniform-bucket-level-access"
        found = "warning: single objects may have readers of their own (access is not uniform)"
        yield Diagnosis(subject=subject, found=found, advice=advice)
    if access.public_access_prevention != "enforced":
        advice = f"gcloud storage buckets update gs://{bucket.name} --public-access-prevention"
        found = "warning: nothing keeps it from being opened to the public by mistake"
        yield Diagnosis(subject=subject, found=found, advice=advice)


def _unseen_settings(places: CloudPlaces, identity: Identity) -> Diagnosis:
    command = with_member(bucket_command(places.bucket, identity.member, "roles/storage.bucketViewer"))
    return Diagnosis(subject=f"settings of {places.bucket}", found="cannot be seen", advice=f"to see them: {command}")


def _agent(bucket: Bucket, places: CloudPlaces, tries: dict[str, Any]) -> Diagnosis:
    """Pages are read by an account of the service; it is told by the number of the project that the store is in."""
    subject = "service agent of Vertex AI Search"
    project = places.form.project if places.form else ""
    number = (
        project if project.isdecimal() else f"$(gcloud projects describe {project} --format='value(projectNumber)')"
    )
    agent = f"serviceAccount:{agent_of(number)}"
    command = bucket_command(places.bucket, agent, READER_ROLE)
    try:
        policy = bucket.get_iam_policy(**tries)
    except refusals.GoogleAPICallError:
        look = (
            f"gcloud storage buckets get-iam-policy gs://{places.bucket} --format=json | grep gcp-sa-discoveryengine"
        )
        advice = f"look yourself: {look} ; where it says nothing: {command}"
        return Diagnosis(subject=subject, found=f"whether it may read {places.bucket} cannot be seen", advice=advice)
    members = {member for binding in policy.bindings if binding["role"] in READERS for member in binding["members"]}
    if any("@gcp-sa-discoveryengine.iam." in member for member in members):
        return Diagnosis(subject=subject, found=f"may read {places.bucket}")
    found = f"has no role on {places.bucket} itself; it may still have one on the project"
    return Diagnosis(subject=subject, found=found, advice=command)
