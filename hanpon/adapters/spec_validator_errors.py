"""openapi-spec-validator's errors as findings: each at its place, in one sentence, without a value quoted.

Its own messages quote whole documents, and most of its errors do not say where they arose. So every one of its
keyword validators is wrapped to leave a note of where it stood.
"""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import jsonschema_rs
from jsonschema_path.paths import SchemaPath
from openapi_spec_validator.validation import (
    OpenAPIV2SpecValidator,
    OpenAPIV30SpecValidator,
    OpenAPIV31SpecValidator,
    OpenAPIV32SpecValidator,
)
from openapi_spec_validator.validation.exceptions import (
    DuplicateOperationIDError,
    ExtraParametersError,
    OpenAPIValidationError,
    ParameterDuplicateError,
    UnresolvableParameterError,
)

from hanpon.contracts.definitions import Node, UnresolvedReference
from hanpon.contracts.findings import Finding, Severity
from hanpon.sources.definitions.closure import closure_of
from hanpon.sources.definitions.dialects import names_another_dialect
from hanpon.sources.definitions.files import DefinitionFiles
from hanpon.sources.definitions.references import is_reference
from hanpon.sources.definitions.structure import structure_findings
from hanpon.sources.texts.text_problems import problem, shortened, shown

MOST_ERRORS = 1000

_VALIDATORS = {
    "2.0": OpenAPIV2SpecValidator,
    "3.0": OpenAPIV30SpecValidator,
    "3.1": OpenAPIV31SpecValidator,
    "3.2": OpenAPIV32SpecValidator,
}

_BASE = "http://bundle.invalid/"
"""A scheme that addresses can be joined in; nothing is fetched."""


class _OnlyGiven(dict[str, Any]):
    """Handlers for every scheme there is, each of which serves the definition's own files alone."""

    def __init__(self, definition: DefinitionFiles) -> None:
        super().__init__()
        self._definition = definition

    def __contains__(self, scheme: object) -> bool:
        return True

    def __getitem__(self, scheme: str) -> Any:
        return self._serve

    def _serve(self, uri: str) -> Any:
        path = unquote(urlsplit(uri).path).lstrip("/")
        if not uri.startswith(_BASE) or path not in self._definition.readable():
            raise PermissionError(shortened(uri))
        return self._definition.node(path).value


def findings_of(definition: DefinitionFiles) -> list[Finding]:
    """All that openapi-spec-validator has against a definition, without lines.

    The first part of its pass is the official schema; that is done in our own way, without the schema's slips and
    in our own words. Where the validator itself fails, the last finding is a warning that says so, and whatever
    came before it stands.
    """
    closure_of(definition)  # every file has been read after this, and no reference can ask for another
    found = structure_findings(definition.dialect, definition.root, formats=True)
    try:
        for error in islice(_errors(definition), MOST_ERRORS):
            node = _node_at(definition, error.steps)
            if not _is_slip(error, node, definition):
                found.append(_semantic(error, node))
    except MemoryError:
        raise  # no verdict at all: it might end otherwise the next time
    except Exception as failed:  # noqa: BLE001  hostile input makes the validator raise anything at all
        message = f"openapi-spec-validator failed with {type(failed).__name__}; our own checks decide the rest."
        found.append(Finding("validator-stopped", Severity.WARNING, definition.root.place, message))
    return found


class _Noted(OpenAPIValidationError):
    """An error with the keyword whose validator found it and the path at which that stood."""

    keyword = ""
    steps: tuple[str | int, ...] = ()
    original: type = OpenAPIValidationError


class _NoSchema:
    """In the place of the validator's own check against the official schema."""

    def iter_errors(self, _: Any) -> Iterator[OpenAPIValidationError]:
        return iter(())


def _errors(definition: DefinitionFiles) -> Iterator[_Noted]:
    root = definition.root
    path = SchemaPath.from_dict(root.value, base_uri=_BASE + quote(root.file), handlers=_OnlyGiven(definition))
    plain = _VALIDATORS[definition.dialect]
    noting = {keyword: _noting(keyword, validator) for keyword, validator in plain.keyword_validators.items()}
    members = {"keyword_validators": noting, "schema_validator": _NoSchema()}
    yield from type(plain.__name__, (plain,), members)(path).iter_errors()


def _noting(keyword: str, validator: type) -> type:
    def call(self: Any, *arguments: Any, **named: Any) -> Iterator[OpenAPIValidationError]:
        at = next((argument.parts for argument in arguments if isinstance(argument, SchemaPath)), ())
        for error in validator.__call__(self, *arguments, **named):
            if isinstance(error, _Noted):
                yield error
                continue
            noted = _Noted.create_from(error)
            noted.keyword, noted.steps, noted.original = keyword, tuple(at), type(error)
            yield noted

    return type(validator.__name__, (validator,), {"__call__": call})


