"""Files that imports and purges name, and the places where they leave their errors."""

import json
from collections.abc import Iterator, Sequence

from tests.cloud.discovery_engine.messages import Json
from tests.cloud.discovery_engine.objects import matching, split
from tests.cloud.discovery_engine.refusals import invalid
from tests.cloud.discovery_engine.state import State

FILES = 100
_SHARD = 100
_URI_LIMIT = 2000


def check_uris(source: Json) -> None:
    """Raises Refused for no addresses, or ones that are not `gs://`, or too long."""
    uris = source.get("inputUris", [])
    if not uris:
        raise invalid("gcs_source.input_uris is required.")
    for uri in uris:
        split(uri)
        if len(uri) > _URI_LIMIT:
            raise invalid(f"An input URI has more than {_URI_LIMIT} characters.")
    if len(uris) > FILES:
        raise invalid(f"A request can contain at most {FILES} files, found {len(uris)}.")


def files(state: State, source: Json) -> list[str]:
    """The files of a source. Raises Refused where a pattern names none, or all together name too many."""
    found: dict[str, None] = {}
    for pattern in source["inputUris"]:
        named = matching(state.objects, pattern)
        if not named:
            raise invalid(f"No files matched the input URI {pattern}.")
        found.update(dict.fromkeys(named))
    if len(found) > FILES:
        raise invalid(f"A request can contain at most {FILES} files, found {len(found)}.")
    return list(found)


def lines(state: State, file: str) -> Iterator[bytes]:
    """The lines of a file that are not empty. Raises Refused where it is gone or too large."""
    data = state.objects.read(file)
    if data is None:
        raise invalid(f"The file {file} does not exist or cannot be read.")
    if len(data) > state.conduct.file_limit:
        raise invalid(f"The file {file} has {len(data)} bytes, at most {state.conduct.file_limit} are taken.")
    return (line for line in data.split(b"\n") if line.strip())


def check_error_prefix(state: State, request: Json) -> str:
    """Where errors go, ending in a slash; "" for nowhere. Raises Refused where something lies there."""
    config = request.get("errorConfig")
    if config is None:
        return ""
    prefix = str(config.get("gcsPrefix", "")).rstrip("/") + "/"
    split(prefix)
    if [uri for uri in state.objects.below(prefix) if uri != prefix]:
        raise invalid(f"The error directory {prefix} must be an empty, existing directory.")
    return prefix


def leave_errors(state: State, prefix: str, errors: Sequence[Json]) -> None:
    """Write errors in shards, one google.rpc.Status a line."""
    shards = [errors[at : at + _SHARD] for at in range(0, len(errors), _SHARD)] if prefix else []
    for number, shard in enumerate(shards):
        text = "".join(json.dumps(error, ensure_ascii=False) + "\n" for error in shard)
        state.objects.write(f"{prefix}errors-{number:05}-of-{len(shards):05}.jsonl", text.encode())
