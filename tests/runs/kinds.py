"""A bundle with an item of each kind, on disk."""

import json
from collections.abc import Mapping
from pathlib import Path

from tests.formats.office_files import a_docx
from tests.runs.bundles import Desk, definition
from tests.sources.writings import PNG

ITEMS = """\
owner: platform-team
readers: [group:engineers@example.co.jp]
language: en
items:
  - {kind: api, name: shop, version: v1, definition: shop.yaml, readme: README.md}
  - {kind: component, name: log, version: "3.2", readme: [log/README.md, log/docs/*.md]}
  - {kind: guideline, name: rules, files: [rules/*.md]}
  - {kind: design, name: plans, api: shop, api_version: v1, files: ["plans/**/*"], access: access.csv}
  - {kind: answers, name: past, files: [past.jsonl]}
"""

KINDS = ("shop", "log", "rules", "plans", "past")
"""The names of its items, in order."""

FILES: dict[str, str | bytes] = {
    "hanpon.yaml": ITEMS,
    "shop.yaml": definition("/a", "/b"),
    "README.md": "# Shop\n\nHow to use it, with [notes](notes.txt).\n\n![screen](screen.png)\n",
    "notes.txt": "Notes.\n",
    "screen.png": PNG,
    "log/README.md": "# Log\n\nSee the [levels](docs/levels.md).\n",
    "log/docs/levels.md": "# Levels\n\n## Warn\n\nText.\n",
    "rules/java.md": (
        "# Rules\n\n## 1.1 Names\n\nShort ones.\n\n## 1.2 Comments\n\nFew ones.\n\n"
        '!!! note "Why"\n    Who reads them?\n'
    ),
    "plans/flow.md": "# Flow\n\nSee the [stock](stock.docx).\n",
    "plans/stock.docx": a_docx("Stock"),
    "plans/C#.md": "# Sharp\n\nIts name has a sign that ends other names.\n",
    "access.csv": (
        "path,principals\nplans/flow.md,group:a@example.co.jp;group:b@example.co.jp\n"
        "plans/stock.docx,group:a@example.co.jp\nplans/C#.md,group:a@example.co.jp\n"
    ),
}

ANSWERS = (
    {"id": "q1", "question": "Is it paged?", "answer": "Yes.", "api": "shop", "versions": ["v1"]},
    {"id": "q2", "question": "Is it sorted?", "answer": "No.", "api": "shop", "versions": ["v1"]},
)


def write_answers(desk: Desk, *answers: Mapping[str, object]) -> None:
    desk.put("past.jsonl", "".join(json.dumps(answer) + "\n" for answer in answers))


def desk_of_all_kinds(folder: Path) -> Desk:
    """The bundle, not released yet."""
    desk = Desk(folder)
    for name, data in FILES.items():
        desk.put(name, data)
    write_answers(desk, *ANSWERS)
    return desk


def rewrite(desk: Desk, name: str, old: str, new: str) -> None:
    """Put other words into a file of the bundle."""
    text = (desk.bundle / name).read_text()
    assert old in text
    desk.put(name, text.replace(old, new))
