"""Creating, reading and updating data stores, schemas and the configuration of the identity provider."""

import json
import re

from google.cloud import discoveryengine_v1 as v1
from google.cloud import discoveryengine_v1beta as v1beta

from tests.cloud.discovery_engine import schemas
from tests.cloud.discovery_engine.messages import Json, written
from tests.cloud.discovery_engine.operations import Outcome, moment
from tests.cloud.discovery_engine.refusals import absent, invalid, taken
from tests.cloud.discovery_engine.resource_names import parts
from tests.cloud.discovery_engine.state import UNSET, State
from tests.cloud.discovery_engine.stores import DataStore

SCHEMA = "default_schema"

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
_PARSERS = {"digitalParsingConfig", "ocrParsingConfig", "layoutParsingConfig"}
_OVERRIDES = {
    "pdf": _PARSERS,
    **dict.fromkeys(("html", "docx", "pptx", "xlsm", "xlsx"), _PARSERS - {"ocrParsingConfig"}),
}
_MUTABLE = {"displayName", "naturalLanguageQueryUnderstandingConfig"}
_OUTPUT_ONLY = {"name", "createTime", "defaultSchemaId", "billingEstimation", "cmekConfig", "startingSchema"}


def create_data_store(state: State, request: Json) -> Json:
    inner = state.names.inner(request["parent"])
    store_id, settings = request.get("dataStoreId", ""), dict(request.get("dataStore", {}))
    if inner or not _ID.fullmatch(store_id):
        raise invalid(f'Invalid data_store_id "{store_id}": 1 to 63 of [a-z0-9_-] were expected.')
    if store_id in state.stores or store_id in state.creating:
        raise taken(f"DataStore {state.names.full(f'dataStores/{store_id}')} already exists.")
    _check_settings(settings, state)
    starting = settings.pop("startingSchema", None)
    if starting is not None and request.get("skipDefaultSchemaCreation"):
        raise invalid("skip_default_schema_creation must not be set where starting_schema is.")
    schema = (
        None if request.get("skipDefaultSchemaCreation") else schemas.checked(_schema_of(starting), state.conduct)
    )
    settings = {key: value for key, value in settings.items() if key not in _OUTPUT_ONLY}
    settings["createTime"] = moment(state.clock())
    settings.setdefault("contentConfig", "NO_CONTENT")
    store = DataStore(store_id, settings, schema, state.identity["idpType"])

    state.creating.add(store_id)

    def create() -> Outcome:
        state.stores[store_id] = store
        return Outcome({}, _shown(state, store))

    types = (v1.CreateDataStoreMetadata, v1.DataStore)
    return state.operations.begin(state.names.full(f"dataStores/{store_id}"), "create-data-store", types, create)


def get_data_store(state: State, request: Json) -> Json:
    return _shown(state, _store_named(state, request["name"]))


def list_data_stores(state: State, request: Json) -> Json:
    state.names.inner(request["parent"])
    shown = [_shown(state, store) for _, store in sorted(state.stores.items())]
    return written(v1.ListDataStoresResponse, {"dataStores": shown})


def update_data_store(state: State, request: Json) -> Json:
    given = request.get("dataStore", {})
    store = _store_named(state, given["name"])
    masked = [path for path in request.get("updateMask", "").split(",") if path]
    for path in masked:
        if path.split(".")[0] not in _MUTABLE:
            raise invalid(f'"updateMask" contains an immutable path "{_snake(path)}".')
    for path in given.keys() - _MUTABLE - _OUTPUT_ONLY if not masked else ():
        if given[path] != store.settings.get(path):
            raise invalid(f'"updateMask" contains an immutable path "{_snake(path)}".')
    changed = {path: given[path] for path in masked or _MUTABLE if path in given}
    _check_display_name(changed)
    store.settings.update(changed)
    return _shown(state, store)


def get_schema(state: State, request: Json) -> Json:
    store = _store_of_schema(state, request["name"])
    if store.schema is None:
        raise absent(f"Schema {request['name']} not found.")
    return written(v1.Schema, _schema_message(state, store))


def update_schema(state: State, request: Json) -> Json:
    given = request.get("schema", {})
    store = _store_of_schema(state, given["name"])
    if store.schema is None and not request.get("allowMissing"):
        raise absent(f"Schema {given['name']} not found.")
    schema = schemas.checked(_schema_of(given), state.conduct)
    if store.schema is not None:
        schemas.check_change(store.schema, schema)

    def update() -> Outcome:
        store.schema = schema
        return Outcome({}, _schema_message(state, store))

    name = state.names.full(f"dataStores/{store.id}/schemas/{SCHEMA}")
    return state.operations.begin(name, "update-schema", (v1.UpdateSchemaMetadata, v1.Schema), update)


