"""How classes of values are made of which one definition needs tens of thousands."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def checked_frozen(*, kw_only: bool = False, order: bool = False) -> Callable[[type[_T]], type[_T]]:
    """A dataclass with slots that is frozen to the type checker, and equal and hashable as a frozen one is.

    Nothing keeps it so at run time: what does would make each object take four times as long.
    """
    return dataclass(slots=True, kw_only=kw_only, order=order, unsafe_hash=True)
