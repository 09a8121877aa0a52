"""Every rule a finding can bear is in one table, described, and used."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hanpon.contracts.errors import Conflict, HanponError, Held, Missing, Unavailable, UsageError
from hanpon.findings.rules import RULES
from tests.project.checkout import ROOT, modules, tree_of

TABLE = ROOT / "hanpon" / "findings" / "rules.py"
KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MAKERS = re.compile(
    r".*(problem|finding|report|stop|note|whole|notthere|unresolvedreference|_stopped|misplaced_ref)"
    r"|refusal|_afterwards|_error|_warning",
    re.IGNORECASE,
)
"""Names of what makes a finding from a rule: `Finding`, `problem`, `reader.note`, …"""


def makers() -> list[Path]:
    return [path for path in modules() if path != TABLE]


def texts_in(path: Path) -> set[str]:
    nodes = ast.walk(tree_of(path))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def rules_made_in(path: Path) -> Iterator[str]:
    """The rules that stand as text where a finding is made."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Tuple):
            yield from _rule_of_triple(node)
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if MAKERS.fullmatch(name):
            position = 2 if name == "UnresolvedReference" else 0
            for argument in node.args[position : position + 1]:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value


def _rule_of_triple(node: ast.Tuple) -> Iterator[str]:
    """A rule, steps and a sentence, as checks of a schema yield them before they know the place."""
    if len(node.elts) == 3 and isinstance(node.elts[1], ast.Tuple) and isinstance(node.elts[0], ast.Constant):
        yield str(node.elts[0].value)


def test_every_rule_that_a_finding_is_made_with_is_described() -> None:
    made = {(rule, path.name) for path in makers() for rule in rules_made_in(path)}
    assert len({rule for rule, _ in made}) > len(RULES) * 0.95, "rules are made by what MAKERS does not know"
    missing = sorted((rule, where) for rule, where in made if rule not in RULES)
    assert not missing, f"describe them in hanpon/findings/rules.py: {missing}"


def test_every_described_rule_is_used() -> None:
    used = set().union(*(texts_in(path) for path in makers()))
    assert not sorted(set(RULES) - used), "take them out of hanpon/findings/rules.py, or use them"


@pytest.mark.parametrize("error", [UsageError, Unavailable, Held, Conflict, Missing])
def test_every_error_that_stops_an_edition_is_told_under_a_rule_that_is_described(error: type[HanponError]) -> None:
    assert error.rule in RULES


def test_rules_are_kebab_case_in_order_and_each_has_one_sentence() -> None:
    assert list(RULES) == sorted(RULES)
    for rule, description in RULES.items():
        assert KEBAB.fullmatch(rule), rule
        assert description.endswith("."), rule
        assert description[0].isupper() or description[0] == "`", rule
        assert "\n" not in description, rule


def test_no_two_rules_share_a_description() -> None:
    assert len(set(RULES.values())) == len(RULES)


def test_the_table_holds_no_rule_twice() -> None:
    keys = [
        key.value
        for node in ast.walk(tree_of(TABLE))
        if isinstance(node, ast.Dict)
        for key in node.keys
        if isinstance(key, ast.Constant)
    ]
    assert len(keys) == len(set(keys))
