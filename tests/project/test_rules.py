"""Every rule a finding can bear is in one table, described, and used."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from hanpon.findings.rules import RULES

ROOT = Path(__file__).parents[2]
KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MAKERS = re.compile(
    r".*(problem|finding|report|stop|note|whole|notthere|unresolvedreference|_stopped|misplaced_ref)", re.IGNORECASE
)
"""Names of what makes a finding from a rule: `Finding`, `problem`, `reader.note`, …"""


def modules() -> list[Path]:
    found = [path for package in ("hanpon", "renderers") for path in sorted((ROOT / package).rglob("*.py"))]
    return [path for path in found if path != ROOT / "hanpon" / "findings" / "rules.py"]


def texts_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def rules_made_in(path: Path) -> Iterator[str]:
    """The rules that stand as text where a finding is made."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
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
    made = {(rule, path.name) for path in modules() for rule in rules_made_in(path)}
    assert len(made) > 20
    missing = sorted((rule, where) for rule, where in made if rule not in RULES)
    assert not missing, f"describe them in hanpon/findings/rules.py: {missing}"


def test_every_described_rule_is_used() -> None:
    used = set().union(*(texts_in(path) for path in modules()))
    assert not sorted(set(RULES) - used), "take them out of hanpon/findings/rules.py, or use them"


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
    tree = ast.parse((ROOT / "hanpon" / "findings" / "rules.py").read_text("utf-8"))
    keys = [
        key.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        for key in node.keys
        if isinstance(key, ast.Constant)
    ]
    assert len(keys) == len(set(keys))
