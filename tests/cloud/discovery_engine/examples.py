"""Stores and documents for tests: a store of pages like hanpon's, lines of its imports, and imports of them."""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from google.api_core.operation import Operation
from google.cloud import discoveryengine_v1 as v1

from tests.cloud.discovery_engine.messages import Json
from tests.cloud.discovery_engine.objects import ObjectsInMemory
from tests.cloud.discovery_engine.project import Project

STORE = "pages"
WAIT = 30.0

SCHEMA: Json = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "dynamic": "false",
    "datetime_detection": False,
    "properties": {
        "title": {"type": "string", "keyPropertyMapping": "title", "retrievable": True},
        "api": {"type": "string", "indexable": True, "retrievable": True, "dynamicFacetable": True},
        "version": {"type": "string", "indexable": True, "retrievable": True},
        "rank": {"type": "integer", "indexable": True, "retrievable": True},
        "latest": {"type": "boolean", "indexable": True},
        "released": {"type": "datetime", "indexable": True},
        "office": {"type": "object", "properties": {"place": {"type": "geolocation", "indexable": True}}},
        "groups": {"type": "array", "items": {"type": "string", "indexable": True, "retrievable": True}},
        "note": {"type": "string"},
    },
}

PROCESSING: Json = {
    "chunking_config": {"layout_based_chunking_config": {"chunk_size": 100, "include_ancestor_headings": True}},
    "parsing_config_overrides": {"html": {"layout_parsing_config": {}}},
}


def data_store(**settings: Any) -> v1.DataStore:
    """A store as hanpon wants it, other in these settings."""
    wanted: dict[str, Any] = {
        "display_name": "Pages",
        "industry_vertical": v1.IndustryVertical.GENERIC,
        "solution_types": [v1.SolutionType.SOLUTION_TYPE_SEARCH],
        "content_config": v1.DataStore.ContentConfig.CONTENT_REQUIRED,
        "document_processing_config": PROCESSING,
        "starting_schema": v1.Schema(json_schema=json.dumps(SCHEMA)),
    }
    return v1.DataStore(**{**wanted, **settings})


def create(project: Project, store_id: str = STORE, **settings: Any) -> v1.DataStore:
    """Create a store and wait for it."""
    parent = f"{project.location}/collections/default_collection"
    request = v1.CreateDataStoreRequest(parent=parent, data_store=data_store(**settings), data_store_id=store_id)
    made = project.stores.create_data_store(request, timeout=WAIT).result(timeout=WAIT)
    assert isinstance(made, v1.DataStore)
    return made


def hold(project: Project, uri: str, data: bytes | str) -> None:
    """Put an object where the double reads it."""
    objects = project.state.objects
    assert isinstance(objects, ObjectsInMemory)
    objects.write(uri, data.encode() if isinstance(data, str) else data)


def page(project: Project, name: str, html: str = "<title>Page</title><h1>Orders</h1><p>Lists all orders.") -> Json:
    """The content of a line, its page held."""
    uri = f"gs://bucket/{name}.html"
    hold(project, uri, html)
    return {"mimeType": "text/html", "uri": uri}


def line(project: Project, document_id: str, struct: Json | None = None, **fields: Any) -> Json:
    """A line with a page of its own, with these fields besides or instead; those given as None are left out."""
    whole = {"id": document_id, "structData": struct or {"title": document_id}, **fields}
    if "content" not in whole:
        whole["content"] = page(project, quote(document_id, safe="")[:100])
    return {key: value for key, value in whole.items() if value is not None}


def readers(*entries: Sequence[str] | str) -> Json:
    """An `aclInfo`; each entry is a list of groups, or "everyone"."""
    return {
        "readers": [
            {"idpWide": True} if entry == "everyone" else {"principals": [{"groupId": group} for group in entry]}
            for entry in entries
        ]
    }


def start_import(project: Project, lines: Sequence[Json | str], store_id: str = STORE, **request: Any) -> Operation:
    """Begin an import of these lines, with these fields of the request besides or instead."""
    uri = "gs://bucket/imports/lines.jsonl"
    hold(project, uri, "".join(f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in lines))
    whole = {"parent": project.branch(store_id), "gcs_source": {"input_uris": [uri]}, **request}
    return project.documents.import_documents(v1.ImportDocumentsRequest(**whole), timeout=WAIT, retry=None)


def imported(project: Project, lines: Sequence[Json | str], store_id: str = STORE, **request: Any) -> tuple[int, ...]:
    """Import lines and wait; successes, failures and all."""
    operation = start_import(project, lines, store_id, **request)
    operation.result(timeout=WAIT)
    counts = operation.metadata
    return counts.success_count, counts.failure_count, counts.total_count


def failure(project: Project, a_line: Json | str, store_id: str = STORE, **request: Any) -> str:
    """What the import of one line, which must fail, says of it."""
    operation = start_import(project, [a_line], store_id, **request)
    samples = operation.result(timeout=WAIT).error_samples
    assert operation.metadata.failure_count == len(samples) == 1
    return str(samples[0].message)


def found(project: Project, filter_: str = "", query: str = "", store_id: str = STORE) -> list[str]:
    """The ids of the documents that a search gives, sorted."""
    request = v1.SearchRequest(serving_config=project.serving_config(store_id), query=query, filter=filter_)
    return sorted(result.document.id for result in project.search.search(request, timeout=WAIT))
