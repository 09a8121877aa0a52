"""The pointer: what of an edition is current, by which run it became so, and what was current before."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointer:
    """`current.json`: which manifest is current, since when, by which run, and what was current before."""

    manifest: str
    published_at: str
    run: str
    origin: str
    ref: str
    previous: tuple[str, ...] = ()
    link_base: str = ""
    """Address below which a person opens the edition's pages; "" where the bundle names none."""
    narrowed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By id who alone may still see a document, where a release has taken readers away and has published nothing
    yet; () for nobody. What the manifest says of other readers does not count any more."""

    def as_record(self) -> dict[str, Any]:
        """The record of `schemas/pointer.schema.json`."""
        return {
            "manifest": self.manifest,
            "published_at": self.published_at,
            "run": self.run,
            "origin": self.origin,
            "ref": self.ref,
            "previous": list(self.previous),
            **({"link_base": self.link_base} if self.link_base else {}),
            **({"narrowed": {each: list(kept) for each, kept in self.narrowed.items()}} if self.narrowed else {}),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Pointer":
        """Raises KeyError, TypeError or ValueError where the record cannot be a pointer.

        It is the one record without a digest, so its values are looked at: manifests are digests, all else is text.
        """
        texts = [*(record[key] for key in ("published_at", "run", "origin", "ref")), record.get("link_base", "")]
        manifests = [record["manifest"], *record["previous"]]
        narrowed = {each: tuple(kept) for each, kept in dict(record.get("narrowed", {})).items()}
        readers = [reader for kept in narrowed.values() for reader in kept]
        if not all(isinstance(text, str) for text in (*texts, *manifests, *readers)):
            raise TypeError("not all of its values are text")
        if not all(_DIGEST.fullmatch(digest) for digest in manifests):
            raise ValueError("a manifest is named by something that is no digest")
        return cls(
            manifest=record["manifest"],
            published_at=record["published_at"],
            run=record["run"],
            origin=record["origin"],
            ref=record["ref"],
            previous=tuple(record["previous"]),
            link_base=record.get("link_base", ""),
            narrowed=narrowed,
        )
