"""Pages for people lead nowhere in vain: not with a link, not with the path of a file."""

import re
from functools import cache
from pathlib import Path

import pytest

from hanpon.formats.heading_ids import Taken, github_id
from tests.project.checkout import ROOT, files, named
from tests.project.markdown_pages import blocks_of, pages

MADE_BY_A_RUN = ("out/", ".venv/", ".tools/")
A_FILE = re.compile(r"[\w.-]+(?:/[\w.-]+)+\.(?:py|html|json|md|yaml|csv|toml|txt)|[\w-]+\.(?:py|schema\.json)")
"""A path with a folder in it, or the name of a module or schema, with nothing in it to be filled in."""

every_page = pytest.mark.parametrize("page", pages())


@cache
def anchors_of(page: str) -> frozenset[str]:
    """The ids that GitHub gives the headings of a page."""
    taken = Taken()
    headings = [re.sub(r"[`*]|\]\(.*?\)", "", block.text) for block in blocks_of(page) if block.kind == "heading"]
    return frozenset(taken.numbered(github_id(heading.lstrip("# "))) for heading in headings)


@every_page
def test_every_link_leads_to_a_file_and_a_heading_that_are_there(page: str) -> None:
    broken = [link for block in blocks_of(page) for link in block.links if not leads_somewhere(link, page)]
    assert not broken, f"{page}: {broken}"


def leads_somewhere(link: str, page: str) -> bool:
    if re.match(r"[a-z]+:", link):
        return True
    path, _, anchor = link.partition("#")
    target = (ROOT / page).parent / path if path else ROOT / page
    if not target.exists():
        return False
    return not anchor or anchor in anchors_of(named(target.resolve()))


def test_a_link_that_leads_nowhere_is_noticed() -> None:
    assert leads_somewhere("ARCHITECTURE.md#the-arrows", "README.md")
    assert leads_somewhere("#設定", "README.ja.md")
    assert not leads_somewhere("ARCHITECTURE.md#the-way-back", "README.md")
    assert not leads_somewhere("decisions/search.md", "README.md")


@every_page
def test_every_file_that_is_named_is_there(page: str) -> None:
    """Paths may leave out the folders in front, as in `runs/drafting.py`."""
    spans = [span for block in blocks_of(page) for span in block.spans]
    there = ["/" + named(path) for path in files()]
    gone = [
        span
        for span in spans
        if A_FILE.fullmatch(span)
        and not span.startswith(MADE_BY_A_RUN)
        and not any(p.endswith(f"/{span}") for p in there)
    ]
    assert not gone, f"{page} names files that are not there: {gone}"


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached: set[str] = set()
    waiting = ["README.md"]
    while waiting:
        page = waiting.pop()
        if page not in reached:
            reached.add(page)
            targets = [(ROOT / page).parent / link.partition("#")[0] for b in blocks_of(page) for link in b.links]
            waiting += [named(target.resolve()) for target in targets if target.suffix == ".md" and target.exists()]
    assert not set(pages()) - reached - {"CHANGELOG.md"}, "link them from a page that is read"


def test_the_pages_are_found() -> None:
    assert {"README.md", "README.ja.md", "ARCHITECTURE.md", "CHANGELOG.md", "docs/decisions/README.md"} <= set(
        pages()
    )
    assert all(Path(ROOT / page).is_file() for page in pages())
