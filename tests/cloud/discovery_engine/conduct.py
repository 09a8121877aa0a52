"""How the double conducts itself where a test decides it, or where nobody has seen what the service does."""

import math
from dataclasses import dataclass, field
from typing import Literal


@dataclass(kw_only=True)
class Conduct:
    """Settings of the double; a test may change them at any time.

    What is not known of the service is set to its stricter reading, so that code which passes has assumed less.
    """

    indexing_lag: float = 0.0
    """Seconds from the end of an import until search sees what it changed."""
    removal_lag: float = 0.0
    """Seconds for which Get, List and search still show what was purged."""
    early_removals_are_lost: bool = True
    """A document that search does not see yet is not found by a purge, and surfaces later."""

    operation_polls: float = 0
    """How often a new operation is asked for before it ends; math.inf: it never does. Its work is done at its end."""
    operation_seconds: float = math.inf
    """Seconds after which a new operation ends, asked for or not."""
    operation_error: tuple[int, str] | None = None
    """The next operation ends with this google.rpc code and message, its work undone; used up by it."""

    failing: dict[str, str] = field(default_factory=dict)
    """Documents, by id, that fail in every import, and with which words."""
    lost_answers: list[str] = field(default_factory=list)
    """Names of methods (`ImportDocuments`): the next call of each is done, but its answer lost; used up by it."""
    denied: set[str] = field(default_factory=set)
    """Names of methods that the caller has no permission for."""

    without_readers: Literal["fails", "invisible"] = "fails"
    """What becomes of a line without readers in an access-controlled store (not known)."""
    documents_hidden: Literal["denied", "invalid"] = "denied"
    """How Get and List are refused on an access-controlled store (not known)."""
    late_refusals: bool = False
    """What is wrong with the files of an import is told by its operation, not by the answer to the request."""
    duplicate_ids: Literal["last", "fails"] = "last"
    """What becomes of a line whose id another line of the import had (not known)."""
    mask_takes_access: bool = True
    """Whether `update_mask` may name acl_info (not known)."""
    not_finds_missing: bool = False
    """Whether NOT matches a document that lacks the field (not known)."""
    only_retrievable: bool = True
    """Whether results hold only fields that are declared retrievable."""
    schema_as: Literal["struct", "json"] = "struct"
    """Which of its two forms GetSchema answers with (not known)."""
    mode_unspecified: Literal["DOCUMENTS", "CHUNKS"] = "DOCUMENTS"
    """What a search without a result mode gives (the sources disagree)."""
    purge_wants_filter: bool = False
    """Whether a purge by ids must also say filter `*` (not known); a purge without ids always must."""

    id_limit: int = 128
    """Most characters of a document id (older pages say 63)."""
    row_limit: int = 1_000_000
    """Most bytes of a line of an import (no official figure)."""
    file_limit: int = 2 * 1024**3
    """Most bytes of a file of an import."""
    text_limit: int | None = None
    """Most bytes of an HTML or text file; None: as documented for the store's parser and chunking."""
    chunk_limit: int = 1000
    """Most chunks of a document; one with more is imported but never found."""
    readers_limit: int = 3000
    """Most principals of a document."""
    retrievable_limit: int = 50
    """Most retrievable fields of a schema (one page says 30)."""
    samples: int = 5
    """Most errors that the answer of an import shows."""
