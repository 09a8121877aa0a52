"""Every README and Markdown guideline of the corpus: nothing lost, everything called as on GitHub."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from hanpon.formats.github_markdown import github_html
from hanpon.sources.texts.inputs import Inputs
from hanpon.sources.writings.front_matter import fronted
from hanpon.sources.writings.reader import Reading, read_writing
from tests.corpus import ROOT
from tests.sources.source_words import words_of_sections, words_of_source
from tests.sources.writings import html_of, ids_of, tags_of
from tests.trees import MemoryTree

pytestmark = pytest.mark.corpus
FOLDERS = ("readmes", "guidelines")
TEXTS = sorted(path.relative_to(ROOT).as_posix() for folder in FOLDERS for path in (ROOT / folder).rglob("*.md")) or [
    "absent"
]


@cache
def files() -> MemoryTree:
    if not (ROOT / "readmes").is_dir():
        pytest.skip(f"no corpus at {ROOT}; set HANPON_CORPUS")
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*")) if path.is_file()]
    return MemoryTree({path.relative_to(ROOT).as_posix(): path.read_bytes() for path in paths})


@cache
def reading(file: str) -> Reading:
    folder = str(Path(file).parent)
    item = frozenset(path for path in files().paths() if path.startswith(f"{folder}/") and path.endswith(".md"))
    return read_writing(file, item, "gfm", "utf-8", Inputs(files()))


def source(file: str) -> str:
    return files().read(file).decode("utf-8-sig").replace("\r\n", "\n")


def rule_of_github(text: str, seen: set[str]) -> str:
    kept = "".join(
        c for c in text.lower() if re.match(r"[\w\u3099\u309a\ufe0f -]", c) and not re.match("[①-⓿²³¹]", c)
    )
    identity, number = kept.replace(" ", "-"), 0
    while (found := f"{identity}-{number}" if number else identity) in seen:
        number += 1
    seen.add(found)
    return found


@pytest.mark.parametrize("file", TEXTS)
def test_headings_are_called_as_on_github(file: str) -> None:
    found = reading(file)
    soup = BeautifulSoup(github_html(fronted(source(file), file).rest), "html.parser")
    texts = [heading.get_text() for heading in soup.find_all(["h1", "h2", "h3", "h4", "h5", "h6"])]
    texts = [re.sub(r"\s*\{:[^}]*\}", "", text) for text in texts if text.strip()]
    seen: set[str] = set()
    wanted = [rule_of_github(text, seen) for text in texts]
    assert [one for one in ids_of(found.writing) if one in seen] == wanted


@pytest.mark.parametrize("file", TEXTS)
def test_no_word_is_lost_and_none_comes_twice(file: str) -> None:
    found = reading(file)
    wanted, shown = words_of_source(source(file)), words_of_sections(found.writing)
    assert not wanted - shown
    assert not shown - wanted - words_of_pictures(found, source(file))


def words_of_pictures(found: Reading, text: str) -> Counter[str]:
    """Words that stand in attributes of raw HTML in the source, and the hosts of badges without words."""
    alts = re.findall(r"""\balt=["']([^"']*)""", text)
    hosts = [
        link.get_text() for link in tags_of(html_of(found), "a") if re.fullmatch(r"[\w.-]+\.\w+", link.get_text())
    ]
    return Counter(word.casefold() for words in (*alts, *hosts) for word in re.findall(r"[^\W_]+", words))


@pytest.mark.parametrize("file", TEXTS)
def test_links_and_images_are_accounted_for(file: str) -> None:
    found = reading(file)
    soup = BeautifulSoup(github_html(fronted(source(file), file).rest), "html.parser")
    assert found.tally.adds_up
    assert found.tally.links == len([link for link in soup.select("a[href]") if link.get_text().strip() or link.img])
    assert found.tally.images == len(soup.select("img"))
    reported = sum(
        int(times[1]) if (times := re.search(r"(\d+) (?:times|links)", f.message)) else 1 for f in found.findings
    )
    assert reported == found.tally.unlinked + found.tally.worded


@pytest.mark.parametrize("file", TEXTS)
def test_headings_are_found_on_their_lines(file: str) -> None:
    lines = source(file).split("\n")
    for section in reading(file).writing.sections:
        if section.line:
            words = re.findall(r"[^\W_]+", section.title)
            assert not words or words[0] in lines[section.line - 1]
