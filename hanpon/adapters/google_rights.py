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

SEARCHING = ("discoveryengine.servingConfigs.search", "serviceusage.services.use")
"""Permissions on the project of people who search with a login of their own; the other lets them name the project."""

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
"""The role that docs/google-cloud.md makes for who publishes: exactly the permissions of `CALLS`."""
SEARCH_ROLE = "hanponReader"
"""The role that docs/google-cloud.md makes for people who search: exactly `SEARCHING`."""
MEMBER = "MEMBER"
"""Stands in a command for whom nobody knows; `with_member` says who that is."""


def role_command(project: str) -> str:
    """Makes the role in a project."""
    return f"gcloud iam roles create {ROLE} --project={project} --permissions={','.join(CALLS)}"


def search_role_command(project: str) -> str:
    """Makes the role of people who search in a project."""
    return f"gcloud iam roles create {SEARCH_ROLE} --project={project} --permissions={','.join(SEARCHING)}"


def project_command(project: str, member: str, role: str = ROLE) -> str:
    """Gives a role of the project to somebody; without a condition, or gcloud asks where a policy has some."""
    return (
        f"gcloud projects add-iam-policy-binding {project} --member={member or MEMBER} "
        f"--role=projects/{project}/roles/{role} --condition=None"
    )


def making_command(bucket: str, project: str, location: str) -> str:
    """Makes a bucket in which no page can be opened by mistake; `project` is "" for gcloud's own."""
    named = f" --project={project}" if project else ""
    return (
        f"gcloud storage buckets create gs://{bucket}{named} --location={location} "
        "--uniform-bucket-level-access --public-access-prevention"
    )


def bucket_command(bucket: str, member: str, role: str = OBJECT_ROLE) -> str:
    """Gives a role on a bucket to somebody."""
    return f"gcloud storage buckets add-iam-policy-binding gs://{bucket} --member={member or MEMBER} --role={role}"


def impersonation_command(account: str, member: str) -> str:
    """Lets somebody search as a service account."""
    role = "roles/iam.serviceAccountTokenCreator"
    return f"gcloud iam service-accounts add-iam-policy-binding {account} --member={member or MEMBER} --role={role}"


def with_member(command: str) -> str:
    """A command, and in words who `MEMBER` is where it stands in it."""
    who = f" ({MEMBER} is the account that publishes: serviceAccount:ADDRESS, or user:ADDRESS for your own login)"
    return command + who if f"--member={MEMBER} " in command else command


def agent_of(project_number: str) -> str:
    """The service account as which Vertex AI Search reads buckets."""
    return f"service-{project_number}@gcp-sa-discoveryengine.iam.gserviceaccount.com"
