"""What a browser makes of a page: nothing is fetched, it fits a phone, all text is there without script."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.apis import pages_of
from tests.conftest import CHROMIUM

MARKERS = Path(__file__).parent / "markers"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as started:
        found = started.chromium.launch(executable_path=str(CHROMIUM), headless=True, args=FLAGS)
        yield found
        found.close()


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_fits_and_fetches_nothing(browser: Any, tmp_path: Path, width: int, scheme: str) -> None:
    page = pages_of((MARKERS / "openapi-3.0.yaml").read_text("utf-8"))["POST /zq-path/{zq-path-param}"]
    file = tmp_path / "page.html"
    file.write_text(page.html, "utf-8")
    context = browser.new_context(
        color_scheme=scheme, java_script_enabled=False, viewport={"width": width, "height": 900}
    )
    tab = context.new_page()
    requests: list[str] = []
    tab.on("request", lambda request: requests.append(request.url))
    tab.goto(file.as_uri())
    assert requests == [file.as_uri()]
    assert "".join(tab.inner_text("main").split()) == "".join(page.text.split())
    context.close()
    scripted = browser.new_context(viewport={"width": width, "height": 900})
    tab = scripted.new_page()
    tab.goto(file.as_uri())
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    scripted.close()
