"""Labels: one table, two languages, nothing that is not used."""

import re
import string
from pathlib import Path

from renderers import labels

ROOT = Path(__file__).parents[2]
COMPOSED = re.compile(
    r"^(box_|parameters_|presence_|role_|within_|style_|apiKey_|severity_|exactly_one|at_least_one)|"
    r"^(authorizationUrl|deviceAuthorizationUrl|tokenUrl|refreshUrl|oauth2|mutualTLS)$"
)
"""Keys that are put together where they are used."""


def slots(pattern: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(pattern) if name}


def test_both_languages_have_the_same_slots() -> None:
    for key, (english, japanese) in labels._WORDS.items():
        assert slots(english) == slots(japanese), key
        assert english
        assert japanese


def test_every_label_is_used() -> None:
    constraints = re.findall(r'"(\w+)"', (ROOT / "hanpon/sources/openapi/constraints.py").read_text("utf-8"))
    code = "\n".join(
        path.read_text("utf-8")
        for folder in ("renderers", "templates")
        for path in sorted((ROOT / folder).iterdir())
        if path.suffix in {".py", ".html"} and path.name != "labels.py"
    )
    used = set(re.findall(r"""["'](\w+)["']""", code)) | set(re.findall(r"\bt\.(\w+)", code)) | set(constraints)
    assert sorted(key for key in labels._WORDS if key not in used and not COMPOSED.match(key)) == []


def test_an_unknown_language_gets_english() -> None:
    assert labels.labels_of("fr") == labels.labels_of("en")
