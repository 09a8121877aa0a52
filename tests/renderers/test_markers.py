"""No text of a definition is lost: each marker word stands on a page."""

import re
from pathlib import Path

import pytest

from tests.apis import Page, api_item, pages_of

MARKERS = Path(__file__).parent / "markers"
WORD = re.compile(r"zq[-A-Z][\w-]*\w")


def words_on(pages: list[Page]) -> set[str]:
    links = [str(a.get("href")) for page in pages for a in page.soup.find_all("a")]
    return set(WORD.findall(" ".join([*(page.text for page in pages), *links])))


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("case", sorted(path.name for path in MARKERS.iterdir()))
def test_every_marker_word_stands_on_a_page(case: str, language: str) -> None:
    definition = (MARKERS / case).read_text("utf-8")
    item = api_item(case, language="ja" if language == "ja" else "en")
    found = words_on(list(pages_of({case: definition}, item).values()))
    assert sorted(set(WORD.findall(definition)) - found) == []
