"""The form of a store of Vertex AI Search: read, held against what is wanted, and made. Nothing is ever deleted."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from google.api_core import exceptions as refusals
from google.cloud import discoveryengine_v1 as discoveryengine
from google.cloud import discoveryengine_v1beta as beta

from hanpon.adapters.google_calls import DEADLINE, TRY, google_errors_in_words, patience
from hanpon.adapters.vertex_clients import client_of
from hanpon.adapters.vertex_names import StoreNames
from hanpon.contracts.datastore_form import LARGEST_CHUNK, DatastoreForm, Difference, StoreDescription
from hanpon.contracts.errors import Unavailable, UsageError
from hanpon.releases.datastore_form import differences, merged_schema, refusal

MADE_IN = 900.0
"""Seconds for a store to be made, or a schema to be taken up."""

NO_PROVIDER = (
    "access control is wanted, and no identity provider is set up for project {project} in {location}; a store that "
    "is made before stays without one for ever. Set it up first (docs/google-cloud.md says how), or decide for "
    "--access filtered"
)


class StoreForms:
    """Reads the form of the store that `wanted` names, and makes it; at the host of its location, or at `endpoint`.

    `deadline` is in seconds, for one call with its tries; what a call begins may take longer. Methods raise
    UsageError where something is refused, Unavailable where the service does not do its part.
    """

    def __init__(self, wanted: DatastoreForm, endpoint: str = "", *, deadline: float = DEADLINE) -> None:
        self.wanted = wanted
        self._names = StoreNames.of_form(wanted)
        self._calls = {"retry": patience(deadline), "timeout": min(TRY, deadline)}
        with google_errors_in_words(wanted.address):
            host = endpoint or self._names.endpoint
            self._stores = client_of(discoveryengine.DataStoreServiceClient, host)
            self._schemas = client_of(discoveryengine.SchemaServiceClient, host)
            self._access = client_of(beta.AclConfigServiceClient, host)

    def found(self) -> DatastoreForm | None:
        """The store as it is, None where there is none of its id."""
        store = self._asked(
            "the store", lambda: self._stores.get_data_store(name=self._names.resource, **self._calls)
        )
        return None if store is None else replace(_form_of(store, self.wanted), schema=self.schema())

    def schema(self) -> dict[str, Any]:
        """The schema of the store, empty where it has none."""
        name = f"{self._names.resource}/schemas/default_schema"
        schema = self._asked("its schema", lambda: self._schemas.get_schema(name=name, **self._calls))
        return {} if schema is None else _schema_of(schema)

    def identity_provider(self) -> str:
        """Where readers of the project are looked up at this location; "" where nothing is set up."""
        name = f"projects/{self.wanted.project}/locations/{self.wanted.location}/aclConfig"
        config = self._asked("the identity provider", lambda: self._access.get_acl_config(name=name, **self._calls))
        return "" if config is None else _provider_of(config.idp_config)

    def _asked(self, what: str, ask: Callable[[], Any]) -> Any:
        with google_errors_in_words(f"{self.wanted.address}: {what}"):
            try:
                return ask()
            except refusals.NotFound:
                return None

    def make(self) -> None:
        """Make the store, without a schema of its own. One that came meanwhile counts as made, whatever its form."""
        parent = self._names.resource.partition("/dataStores/")[0]
        self._done(
            "making the store",
            lambda: self._stores.create_data_store(
                parent=parent, data_store=_message(self.wanted), data_store_id=self._names.store, **self._calls
            ),
        )

    def push(self, schema: dict[str, Any]) -> None:
        """Have the service take up a schema, whole."""
        named = discoveryengine.Schema(name=f"{self._names.resource}/schemas/default_schema", struct_schema=schema)
        request = discoveryengine.UpdateSchemaRequest(schema=named, allow_missing=True)
        self._done("pushing the schema", lambda: self._schemas.update_schema(request, **self._calls))

    def _done(self, what: str, begin: Callable[[], Any]) -> None:
        with google_errors_in_words(f"{self.wanted.address}: {what}"):
            try:
                begin().result(timeout=MADE_IN)
            except refusals.Conflict:  # over REST, of which gRPC's AlreadyExists is one
                return
            except TimeoutError as error:
                raise Unavailable(
                    f"{self.wanted.address}: {what} goes on after {MADE_IN:.0f} seconds; run it again later"
                ) from error


def _message(form: DatastoreForm) -> discoveryengine.DataStore:
    """What is asked for. Whatever the service refuses for documents, such as settings of web sites, is not in it."""
    chunks = {"chunk_size": form.chunk_size, "include_ancestor_headings": form.ancestor_headings}
    return discoveryengine.DataStore(
        {
            "display_name": form.display_name,
            "industry_vertical": form.vertical,
            "solution_types": ["SOLUTION_TYPE_SEARCH"],
            "content_config": form.content_config,
            "acl_enabled": form.access_control,
            "document_processing_config": {
                "chunking_config": {"layout_based_chunking_config": chunks},
                "default_parsing_config": {f"{form.default_parser}_parsing_config": {}},
                "parsing_config_overrides": {"html": {f"{form.html_parser}_parsing_config": {}}},
            },
        }
    )


def _form_of(store: discoveryengine.DataStore, wanted: DatastoreForm) -> DatastoreForm:
    """What a store has, under the names of the settings: the service answers with the number of the project."""
    processing = store.document_processing_config
    default = _parser(processing.default_parsing_config, "digital")
    html = processing.parsing_config_overrides.get("html")
    chunks = processing.chunking_config.layout_based_chunking_config
    is_cut = "layout_based_chunking_config" in processing.chunking_config
    return replace(
        wanted,
        display_name=store.display_name,
        vertical=store.industry_vertical.name,
        content_config=store.content_config.name,
        access_control=store.acl_enabled,
        html_parser=_parser(html, default) if html is not None else default,
        default_parser=default,
        chunk_size=(chunks.chunk_size or LARGEST_CHUNK) if is_cut else 0,
        ancestor_headings=is_cut and chunks.include_ancestor_headings,
    )


def _parser(parsing: Any, otherwise: str) -> str:
    chosen = type(parsing).pb(parsing).WhichOneof("type_dedicated_config")
    return str(chosen).removesuffix("_parsing_config") if chosen else otherwise


def _schema_of(schema: discoveryengine.Schema) -> dict[str, Any]:
    """The schema in whichever of its two forms the service gives it."""
    if schema.json_schema:
        found = json.loads(schema.json_schema)
        return found if isinstance(found, dict) else {}
    told: dict[str, Any] = type(schema).to_dict(schema)
    return told.get("struct_schema") or {}


def _provider_of(config: beta.IdpConfig) -> str:
    kinds = beta.IdpConfig.IdpType
    if config.idp_type == kinds.GSUITE:
        return "Google Identity"
    if config.idp_type == kinds.THIRD_PARTY:
        return f"workforce pool {config.external_idp_config.workforce_pool_name}".rstrip()
    return ""


def describe_store(wanted: DatastoreForm, endpoint: str = "") -> StoreDescription:
    """The store beside what is wanted of it, and what making it would do. Reads only."""
    return _described(StoreForms(wanted, endpoint))


def _described(forms: StoreForms) -> StoreDescription:
    found = forms.found()
    differing = differences(forms.wanted, found) if found else ()
    return StoreDescription(
        address=forms.wanted.address,
        wanted=forms.wanted,
        found=found,
        identity_provider=forms.identity_provider() if forms.wanted.access_control else "",
        differences=differing,
        steps=_steps(forms.wanted, found, differing),
    )


def _steps(wanted: DatastoreForm, found: DatastoreForm | None, differing: tuple[Difference, ...]) -> tuple[str, ...]:
    if found is None:
        return (f"make the store {wanted.address}", f"push its schema of {len(wanted.schema['properties'])} fields")
    if differing and all(each.changeable for each in differing):
        return ("push what its schema lacks; every document in it is then indexed anew",)
    return ()


def create_store(wanted: DatastoreForm, endpoint: str = "") -> StoreDescription:
    """Make the store, or go on where a killed run ended; tells what is there then.

    Raises UsageError where a store of another form has its id, or where it would be made for readers that nobody can
    tell.
    """
    forms = StoreForms(wanted, endpoint)
    before = _described(forms)
    if wanted.access_control and not before.identity_provider:
        raise UsageError(f"{wanted.address}: {NO_PROVIDER.format(project=wanted.project, location=wanted.location)}")
    if before.found is None:
        forms.make()
        before = _described(forms)
    if before.found is None:
        raise Unavailable(f"{wanted.address}: was asked for and is not there yet; run it again in some minutes")
    if before.exit_code:
        raise UsageError(refusal(before.found, before.differences))
    if not before.differences:
        return before
    # before the first document comes, or the service would guess fields from it, and a guess stays for ever
    forms.push(merged_schema(wanted.schema, before.found.schema))
    _refuse(wanted, forms.found())
    return _described(forms)


def refuse_other_form(wanted: DatastoreForm, endpoint: str = "") -> None:
    """Raises UsageError, with all differences at once, where the store is not of the form that is wanted."""
    _refuse(wanted, StoreForms(wanted, endpoint).found())


def _refuse(wanted: DatastoreForm, found: DatastoreForm | None) -> None:
    if found is None:
        raise UsageError(
            f"{wanted.address} does not exist; `hanpon datastore plan` shows what it would be, and "
            "`hanpon datastore create` makes it"
        )
    differing = differences(wanted, found)
    if differing:
        raise UsageError(refusal(found, differing))