def _is_slip(error: _Noted, node: Node, definition: DefinitionFiles) -> bool:
    """True where the validator refuses what the specification allows, and our own pass looks after it."""
    if error.original is UnresolvableParameterError:
        # keys beside a path item's `$ref`, which it leaves out (3.1.1, section 4.8.9; 2.0, "Path Item Object")
        item = definition.root
        for step in error.steps[:2]:
            item = item.child(step)
        return is_reference(item.value) and len(item.value) > 1
    if error.keyword != "schema":
        return False
    if error.validator == "format" and error.validator_value == "regex":
        # it tries patterns as Python's, but they are ECMAScript's (3.0.4, section 4.7.24; 3.1.1, section 4.8.24)
        return _ECMASCRIPT.is_valid(error.instance)
    if isinstance(node.value, list):
        # it walks every dialect as its own: in others a list of schemas may stand where it wants one
        dialects = ((definition.root, "jsonSchemaDialect"), (definition.node(node.file), "$schema"))
        return any(names_another_dialect(holder.value, key) for holder, key in dialects)
    # a download (2.0, "Response Object"); the official schema lets it stand there alone
    return definition.dialect == "2.0" and error.validator == "anyOf" and error.instance == "file"


_ECMASCRIPT = jsonschema_rs.validator_for({"format": "regex"}, validate_formats=True)


def _semantic(error: _Noted, node: Node) -> Finding:
    if error.original in _SENTENCES:
        return _SENTENCES[error.original](error, node)
    return _of_tags(error, node) if error.keyword == "tags" else _of_schema(error, node)


def _repeated_id(_: _Noted, operation: Node) -> Finding:
    place = operation.place.child("operationId")
    return problem("operation-id-twice", place, "The operationId is also that of another operation.")


def _disagreeing_parameter(error: _Noted, operation: Node) -> Finding:
    name = _first(r"Path parameter '(.*?)' for ", error)
    message = f"The path and the path parameters declared do not agree on {shown(name)}."
    return problem("path-parameters-disagree", operation.place, message)


def _repeated_parameter(error: _Noted, parameters: Node) -> Finding:
    name = _first(r"parameter '(.*)'", error)
    return problem("parameter-twice", parameters.place, f"The parameter {shown(name)} is declared twice.")


def _required_not_there(error: _Noted, schema: Node) -> Finding:
    names = _first(r"\[(.*)\]", error).replace("'", "")
    message = f"`required` names {shown(names)}, which is no property of the schema."
    return problem("required-not-a-property", schema.place.child("required"), message)


_SENTENCES: dict[type, Callable[[_Noted, Node], Finding]] = {
    DuplicateOperationIDError: _repeated_id,
    UnresolvableParameterError: _disagreeing_parameter,
    ParameterDuplicateError: _repeated_parameter,
    ExtraParametersError: _required_not_there,
}


def _of_schema(error: _Noted, schema: Node) -> Finding:
    if error.message.startswith("Unknown JSON Schema dialect"):
        message = "The validator does not know the dialect of this schema, and left it unchecked."
        return Finding("schema-dialect-unknown", Severity.WARNING, schema.place, message)
    if not isinstance(error.validator, str):
        message = "A schema is wanted here, which is a mapping (since 3.1 also `true` or `false`)."
        return problem("schema-invalid", schema.place, message)
    keyword = shown(error.validator)
    if error.keyword == "default":
        message = f"The default does not fit its own schema ({keyword})."
        return problem("default-does-not-fit", schema.place.child("default"), message)
    message = f"This does not fit JSON Schema as OpenAPI uses it ({keyword})."
    return problem("schema-invalid", schema.place.child(*error.absolute_path), message)


def _of_tags(error: _Noted, tags: Node) -> Finding:
    duplicate = _first(r"Duplicate tag name '(.*)'", error)
    if duplicate:
        return problem("tag-twice", tags.place, f"The tag {shown(duplicate)} is declared twice.")
    return problem("tag-hierarchy", tags.place, "The `parent` of a tag is unknown, or tags are each other's parents.")


def _first(pattern: str, error: OpenAPIValidationError) -> str:
    found = re.search(pattern, error.message)
    return found.group(1) if found else ""


def _node_at(definition: DefinitionFiles, steps: tuple[str | int, ...]) -> Node:
    """Where a path of the validator's leads, which goes through references as if they were not there."""
    node = definition.root
    try:
        for step in steps:
            node = definition.follow(node).child(step)
        return definition.follow(node)
    except (UnresolvedReference, KeyError, IndexError, TypeError):
        return node
