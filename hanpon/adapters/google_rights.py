"""Which permissions a call needs at Google, and the commands that give them, and no more than them."""

from collections.abc import Mapping, Sequence

CALLS: Mapping[str, Sequence[str]] = {
    "discoveryengine.dataStores.get": ("GetDataStore",),
    "discoveryengine.schemas.get": ("GetSchema",),
    "discoveryengine.aclConfigs.get": ("GetAclConfig",),
    "discoveryengine.documents.import": ("ImportDocuments",),
    "discoveryengine.documents.list": ("ListDocuments",),
    "discoveryengine.documents.purge": ("PurgeDocuments",),
    "discoveryengine.operations.get": ("GetOperation",),
    "discoveryengine.operations.list": ("ListOperations",),
    "discoveryengine.servingConfigs.search": ("Search",),
}
"""Permissions on the project of who publishes, checks and searches, with the calls that ask for them."""

MAKING: Mapping[str, Sequence[str]] = {
    "discoveryengine.dataStores.create": ("CreateDataStore",),
    "discoveryengine.schemas.update": ("UpdateSchema",),
}
"""What `hanpon datastore create` needs besides."""

OBJECTS = (
    "storage.objects.create",
    "storage.objects.delete",
    "storage.objects.get",
    "storage.objects.list",
)
"""Permissions on the bucket; an object is replaced by who may create and delete."""

OBJECT_ROLE = "roles/storage.objectUser"
READER_ROLE = "roles/storage.objectViewer"
ROLE = "hanponPublisher"
"""The role that docs/google-cloud.md makes for who publishes: exactly the permissions above."""


def role_command(project: str) -> str:
    """Makes the role in a project."""
    return f"gcloud iam roles create {ROLE} --project={project} --permissions={','.join(CALLS)}"


def project_command(project: str, member: str) -> str:
    """Gives the role to somebody."""
    return (
        f"gcloud projects add-iam-policy-binding {project} --member={member} --role=projects/{project}/roles/{ROLE}"
    )


def bucket_command(bucket: str, member: str, role: str = OBJECT_ROLE) -> str:
    """Gives a role on a bucket to somebody."""
    return f"gcloud storage buckets add-iam-policy-binding gs://{bucket} --member={member} --role={role}"


def impersonation_command(account: str, member: str) -> str:
    """Lets somebody search as a service account."""
    role = "roles/iam.serviceAccountTokenCreator"
    return f"gcloud iam service-accounts add-iam-policy-binding {account} --member={member} --role={role}"


def agent_of(project_number: str) -> str:
    """The service account as which Vertex AI Search reads buckets."""
    return f"service-{project_number}@gcp-sa-discoveryengine.iam.gserviceaccount.com"
