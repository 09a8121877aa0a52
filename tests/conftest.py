"""What tests may ask for: `--golden` writes expected files anew; a corpus and a browser are used where they are."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

CORPUS = Path(os.environ.get("HANPON_CORPUS", Path(__file__).parents[1] / ".." / "shared" / "corpus"))
CHROMIUM = Path("/usr/bin/chromium")

settings.register_profile("steady", deadline=None, print_blob=True)
settings.load_profile("steady")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true", help="write the expected files of golden cases anew")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--golden"):
        os.environ["HANPON_GOLDEN"] = "write"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    absent = {
        "corpus": "" if CORPUS.is_dir() else f"no corpus of real definitions at {CORPUS} (HANPON_CORPUS)",
        "browser": "" if CHROMIUM.exists() else f"no browser at {CHROMIUM}",
    }
    for item in items:
        for name, reason in absent.items():
            if reason and item.get_closest_marker(name):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real definitions, READMEs and guidelines."""
    return CORPUS.resolve()
