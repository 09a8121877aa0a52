"""How a store of Vertex AI Search differs from what is wanted of it, and what can be done about each difference."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hanpon.contracts.datastore_form import ENFORCED, FILTERED, DatastoreForm, Difference

_SWITCHES = {"dynamic": "true", "datetime_detection": "true", "geolocation_detection": "true"}
"""Keywords at the root of a schema, with what the service takes where they are absent."""

_MARKS = ("indexable", "searchable", "retrievable", "dynamicFacetable", "completable")


def differences(wanted: DatastoreForm, found: DatastoreForm) -> tuple[Difference, ...]:
    """All differences at once, in the order of the form's fields. The display name is none."""
    return (*_decided(wanted, found), *schema_differences(wanted.schema, found.schema))


def _decided(wanted: DatastoreForm, found: DatastoreForm) -> Iterator[Difference]:
    """What is decided when a store is made; the service changes none of it later."""
    words = (
        ("industry vertical", wanted.vertical, found.vertical, ""),
        ("content", wanted.content_config, found.content_config, ""),
        ("access control", _on(wanted.access_control), _on(found.access_control), _access_taken(found)),
        ("parser for HTML", wanted.html_parser, found.html_parser, ""),
        ("parser for other types", wanted.default_parser, found.default_parser, ""),
        ("chunk size", _size(wanted.chunk_size), _size(found.chunk_size), _size_taken(found)),
        ("headings above each piece", _on(wanted.ancestor_headings), _on(found.ancestor_headings), ""),
    )
    for what, one, other, advice in words:
        if one != other:
            yield Difference(what=what, wanted=one, found=other, advice=advice)


def _on(switch: bool) -> str:  # noqa: FBT001  the value itself, in words
    return "on" if switch else "off"


def _size(tokens: int) -> str:
    return f"{tokens} tokens" if tokens else "no pieces"


def _access_taken(found: DatastoreForm) -> str:
    return f"--access {ENFORCED if found.access_control else FILTERED} takes it as it is"


def _size_taken(found: DatastoreForm) -> str:
    return f"--chunk-size {found.chunk_size} takes it as it is" if found.chunk_size else ""


@dataclass(frozen=True, slots=True)
class _Field:
    """A field as a schema declares it, however it is spelt."""

    type: str
    marks: frozenset[str]

    @classmethod
    def of(cls, declared: Any) -> "_Field":
        declared = declared if isinstance(declared, Mapping) else {}
        items = declared.get("items") if declared.get("type") == "array" else None
        if isinstance(items, Mapping):
            inner = cls.of(items)
            return cls(f"list of {inner.type}", inner.marks | _marks(declared))
        return cls(str(declared.get("type", "anything")), _marks(declared))

    def __str__(self) -> str:
        return ", ".join((self.type, *sorted(self.marks)))


def _marks(declared: Mapping[str, Any]) -> frozenset[str]:
    mapped = declared.get("keyPropertyMapping")
    # a mapped field can be filtered by and searched in without saying so
    implied = (f"mapped to {mapped}", "indexable", "searchable") if mapped else ()
    return frozenset((*(mark for mark in _MARKS if declared.get(mark)), *implied))


def schema_differences(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[Difference]:
    """What has to be pushed, and what no push can mend: a field of another type, or one too many.

    A field that may be used in more ways than is wanted is no difference.
    """
    for keyword, default in _SWITCHES.items():
        switch, there = (str(schema.get(keyword, default)).lower() for schema in (wanted, found))
        if switch != there:
            yield Difference(what=f"schema, {keyword}", wanted=switch, found=there, changeable=True)
    declared, existing = fields_of(wanted), fields_of(found)
    for name in sorted(declared.keys() | existing.keys()):
        what = f"schema, field {name}"
        one, other = declared.get(name), existing.get(name)
        if one is None:
            yield Difference(what=what, wanted="no such field", found=str(other))
        elif other is None:
            yield Difference(what=what, wanted=str(one), found="no such field", changeable=True)
        elif one.type != other.type:
            yield Difference(what=what, wanted=str(one), found=str(other))
        elif not one.marks <= other.marks:
            yield Difference(what=what, wanted=str(one), found=str(other), changeable=True)


def fields_of(schema: Mapping[str, Any]) -> dict[str, _Field]:
    """The fields of a schema by name; none where it declares none."""
    properties = schema.get("properties")
    return {name: _Field.of(each) for name, each in properties.items()} if isinstance(properties, Mapping) else {}


def merged_schema(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
    """What to push: all that is wanted, and whatever is there, for the service lets nothing be taken away."""
    merged = {**found, **wanted}
    there = found.get("properties")
    kept = there if isinstance(there, Mapping) else {}
    merged["properties"] = {
        **kept,
        **{name: _merged_field(each, kept.get(name)) for name, each in wanted["properties"].items()},
    }
    return merged


def _merged_field(wanted: Mapping[str, Any], found: Any) -> dict[str, Any]:
    if not isinstance(found, Mapping):
        return dict(wanted)
    merged = {**found, **wanted}
    if "items" in wanted:
        merged["items"] = _merged_field(wanted["items"], found.get("items"))
    return merged


def refusal(found: DatastoreForm, differing: tuple[Difference, ...]) -> str:
    """All that differs and what to do about it, in one message."""
    advice = []
    if any(not each.changeable for each in differing):
        where = f"vertex://{found.project}/{found.location}/NEW_ID"
        advice.append(
            f"what can never be changed needs a store of another id: `hanpon datastore create --datastore {where}`, "
            "then `hanpon datastore rebuild` with the same address, then name it in HANPON_DATASTORE and in the app "
            "that answers"
        )
    else:
        advice.append(
            "`hanpon datastore create` pushes what is missing; every document is then indexed anew, which takes "
            "hours in a large store and is charged again"
        )
    return f"{found.address} differs from what the settings want: {'; '.join([*map(str, differing), *advice])}"
