"""Values that are made by the ten thousand: as good as frozen ones wherever that can be seen."""

from dataclasses import replace

import pytest

from hanpon.contracts.frozen import checked_frozen


@checked_frozen(kw_only=True)
class Point:
    """A value."""

    x: int
    y: int = 0


def test_equal_values_are_one_in_a_set() -> None:
    assert {Point(x=1), Point(x=1, y=0), Point(x=2)} == {Point(x=1), Point(x=2)}


def test_a_value_is_replaced_and_holds_no_more_than_its_fields() -> None:
    assert replace(Point(x=1), y=2) == Point(x=1, y=2)
    with pytest.raises(AttributeError):
        Point(x=1).z = 3  # type: ignore[attr-defined]


def test_the_type_checker_refuses_to_change_a_value() -> None:
    point = Point(x=1)
    point.x = 2  # type: ignore[misc]  # mypy tells of an ignore that is not needed, so this is the proof
    assert point.x == 2