def get_acl_config(state: State, request: Json) -> Json:
    _check_acl_name(state, request["name"])
    return written(v1beta.AclConfig, {"name": state.names.at_location("aclConfig"), "idpConfig": state.identity})


def update_acl_config(state: State, request: Json) -> Json:
    given = request.get("aclConfig", {})
    _check_acl_name(state, given["name"])
    identity = {"idpType": UNSET, **given.get("idpConfig", {})}
    pool = identity.get("externalIdpConfig", {}).get("workforcePoolName")
    if (identity["idpType"] == "THIRD_PARTY") != bool(pool):
        raise invalid("external_idp_config.workforce_pool_name is required for THIRD_PARTY, and only there.")
    state.identity = identity
    return get_acl_config(state, {"name": given["name"]})


def _check_settings(settings: Json, state: State) -> None:
    _check_display_name(settings)
    if not settings.get("displayName"):
        raise invalid("display_name is required.")
    if settings.get("industryVertical") not in {"GENERIC", "MEDIA", "HEALTHCARE_FHIR"}:
        raise invalid("industry_vertical is required.")
    if settings.get("aclEnabled") and settings["industryVertical"] != "GENERIC":
        raise invalid("acl_enabled is for the GENERIC vertical only.")
    if settings.get("aclEnabled") and settings.get("contentConfig") == "PUBLIC_WEBSITE":
        raise invalid("acl_enabled is not for PUBLIC_WEBSITE.")
    if "advancedSiteSearchConfig" in settings and settings.get("contentConfig") != "PUBLIC_WEBSITE":
        raise invalid("advanced_site_search_config is for PUBLIC_WEBSITE only.")
    if "identityMappingStore" in settings and (not settings.get("aclEnabled") or state.identity["idpType"] == UNSET):
        raise invalid("identity_mapping_store is for stores with acl_enabled and an identity provider only.")
    _check_processing(settings.get("documentProcessingConfig", {}))


def _check_processing(processing: Json) -> None:
    for key, parser in processing.get("parsingConfigOverrides", {}).items():
        if key not in _OVERRIDES or not parser.keys() <= _OVERRIDES[key]:
            raise invalid(f'parsing_config_overrides: no such parser for "{key}": {", ".join(parser)}.')
    layout = processing.get("chunkingConfig", {}).get("layoutBasedChunkingConfig")
    if layout is not None and not 100 <= layout.setdefault("chunkSize", 500) <= 500:
        raise invalid("chunk_size must be between 100 and 500.")


def _check_display_name(settings: Json) -> None:
    if len(settings.get("displayName", "")) > 128:
        raise invalid("display_name must have at most 128 characters.")


def _check_acl_name(state: State, name: str) -> None:
    if state.names.inner(name) != "aclConfig":
        raise invalid(f'Invalid resource name "{name}".')


def _store_named(state: State, name: str) -> DataStore:
    return state.store(*parts(state.names.inner(name), "dataStores/*"))


def _store_of_schema(state: State, name: str) -> DataStore:
    store_id, schema_id = parts(state.names.inner(name), "dataStores/*/schemas/*")
    if schema_id != SCHEMA:
        raise absent(f"Schema {name} not found.")
    return state.store(store_id)


def _shown(state: State, store: DataStore) -> Json:
    known = {"defaultSchemaId": SCHEMA} if store.schema is not None else {}
    name = state.names.full(f"dataStores/{store.id}")
    return written(v1.DataStore, {**store.settings, **known, "name": name})


def _schema_of(message: Json | None) -> Json:
    if message is None:
        return _whole(schemas.EMPTY)
    if "jsonSchema" not in message:
        return _whole(message.get("structSchema", {}))
    try:
        schema = json.loads(message["jsonSchema"])
    except ValueError as error:
        raise invalid(f"json_schema is no JSON: {error}") from error
    if not isinstance(schema, dict):
        raise invalid("json_schema is no object.")
    return schema


def _whole(schema: Json) -> Json:
    copy: Json = json.loads(json.dumps(schema))
    return copy


def _schema_message(state: State, store: DataStore) -> Json:
    name = state.names.full(f"dataStores/{store.id}/schemas/{SCHEMA}")
    if state.conduct.schema_as == "json":
        return {"name": name, "jsonSchema": json.dumps(store.schema)}
    return {"name": name, "structSchema": store.schema}


def _snake(path: str) -> str:
    return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", path)
