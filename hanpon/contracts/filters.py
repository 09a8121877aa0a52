"""The filter tree: what an expression of Vertex AI Search's filter grammar says, whichever store answers it."""

from dataclasses import dataclass
from typing import Literal

TEXT_FIELDS = (
    "title", "doc_type", "api", "api_version", "superseded", "deprecated", "owner", "language", "section", "method",
    "path", "operation_id", "tags", "groups", "source",
)  # fmt: skip
"""Fields of metadata that `ANY` takes; `tags` and `groups` are lists, of which any element may match."""

NUMBER_FIELDS = ("version_rank",)
"""Fields that comparisons and `IN` take."""

Operator = Literal["<", "<=", ">", ">=", "="]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """`field: ANY("a", "b")`: the text, or one of the list, is one of these, case and all."""

    field: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of a range."""

    number: float
    inclusive: bool


@dataclass(frozen=True, slots=True)
class Within:
    """`field: IN(lower, upper)`; None for an end that is open (`*`)."""

    field: str
    lower: Bound | None
    upper: Bound | None


@dataclass(frozen=True, slots=True)
class Compared:
    """`field >= 3`."""

    field: str
    operator: Operator
    number: float


@dataclass(frozen=True, slots=True)
class Not:
    """`NOT` before one condition."""

    operand: "AnyOf | Within | Compared | Not"


@dataclass(frozen=True, slots=True)
class And:
    """Two or more expressions, all of which must hold."""

    operands: "tuple[Filter, ...]"


@dataclass(frozen=True, slots=True)
class Or:
    """Two or more expressions, one of which must hold."""

    operands: "tuple[Filter, ...]"


Filter = AnyOf | Within | Compared | Not | And | Or
