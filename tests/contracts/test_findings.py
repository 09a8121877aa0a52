"""Findings as people see them: one safe line each, whatever a definition holds."""

import pytest

from hanpon.contracts.findings import MAX_MESSAGE, Finding, Place, Severity
from hanpon.contracts.lines import cut_in_the_middle, one_line

HOSTILE = [
    "\x1b]0;owned\x07",
    "\r\n",
    "\x9b31m",
    "\u202e",
    "\u2066",
    "\u2028",
    "\x85",
    "\u200b",
    "\ufeff",
    "\U000e0041",
]


@pytest.mark.parametrize("piece", HOSTILE, ids=ascii)
def test_nothing_a_terminal_acts_on_is_shown(piece: str) -> None:
    for found in (
        Finding("fake", Severity.ERROR, Place("a.yaml"), f"x{piece}y"),
        Finding("fake", Severity.ERROR, Place("a.yaml", f"/x{piece}y"), "m"),
        Finding("fake", Severity.ERROR, Place(f"x{piece}y"), "m"),
    ):
        line = str(found)
        assert line.isprintable()
        assert f"\\u{ord(piece[0]):04x}" in line or "\\U000e0041" in line


def test_a_line_break_forges_no_line() -> None:
    found = Finding("rule", Severity.ERROR, Place("a.json", "/paths/~1{y}\nerror: a.json:1: FAKE [fake]"), "m")
    assert str(found).splitlines() == [r"a.json#/paths/~1{y}\u000aerror: a.json:1: FAKE [fake]: m [rule]"]


def test_japanese_and_its_wide_space_are_shown_as_they_are() -> None:
    assert one_line("顧客\u3000API ガイド") == "顧客\u3000API ガイド"


def test_what_is_very_long_is_cut_in_its_middle_for_people() -> None:
    place = Place("f" * 9000, "/a" + "\n" * 600_000 + "z", 3)
    line = str(Finding("rule", Severity.ERROR, place, "b" + "m" * 600_000 + "e"))
    assert len(line) < 1600
    assert line.startswith("fff")
    assert line.endswith("me [rule]")
    assert line.count("…") == 3


def test_the_record_keeps_the_true_pointer_and_a_bounded_message() -> None:
    found = Finding("rule", Severity.ERROR, Place("a", "/" + "\x1b" * 5000), "m" * 600_000)
    record = found.as_record()
    assert record["where"]["pointer"] == found.where.pointer
    assert len(record["message"]) == MAX_MESSAGE
    assert Finding.from_record(record).as_record() == record


@pytest.mark.parametrize("longest", [1, 2, 5, 6])
def test_a_cut_keeps_the_length(longest: int) -> None:
    assert len(cut_in_the_middle("abcdefg", longest)) == longest
    assert cut_in_the_middle("abc", 3) == "abc"
